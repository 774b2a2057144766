#include "isa/exec/emulator/cta.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/exec/barrier_deadlock.h"
#include "isa/exec/memory_fault.h"

namespace syncline::isa {
namespace {

constexpr std::uint64_t first_local = 1 << 16;  // bytes of local memory that a thread has at once

/// Whether the lanes that were `before` on the path went different ways: a part of them runs now. (Where their path
/// ended, others run; where it met another, more.) Lanes that end are gone, not elsewhere.
bool lanes_parted(OpKind kind, base::LaneMask before, base::LaneMask now) {
  const bool can_part =
      kind == OpKind::branch || kind == OpKind::branch_table || kind == OpKind::call || kind == OpKind::call_indirect;
  return can_part && now != before && (now & ~before) == 0;
}

/// Lanes in a set; most sets are a full warp.
unsigned count(base::LaneMask lanes) {
  return lanes == 0xFFFF'FFFF ? kernel_lanes : base::lane_count(lanes);
}

}  // namespace

void EmulatedCta::start(const GridContext& grid, base::Dim3 cta) {
  grid_ = &grid;
  cta_ = cta;
  const EmulatorConfig& config = emulator_.config_;
  const auto threads = static_cast<unsigned>(grid.block.count());
  live_count_ = (threads + config.warp_lanes - 1) / config.warp_lanes;
  while (warps_.size() < live_count_) {
    warps_.push_back(std::make_unique<WarpSlot>(config.reconvergence));
    warps_.back()->warp.set_call_limit(config.call_limit);
  }
  // More is made where a thread comes to it.
  const std::uint64_t local = std::min({grid.program->kernel().local_bytes, config.local_limit, first_local});
  for (unsigned n = 0; n < live_count_; ++n) {
    WarpSlot& slot = *warps_[n];
    slot.warp.launch(grid, cta, n, config.warp_lanes);
    slot.state = State::ready;
    slot.transaction = 0;
    slot.local_stride = local;
    slot.local.assign(local * config.warp_lanes, 0);
  }
  ended_ = 0;
  shared_.assign(grid.shared_bytes(), 0);
  barriers_.start(threads, config.warp_lanes,
                  barrier_counting(grid.program->module().sm, config.reconvergence.mechanism));
}

bool EmulatedCta::run(std::uint64_t budget, bool looks) {
  if (looks && !looks_)
    for (std::size_t n = 0; n < live_count_; ++n) warps_[n]->spin.restart();
  looks_ = looks;
  const std::uint64_t stop = emulator_.clock_ + budget;
  while (ended_ < live_count_) {
    bool anyone_ran = false;
    for (std::size_t n = 0; n < live_count_; ++n) {
      WarpSlot& slot = *warps_[n];
      if (slot.state != State::ready) continue;
      require_budget(slot.warp);
      anyone_ran = true;
      running_ = &slot;
      const std::uint64_t slice = std::min(emulator_.config_.warp_slice, emulator_.limit_ - emulator_.clock_);
      if (emulator_.sink_ != nullptr)
        run_traced(slot, slice);
      else if (looks_)
        run_looking(slot, slice);
      else
        run_warp(slot, slice);
      if (slot.state == State::ready) require_budget(slot.warp);  // it is no other one that does not end
    }
    if (!anyone_ran) {
      std::vector<const Warp*> warps;
      for (std::size_t n = 0; n < live_count_; ++n) warps.push_back(&warps_[n]->warp);
      throw base::ProgramFault(describe_deadlock(barriers_, warps));
    }
    if (emulator_.clock_ >= stop) return ended_ == live_count_;
  }
  return true;
}

void EmulatedCta::require_budget(const Warp& warp) const {
  if (emulator_.clock_ < emulator_.limit_) return;
  const EmulatorConfig& config = emulator_.config_;
  throw base::ProgramFault(
      fmt::format("kernel `{}` did not end within {} warp instructions{}; an infinite loop? {} is at {}",
                  grid_->program->kernel().name, config.instruction_limit, config.limit_key,
                  thread_name(warp, base::first_lane(warp.active())), grid_->program->where(*warp.next())));
}

void EmulatedCta::run_warp(WarpSlot& slot, std::uint64_t budget) {
  Warp& w = slot.warp;
  const bool one_half = WarpExecutor::halves(w) == 1;
  const std::uint64_t begin = emulator_.clock_, end = begin + budget;
  std::uint64_t threads = 0;
  while (goes_on(slot, end)) {
    const Op& op = WarpExecutor::next_op(w);
    ++emulator_.clock_;
    switch (op.kind) {
      case OpKind::lanes:
        threads += count(WarpExecutor::run_lanes(w, op));
        WarpExecutor::advance(w);
        continue;
      case OpKind::branch:
        threads += count(WarpExecutor::branch(w, op));
        continue;
      case OpKind::load:
      case OpKind::store: {
        if (!one_half) break;
        const std::uint32_t mask = WarpExecutor::half_lanes(w, op, 0);
        if (op.kind == OpKind::load ? !fast_load(slot, op, mask) : !fast_store(slot, op, mask)) break;
        threads += count(mask);
        WarpExecutor::advance(w);
        continue;
      }
      default:
        break;
    }
    threads += count(WarpExecutor::lanes(w, op));
    step(slot);
  }
  emulator_.totals_.warp_instructions += emulator_.clock_ - begin;
  emulator_.totals_.thread_instructions += threads;
}

void EmulatedCta::step(WarpSlot& slot) {
  bool more = false;
  do {
    const Step s = slot.warp.execute(access_, *this);
    handle(slot, s);
    more = s.more;
  } while (more);
}

void EmulatedCta::run_looking(WarpSlot& slot, std::uint64_t budget) {
  Warp& w = slot.warp;
  const std::uint64_t end = emulator_.clock_ + budget;
  while (goes_on(slot, end)) {
    slot.spin.repeats(w);
    const Op& op = WarpExecutor::next_op(w);
    ++emulator_.clock_;
    ++emulator_.totals_.warp_instructions;
    emulator_.totals_.thread_instructions += base::lane_count(WarpExecutor::lanes(w, op));
    step(slot);
  }
}

bool EmulatedCta::only_waits() const {
  if (!looks_) return false;
  for (std::size_t n = 0; n < live_count_; ++n)
    if (warps_[n]->state == State::ready && !warps_[n]->spin.repeats()) return false;
  return true;
}

void EmulatedCta::require_no_spin() const {
  for (std::size_t n = 0; n < live_count_; ++n) {
    const WarpSlot& slot = *warps_[n];
    if (slot.state == State::ready && lanes_wait_below(slot.warp))
      throw base::ProgramFault(
          fmt::format("{}: nothing that any warp does changes memory, so that these lanes go round for ever (under "
                      "`sm.reconvergence: its` lanes of a warp take turns)",
                      describe_spin(slot.warp)));
  }
}

void EmulatedCta::run_traced(WarpSlot& slot, std::uint64_t budget) {
  Warp& w = slot.warp;
  const std::uint64_t end = emulator_.clock_ + budget;
  while (goes_on(slot, end)) {
    TraceEvent event;
    event.program = grid_->program.get();
    event.grid = grid_->grid_id;
    event.cta = cta_;
    event.warp = w.index();
    bool more = false;
    if (looks_) slot.spin.repeats(w);
    do {
      event.stack_depth = w.reconvergence().depth();
      const Step s = w.execute(access_, *this);
      event.op = s.op;
      event.pc = s.pc;
      event.active = s.active;
      event.guarded = s.lanes;
      event.taken = s.op->kind == OpKind::branch ? s.taken : 0;
      event.fall_through = s.op->kind == OpKind::branch ? s.active & ~s.taken : 0;
      event.parted = lanes_parted(s.op->kind, s.active, w.active());
      event.access = s.kind == StepKind::memory ? &access_ : nullptr;
      emulator_.sink_->event(event);
      event.continued = true;
      emulator_.totals_.thread_instructions += base::lane_count(s.lanes);
      handle(slot, s);
      more = s.more;
    } while (more);
    ++emulator_.clock_;
    ++emulator_.totals_.warp_instructions;
  }
}

void EmulatedCta::handle(WarpSlot& slot, const Step& s) {
  Warp& w = slot.warp;
  switch (s.kind) {
    case StepKind::memory:
      serve(slot, access_);
      break;
    case StepKind::barrier:
      handle_barrier(slot, s);
      break;
    case StepKind::exited:
      ++emulator_.effects_;
      if (w.finished()) {
        slot.state = State::ended;
        ++ended_;
      }
      barriers_.exit(s.lanes, w.finished());
      release_opened();
      break;
    case StepKind::trap:
      throw base::ProgramFault(fmt::format("trap by {} in kernel `{}`: {}", thread_name(w, base::first_lane(s.lanes)),
                                           grid_->program->kernel().name, grid_->program->where(*s.op)));
    case StepKind::system_call:
      ++emulator_.effects_;
      serve_system_call(w, s, *this, emulator_.services_);
      break;
    case StepKind::transaction_begin:
      begin_transactions(slot, s.lanes);
      break;
    case StepKind::transaction_commit:
      end_transaction(slot);
      break;
    // Without a debugger a breakpoint is passed; without time there is nothing to sleep or to order.
    case StepKind::breakpoint:
    case StepKind::sleep:
    case StepKind::fence:
    case StepKind::done:
      break;
  }
  if (w.blocked() && slot.state == State::ready) slot.state = State::waiting;
}

void EmulatedCta::handle_barrier(WarpSlot& slot, const Step& s) {
  ++emulator_.effects_;
  barriers_.arrive(slot.warp.index(), s, *grid_->program);
  release_opened();
}

void EmulatedCta::begin_transactions(WarpSlot& slot, base::LaneMask lanes) {
  if (slot.transaction == 0) slot.transaction = base::lane_bit(base::first_lane(lanes));
  if (const base::LaneMask others = lanes & ~slot.transaction; others != 0) slot.warp.abort(others);
}

void EmulatedCta::end_transaction(WarpSlot& slot) {
  slot.warp.commit(slot.transaction);
  slot.transaction = 0;
  if (slot.warp.aborted() == 0) return;
  slot.warp.restore();
  begin_transactions(slot, slot.warp.in_transaction());
}

void EmulatedCta::release_opened() {
  for (const BarrierWaiter& waiter : barriers_.opened()) {
    WarpSlot& slot = *warps_[waiter.warp];
    if (waiter.op->barrier_mode != BarrierMode::sync)
      slot.warp.set_barrier_result(*waiter.op, waiter.lanes, waiter.result, waiter.frame);
    slot.warp.barrier_opened(waiter.lanes);
    if (slot.state == State::waiting) slot.state = State::ready;
  }
  barriers_.opened().clear();
}

}  // namespace syncline::isa
