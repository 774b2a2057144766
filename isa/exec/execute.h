// The parts of execution that hosts with loops of their own (the functional emulator) need inline.
#pragma once

#include <cstring>

#include "isa/exec/lane_addresses.h"
#include "isa/exec/warp.h"

namespace syncline::isa {

class WarpExecutor {
 public:
  /// Executes the next instruction, whatever it is.
  static Step execute(Warp& w, MemoryAccess& access, Environment& environment);

  static std::uint8_t* at(const Warp& w, unsigned half, OperandRef ref) {
    return w.bank_[half][ref.bank()] + ref.offset();
  }
  static std::uint32_t mask_at(const Warp& w, unsigned half, OperandRef ref) {
    std::uint32_t mask = 0;
    std::memcpy(&mask, at(w, half, ref), sizeof mask);
    return mask;
  }
  static unsigned halves(const Warp& w) { return w.halves_; }
  static Cursor& cursor(Warp& w) { return w.cursor_; }
  static const Op& next_op(const Warp& w) { return w.ops_[w.cursor_.pc]; }

  /// Lanes of one half that execute `op`.
  static std::uint32_t half_lanes(const Warp& w, const Op& op, unsigned half) {
    return static_cast<std::uint32_t>(w.cursor_.lanes >> (32 * half)) & (mask_at(w, half, op.guard) ^ op.guard_flip);
  }
  static base::LaneMask lanes(const Warp& w, const Op& op) {
    base::LaneMask mask = half_lanes(w, op, 0);
    if (w.halves_ == 2) mask |= base::LaneMask{half_lanes(w, op, 1)} << 32;
    return mask;
  }

  /// One arithmetic op on one half.
  static void run_half(const Warp& w, const Op& op, unsigned half, std::uint32_t mask) {
    LaneArgs args;
    args.dst = at(w, half, op.dst);
    args.dst2 = at(w, half, op.dst2);
    for (unsigned n = 0; n < 4; ++n) args.src[n] = at(w, half, op.src[n]);
    args.mask = mask;
    args.immediate = op.immediate;
    op.kernel(args);
  }
  /// Arithmetic on all lanes; returns those that executed.
  static base::LaneMask run_lanes(const Warp& w, const Op& op) {
    const std::uint32_t low = half_lanes(w, op, 0);
    if (low != 0) run_half(w, op, 0, low);
    if (w.halves_ == 1) return low;
    const std::uint32_t high = half_lanes(w, op, 1);
    if (high != 0) run_half(w, op, 1, high);
    return base::LaneMask{high} << 32 | low;
  }

  /// To the next instruction in the text.
  static void advance(Warp& w) { jump(w, w.cursor_.pc + 1); }
  static void jump(Warp& w, std::uint32_t pc) {
    w.cursor_.pc = pc;
    if (pc == w.cursor_.watch) meet(w);
  }
  /// bra: lanes that execute it jump. Returns them.
  static base::LaneMask branch(Warp& w, const Op& op) {
    const base::LaneMask taken = lanes(w, op);
    if (taken == w.cursor_.lanes && !w.cursor_.jumps)
      jump(w, op.target);
    else if (taken == w.cursor_.lanes)
      leap(w, op.target);
    else if (taken == 0 || op.target == w.cursor_.pc + 1)
      advance(w);
    else
      diverge(w, op, taken);
    return taken;
  }

  /// Where the lane addresses of one half come from.
  static AddressSource address_source(const Warp& w, const MemoryForm& form, unsigned half) {
    std::uint64_t offset = static_cast<std::uint64_t>(form.offset);
    if (form.frame_local) offset += w.frames_[w.cursor_.frame].local_base;
    return {at(w, half, form.base), offset, form.address_bytes == 4};
  }

  static std::uint8_t* registers_of(Warp& w, std::uint32_t frame, unsigned half) {
    return w.registers_ + half * w.half_bytes_ + w.frames_[frame].registers;
  }

 private:
  static void meet(Warp& w);
  static void leap(Warp& w, std::uint32_t to);
  static void diverge(Warp& w, const Op& op, base::LaneMask taken);
  static void branch_table(Warp& w, const Op& op, base::LaneMask lanes);
  static void exit(Warp& w, base::LaneMask lanes);
  static void transaction_begin(Warp& w, const Op& op, Step& step);
  static void transaction_commit(Warp& w, const Op& op, Step& step);
  static void answer_mark(Warp& w, const Op& op, base::LaneMask lanes);
  /// Throws base::ProgramFault when one of `lanes`, which execute `op`, is in a transaction, where it cannot be.
  static void require_outside(const Warp& w, const Op& op, base::LaneMask lanes) {
    if ((lanes & w.transactional_) != 0) throw_inside(w, op, lanes & w.transactional_);
  }
  [[noreturn]] static void throw_inside(const Warp& w, const Op& op, base::LaneMask lanes);
  static void require_ended(const Warp& w, const Op& op);
  static void call(Warp& w, const Op& op, base::LaneMask lanes);
  static void free_frame(const Warp& w, std::uint32_t bytes, std::uint32_t& index, std::uint32_t& registers);
  static void ret(Warp& w);
  static void adapted(Warp& w, const Op& op, Environment& environment);
  static void refresh_specials(Warp& w, const Op& op, Environment& environment);
  static void pack(Warp& w, const Op& op, base::LaneMask lanes);
  static void unpack(Warp& w, const Op& op, base::LaneMask lanes);
  static void vector_move(Warp& w, const Op& op, base::LaneMask lanes);
  static void local_address(Warp& w, const Op& op, base::LaneMask lanes);
  static void stack_alloc(Warp& w, const Op& op, base::LaneMask lanes);
  static void kernel_param(Warp& w, const Op& op, base::LaneMask lanes);
  static void param_move(Warp& w, const Op& op, base::LaneMask lanes);
  static void vote_of_all(Warp& w, const Op& op, base::LaneMask lanes);
  static void cross_lane(Warp& w, const Op& op, base::LaneMask lanes);
  static bool gather(Warp& w, const Op& op, Step& step);
  static void barrier(Warp& w, const Op& op, Step& step);
  static void memory(Warp& w, const Op& op, Step& step, MemoryAccess& access);
  static void write_register(Warp& w, unsigned lane, OperandRef ref, unsigned bytes, std::uint64_t value);
  static std::uint64_t read_register(const Warp& w, unsigned lane, OperandRef ref, unsigned bytes);
  static std::uint8_t* param_area(const Warp& w, const Frame& frame, unsigned lane);
  static void require_local(const Warp& w, const Op& op, std::uint64_t bytes);
  static void require_match(const Program& program, const Op& op, unsigned lane, const CallSite& site,
                            const FunctionCode& callee);
  static void copy_value(Warp& w, const Frame& from_frame, const CallValue& from, const Frame& to_frame,
                         const CallValue& to, base::LaneMask lanes);
  static std::uint8_t* in_frame(const Warp& w, const Frame& frame, unsigned half, OperandRef ref);
  friend class Warp;
};

}  // namespace syncline::isa
