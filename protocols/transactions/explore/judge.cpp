// What committed transactions have seen, judged; and how states are told apart.
#include <fmt/format.h>

#include <algorithm>

#include "protocols/transactions/explore/world.h"
#include "protocols/transactions/serializability.h"

namespace syncline::protocols::transactions {

using explore::location_name;
using Phase = Progress::Phase;

namespace {

constexpr unsigned places = explore::max_lines * explore::max_words;
unsigned location(unsigned line, unsigned word) {
  return line * explore::max_words + word;
}
std::string text_of(const Action& action) {
  const std::string_view location = location_name(action.line, action.word);
  if (action.access == getm::Access::load) return fmt::format("ld {}", location);
  return fmt::format("st {} {}{}", location, action.adds ? "+" : "", action.value);
}

}  // namespace

std::string World::name(unsigned thread, unsigned transaction) const {
  if (threads_[thread].transactions.size() == 1) return fmt::format("T{}", thread);
  return fmt::format("T{}.{}", thread, transaction);
}

void World::note(const std::string& line) const {
  if (log != nullptr) *log += "       " + line + "\n";
}

std::string World::judge(const State& state) const {
  if (state.judged) return {};
  constexpr unsigned most = explore::max_operations;  // transactions of a thread
  Serializability order;
  const auto id = [](std::size_t thread, std::size_t transaction) { return thread * most + transaction; };
  std::array<std::vector<std::pair<std::uint8_t, Serializability::Id>>, places> writers;  // with versions
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    for (std::size_t n = 0; n < state.threads[t].transactions.size(); ++n) {
      order.begin(id(t, n));
      for (const Progress::Write& write : state.threads[t].transactions[n].writes)
        writers[location(write.line, write.word)].emplace_back(write.version, id(t, n));
    }
  }
  for (unsigned place = 0; place < places; ++place) {
    std::sort(writers[place].begin(), writers[place].end());
    for (const auto& [version, writer] : writers[place]) order.write(writer, place);
  }
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    for (std::size_t n = 0; n < state.threads[t].transactions.size(); ++n) {
      const Progress& progress = state.threads[t].transactions[n];
      if (progress.phase != Phase::committed) continue;
      for (const Progress::Read& read : progress.reads) {
        if (read.from_memory) order.read(id(t, n), location(read.line, read.word), read.version);
      }
      order.commit(id(t, n));
    }
  }
  if (!order.violation()) return {};
  return transactions::text_of(
      *order.violation(),
      [this](Serializability::Id of) {
        return name(static_cast<unsigned>(of / most), static_cast<unsigned>(of % most));
      },
      [](Serializability::Word place) {
        return std::string(location_name(static_cast<unsigned>(place / explore::max_words),
                                         static_cast<unsigned>(place % explore::max_words)));
      });
}

explore::Outcome World::outcome(const State& state) const {
  explore::Outcome outcome;
  for (const State::Thread& thread : state.threads) {
    for (const Progress& progress : thread.transactions) {
      for (const Progress::Read& read : progress.reads) outcome.results.push_back(read.value);
    }
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    for (unsigned word = 0; word < explore::max_words; ++word)
      outcome.memory[line][word] = state.memory[line][word].value;
  }
  return outcome;
}

std::string World::describe(const State& state, const Step& step) const {
  switch (step.kind) {
    case Step::Kind::issue: {
      const State::Thread& thread = state.threads[step.at];
      return fmt::format("{}: {}", name(step.at, thread.transaction), text_of(actions(state, step.at)[thread.next]));
    }
    case Step::Kind::deliver: {
      const State::Flight& flight = state.flights[step.at];
      return fmt::format("{}: {} at {}, in partition {}", name(flight.thread, state.threads[flight.thread].transaction),
                         text_of(actions(state, flight.thread)[flight.action]), flight.request.at,
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
  for (unsigned w = 0; w < warps_; ++w) {
    if (state.warps[w].running() || lanes_that_want(state, w) != 0)
      earliest = std::min(earliest, state.warps[w].warpts());
  }
  if (options_.spec.timestamp_bits <= 8) earliest = 0;
  getm::TimeEncoder to(bytes, earliest);
  for (const State::Thread& thread : state.threads) {
    to.put(thread.transaction);
    to.put(thread.next);
    to.put(thread.under_way);
    for (const Progress& progress : thread.transactions) {
      to.put(static_cast<unsigned>(progress.phase));
      for (const Progress::Read& read : progress.reads) {
        to.put(read.has_value ? (read.from_memory ? 2U : 1U) : 0U);
        to.put(read.value);
        to.put(read.version);
      }
      to.put(progress.writes.size());
      for (const Progress::Write& write : progress.writes) {
        to.put(location(write.line, write.word));
        to.put(write.version);
      }
    }
  }
  for (unsigned w = 0; w < warps_; ++w) {
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
  for (const auto& line : state.memory) {
    for (const State::Cell& cell : line) {
      to.put(cell.value);
      to.put(cell.version);
    }
  }
}

}  // namespace syncline::protocols::transactions
