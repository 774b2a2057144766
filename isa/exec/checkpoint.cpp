// Lanes of a warp that enter a region to whose beginning they can be brought back.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "isa/exec/execute.h"

namespace syncline::isa {
namespace {

std::size_t bytes_of_one(const RegisterBlock& block) {
  return block.bytes == 0 ? sizeof(std::uint32_t) : std::size_t{block.bytes} * kernel_lanes;
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
      for (std::uint32_t r = 0; r < block.count; ++r) {
        const std::uint8_t* const from = saved.bytes.data() + at;
        if (block.bytes == 0) {
          std::uint32_t old = 0, kept = 0;
          std::memcpy(&old, to + 4 * r, sizeof old);
          std::memcpy(&kept, from + 4 * r, sizeof kept);
          old = (old & ~mask) | (kept & mask);
          std::memcpy(to + 4 * r, &old, sizeof old);
          continue;
        }
        base::for_each_lane(mask, [&](unsigned lane) {
          const std::size_t place = (std::size_t{r} * kernel_lanes + lane) * block.bytes;
          std::memcpy(to + place, from + place, block.bytes);
        });
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
