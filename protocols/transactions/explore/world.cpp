#include "protocols/transactions/explore/world.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::transactions {

using base::LaneMask;
using getm::Access;
using getm::Answer;
using getm::Verdict;
using Phase = Progress::Phase;

void Met::add(const Met& other) {
  for (std::size_t i = 0; i < aborts.size(); ++i) aborts[i] += other.aborts[i];
  queued += other.queued;
  retried += other.retried;
  evicted += other.evicted;
  stashed += other.stashed;
  overflowed += other.overflowed;
  rollovers += other.rollovers;
  forwarded += other.forwarded;
}

World::World(const explore::Program& program, const WorldOptions& options)
    : Threads(program),
      options_(options),
      machine_(options_.spec, options.table != nullptr ? options.table : granule_table(options.spec.tie_rule)) {}

State World::initial() {
  State state;
  state.threads = beginning();
  for (unsigned w = 0; w < warps(); ++w) state.warps.emplace_back(options_.spec, w);
  state.begun.resize(warps());
  state.committing.resize(warps() * std::size_t{options_.spec.attempt_tags});
  for (unsigned p = 0; p < options_.partitions; ++p) {
    state.units.emplace_back(options_.spec, options_.partitions, machine_);
    state.commits.emplace_back(options_.spec);
  }
  state.rollover = getm::Rollover(options_.partitions, warps());
  settle(state);
  return state;
}

bool World::finished(const State& state) const {
  return all_committed(state.threads) && state.flights.empty() && state.logs.empty() &&
         state.rollover.phase() == getm::Rollover::Phase::none &&
         std::all_of(state.commits.begin(), state.commits.end(), [](const auto& unit) { return unit.empty(); });
}

bool World::is_cut(const State& state) const {
  return options_.max_aborts != 0 && std::any_of(state.begun.begin(), state.begun.end(),
                                                 [this](std::uint8_t begun) { return begun > options_.max_aborts; });
}

bool World::may_issue(const State& state, unsigned thread) const {
  const ThreadState& own = state.threads[thread];
  const getm::WarpTransaction& warp = state.warps[threads()[thread].warp];
  const bool lives = base::has_lane(warp.live(), threads()[thread].lane) && !warp.stopping();
  if (!lives || own.next == actions(state.threads, thread).size()) return false;
  if (!options_.pipelined) return own.under_way == 0;
  const Action& action = actions(state.threads, thread)[own.next];
  if (!action.adds) return true;
  return own.transactions[own.transaction].reads[actions(state.threads, thread)[own.next - 1U].result].has_value;
}

void World::issue(State& state, unsigned thread) {
  ThreadState& own = state.threads[thread];
  const auto [warp, lane] = std::make_pair(threads()[thread].warp, threads()[thread].lane);
  const std::uint8_t number = own.next++;
  const Action& action = actions(state.threads, thread)[number];
  const std::uint8_t value = value_of(state.threads, thread, action);
  const std::uint64_t word = word_of(action.line, action.word);
  const auto issued = state.warps[warp].access(action.access, {{lane, word, value}});
  if (issued.aborted != 0) {
    ++met_.aborts[static_cast<std::size_t>(getm::AbortCause::intra_warp)];
    note(fmt::format("{} aborts: another lane of its warp is at {}", name(thread, own.transaction),
                     explore::location_name(action.line, action.word)));
  } else if (issued.requests.empty()) {
    ++met_.forwarded;
    loaded(state.threads, state.memory, thread, action,
           static_cast<std::uint8_t>(state.warps[warp].logged(lane, word)->value), false);
  }
  for (const getm::Request& request : issued.requests) {
    ++own.under_way;
    state.flights.push_back({request, static_cast<std::uint8_t>(thread), number});
  }
}

void World::deliver(State& state, unsigned flight) {
  getm::ValidationUnit& unit = state.units[home(state.flights[flight].request.granule)];
  const Answer answer = unit.present(state.flights[flight].request);
  if (answer.cost.evicted != 0) ++met_.evicted;
  if (unit.table().stashed() != 0) ++met_.stashed;
  if (answer.cost.overflow != 0) ++met_.overflowed;
  if (answer.verdict == Verdict::queued) {
    state.flights[flight].queued = true;
    ++met_.queued;
    note("waits in the stall buffer");
    return;
  }
  this->answer(state, answer);
}

void World::answer(State& state, const Answer& answer) {
  const auto flight = std::find_if(state.flights.begin(), state.flights.end(), [&answer](const State::Flight& one) {
    return one.request.who == answer.request.who && one.request.label == answer.request.label;
  });
  const State::Flight served = *flight;
  state.flights.erase(flight);
  ThreadState& own = state.threads[served.thread];
  --own.under_way;
  getm::WarpTransaction& warp = state.warps[threads()[served.thread].warp];
  const LaneMask lanes = warp.answered(answer).lanes;
  if (answer.verdict == Verdict::refused) {
    ++met_.aborts[static_cast<std::size_t>(answer.cause)];
    note(fmt::format("{} aborts ({}): {} was used at {}", name(served.thread, own.transaction),
                     getm::name(answer.cause), explore::location_name(static_cast<unsigned>(answer.request.granule), 0),
                     answer.seen));
  } else if (lanes != 0 && answer.request.access == Access::load) {
    const Action& action = actions(state.threads, served.thread)[served.action];
    loaded(state.threads, state.memory, served.thread, action, state.memory[action.line][action.word].value, true);
  }
}

void World::apply_region(State& state, unsigned partition) {
  const getm::CommitUnit::Applied applied = state.commits[partition].take();
  if (state.units[partition].apply(applied.region).writes) write(state, applied.region);
  if (!applied.completes) return;
  const unsigned warp = applied.region.who / options_.spec.attempt_tags;
  if (state.warps[warp].acknowledged(applied.region.who)) commit(state, warp, applied.region.who);
}

void World::write(State& state, const getm::LogEntry& region) {
  const unsigned warp = region.who / options_.spec.attempt_tags;
  const State::Committing& committing = state.committing[region.who];
  for (const getm::LoggedWord& word : region.words) {
    const auto line = static_cast<std::uint8_t>(line_of(word.word)),
               place = static_cast<std::uint8_t>(place_of(word.word));
    const unsigned thread = thread_at(warp, word.lane);
    if (!base::has_lane(committing.lanes, word.lane))
      throw base::ModelError("memory is written for a transaction that does not commit");
    written(state.threads, state.memory, thread, committing.transaction,
            {Access::store, line, place, static_cast<std::uint8_t>(word.value)});
  }
}

void World::commit(State& state, unsigned warp, getm::Requester who) {
  State::Committing& committing = state.committing[who];
  base::for_each_lane(committing.lanes, [&](unsigned lane) {
    state.threads[thread_at(warp, lane)].transactions[committing.transaction].phase = Phase::committed;
  });
  committing = {};
  state.judged = false;
}

void World::end(State& state, unsigned warp) {
  const auto ended = state.warps[warp].end([this](getm::Granule granule) { return home(granule); });
  base::for_each_lane(ended.committed, [&](unsigned lane) {
    const unsigned thread = thread_at(warp, lane);
    state.committing[ended.who].transaction = state.threads[thread].transaction;
    commits(state.threads, thread);
  });
  base::for_each_lane(ended.aborted, [&](unsigned lane) { restart(state.threads[thread_at(warp, lane)]); });
  if (ended.aborted != 0 && options_.max_aborts != 0) ++state.begun[warp];
  state.committing[ended.who].lanes = ended.committed;
  for (const auto& [partition, entries] : ended.logs)
    state.logs.push_back({static_cast<std::uint8_t>(partition), entries});
  if (ended.logs.empty()) commit(state, warp, ended.who);
}

void World::settle(State& state) {
  for (bool again = true; again;) {
    again = false;
    for (unsigned warp = 0; warp < warps(); ++warp) again = settle(state, warp) || again;
  }
  const bool asks =
      std::any_of(state.units.begin(), state.units.end(), [](const auto& u) { return u.wants_rollover(); });
  if (asks) state.rollover.ask();
  std::sort(state.flights.begin(), state.flights.end(), [](const State::Flight& a, const State::Flight& b) {
    return std::make_pair(a.request.who, a.request.label) < std::make_pair(b.request.who, b.request.label);
  });
  std::sort(state.logs.begin(), state.logs.end(), [](const State::Log& a, const State::Log& b) {
    return std::make_pair(a.entries.front().who, a.partition) < std::make_pair(b.entries.front().who, b.partition);
  });
}

bool World::settle(State& state, unsigned warp) {
  getm::WarpTransaction& own = state.warps[warp];
  if (own.stopping()) {
    if (!own.stopped() || (state.warps_stopped >> warp & 1U) != 0) return false;
    state.warps_stopped |= 1U << warp;
    if (state.rollover.core_stopped()) roll_over(state);
    return true;
  }
  bool moves = false;
  if (own.complete()) {
    end(state, warp);
    moves = true;
  }
  if (const LaneMask lanes = lanes_that_want(state.threads, warp); lanes != 0 && own.may_begin()) {
    getm::Timestamp at = getm::first_timestamp;
    if (options_.spec.begins_at == getm::BeginsAt::sm) {  // all warps of a program are of one SM
      for (const getm::WarpTransaction& other : state.warps) at = std::max(at, other.warpts());
    }
    own.begin(lanes, at);
    base::for_each_lane(lanes, [&](unsigned lane) {
      ThreadState& thread = state.threads[thread_at(warp, lane)];
      thread.transactions[thread.transaction].phase = Phase::running;
    });
    moves = true;
  }
  for (unsigned t = 0; t < threads().size() && own.running(); ++t) {
    if (threads()[t].warp != warp) continue;
    if (issues_at_once(t) && may_issue(state, t)) {
      issue(state, t);
      moves = true;
    }
    const LaneMask lane = base::lane_bit(threads()[t].lane);
    if ((own.live() & ~own.at_end() & lane) == 0 || state.threads[t].next != actions(state.threads, t).size()) continue;
    if (!options_.pipelined && state.threads[t].under_way != 0) continue;
    own.finish(lane);
    moves = true;
  }
  return moves;
}

void World::roll_over(State& state) {
  ++met_.rollovers;
  note("all time begins anew");
  for (getm::ValidationUnit& unit : state.units) unit.restart();
  for (unsigned warp = 0; warp < warps(); ++warp) {
    const LaneMask given_up = state.warps[warp].restart();
    base::for_each_lane(given_up, [&](unsigned lane) { restart(state.threads[thread_at(warp, lane)]); });
    if (given_up != 0 && options_.max_aborts != 0) ++state.begun[warp];
  }
  state.units_stopped = state.warps_told = state.warps_stopped = 0;
}

void World::list(const State& state, std::vector<Step>& steps) const {
  steps.clear();
  const auto add = [&steps](Step::Kind kind, std::size_t at) {
    steps.push_back({kind, static_cast<std::uint8_t>(at)});
  };
  for (unsigned t = 0; t < threads().size(); ++t) {
    if (!issues_at_once(t) && may_issue(state, t)) add(Step::Kind::issue, t);
  }
  for (std::size_t i = 0; i < state.flights.size(); ++i) {
    if (!state.flights[i].queued) add(Step::Kind::deliver, i);
  }
  for (std::size_t i = 0; i < state.logs.size(); ++i) {
    const State::Log& arriving = state.logs[i];
    if (state.commits[arriving.partition].has_room(arriving.entries.size())) add(Step::Kind::accept, i);
  }
  for (unsigned p = 0; p < options_.partitions; ++p) {
    if (state.units[p].can_retry()) add(Step::Kind::retry, p);
    if (!state.commits[p].empty()) add(Step::Kind::commit, p);
    if (state.rollover.phase() == getm::Rollover::Phase::stopping_units && (state.units_stopped >> p & 1U) == 0)
      add(Step::Kind::stop_unit, p);
  }
  if (state.rollover.phase() != getm::Rollover::Phase::stopping_cores) return;
  for (unsigned w = 0; w < warps(); ++w) {
    if ((state.warps_told >> w & 1U) == 0) add(Step::Kind::stop_core, w);
  }
}

void World::apply(State& state, const Step& step) {
  switch (step.kind) {
    case Step::Kind::issue:
      issue(state, step.at);
      break;
    case Step::Kind::deliver:
      deliver(state, step.at);
      break;
    case Step::Kind::retry:
      if (const auto answer = state.units[step.at].retry()) {
        ++met_.retried;
        this->answer(state, *answer);
      }
      break;
    case Step::Kind::accept: {
      const State::Log arriving = state.logs[step.at];
      state.logs.erase(state.logs.begin() + step.at);
      state.commits[arriving.partition].accept(arriving.entries);
      break;
    }
    case Step::Kind::commit:
      apply_region(state, step.at);
      break;
    case Step::Kind::stop_unit:
      state.units_stopped |= 1U << step.at;
      state.units[step.at].stop();
      state.rollover.unit_stopped();
      break;
    case Step::Kind::stop_core:
      state.warps_told |= 1U << step.at;
      state.warps[step.at].stop();
      break;
  }
  settle(state);
}

}  // namespace syncline::protocols::transactions
