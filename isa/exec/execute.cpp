#include "isa/exec/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "isa/exec/decode/decoder.h"

namespace syncline::isa {

void WarpExecutor::meet(Warp& w) {
  w.reconvergence_->reached(w.cursor_);
  w.follow();
}

void WarpExecutor::leap(Warp& w, std::uint32_t to) {
  const std::uint32_t from = w.cursor_.pc;
  jump(w, to);
  w.reconvergence_->jumped(w.cursor_, from, to);
  w.follow();
}

void WarpExecutor::diverge(Warp& w, const Op& op, base::LaneMask taken) {
  const BranchSide sides[2] = {{w.cursor_.pc + 1, w.cursor_.lanes & ~taken}, {op.target, taken}};
  w.reconvergence_->diverge(w.cursor_, sides, 2, op.reconverge);
  w.follow();
}

Step WarpExecutor::execute(Warp& w, MemoryAccess& access, Environment& environment) {
  const Op& op = next_op(w);
  Step step;
  step.op = &op;
  step.pc = w.cursor_.pc;
  step.active = w.cursor_.lanes;
  step.lanes = lanes(w, op);
  switch (op.kind) {
    case OpKind::lanes:
      run_lanes(w, op);
      break;
    case OpKind::special:
      refresh_specials(w, op, environment);
      run_lanes(w, op);
      break;
    case OpKind::adapted:
      adapted(w, op, environment);
      break;
    case OpKind::pack:
      pack(w, op, step.lanes);
      break;
    case OpKind::unpack:
      unpack(w, op, step.lanes);
      break;
    case OpKind::vector_move:
      vector_move(w, op, step.lanes);
      break;
    case OpKind::kernel_param:
      kernel_param(w, op, step.lanes);
      break;
    case OpKind::param_load:
    case OpKind::param_store:
      param_move(w, op, step.lanes);
      break;
    case OpKind::local_address:
      local_address(w, op, step.lanes);
      break;
    case OpKind::stack_alloc:
      require_outside(w, op, step.lanes);
      stack_alloc(w, op, step.lanes);
      break;
    case OpKind::shuffle:
    case OpKind::vote:
    case OpKind::match:
    case OpKind::activemask:
    case OpKind::redux:
    case OpKind::elect:
      if (op.uniform) require_outside(w, op, step.lanes);
      if (!w.takes_turns_ || !op.uniform)
        cross_lane(w, op, step.lanes);
      else if (!gather(w, op, step))
        return step;
      break;
    case OpKind::load:
    case OpKind::store:
    case OpKind::atomic:
    case OpKind::prefetch:
      memory(w, op, step, access);
      if (step.more) return step;
      break;
    case OpKind::branch:
      step.taken = branch(w, op);
      return step;
    case OpKind::branch_table:
      branch_table(w, op, step.lanes);
      return step;
    case OpKind::call:
    case OpKind::call_indirect:
      call(w, op, step.lanes);
      return step;
    case OpKind::ret:
      if (w.transactional_ != 0) require_ended(w, op);
      ret(w);
      return step;
    case OpKind::exit:
      require_outside(w, op, step.lanes);
      if (step.lanes != 0) step.kind = StepKind::exited;
      exit(w, step.lanes);
      return step;
    case OpKind::barrier:
      require_outside(w, op, step.lanes);
      if (w.takes_turns_ && step.lanes != 0) {
        if (!w.reconvergence_->comes_to_barrier(w.cursor_)) {
          step.lanes = 0;
          w.follow();
          return step;
        }
        step.active = w.cursor_.lanes;
        step.lanes = lanes(w, op);
      }
      barrier(w, op, step);
      if (step.lanes == 0 || op.barrier_mode == BarrierMode::arrive) break;
      if (!w.reconvergence_->wait_at_barrier(w.cursor_, step.lanes)) {
        advance(w);
        w.cursor_.blocked = true;
        return step;
      }
      if (step.lanes != step.active) break;
      w.follow();
      return step;
    case OpKind::fence:
      if (step.lanes != 0) step.kind = StepKind::fence;
      break;
    case OpKind::trap:
      require_outside(w, op, step.lanes);
      if (step.lanes != 0) step.kind = StepKind::trap;
      break;
    case OpKind::breakpoint:
      if (step.lanes != 0) step.kind = StepKind::breakpoint;
      break;
    case OpKind::nanosleep:
      if (step.lanes != 0) {
        step.kind = StepKind::sleep;
        base::for_each_lane(step.lanes, [&](unsigned lane) {
          step.sleep_ns = std::max(step.sleep_ns, static_cast<std::uint32_t>(read_register(w, lane, op.src[0], 4)));
        });
      }
      break;
    case OpKind::system_call:
      require_outside(w, op, step.lanes);
      if (step.lanes != 0) {
        step.kind = StepKind::system_call;
        step.call = w.program_->call(op).system;
        w.host_frame_ = w.cursor_.frame;
      }
      break;
    case OpKind::transaction_begin:
      transaction_begin(w, op, step);
      return step;
    case OpKind::transaction_commit:
      transaction_commit(w, op, step);
      return step;
    case OpKind::warp_barrier:
      require_outside(w, op, step.lanes);
      if (w.takes_turns_ && !gather(w, op, step)) return step;
      break;
    case OpKind::nop:
      break;
  }
  advance(w);
  return step;
}

std::uint64_t WarpExecutor::read_register(const Warp& w, unsigned lane, OperandRef ref, unsigned bytes) {
  const unsigned half = lane / kernel_lanes, column = lane % kernel_lanes;
  if (bytes == 0) return (mask_at(w, half, ref) >> column) & 1U;
  std::uint64_t value = 0;
  std::memcpy(&value, at(w, half, ref) + column * bytes, std::min(bytes, 8u));
  return value;
}

void WarpExecutor::write_register(Warp& w, unsigned lane, OperandRef ref, unsigned bytes, std::uint64_t value) {
  const unsigned half = lane / kernel_lanes, column = lane % kernel_lanes;
  if (bytes == 0) {
    std::uint32_t mask = mask_at(w, half, ref);
    mask = (mask & ~(1u << column)) | static_cast<std::uint32_t>(value != 0) << column;
    std::memcpy(at(w, half, ref), &mask, sizeof mask);
    return;
  }
  std::memcpy(at(w, half, ref) + column * bytes, &value, std::min(bytes, 8u));
}

void WarpExecutor::refresh_specials(Warp& w, const Op& op, Environment& environment) {
  for (const OperandRef ref : op.src) {
    if (ref.bank() != static_cast<unsigned>(Bank::warp)) continue;
    for (const SpecialSlot& slot : w.program_->specials())
      if (slot.varies && slot.offset == ref.offset()) w.fill_special(slot, &environment);
  }
}

/// Operands of other widths than the kernel's pass through scratch space of the warp.
void WarpExecutor::adapted(Warp& w, const Op& op, Environment& environment) {
  const Adaptation& a = w.program_->adaptation(op);
  if (a.varies) refresh_specials(w, op, environment);
  const auto resize = [](std::uint8_t* to, unsigned to_bytes, const std::uint8_t* from, unsigned from_bytes, bool sign,
                         std::uint32_t mask) {
    const unsigned kept = std::min(to_bytes, from_bytes);
    base::for_each_lane(mask, [&](unsigned lane) {
      std::memcpy(to + lane * to_bytes, from + lane * from_bytes, kept);
      const bool negative = sign && (to[lane * to_bytes + kept - 1] & 0x80) != 0;
      std::memset(to + lane * to_bytes + kept, negative ? 0xFF : 0, to_bytes - kept);
    });
  };
  for (unsigned half = 0; half < w.halves_; ++half) {
    const std::uint32_t mask = half_lanes(w, op, half);
    if (mask == 0) continue;
    LaneArgs args;
    args.dst = at(w, half, op.dst);
    args.dst2 = at(w, half, op.dst2);
    args.mask = mask;
    args.immediate = op.immediate;
    for (unsigned n = 0; n < op.src.size(); ++n) {
      args.src[n] = at(w, half, op.src[n]);
      const Adaptation::Source& s = a.source[n];
      std::uint8_t* const scratch = at(w, half, OperandRef(Bank::warp, WarpBank::source_scratch + n * 256));
      if (s.invert) {
        const std::uint32_t inverted = ~mask_at(w, half, op.src[n]);
        std::memcpy(scratch, &inverted, sizeof inverted);
        args.src[n] = scratch;
      } else if (s.from_bytes != s.to_bytes) {
        resize(scratch, s.to_bytes, at(w, half, op.src[n]), s.from_bytes, false, mask);
        args.src[n] = scratch;
      }
    }
    args.src[op.src.size()] = at(w, half, a.fifth);
    std::uint8_t* const result = at(w, half, OperandRef(Bank::warp, WarpBank::result_scratch));
    const bool resizes = a.result_bytes != a.register_bytes;
    if (resizes) args.dst = result;
    op.kernel(args);
    if (resizes) resize(at(w, half, op.dst), a.register_bytes, result, a.result_bytes, a.result_signed, mask);
  }
}

void WarpExecutor::pack(Warp& w, const Op& op, base::LaneMask lanes) {
  const VectorForm& v = w.program_->vector(op);
  base::for_each_lane(lanes, [&](unsigned lane) {
    const unsigned half = lane / kernel_lanes, column = lane % kernel_lanes;
    std::uint8_t whole[16] = {};
    for (unsigned n = 0; n < v.parts; ++n)
      std::memcpy(whole + n * v.part_bytes, at(w, half, v.part[n]) + column * v.part_stride[n], v.part_bytes);
    std::memcpy(at(w, half, v.whole) + column * v.whole_bytes, whole, v.whole_bytes);
  });
}

void WarpExecutor::unpack(Warp& w, const Op& op, base::LaneMask lanes) {
  const VectorForm& v = w.program_->vector(op);
  base::for_each_lane(lanes, [&](unsigned lane) {
    const unsigned half = lane / kernel_lanes, column = lane % kernel_lanes;
    std::uint8_t whole[16];
    std::memcpy(whole, at(w, half, v.whole) + column * v.whole_bytes, v.whole_bytes);
    for (unsigned n = 0; n < v.parts; ++n) {
      if ((v.sinks >> n) & 1U) continue;
      std::uint8_t* const to = at(w, half, v.part[n]) + column * v.part_stride[n];
      std::memset(to, 0, v.part_stride[n]);
      std::memcpy(to, whole + n * v.part_bytes, v.part_bytes);
    }
  });
}

/// A lane reads all its elements before it writes one: mov.v2.b32 {a,b}, {b,a} swaps.
void WarpExecutor::vector_move(Warp& w, const Op& op, base::LaneMask lanes) {
  const VectorForm& v = w.program_->vector(op);
  base::for_each_lane(lanes, [&](unsigned lane) {
    const unsigned half = lane / kernel_lanes, at_lane = (lane % kernel_lanes) * v.part_bytes;
    std::array<std::array<std::uint8_t, 8>, 4> values;
    for (unsigned n = 0; n < v.parts; ++n)
      std::memcpy(values[n].data(), at(w, half, v.source[n]) + at_lane, v.part_bytes);
    for (unsigned n = 0; n < v.parts; ++n)
      if (((v.sinks >> n) & 1U) == 0) std::memcpy(at(w, half, v.part[n]) + at_lane, values[n].data(), v.part_bytes);
  });
}

void WarpExecutor::local_address(Warp& w, const Op& op, base::LaneMask lanes) {
  const std::uint64_t address = w.frames_[w.cursor_.frame].local_base + op.aux;
  base::for_each_lane(lanes, [&](unsigned lane) { write_register(w, lane, op.dst, op.immediate, address); });
}

/// All lanes get the same place, large enough for the one that wants most: each has local memory of its own.
void WarpExecutor::stack_alloc(Warp& w, const Op& op, base::LaneMask lanes) {
  Frame& frame = w.frames_[w.cursor_.frame];
  std::uint64_t bytes = 0;
  base::for_each_lane(lanes,
                      [&](unsigned lane) { bytes = std::max(bytes, read_register(w, lane, op.src[0], op.immediate)); });
  const std::uint64_t align = std::max<std::uint64_t>(op.aux, 8);
  const std::uint64_t start = (frame.local_top + align - 1) / align * align;
  require_local(w, op, bytes > AddressWindows::local_bytes ? bytes : start + bytes);
  frame.local_top = (start + bytes + 15) & ~std::uint64_t{15};
  base::for_each_lane(lanes, [&](unsigned lane) { write_register(w, lane, op.dst, op.immediate, start); });
}

void WarpExecutor::barrier(Warp& w, const Op& op, Step& step) {
  if (step.lanes == 0) return;
  step.kind = StepKind::barrier;
  const unsigned first = base::first_lane(step.lanes);
  step.barrier.id = static_cast<std::uint32_t>(read_register(w, first, op.src[0], 4));
  step.barrier.threads = static_cast<std::uint32_t>(read_register(w, first, op.src[1], 4));
  step.barrier.mode = op.barrier_mode;
  step.barrier.frame = w.cursor_.frame;
  for (unsigned half = 0; half < w.halves_; ++half)
    step.barrier.predicate |= base::LaneMask{mask_at(w, half, op.src[2]) ^ op.immediate} << (32 * half);
  step.barrier.predicate &= step.lanes;
}

}  // namespace syncline::isa
