// Loads, stores and atomics up to the point where memory takes over, and .param space.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/exec/address_kernels.h"
#include "isa/exec/execute.h"

namespace syncline::isa {
namespace {

/// Copies one value from memory's width to a register's.
void extend(std::uint8_t* to, unsigned register_bytes, const std::uint8_t* from, unsigned bytes, bool sign) {
  std::memcpy(to, from, bytes);
  if (register_bytes > bytes)
    std::memset(to + bytes, sign && (from[bytes - 1] & 0x80) != 0 ? 0xFF : 0, register_bytes - bytes);
}

template <class Word>
void fill_words(std::uint8_t* to, const std::uint8_t* value, std::uint32_t mask) {
  Word word;
  std::memcpy(&word, value, sizeof word);
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    if (((mask >> lane) & 1U) != 0) std::memcpy(to + lane * sizeof word, &word, sizeof word);
}

/// The same register value in all lanes of `mask`.
void fill(std::uint8_t* to, unsigned bytes, const std::uint8_t* value, std::uint32_t mask) {
  if (mask == 0xFFFF'FFFF && bytes >= 4) {
    // Doubling copies: 32 lanes in five steps.
    std::memcpy(to, value, bytes);
    for (unsigned have = bytes; have < bytes * kernel_lanes; have *= 2) std::memcpy(to + have, to, have);
    return;
  }
  switch (bytes) {
    case 2:
      fill_words<std::uint16_t>(to, value, mask);
      break;
    case 4:
      fill_words<std::uint32_t>(to, value, mask);
      break;
    case 8:
      fill_words<std::uint64_t>(to, value, mask);
      break;
    default:
      base::for_each_lane(mask, [&](unsigned lane) { std::memcpy(to + lane * bytes, value, bytes); });
      break;
  }
}

}  // namespace

void WarpExecutor::memory(Warp& w, const Op& op, Step& step, MemoryAccess& access) {
  const MemoryForm& form = *op.memory;
  if (w.pending_ != 0) step.lanes = w.pending_;
  w.pending_ = 0;
  if (step.lanes == 0) return;
  for (unsigned half = 0; half < w.halves_; ++half) {
    const AddressShape shape = w.address_kernels_->compute(address_source(w, form, half), form.stride,
                                                           access.address.data() + half * kernel_lanes);
    std::copy(shape.begin(), shape.end(), access.shape.begin() + half * shape.size());
  }

  base::LaneMask served = step.lanes;
  Space space = form.space;
  if (space == Space::generic) {
    space = space_of(access.address[base::first_lane(step.lanes)]);
    const std::uint64_t base = window_base(space);
    served = 0;
    base::for_each_lane(step.lanes, [&](unsigned lane) {
      if (space_of(access.address[lane]) != space) return;
      served |= base::lane_bit(lane);
      access.address[lane] -= base;
    });
    w.pending_ = step.lanes & ~served;
    step.lanes = served;
    step.more = w.pending_ != 0;
  }

  const bool vector_atomic = form.atomic != AtomicOp::none && form.elements > 1;
  if ((vector_atomic || form.stride > 16) && space != Space::global)
    throw base::ProgramFault(fmt::format("{}: {} are for .global memory, lane {} points to .{}", w.program_->where(op),
                                         vector_atomic ? "vector atomics" : "vectors of 32 bytes",
                                         base::first_lane(served), name(space)));
  access.op = &op;
  access.kind = form.kind;
  access.space = space;
  access.lanes = served;
  access.element_bytes = form.element_bytes;
  access.elements = form.elements;
  access.stride = form.stride;
  access.skipped = form.kind == AccessKind::store ? static_cast<std::uint8_t>(form.sinks) : std::uint8_t{0};
  access.cache = form.cache;
  access.non_coherent = form.non_coherent;
  access.semantics = form.semantics;
  access.scope = form.scope;
  access.atomic = form.atomic;
  access.type = form.type;
  access.ftz = form.ftz && space == Space::global;
  access.frame = w.cursor_.frame;

  if (space == Space::param) {  // cvta.param: the launch's parameters read through a generic address
    const std::vector<std::uint8_t>& params = w.grid_->parameters;
    base::for_each_lane(served, [&](unsigned lane) {
      const std::uint64_t address = access.address[lane];
      if (form.kind != AccessKind::load || address + form.stride > params.size())
        throw base::ProgramFault(
            fmt::format("{}: lane {} may only load from the {} bytes of kernel parameters, not "
                        "access offset {}",
                        w.program_->where(op), lane, params.size(), address));
      std::memcpy(access.data.data() + lane * form.stride, params.data() + address, form.stride);
    });
    w.write_back(access, served, access.data.data());
    return;
  }
  step.kind = StepKind::memory;
  if (form.kind == AccessKind::load || form.kind == AccessKind::prefetch) return;

  const auto gather = [&](OperandRef ref, unsigned element) {
    for (unsigned half = 0; half < w.halves_; ++half) {
      const std::uint8_t* const from = at(w, half, ref);
      const unsigned width = form.register_bytes[element];
      std::uint8_t* const to = access.data.data() + half * kernel_lanes * form.stride + element * form.element_bytes;
      const auto mask = static_cast<std::uint32_t>(served >> (32 * half));
      if (base::are_first_lanes(mask) && form.element_bytes == width &&
          form.element_bytes == form.stride) {  // values lie as registers do
        std::memcpy(to, from, std::size_t{base::lane_count(mask)} * form.stride);
        continue;
      }
      base::for_each_lane(
          mask, [&](unsigned lane) { std::memcpy(to + lane * form.stride, from + lane * width, form.element_bytes); });
    }
  };
  const bool stores = form.kind == AccessKind::store;
  for (unsigned e = 0; e < form.elements; ++e) gather(stores ? form.data[e] : form.operand_b[e], e);
  if (form.atomic == AtomicOp::cas)
    base::for_each_lane(served, [&](unsigned lane) {
      const std::uint8_t* const from =
          at(w, lane / kernel_lanes, form.operand_c) + lane % kernel_lanes * form.register_bytes[0];
      std::memcpy(access.compare.data() + lane * MemoryAccess::compare_bytes, from, form.element_bytes);
    });
}

void WarpExecutor::kernel_param(Warp& w, const Op& op, base::LaneMask lanes) {
  const MemoryForm& form = *op.memory;
  const std::vector<std::uint8_t>& params = w.grid_->parameters;
  const auto check = [&](std::uint64_t address, unsigned lane) {
    if (address > params.size() || form.stride > params.size() - address)
      throw base::ProgramFault(fmt::format("{}: lane {} reads offset {} of {} bytes of kernel parameters",
                                           w.program_->where(op), lane, address, params.size()));
  };
  const bool uniform = op.immediate == 0;
  const auto offset = static_cast<std::uint64_t>(form.offset);
  if (lanes == 0) return;
  if (uniform) check(offset, base::first_lane(lanes));
  for (unsigned half = 0; half < w.halves_; ++half) {
    const auto mask = static_cast<std::uint32_t>(lanes >> (32 * half));
    if (mask == 0) continue;
    std::array<std::uint64_t, kernel_lanes> address;
    if (!uniform) {
      w.address_kernels_->compute(address_source(w, form, half), 1, address.data());
      base::for_each_lane(mask, [&](unsigned lane) { check(address[lane], lane); });
    }
    for (unsigned e = 0; e < form.elements; ++e) {
      if (((form.sinks >> e) & 1U) != 0) continue;
      std::uint8_t* const to = at(w, half, form.data[e]);
      const unsigned width = form.register_bytes[e];
      const std::uint8_t* const from = params.data() + e * form.element_bytes;
      if (uniform) {
        std::uint8_t value[16] = {};
        extend(value, width, from + offset, form.element_bytes, form.sign_extend);
        fill(to, width, value, mask);
      } else {
        base::for_each_lane(mask, [&](unsigned lane) {
          extend(to + lane * width, width, from + address[lane], form.element_bytes, form.sign_extend);
        });
      }
    }
  }
}

void WarpExecutor::param_move(Warp& w, const Op& op, base::LaneMask lanes) {
  const MemoryForm& form = *op.memory;
  const Frame& frame = w.frames_[w.cursor_.frame];
  base::for_each_lane(lanes, [&](unsigned lane) {
    std::uint8_t* const place = param_area(w, frame, lane) + form.offset;
    const unsigned half = lane / kernel_lanes, column = lane % kernel_lanes;
    for (unsigned e = 0; e < form.elements; ++e) {
      std::uint8_t* const reg = at(w, half, form.data[e]) + column * form.register_bytes[e];
      std::uint8_t* const bytes = place + e * form.element_bytes;
      if (op.kind == OpKind::param_store)
        std::memcpy(bytes, reg, form.element_bytes);
      else if (((form.sinks >> e) & 1U) == 0)
        extend(reg, form.register_bytes[e], bytes, form.element_bytes, form.sign_extend);
    }
  });
}

}  // namespace syncline::isa
