// How steps read; and how states are told apart.
#include <fmt/format.h>

#include <algorithm>

#include "protocols/transactions/explore/world.h"

namespace syncline::protocols::transactions {

std::string World::describe(const State& state, const Step& step) const {
  switch (step.kind) {
    case Step::Kind::issue: {
      const ThreadState& thread = state.threads[step.at];
      return fmt::format("{}: {}", name(step.at, thread.transaction),
                         text_of(actions(state.threads, step.at)[thread.next]));
    }
    case Step::Kind::deliver: {
      const State::Flight& flight = state.flights[step.at];
      return fmt::format("{}: {} at {}, in partition {}", name(flight.thread, state.threads[flight.thread].transaction),
                         text_of(actions(state.threads, flight.thread)[flight.action]), flight.request.at,
                         home(flight.request.granule));
    }
    case Step::Kind::retry:
      return fmt::format("partition {}: the first in the stall buffer enters again", step.at);
    case Step::Kind::accept:
      return fmt::format("partition {}: the log of requester {} arrives", state.logs[step.at].partition,
                         state.logs[step.at].entries.front().who);
    case Step::Kind::commit: {
      return fmt::format("partition {}: a region of a log is applied", step.at);
    }
    case Step::Kind::stop_unit:
      return fmt::format("partition {}: stops for a rollover", step.at);
    case Step::Kind::stop_core:
      return fmt::format("warp {}: stops for a rollover", step.at);
  }
  return {};
}

void World::encode(const State& state, std::string& bytes) const {
  bytes.clear();
  // Times that are not the earliest any more are all the same, unless they can be used up.
  getm::Timestamp earliest = ~getm::Timestamp{0};
  for (unsigned w = 0; w < warps(); ++w) {
    if (state.warps[w].running() || lanes_that_want(state.threads, w) != 0)
      earliest = std::min(earliest, state.warps[w].warpts());
  }
  if (options_.spec.timestamp_bits <= 8) earliest = 0;
  getm::TimeEncoder to(bytes, earliest);
  Threads::encode(state.threads, state.memory, to);
  for (unsigned w = 0; w < warps(); ++w) {
    state.warps[w].encode(to);
    to.put(state.begun[w]);
  }
  for (const State::Committing& committing : state.committing) to.put(committing.lanes * 8 + committing.transaction);
  to.put(state.flights.size());
  for (const State::Flight& flight : state.flights) {
    getm::encode(flight.request, to);
    to.put(flight.thread * 16U + flight.action * 2U + (flight.queued ? 1 : 0));
  }
  to.put(state.logs.size());
  for (const State::Log& one : state.logs) {
    to.put(one.partition);
    to.put(one.entries.size());
    for (const getm::LogEntry& entry : one.entries) getm::encode(entry, to);
  }
  for (const auto& unit : state.units) unit.encode(to);
  for (const auto& unit : state.commits) unit.encode(to);
  to.put(static_cast<unsigned>(state.rollover.phase()));
  to.put(state.units_stopped);
  to.put(state.warps_told);
  to.put(state.warps_stopped);
}

}  // namespace syncline::protocols::transactions
