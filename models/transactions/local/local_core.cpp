#include "models/transactions/local/local_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::models {

using base::LaneMask;
using protocols::local::Access;
using protocols::local::Mode;

namespace {

/// Place of a mode among those that a transaction can be in.
std::size_t index_of(Mode mode) {
  return static_cast<std::size_t>(mode) - 1;
}
constexpr std::array<std::string_view, 3> modes{"transactional", "wavefront_serial", "group_serial"};

}  // namespace

LocalCore::LocalCore(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core,
                     const LocalKeys& keys, const LocalPlace& place)
    : Block(name, context),
      keys_(keys),
      place_(place),
      core_(core),
      teller_(context.transactions_of(place.gpu), place.slots, place.lanes),
      groups_(place.cta_slots) {
  for (unsigned slot = 0; slot < place.slots; ++slot) warps_.emplace_back(keys_.machine);
  core.add(*this, TickRank::policy, Block::name());
  statistic("attempts", "attempts", "of warps, of one or more lanes each", attempts_);
  statistic("begun", "transactions", "of lanes, each counted once however often it aborts", begun_);
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    statistic("committed_" + std::string(modes[mode]), "transactions", "of lanes that committed in this mode",
              committed_[mode]);
    statistic("ended_" + std::string(modes[mode]), "transactions",
              "of warps, which came to this mode and to none that is harder", ended_[mode]);
  }
  statistic("conflicts", "transactions", "of lanes that aborted for a conflict", conflicts_);
  statistic("given_up", "transactions", "of lanes that aborted for a warp that wanted to be alone", given_up_);
  statistic("second_looks", "accesses", "of words, of which the lane's own signature knew, and no other",
            second_looks_);
  statistic("backups", "words", "copied to shadow memory", backups_);
  statistic("restored", "words", "copied back", restored_);
  statistic("waits", "cycles", "of warps, at the begin of attempts", waits_);
  statistic("runs", "cycles", "of warps, in attempts until the first lane is at the end", runs_);
  statistic("at_end", "cycles", "of warps, from the first lane at the end until the last", at_end_);
  statistic("overhead", "cycles", "that accesses of transactions took longer than others", overhead_);
  statistic("resident", "cycles", "of warps, from their beginning to their end", resident_);
  statistic("retries", "attempts", "of a warp's transaction beside the first", retries_);
}

void LocalCore::attach(LaneChain& chain, LaneControl& control) {
  chain_ = &chain;
  control_ = &control;
}

void LocalCore::cta_launched(base::SmId, base::CtaSlot slot, base::GridId, base::Dim3, unsigned warps) {
  touched();
  Group& group = groups_[slot.value()] = {};
  group.warps = warps;
  group.plan = dynamic_cast<const LocalPlan*>(chain_->grid(slot).plan.get());
  group.machine = group.plan != nullptr ? group.plan->machine : keys_.machine;
  // Of several lanes nobody would tell that they conflict.
  if (group.plan == nullptr) group.machine.selection = protocols::local::single(group.machine.selection);
}

const protocols::local::WordMachine* LocalCore::machine(protocols::local::Detection detection) const {
  const auto found = machines_.find(detection);
  return found == machines_.end() ? nullptr : &found->second;
}

void LocalCore::warp_started(const WarpIdentity& warp) {
  WarpState& state = warps_[warp.slot];
  state = WarpState(groups_[warp.cta_slot.value()].machine);
  state.identity = warp;
  state.started = core_.now();
}

void LocalCore::exited(const WarpIdentity& warp) {
  resident_.add(core_.now() - warps_[warp.slot].started);
}

void LocalCore::transaction_begun(const WarpIdentity& warp, LaneMask lanes) {
  touched();
  WarpState& state = warps_[warp.slot];
  begun_.add(base::lane_count(lanes));
  if (state.wavefront.exec() != 0) {
    state.later |= lanes;
    return control_->abort(warp.slot, lanes);
  }
  enter(warp.slot, lanes);
  if (may_begin(warp.slot)) return start(warp.slot, /*sent_back=*/false);
  control_->abort(warp.slot, lanes);
}

/// They wait to begin from now on.
void LocalCore::enter(unsigned slot, LaneMask lanes) {
  WarpState& state = warps_[slot];
  Group& group = group_of(state);
  if (group.plan != nullptr && !group.memory)
    group.memory = std::make_unique<LocalMemory>(
        group.machine, keys_.latency, machines_.try_emplace(group.machine.detection, group.machine).first->second,
        group.warps, place_.lanes, chain_->shared(state.identity.cta_slot));
  state.wavefront.enter(lanes, group.plan != nullptr ? Mode::transactional : Mode::group_serial);
  state.since = core_.now();
  if (state.wavefront.wants_group()) queue(slot);
}

/// Nobody is inside while somebody wants to be alone: the first in the queue has made them give up.
bool LocalCore::may_begin(unsigned slot) {
  const std::deque<unsigned>& alone = group_of(warps_[slot]).alone;
  return alone.empty() || alone.front() == slot;
}

void LocalCore::start(unsigned slot, bool sent_back) {
  WarpState& state = warps_[slot];
  waits_.add(core_.now() - state.since);
  state.since = core_.now();
  attempts_.add();
  ++group_of(state).inside;
  const LaneMask live = state.wavefront.begin();
  state.hardest = std::max(state.hardest, state.wavefront.mode());
  teller_.begun(state.identity, live);
  if (sent_back) control_->restore(slot);
  const LaneMask others = (state.wavefront.exec() | state.later) & ~live;
  if (others != 0) control_->abort(slot, others);
}

void LocalCore::start_if_possible(unsigned slot) {
  WarpState& state = warps_[slot];
  if (state.wavefront.exec() == 0 && state.later != 0) enter(slot, std::exchange(state.later, 0));
  if (!state.wavefront.waits() || !may_begin(slot)) return;
  if (core_.now() < state.not_before) return wake(state.not_before);
  start(slot, /*sent_back=*/true);
}

void LocalCore::issued(const WarpIdentity& warp, const isa::Op&, LaneMask) {
  const WarpState& state = warps_[warp.slot];
  if (!state.wavefront.running() || keys_.max_cycles == 0 || core_.now() - state.since <= keys_.max_cycles) return;
  fail(warp.slot, fmt::format("a transaction does not end: it runs since {} cycles (`max_cycles`)", keys_.max_cycles));
}

/// Of a warp in which not all lanes are in the attempt, some may be outside of transactions.
void LocalCore::offer(LaneOffer& offer, base::Cycle) {
  const isa::MemoryAccess& accessed = offer.access();
  const LaneMask inside = accessed.lanes & warps_[offer.warp().slot].wavefront.live();
  if (inside == 0) return offer.pass(accessed.lanes);
  if (accessed.space == isa::Space::global && !accessed.non_coherent)
    throw base::ProgramFault(
        fmt::format("{}: an access of global memory inside a transaction, which is one of shared memory "
                    "(`transactions.local.policy`); `ld.global.nc` may read what nobody writes",
                    offer.where()));
  if (accessed.space != isa::Space::shared) return offer.pass(accessed.lanes);
  const LaneMask outside = (accessed.lanes & ~inside) | untracked(offer, inside);
  if (outside != 0) offer.pass(outside);
  if ((inside & ~outside) != 0) access(offer, inside & ~outside);
}

LaneMask LocalCore::untracked(const LaneOffer& offer, LaneMask lanes) {
  const LocalPlan* const plan = group_of(warps_[offer.warp().slot]).plan;
  if (plan == nullptr || plan->parts.empty()) return 0;
  const isa::MemoryAccess& accessed = offer.access();
  LaneMask others = 0;
  base::for_each_lane(lanes, [&](unsigned lane) {
    if (!plan->has(accessed.address[lane], accessed.stride)) others |= base::lane_bit(lane);
  });
  if (others != 0 && accessed.kind != isa::AccessKind::load)
    throw base::ProgramFault(
        fmt::format("{}: a transaction writes shared memory beside the variables that `.pragma \"local_tm "
                    "variables=...\"` names",
                    offer.where()));
  return others;
}

/// Lanes one after the other: what one that has lost leaves, the next one finds.
void LocalCore::access(LaneOffer& offer, LaneMask lanes) {
  const unsigned slot = offer.warp().slot;
  WarpState& state = warps_[slot];
  LocalMemory* const memory = group_of(state).memory.get();
  const std::vector<std::uint8_t>& bytes = chain_->shared(state.identity.cta_slot);
  const isa::AccessKind kind = offer.access().kind;
  LaneMask lost = 0;
  base::for_each_lane(lanes, [&](unsigned lane) {
    const LaneWords words = words_of(offer.access(), lane);
    const Access access = kind == isa::AccessKind::load ? Access::load : Access::store;
    if (memory == nullptr || memory->access(item(state, lane), words, access))
      return teller_.accesses(state.identity, lane, kind, words, bytes);
    state.wavefront.conflict(lane, memory->lost_to());
    memory->abort(item(state, lane));
    lost |= base::lane_bit(lane);
  });
  if (const LaneMask done = lanes & ~lost; done != 0) offer.pass(done);
  if (memory != nullptr) charge(offer, lanes & ~lost, *memory);
  if (lost == 0) return;
  conflicts_.add(base::lane_count(lost));
  teller_.aborted(state.identity, lost);
  control_->abort(slot, lost);
  end_if_complete(slot);
}

/// Banks are taken for as long as that with most to do, of which the SM knows the passes of what is `done`; phases
/// follow each other.
void LocalCore::charge(LaneOffer& offer, LaneMask done, LocalMemory& memory) {
  const LocalMemory::Busy busy = memory.take_busy();
  count(busy);
  const LocalLatencies& latency = keys_.latency;
  const base::Cycle phases = (group_of(warps_[offer.warp().slot]).machine.has_signatures() ? latency.signature : 0) +
                             (busy.looked_up ? latency.ownership : 0) + latency.broadcast;
  const base::Cycle passes = shared_passes(offer.access(), done, place_.banks, place_.lanes);
  const base::Cycle more = busy.cycles - std::min(busy.cycles, passes);
  offer.delay(phases + more);
  if (more != 0) offer.occupy(more);
  overhead_.add(phases + more);
}

void LocalCore::count(const LocalMemory::Busy& busy) {
  second_looks_.add(busy.second_looks);
  backups_.add(busy.backups);
  restored_.add(busy.restored);
}

void LocalCore::transaction_arrived(const WarpIdentity& warp, LaneMask lanes) {
  touched();
  WarpState& state = warps_[warp.slot];
  if (!state.wavefront.running()) return;
  if (state.arrived == 0) state.arrived_since = core_.now();
  state.arrived |= lanes & state.wavefront.live();
  end_if_complete(warp.slot);
}

void LocalCore::end_if_complete(unsigned slot) {
  WarpState& state = warps_[slot];
  if (state.wavefront.running() && (state.wavefront.live() & ~state.arrived) == 0) end(slot);
}

void LocalCore::end(unsigned slot) {
  WarpState& state = warps_[slot];
  Group& group = group_of(state);
  const auto mode = index_of(state.wavefront.mode());
  leave(state);
  const LaneMask committed = state.wavefront.commit();
  committed_[mode].add(base::lane_count(committed));
  teller_.committed(state.identity, committed, chain_->shared(state.identity.cta_slot));
  if (group.memory) {
    base::for_each_lane(committed, [&](unsigned lane) { group.memory->commit(item(state, lane)); });
    group.memory->ended(state.identity.index, group.inside == 0);
  }
  ++tile().progress;
  if (committed != 0) {
    state.fruitless = 0;
    control_->commit(slot, committed);
  } else if (++state.fruitless == keys_.max_aborts) {
    fail(slot, fmt::format("livelock: {} attempts of a warp's transaction, one after the other, have aborted without a "
                           "commit (`max_aborts`)",
                           keys_.max_aborts));
  }
  if (state.wavefront.exec() == 0) {
    retries_.sample(std::exchange(state.retries, 0));
    ended_[index_of(std::exchange(state.hardest, Mode::none))].add();
    if (!group.alone.empty() && group.alone.front() == slot) group.alone.pop_front();
  } else {
    ++state.retries;
    if (state.wavefront.wants_group()) queue(slot);
  }
  wake(core_.now() + 1);
}

/// Its attempt is over, however it ends.
void LocalCore::leave(WarpState& state) {
  const base::Cycle now = core_.now();
  const base::Cycle last = state.arrived == 0 ? now : state.arrived_since;
  runs_.add(last - state.since);
  at_end_.add(now - last);
  state.arrived = 0;
  state.since = now;
  state.not_before = now + keys_.latency.restart;
  --group_of(state).inside;
}

/// The first of those that want to be alone has the others give up.
void LocalCore::queue(unsigned slot) {
  std::deque<unsigned>& alone = group_of(warps_[slot]).alone;
  if (std::find(alone.begin(), alone.end(), slot) != alone.end()) return;
  alone.push_back(slot);
  if (alone.front() != slot) return;
  const base::CtaSlot cta = warps_[slot].identity.cta_slot;
  for (unsigned other = 0; other < warps_.size(); ++other) {
    const WarpState& state = warps_[other];
    if (other != slot && state.wavefront.running() && state.identity.cta_slot == cta) quiesce(other);
  }
}

void LocalCore::quiesce(unsigned slot) {
  WarpState& state = warps_[slot];
  Group& group = group_of(state);
  leave(state);
  const LaneMask lanes = state.wavefront.quiesce();
  given_up_.add(base::lane_count(lanes));
  base::for_each_lane(lanes, [&](unsigned lane) { group.memory->abort(item(state, lane)); });
  group.memory->ended(state.identity.index, group.inside == 0);
  count(group.memory->take_busy());
  teller_.aborted(state.identity, lanes);
  ++state.retries;
  control_->abort(slot, lanes);
}

base::Cycle LocalCore::tick(base::Cycle) {
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    const WarpState& state = warps_[slot];
    if (state.wavefront.waits() || (state.later != 0 && state.wavefront.exec() == 0)) start_if_possible(slot);
  }
  return base::never;
}

void LocalCore::fail(unsigned slot, const std::string& what) const {
  throw base::ProgramFault(fmt::format("{}: {}", control_->where(slot), what));
}

std::vector<std::string> LocalCore::left_over() const {
  std::vector<std::string> lines;
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    const WarpState& state = warps_[slot];
    if (state.wavefront.running())
      lines.push_back(
          fmt::format("the warp in slot {} is in a transaction: {} lanes run, {} are at its end, {} have "
                      "aborted or wait",
                      slot, base::lane_count(state.wavefront.live() & ~state.arrived), base::lane_count(state.arrived),
                      base::lane_count(state.wavefront.tcm())));
    else if (state.wavefront.waits() || state.later != 0)
      lines.push_back(fmt::format("the warp in slot {}: {} lanes wait to begin a transaction{}", slot,
                                  base::lane_count(state.wavefront.exec() | state.later),
                                  state.wavefront.wants_group() ? ", alone in their CTA" : ""));
  }
  return lines;
}

}  // namespace syncline::models
