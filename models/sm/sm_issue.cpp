// The cycle of an SM: who issues, and what executing an instruction does.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "models/sm/lane_memory.h"
#include "models/sm/sm.h"

namespace syncline::models {
namespace {

/// What is under way of a warp that the gate holds back.
Behind under_way(const WarpContext& w) {
  if (w.atomics != 0) return Behind::atomic;
  if (w.writes != 0) return Behind::store;
  return w.accesses != 0 ? Behind::load : Behind::nothing;
}

/// Whether the order of memory may hold `op` back, or something that is under way does.
bool asks_for_order(const WarpContext& w, const isa::Op& op) {
  if (w.fencing || w.blocking != 0) return true;
  if (op.is_memory) return isa::has_release(op.memory->semantics);
  return op.kind == isa::OpKind::fence || op.kind == isa::OpKind::barrier || op.kind == isa::OpKind::system_call;
}

}  // namespace

base::Cycle Sm::tick(base::Cycle now) {
  account(now);
  now_ = now;
  issued_now_ = 0;
  path_.deliver(now);
  if (lane_path_ != nullptr) lane_path_->deliver(now);
  for_each_warp(wheel_.take(now) | reopened_, [this](unsigned slot) {
    const WarpState state = states_.of(slot);
    const WarpContext& w = warps_[slot];
    if (w.opens_at == now_ && (state == WarpState::latency || state == WarpState::scoreboard))
      states_.set(slot, w.opens_as);
    else if (state != WarpState::barrier && state != WarpState::empty && state != WarpState::launching)
      evaluate(slot);
  });
  reopened_ = 0;
  path_.advance(now);
  if (lane_path_ != nullptr && units_.free_at(Pipe::ldst) <= now && path_.queue_has_room()) lane_path_->advance(now);
  if (ends_all_) end_warps();
  issue_cycle();
  if (tile().foresees_ends()) foresee_ends();
  return next_wake();
}

/// Books the issue slots of the cycles from `accounted_` to `until`, in which nothing could happen.
void Sm::account(base::Cycle until) {
  if (until <= accounted_) return;
  if (resident_ctas_ != 0) {
    const base::Cycle slept = until - accounted_;
    counters_.active_cycles.add(slept);
    for (const WarpMask own : owned_) stalls_.lost(states_, own, slept * spec_.issue_width);
  }
  accounted_ = until;
}

/// Warps that are ready and whose pipeline is free.
WarpMask Sm::issuable() const {
  WarpMask able = 0;
  states_.for_each_ready([&](Pipe pipe, WarpMask ready) {
    if (units_.free_at(pipe) <= now_ && (pipe != Pipe::ldst || path_.has_room())) able |= turns_.may_have_it(ready);
  });
  return able;
}

void Sm::issue_cycle() {
  accounted_ = now_ + 1;  // also where an instruction is at fault
  const bool active = resident_ctas_ != 0;
  if (active) counters_.active_cycles.add();
  if (turns_.due(now_)) turns_.next_span(states_.ready(), now_);
  WarpMask able = 0;
  bool looked = false;  // what an instruction does, or the gate says, changes who is able
  for (std::size_t s = 0; s < schedulers_.size(); ++s) {
    unsigned issued = 0;
    while (issued < spec_.issue_width) {
      if (!std::exchange(looked, true)) able = issuable();
      WarpMask candidates = able & owned_[s];
      bool found = false;
      while (candidates != 0) {
        const unsigned slot = schedulers_[s]->pick(candidates, states_.long_stalls() & owned_[s], now_);
        const isa::Op* const op = warps_[slot].warp.next();
        const IssueGate::Verdict verdict = seams_.gate->check({slot, op, warps_[slot].accesses, now_});
        if (verdict == IssueGate::open) {
          holds_.admit(warps_[slot].hold, now_);
          schedulers_[s]->issued(slot);
          turns_.issued(slot);
          try {
            issue(slot);
          } catch (const base::ProgramFault& fault) {
            if (!seams_.gate->keep_fault(slot, *op, std::current_exception()) && !excuse(slot, fault)) throw;
            if (warps_[slot].live) evaluate(slot);
          }
          looked = false;
          found = true;
          break;
        }
        HoldAccount::refuse(warps_[slot].hold, under_way(warps_[slot]), now_);
        states_.set(slot, gated_state(verdict));
        looked = false;
        candidates &= ~warp_bit(slot);
      }
      if (!found) break;
      ++issued;
    }
    issued_now_ += issued;
    if (active && issued < spec_.issue_width) stalls_.lost(states_, owned_[s], spec_.issue_width - issued);
  }
}

void Sm::issue(unsigned slot) {
  WarpContext& w = warps_[slot];
  const isa::Op& op = *w.warp.next();
  isa::MemoryAccess& access = op.is_memory ? path_.next_entry().access : scratch_;
  if (looks_) look(slot);
  environment_.enter(w.place, now_);
  const isa::Step step = w.warp.execute(access, environment_);

  counters_.warp_instructions.add();
  counters_.thread_instructions.add(base::lane_count(step.lanes));
  if (op.is_memory) counters_.memory_instructions.add();
  ++tile().progress;
  w.next_at = now_ + 1;
  w.drains_up_to = 0;
  if (instructions.watched() || !seams_.listeners.empty()) publish(slot, step, access);
  extra_occupancy_ = 0;
  const FunctionalUnits::Timing timing = units_.timing(op.unit);
  const Pipe pipe = op.is_memory ? Pipe::ldst : timing.pipe;
  const unsigned before = accesses_;
  const bool is_memory = op.is_memory;
  apply(slot, step);  // the last exit of a grid ends the life of `op`
  if (is_memory && accesses_ == before) {
    for (const auto& listener : seams_.listeners) listener->memory_performed(identity(slot), op);
  }
  units_.occupy(pipe, now_, timing.occupied + extra_occupancy_);
  if (!w.live) return;
  if (w.warp.blocked()) block(slot);  // its last path that could run has ended, or waits for one at a barrier
  evaluate(slot);
}

void Sm::apply(unsigned slot, const isa::Step& step) {
  WarpContext& w = warps_[slot];
  const isa::Op& op = *step.op;
  const FunctionalUnits::Timing& timing = units_.timing(op.unit);
  switch (step.kind) {
    case isa::StepKind::done:
    case isa::StepKind::breakpoint:
      w.board.write(op, now_ + timing.latency);
      if (op.kind == isa::OpKind::branch || op.kind == isa::OpKind::branch_table) {
        counters_.branches.add();
        if (step.taken != 0 && step.taken != step.active) counters_.divergent_branches.add();
      }
      if (op.unit == isa::FunctionalUnit::control && op.registers.writes == 0) w.next_at = now_ + timing.latency;
      break;
    case isa::StepKind::memory:
      do_memory(slot, step);
      break;
    case isa::StepKind::barrier:
      do_barrier(slot, step);
      break;
    case isa::StepKind::fence:
      do_fence(slot, step);
      break;
    case isa::StepKind::exited:
      do_exit(slot, step);
      break;
    case isa::StepKind::sleep: {
      const auto cycles = static_cast<base::Cycle>(static_cast<double>(step.sleep_ns) * 1e-9 *
                                                   static_cast<double>(clock()->frequency_hz()));
      const base::Cycle wakes = now_ + std::max<base::Cycle>(1, cycles);
      tile().asleep_until = std::max(tile().asleep_until, wakes);
      wait_until(slot, wakes, WarpState::sleeping);
      break;
    }
    case isa::StepKind::trap:
      fault(slot, step, "trap: the program ended itself");
    case isa::StepKind::system_call:
      do_system_call(slot, step);
      break;
    case isa::StepKind::transaction_begin:
    case isa::StepKind::transaction_commit:
      do_transaction(slot, step);
      break;
  }
}

/// Looks at the next instruction of a warp that is neither at a barrier nor ended, and puts the warp in its state.
void Sm::evaluate(unsigned slot) {
  WarpContext& w = warps_[slot];
  if (states_.of(slot) == WarpState::barrier) return;
  w.opens_at = base::never;
  const isa::Op& op = *w.warp.next();
  const base::Cycle registers = w.board.ready(op);
  if (registers == base::never) {
    states_.set(slot, WarpState::memory);
    return;
  }
  WarpState state = op.is_memory ? WarpState::ready_ldst : ready_state(units_.timing(op.unit).pipe);
  const base::Cycle at = std::max(registers, w.next_at);
  const bool ordered = asks_for_order(w, op);
  if (at <= now_) {
    if (ordered) must_wait(slot, op, state);
    states_.set(slot, state);
    return;
  }
  if (!ordered) {
    w.opens_at = at;
    w.opens_as = state;
  }
  if (registers >= w.next_at) return wait_until(slot, at, WarpState::scoreboard);
  if (states_.of(slot) == WarpState::sleeping) return wheel_.set(slot, now_, at);
  wait_until(slot, at, WarpState::latency);
}

/// What the order of memory asks of a warp before `op`, which asks for some.
void Sm::must_wait(unsigned slot, const isa::Op& op, WarpState& state) {
  WarpContext& w = warps_[slot];
  if (w.fencing) {
    state = WarpState::fence;
  } else if (w.blocking != 0) {
    state = WarpState::memory;
  } else if (op.kind == isa::OpKind::fence) {
    const isa::Modifiers& mods = w.warp.program().instruction(op)->mods;
    const FencePlan plan = seams_.fences->plan(mods.scope, mods.semantics);
    if (plan.drain && must_drain(w, plan)) state = WarpState::fence;
  } else if (op.is_memory) {
    if (must_drain(w, seams_.fences->plan(op.memory->scope, op.memory->semantics))) state = WarpState::fence;
  } else if (op.kind == isa::OpKind::barrier && spec_.memory.barrier_drains_stores && w.writes != 0) {
    state = WarpState::fence;
  } else if (op.kind == isa::OpKind::system_call && w.accesses != 0) {
    state = WarpState::memory;
  }
}

/// Whether accesses are under way that a release by this warp has to wait for.
bool Sm::must_drain(WarpContext& w, const FencePlan& plan) {
  if (w.accesses != 0) return true;
  if (plan.hand_on) return false;
  if (cta_slots_[w.cta].handed_on != 0) return true;
  if (!plan.drain_sm) return false;
  if (w.drains_up_to == 0) w.drains_up_to = path_.started();
  return path_.writes_up_to(w.drains_up_to);
}

void Sm::wait_until(unsigned slot, base::Cycle at, WarpState state) {
  states_.set(slot, state);
  warps_[slot].next_at = std::max(warps_[slot].next_at, state == WarpState::sleeping ? at : base::Cycle{0});
  wheel_.set(slot, now_, at);
}

void Sm::reopen(WarpMask slots) {
  for_each_warp(slots, [this](unsigned slot) {
    if (is_gated(states_.of(slot))) reopened_ |= warp_bit(slot);
  });
  if (reopened_ != 0) wake(0);
}

base::Cycle Sm::next_wake() const {
  base::Cycle next = std::min(wheel_.next(now_), path_.next_wake(now_));
  if (lane_path_ != nullptr) {
    next = std::min(next, std::max(lane_path_->next_end(), now_ + 1));
    if (path_.queue_has_room())
      next = std::min(next, std::max({lane_path_->next_offer(), units_.free_at(Pipe::ldst), now_ + 1}));
  }
  states_.for_each_ready([&](Pipe pipe, WarpMask) {
    if (pipe == Pipe::ldst && !path_.has_room()) return;  // the path wakes the SM when it has moved
    next = std::min(next, std::max(units_.free_at(pipe), now_ + 1));
  });
  return next;
}

void Sm::do_fence(unsigned slot, const isa::Step& step) {
  WarpContext& w = warps_[slot];
  const isa::Modifiers& mods = w.warp.program().instruction(*step.op)->mods;
  counters_.fences.add();
  w.next_at = now_ + units_.timing(step.op->unit).latency;
  const FencePlan plan = seams_.fences->plan(mods.scope, mods.semantics);
  if (plan.hand_on && w.accesses != 0) {
    path_.for_each_under_way([&](MemoryInstruction& access) {
      if (access.slot != slot || access.kind != L1Kind::global || access.handed_on) return;
      access.handed_on = true;
      ++cta_slots_[w.cta].handed_on;
    });
  }
  if (plan.ask_l1) {
    w.fencing = true;
    path_.send_control(L1Kind::fence, slot, slot, mods.semantics, mods.scope, now_);
  }
}

void Sm::do_system_call(unsigned slot, const isa::Step& step) {
  WarpContext& w = warps_[slot];
  if (seams_.host == nullptr) fault(slot, step, "nobody serves system calls on this machine");
  counters_.system_calls.add();
  ++tile().effects;
  const TileTurn turn(context().tiles.sequential(), Leak::system_call);
  SmLaneMemory memory(*seams_.host, seams_.memory, cta_slots_[w.cta].shared, local_, w.place, w.warp.grid().reach);
  isa::serve_system_call(w.warp, step, memory, *seams_.host);
  w.next_at = now_ + spec_.system_call_latency;
}

void Sm::control_answered(L1Kind kind, std::uint32_t tag, base::Cycle) {
  if (kind == L1Kind::fence) {
    warps_[tag].fencing = false;
    if (warps_[tag].live) return evaluate(tag);
    return end_cta_if_done(warps_[tag].cta);
  }
  const base::GridId grid(tag);
  if (kind == L1Kind::grid_end) {
    require_foreseen();
    --ends_grids_;
    forget_ends();
    return in_order([this, grid] {
      const TileTurn of_distributor(context().tiles.sequential(), Leak::cta);
      done->grid_ended(place_.id, grid);
    });
  }
  beginning_.erase(std::remove(beginning_.begin(), beginning_.end(), grid), beginning_.end());
  for (unsigned slot = 0; slot < cta_slots_.size(); ++slot) {
    if (cta_slots_[slot].grid != nullptr && cta_slots_[slot].grid->id == grid) launch_warps(slot);
  }
}

void Sm::publish(unsigned slot, const isa::Step& step, const isa::MemoryAccess& access) {
  const WarpIdentity who = identity(slot);
  for (const auto& listener : seams_.listeners) {
    listener->issued(who, *step.op, step.lanes);
    if (step.kind == isa::StepKind::fence) {
      const isa::Modifiers& mods = warps_[slot].warp.program().instruction(*step.op)->mods;
      listener->fence(who, mods.scope, mods.semantics);
    }
  }
  if (!instructions.watched()) return;
  const isa::Warp& warp = warps_[slot].warp;
  InstructionEvent event;
  event.cycle = now_;
  event.warp = who;
  event.what.program = &warp.program();
  event.what.op = step.op;
  event.what.pc = step.pc;
  event.what.grid = who.grid.value();
  event.what.cta = who.cta;
  event.what.warp = who.index;
  event.what.stack_depth = warp.reconvergence().depth();
  event.what.active = step.active;
  event.what.guarded = step.lanes;
  if (step.op->kind == isa::OpKind::branch || step.op->kind == isa::OpKind::branch_table) {
    event.what.taken = step.taken;
    event.what.fall_through = step.active & ~step.taken;
  }
  if (step.kind == isa::StepKind::memory) event.what.access = &access;
  instructions.write(event);
}

}  // namespace syncline::models
