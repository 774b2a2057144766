// Lanes of a warp that enter a region to whose beginning they can be brought back.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "isa/exec/execute.h"

namespace syncline::isa {
namespace {

std::size_t bytes_of_one(const RegisterBlock& block) {
  return block.bytes == 0 ? sizeof(std::uint32_t) : std::size_t{block.bytes} * kernel_lanes;
}

/// Copies what some lanes have of `count` registers of `parts` elements a lane. Lanes lie side by side, so that whole
/// vectors are blended, whichever lanes those are.
template <class Element, std::size_t parts = 1>
void copy_lanes(std::uint32_t lanes, std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
  using Register = std::array<Element, kernel_lanes * parts>;
  Register mask, old, kept;
  for (std::size_t n = 0; n < mask.size(); ++n)
    mask[n] = (lanes >> (n / parts) & 1U) != 0 ? std::numeric_limits<Element>::max() : Element{0};
  for (; count != 0; --count, to += sizeof(Register), from += sizeof(Register)) {
    std::memcpy(old.data(), to, sizeof old);
    std::memcpy(kept.data(), from, sizeof kept);
    for (std::size_t n = 0; n < mask.size(); ++n)
      old[n] = static_cast<Element>((old[n] & ~mask[n]) | (kept[n] & mask[n]));
    std::memcpy(to, old.data(), sizeof old);
  }
}

/// Predicates: a bit of each lane.
void copy_bits(std::uint32_t lanes, std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
  for (; count != 0; --count, to += sizeof lanes, from += sizeof lanes) {
    std::uint32_t old = 0, kept = 0;
    std::memcpy(&old, to, sizeof old);
    std::memcpy(&kept, from, sizeof kept);
    old = (old & ~lanes) | (kept & lanes);
    std::memcpy(to, &old, sizeof old);
  }
}

}  // namespace

/// Per half and block of registers: where they lie and where they are kept. Only the frame of the region is kept: its
/// callers wait, and functions that it calls begin with fresh registers.
template <class Copy>
void Warp::for_each_saved_block(const SavedRegisters& saved, Copy&& copy) {
  std::size_t at = 0;
  const auto blocks = [&](const std::vector<RegisterBlock>& all, std::uint8_t* registers, unsigned half) {
    for (const RegisterBlock& block : all) {
      copy(block, registers + block.offset, at, half);
      at += bytes_of_one(block) * block.count;
    }
  };
  for (unsigned half = 0; half < halves_; ++half) {
    blocks(frames_[saved.frame].code->register_blocks, WarpExecutor::registers_of(*this, saved.frame, half), half);
    blocks(program_->module_registers(), bank_[half][static_cast<unsigned>(Bank::warp)], half);
  }
}

void Warp::require_between_instructions() const {
  if (pending_ != 0)
    throw base::ModelError(
        fmt::format("lanes enter or leave a region within an instruction: {}", program_->where(*next())));
}

void Warp::checkpoint() {
  require_between_instructions();
  SavedRegisters saved{cursor_.lanes, cursor_.frame, {}};
  for_each_saved_block(saved, [&](const RegisterBlock& block, const std::uint8_t* from, std::size_t, unsigned) {
    saved.bytes.insert(saved.bytes.end(), from, from + bytes_of_one(block) * block.count);
  });
  saved_.push_back(std::move(saved));
  reconvergence_->checkpoint(cursor_);
}

void Warp::abort(base::LaneMask lanes) {
  const base::LaneMask path = cursor_.blocked ? 0 : cursor_.lanes;
  reconvergence_->abort(cursor_, lanes);
  // They begin again behind the outermost of their marks.
  base::for_each_lane(transactional_ & lanes, [this](unsigned lane) { nesting_[lane] = 1; });
  // Of an access that is served space by space, the rest is that of lanes which are still there.
  const bool is_within = pending_ != 0;
  const bool is_same_path = (path & cursor_.lanes) != 0 && !cursor_.blocked;
  pending_ &= is_same_path ? cursor_.lanes : 0;
  if (is_within && is_same_path && pending_ == 0) WarpExecutor::advance(*this);
  follow();
}

void Warp::restore() {
  base::LaneMask lanes = reconvergence_->aborted(cursor_);
  reconvergence_->restore(cursor_);
  lanes &= ~reconvergence_->aborted(cursor_);
  for (std::size_t n = saved_.size(); n-- > 0 && lanes != 0;) {
    const SavedRegisters& saved = saved_[n];
    const base::LaneMask own = lanes & saved.lanes;
    lanes &= ~own;
    if (own == 0) continue;
    for_each_saved_block(saved, [&](const RegisterBlock& block, std::uint8_t* to, std::size_t at, unsigned half) {
      const auto mask = static_cast<std::uint32_t>(own >> (kernel_lanes * half));
      const std::uint8_t* const from = saved.bytes.data() + at;
      if (mask == 0) return;
      switch (block.bytes) {
        case 0:
          return copy_bits(mask, to, from, block.count);
        case 2:
          return copy_lanes<std::uint16_t>(mask, to, from, block.count);
        case 4:
          return copy_lanes<std::uint32_t>(mask, to, from, block.count);
        case 8:
          return copy_lanes<std::uint64_t>(mask, to, from, block.count);
        case 16:
          return copy_lanes<std::uint64_t, 2>(mask, to, from, block.count);
        default:
          throw base::ModelError(fmt::format("registers of {} bytes", block.bytes));
      }
    });
  }
  follow();
}

void Warp::commit(base::LaneMask lanes) {
  require_between_instructions();
  reconvergence_->commit(cursor_, lanes);
  transactional_ &= ~lanes;
  for (std::size_t n = saved_.size(); n-- > 0 && lanes != 0;) {
    const base::LaneMask own = lanes & saved_[n].lanes;
    saved_[n].lanes &= ~own;
    lanes &= ~own;
    if (saved_[n].lanes == 0) saved_.erase(saved_.begin() + static_cast<std::ptrdiff_t>(n));
  }
  follow();
}

/// Lanes have ended: there is nothing to which they could be brought back.
void Warp::forget(base::LaneMask lanes) {
  for (SavedRegisters& saved : saved_) saved.lanes &= ~lanes;
  saved_.erase(std::remove_if(saved_.begin(), saved_.end(), [](const SavedRegisters& s) { return s.lanes == 0; }),
               saved_.end());
}

}  // namespace syncline::isa
