#include "models/transactions/transaction_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::models {

using base::LaneMask;

TransactionCore::TransactionCore(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core,
                                 const TransactionSpec& spec, const TransactionPlace& place,
                                 const std::vector<std::string_view>& causes)
    : Block(name, context),
      spec_(spec),
      place_(place),
      core_(core),
      kept_(*this),
      logs_(spec, place.logs, place.line_bytes, place.slots),
      random_(context.seed, "transactions", place.sm.value()),
      warps_(place.slots),
      tokens_(spec.concurrency == 0 ? place.slots : spec.concurrency),
      aborted_(causes.size()) {
  core.add(*this, TickRank::policy, Block::name());
  statistic("attempts", "attempts", "of warps, of one or more lanes each", attempts_);
  statistic("begun", "transactions", "of lanes, each counted once however often it aborts", begun_);
  statistic("committed", "transactions", "of lanes", committed_);
  for (std::size_t i = 0; i < causes.size(); ++i)
    statistic("aborted_" + std::string(causes[i]), "transactions", "of lanes that began again, for this cause",
              aborted_[i]);
  statistic("executed", "cycles", "of an attempt, from its begin until its last lane ends", executed_);
  statistic("waited", "cycles", "of a warp, at the begin of an attempt: for a token, for a commit, or after an abort",
            waited_);
  statistic("retries", "attempts", "of a warp's transactions that aborted lanes, until none was left", retries_);
  statistic("log_lines_written", "lines", "of logs", logs_.written());
  statistic("log_lines_read", "lines", "of logs", logs_.looked_at());
}

void TransactionCore::attach(LaneChain& chain, LaneControl& control) {
  chain_ = &chain;
  control_ = &control;
  kept_.attach(chain);
  logs_.attach(chain, *this);
}

void TransactionCore::transaction_begun(const WarpIdentity& warp, LaneMask lanes) {
  touched();
  const unsigned slot = warp.slot;
  WarpState& state = warps_[slot];
  state.identity = warp;
  begun_.add(base::lane_count(lanes));
  if (state.waiting == 0 && !state.attempt.active) state.since = now();
  const bool at_once = state.waiting == 0 && !state.attempt.active && may_begin(slot) && take_token(slot);
  state.waiting |= lanes;
  if (at_once) return start(slot);
  control_->abort(slot, lanes);
  start_if_possible(slot);
}

bool TransactionCore::take_token(unsigned slot) {
  WarpState& state = warps_[slot];
  if (state.has_token) return true;
  const bool next = token_queue_.empty() || token_queue_.front() == slot;
  if (tokens_ == 0 || !next) {
    if (!std::exchange(state.wants_token, true)) token_queue_.push_back(slot);
    return false;
  }
  if (std::exchange(state.wants_token, false)) token_queue_.pop_front();
  --tokens_;
  return state.has_token = true;
}

void TransactionCore::give_token(unsigned slot) {
  warps_[slot].has_token = false;
  ++tokens_;
  if (!token_queue_.empty()) wake(now() + 1);
}

void TransactionCore::start_if_possible(unsigned slot) {
  WarpState& state = warps_[slot];
  if (state.waiting == 0 || state.attempt.active) return;
  if (now() < state.not_before) return wake(state.not_before);
  if (!may_begin(slot) || !take_token(slot)) return;
  start(slot);
  control_->restore(slot);
}

void TransactionCore::start(unsigned slot) {
  WarpState& state = warps_[slot];
  waited_.sample(now() - state.since);
  state.since = now();
  attempts_.add();
  state.attempt = {std::exchange(state.waiting, 0), 0, 0, true};
  begin(slot, state.attempt.running);
}

/// Of a warp in which not all lanes are in the attempt, some may be outside of transactions.
void TransactionCore::offer(LaneOffer& offer, base::Cycle now) {
  const isa::MemoryAccess& accessed = offer.access();
  const LaneMask inside = accessed.lanes & attempt(offer.warp().slot).running;
  if (accessed.space != isa::Space::global || inside == 0) return offer.pass(accessed.lanes);
  if (accessed.kind == isa::AccessKind::atomic || accessed.kind == isa::AccessKind::reduction)
    throw base::ProgramFault(
        fmt::format("{}: an atomic of global memory inside a transaction, whose policy executes loads and stores only; "
                    "`transactions.policy: global_lock` takes it",
                    offer.where()));
  if (inside != accessed.lanes) offer.pass(accessed.lanes & ~inside);
  access(offer, inside, now);
}

void TransactionCore::transaction_arrived(const WarpIdentity& warp, LaneMask lanes) {
  touched();
  Attempt& own = warps_[warp.slot].attempt;
  const LaneMask fresh = lanes & own.running & ~own.arrived;
  own.arrived |= fresh;
  if (fresh != 0) arrived(warp.slot, fresh);
}

void TransactionCore::abort_lanes(unsigned slot, LaneMask lanes, std::size_t cause) {
  Attempt& own = warps_[slot].attempt;
  lanes &= own.running;
  if (lanes == 0) return;
  aborted_[cause].add(base::lane_count(lanes));
  own.running &= ~lanes;
  own.arrived &= ~lanes;
  own.aborted |= lanes;
  control_->abort(slot, lanes);
}

TransactionCore::Attempt TransactionCore::end_attempt(unsigned slot) {
  WarpState& state = warps_[slot];
  const Attempt ended = std::exchange(state.attempt, Attempt{});
  executed_.sample(now() - state.since);
  state.since = now();
  logs_.clear(slot);
  if (ended.aborted != 0) ++state.retries;
  if (ended.running != 0)
    state.fruitless = 0;
  else if (++state.fruitless == spec_.max_aborts)
    throw_livelock(slot);
  return ended;
}

void TransactionCore::attempt_ended(unsigned slot) {
  WarpState& state = warps_[slot];
  const Attempt ended = end_attempt(slot);
  committed_.add(base::lane_count(ended.running));
  ++tile().progress;
  if (ended.running != 0) control_->commit(slot, ended.running);
  state.waiting |= ended.aborted;
  if (ended.aborted != 0) {
    ++state.aborts;
    state.not_before = now() + backoff(state);
    tile().asleep_until = std::max(tile().asleep_until, state.not_before);
  }
  if (state.waiting == 0) {
    retries_.sample(std::exchange(state.retries, 0));
    state.aborts = 0;
    state.not_before = 0;
    return give_token(slot);
  }
  wake(std::max(state.not_before, now() + 1));
}

void TransactionCore::give_up(unsigned slot, std::size_t cause) {
  abort_lanes(slot, warps_[slot].attempt.running, cause);
  warps_[slot].waiting |= end_attempt(slot).aborted;
  wake(now() + 1);
}

base::Cycle TransactionCore::backoff(const WarpState& state) {
  constexpr unsigned most_doublings = 16;
  const unsigned steps =
      spec_.backoff_spread == 0 ? state.aborts : state.aborts % (1 + random_.below(spec_.backoff_spread));
  const unsigned doublings =
      spec_.backoff_patience == 0 ? 0 : std::min(state.fruitless / spec_.backoff_patience, most_doublings);
  return std::min<base::Cycle>(std::uint64_t{steps} * spec_.backoff, spec_.backoff_limit) << doublings;
}

base::Cycle TransactionCore::tick(base::Cycle now) {
  base::Cycle next = go_on(now);
  while (tokens_ != 0 && !token_queue_.empty()) {
    const unsigned slot = token_queue_.front();
    const std::size_t queued = token_queue_.size();
    start_if_possible(slot);
    if (token_queue_.size() == queued) break;
  }
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    const WarpState& state = warps_[slot];
    if (state.waiting == 0 || state.attempt.active || state.wants_token) continue;
    if (state.not_before <= now)
      start_if_possible(slot);
    else
      next = std::min(next, state.not_before);
  }
  return next;
}

void TransactionCore::throw_livelock(unsigned slot) const {
  throw base::ProgramFault(
      fmt::format("livelock: {} attempts of a warp's transactions, one after the other, have aborted without a commit "
                  "(`max_aborts`): {}",
                  spec_.max_aborts, control_->where(slot)));
}

std::vector<std::string> TransactionCore::left_over() const {
  std::vector<std::string> lines;
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    const WarpState& state = warps_[slot];
    if (state.attempt.active)
      lines.push_back(
          fmt::format("the warp in slot {} is in a transaction: {} lanes run or wait for their accesses, {} "
                      "are at its end, {} have aborted",
                      slot, base::lane_count(state.attempt.running & ~state.attempt.arrived),
                      base::lane_count(state.attempt.arrived), base::lane_count(state.attempt.aborted)));
    if (state.waiting != 0)
      lines.push_back(fmt::format("the warp in slot {}: {} lanes wait to begin a transaction{}", slot,
                                  base::lane_count(state.waiting), state.wants_token ? ", for a token" : ""));
  }
  return lines;
}

}  // namespace syncline::models
