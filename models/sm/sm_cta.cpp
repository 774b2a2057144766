// CTAs of an SM: where they come from, their barriers, their end, and what is said when they can never end.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "isa/exec/barrier_deadlock.h"
#include "models/clock/lane.h"
#include "models/sm/sm.h"

namespace syncline::models {
namespace {

/// Grids that the L1 was told of. Forgetting one costs a needless grid_begin, nothing else.
constexpr std::size_t remembered_grids = 64;

std::string text(base::Dim3 index) {
  return fmt::format("({}, {}, {})", index.x, index.y, index.z);
}

}  // namespace

bool Sm::has_room(const GridLaunch& grid) const {
  touched();
  const Occupancy need = occupancy(spec_.resources(), grid.demand);
  return resident_ctas_ < spec_.max_ctas && need.warps_per_cta <= warp_count(free_slots_) &&
         resident_threads_ + grid.demand.threads <= spec_.max_threads && need.registers_per_cta <= free_registers_ &&
         need.shared_per_cta <= free_shared_;
}

void Sm::take(const GridLaunch& grid, base::Dim3 index) {
  if (!has_room(grid)) throw base::ModelError(std::string(name()) + ": a CTA was sent that does not fit");
  const base::Cycle cycle = clock()->now();
  if (resident_ctas_ == 0) accounted_ = std::max(accounted_, cycle);
  const Occupancy need = occupancy(spec_.resources(), grid.demand);
  unsigned cta_slot = 0;
  while (cta_slots_[cta_slot].grid != nullptr) ++cta_slot;

  CtaContext& cta = cta_slots_[cta_slot];
  cta.grid = &grid;
  cta.index = index;
  cta.registers = need.registers_per_cta;
  cta.shared_allocated = need.shared_per_cta;
  cta.accesses = 0;
  cta.shared.assign(grid.demand.shared_bytes, 0);
  cta.barriers.start(grid.demand.threads, spec_.warp_size,
                     isa::barrier_counting(grid.context.program->module().sm, spec_.reconvergence.mechanism));
  cta.slots.clear();
  cta.live = 0;
  free_registers_ -= cta.registers;
  free_shared_ -= cta.shared_allocated;
  resident_threads_ += grid.demand.threads;
  ++resident_ctas_;
  counters_.ctas.add();
  for (unsigned i = 0; i < need.warps_per_cta; ++i) {
    const unsigned slot = first_warp(free_slots_);
    free_slots_ &= ~warp_bit(slot);
    cta.slots.push_back(slot);
    cta.live |= warp_bit(slot);
    WarpContext& w = warps_[slot];
    w.warp.launch(grid.context, index, i, spec_.warp_size);
    w.board.reset(grid.register_numbers);
    w.cta = cta_slot;
    w.accesses = w.writes = w.atomics = w.blocking = 0;
    w.hold = {};
    w.fencing = false;
    w.live = true;
    states_.set(slot, WarpState::launching);
    schedulers_[slot % schedulers_.size()]->started(slot);
    counters_.warps.add();
  }
  for (const auto& listener : seams_.listeners) {
    listener->cta_launched(place_.id, base::CtaSlot(static_cast<std::uint16_t>(cta_slot)), grid.id, index,
                           need.warps_per_cta);
    for (const unsigned slot : cta.slots) listener->warp_started(identity(slot));
  }
  for (const unsigned slot : cta.slots) warps_[slot].place = seams_.places->place(slot);

  if (tile().foresees_ends()) end_soon(grid.context.program->steps_to_end()[grid.context.program->entry().entry]);
  now_ = std::max(now_, cycle);
  const auto knows = [&](const std::vector<base::GridId>& grids) {
    return std::find(grids.begin(), grids.end(), grid.id) != grids.end();
  };
  if (!knows(begun_)) {
    // A kernel boundary: nothing that was cached before may be seen by the new grid.
    constants_.invalidate();
    constants_from_ = cycle;
    if (begun_.size() == remembered_grids) begun_.erase(begun_.begin());
    begun_.push_back(grid.id);
    beginning_.push_back(grid.id);
    path_.send_control(L1Kind::grid_begin, grid.id.value(), cta.slots.front(), isa::Semantics::none, isa::Scope::none,
                       cycle);
  }
  if (!knows(beginning_)) launch_warps(cta_slot);
  wake(cycle);
}

/// The CTA's warps issue after the launch latency.
void Sm::launch_warps(unsigned cta_slot) {
  for (const unsigned slot : cta_slots_[cta_slot].slots) {
    if (states_.of(slot) != WarpState::launching) continue;
    warps_[slot].next_at = now_ + std::max(1u, spec_.launch_latency);
    wait_until(slot, warps_[slot].next_at, WarpState::latency);
  }
}

void Sm::do_barrier(unsigned slot, const isa::Step& step) {
  WarpContext& w = warps_[slot];
  CtaContext& cta = cta_slots_[w.cta];
  counters_.barriers.add();
  ++tile().effects;
  w.next_at = now_ + units_.timing(step.op->unit).latency;
  const bool counted = cta.barriers.arrive(w.warp.index(), step, w.warp.program());
  const bool waits = counted && w.warp.blocked();
  if (waits) states_.set(slot, WarpState::barrier);
  for (const auto& listener : seams_.listeners) listener->at_barrier(identity(slot), step.barrier.id, waits);
  open_barriers(cta);
  check_deadlock(cta);
}

void Sm::open_barriers(CtaContext& cta) {
  const isa::CtaBarriers::Passed passed = cta.barriers.take_passed();
  if (passed.barriers == 0) return;
  const base::CtaSlot cta_slot(static_cast<std::uint16_t>(&cta - cta_slots_.data()));
  for (const auto& listener : seams_.listeners) {
    for (unsigned id = 0; id < isa::barriers_per_cta; ++id) {
      if ((passed.barriers >> id & 1U) != 0)
        listener->barrier_passed(place_.id, cta_slot, id, (passed.whole >> id & 1U) != 0);
    }
  }
  for (const isa::BarrierWaiter& waiter : cta.barriers.opened()) {
    const unsigned slot = cta.slots[waiter.warp];
    WarpContext& w = warps_[slot];
    w.warp.set_barrier_result(*waiter.op, waiter.lanes, waiter.result, waiter.frame);
    w.warp.barrier_opened(waiter.lanes);
    for (const auto& listener : seams_.listeners) listener->barrier_opened(identity(slot), waiter.barrier);
    if (states_.of(slot) != WarpState::barrier) continue;  // another path of the warp runs meanwhile
    w.next_at = now_ + spec_.barrier_latency;
    w.board.write(*waiter.op, w.next_at);
    wait_until(slot, w.next_at, WarpState::latency);
  }
  cta.barriers.opened().clear();
}

void Sm::do_exit(unsigned slot, const isa::Step& step) {
  WarpContext& w = warps_[slot];
  CtaContext& cta = cta_slots_[w.cta];
  const bool ended = w.warp.finished();
  ++tile().effects;
  w.next_at = now_ + units_.timing(step.op->unit).latency;
  if (ended) {
    w.live = false;
    cta.live &= ~warp_bit(slot);
    states_.set(slot, WarpState::empty);
    schedulers_[slot % schedulers_.size()]->ended(slot);
    for (const auto& listener : seams_.listeners) listener->exited(identity(slot));
  }
  cta.barriers.exit(step.lanes, ended);
  open_barriers(cta);
  if (cta.live != 0) check_deadlock(cta);
  if (ended) end_cta_if_done(w.cta);
}

void Sm::end_cta_if_done(unsigned cta_slot) {
  CtaContext& cta = cta_slots_[cta_slot];
  if (cta.live != 0 || cta.accesses != 0) return;
  // Who ended by himself is at no fence. The answer must find the warp that asked.
  if (std::any_of(cta.slots.begin(), cta.slots.end(), [this](unsigned slot) { return warps_[slot].fencing; })) return;
  require_foreseen();
  const GridLaunch& grid = *cta.grid;
  for (const unsigned slot : cta.slots) free_slots_ |= warp_bit(slot);
  free_registers_ += cta.registers;
  free_shared_ += cta.shared_allocated;
  resident_threads_ -= grid.demand.threads;
  --resident_ctas_;
  cta.grid = nullptr;
  forget_ends();
  for (const auto& listener : seams_.listeners)
    listener->cta_ended(place_.id, base::CtaSlot(static_cast<std::uint16_t>(cta_slot)), grid.id, cta.index);
  const base::Dim3 index = cta.index;
  in_order([this, &grid, index] {
    const TileTurn of_distributor(context().tiles.sequential(), Leak::cta);
    done->cta_ended(place_.id, grid, index);
  });
}

/// After a turn. What is known holds for as many turns; halfway it is looked for anew, but not in each turn.
void Sm::foresee_ends() {
  constexpr Tile::Turns between = 4;
  Tile::Turns left = tile().ends_in();
  if (left != 0 && left != Tile::no_end) --left;
  if (look_again_in_ != 0) {
    --look_again_in_;
  } else {
    left = turns_to_an_end();
    look_again_in_ = std::max<Tile::Turns>(left / 2, between);
  }
  tile().end_in(left);
}

/// A CTA does not end before the last of its warps does, which executes an instruction in a turn at most; and behind
/// that it waits for its accesses. The answer to the end of a grid may come at any time.
Tile::Turns Sm::turns_to_an_end() const {
  if (ends_all_ || ends_grids_ != 0) return 0;
  Tile::Turns first = Tile::no_end;
  for (const CtaContext& cta : cta_slots_) {
    if (cta.grid == nullptr) continue;
    const std::vector<std::uint16_t>& steps = cta.grid->context.program->steps_to_end();
    Tile::Turns last = 0;
    for (WarpMask live = cta.live; live != 0 && last < first; live &= live - 1) {
      const isa::Warp& warp = warps_[first_warp(live)].warp;
      last = std::max(last, warp.blocked() ? Tile::Turns{1} : steps[warp.pc()]);
    }
    first = std::min(first, last);
  }
  return first;
}

/// Windows may have passed the end of a CTA, or the answer about a grid, that nobody has foreseen.
void Sm::require_foreseen() const {
  if (tile().foresees_ends() && tile().ends_in() > 1)
    throw base::ModelError(
        fmt::format("{}: a CTA or a grid ends {} turns sooner than it can", name(), tile().ends_in() - 1));
}

/// Who foresees the last one must not wait for a tile that has none.
void Sm::forget_ends() {
  if (resident_ctas_ != 0 || ends_grids_ != 0 || !tile().foresees_ends()) return;
  tile().end_in(Tile::no_end);
}

/// That is news to who foresees ends.
void Sm::end_soon(Tile::Turns turns) {
  tile().end_in(std::min(tile().ends_in(), turns));
  look_again_in_ = 0;
}

void Sm::end_grid(base::GridId grid) {
  const base::Cycle cycle = clock()->now();
  now_ = std::max(now_, cycle);
  ++ends_grids_;
  if (tile().foresees_ends()) end_soon(0);
  path_.send_control(L1Kind::grid_end, grid.value(), 0, isa::Semantics::none, isa::Scope::none, cycle);
  wake(cycle);
}

bool Sm::end_all() {
  ends_all_ = true;
  if (tile().foresees_ends()) end_soon(0);
  wake(clock()->now());
  return true;
}

/// What is under way comes back to CTAs whose warps have ended, as it does after an exit.
void Sm::end_warps() {
  ends_all_ = false;
  for (unsigned cta_slot = 0; cta_slot < cta_slots_.size(); ++cta_slot) {
    CtaContext& cta = cta_slots_[cta_slot];
    if (cta.grid == nullptr) continue;
    for_each_warp(std::exchange(cta.live, WarpMask{0}), [this](unsigned slot) {
      warps_[slot].live = false;
      states_.set(slot, WarpState::empty);
      schedulers_[slot % schedulers_.size()]->ended(slot);
      for (const auto& listener : seams_.listeners) listener->exited(identity(slot));
    });
    end_cta_if_done(cta_slot);
  }
}

/// No path of the warp can run.
void Sm::block(unsigned slot) {
  if (states_.of(slot) == WarpState::barrier) return;
  states_.set(slot, WarpState::barrier);
  check_deadlock(cta_slots_[warps_[slot].cta]);
}

/// Only warps of the same CTA can open its barriers: when all that live wait there, nobody ever will. Lanes that were
/// aborted, or wait at the end of a transaction, are somebody else's to wake.
void Sm::check_deadlock(const CtaContext& cta) const {
  if ((cta.live & ~states_.in(WarpState::barrier)) != 0) return;
  std::vector<const isa::Warp*> warps;
  for (const unsigned slot : cta.slots) {
    warps.push_back(&warps_[slot].warp);
    const isa::Warp& warp = warps_[slot].warp;
    if (warps_[slot].live && (warp.aborted() | warp.arrived()) != 0) return;
  }
  throw base::ProgramFault(isa::describe_deadlock(cta.barriers, warps));
}

WarpIdentity Sm::identity(unsigned slot) const {
  const WarpContext& w = warps_[slot];
  const CtaContext& cta = cta_slots_[w.cta];
  return {place_.id, slot, base::CtaSlot(static_cast<std::uint16_t>(w.cta)), cta.grid->id, cta.index, w.warp.index()};
}

std::string Sm::place_of(unsigned slot) const {
  const WarpContext& w = warps_[slot];
  return fmt::format("kernel `{}`, CTA {}, warp {} (SM {}, %warpid {})", w.warp.program().kernel().name,
                     text(w.warp.cta()), w.warp.index(), place_.id.value(), w.place);
}

void Sm::fault(unsigned slot, const isa::Step& step, const std::string& what) const {
  throw base::ProgramFault(
      fmt::format("{}: {}, {}", warps_[slot].warp.program().where(*step.op), place_of(slot), what));
}

}  // namespace syncline::models
