#include "protocols/transactions/explore/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "protocols/transactions/serializability.h"

namespace syncline::protocols::transactions {

using base::LaneMask;
using explore::location_name;
using explore::Op;
using explore::OpKind;
using Phase = Progress::Phase;

namespace {

std::vector<std::vector<Action>> transactions_of(const explore::Thread& thread) {
  std::vector<std::vector<Action>> all(1);
  std::uint8_t results = 0;
  for (const Op& op : thread.ops) {
    if (op.kind == OpKind::fence) {
      all.emplace_back();
      results = 0;
      continue;
    }
    const bool adds = op.kind == OpKind::atomic;
    if (op.reads()) all.back().push_back({Access::load, op.line, op.word, 0, false, results++});
    if (op.writes()) all.back().push_back({Access::store, op.line, op.word, op.value, adds, 0});
  }
  return all;
}

constexpr unsigned places = explore::max_lines * explore::max_words;
unsigned location(unsigned line, unsigned word) {
  return line * explore::max_words + word;
}

}  // namespace

std::string text_of(const Action& action) {
  const std::string_view location = location_name(action.line, action.word);
  if (action.access == Access::load) return fmt::format("ld {}", location);
  return fmt::format("st {} {}{}", location, action.adds ? "+" : "", action.value);
}

Threads::Threads(const explore::Program& program) : warps_(program.l1s()) {
  std::vector<unsigned> lanes(warps_, 0);
  for (const explore::Thread& thread : program.threads) {
    for (const Op& op : thread.ops) {
      const bool known = op.is_basic() && (op.kind == OpKind::load || op.kind == OpKind::store ||
                                           op.kind == OpKind::atomic || op.kind == OpKind::fence);
      if (!known)
        throw base::UserError("program `" + program.text +
                              "`: transactions are of `ld`, `st` and `add`, and `fence` parts them");
    }
    threads_.push_back({thread.l1, lanes[thread.l1]++, transactions_of(thread)});
  }
}

Threads::States Threads::beginning() const {
  States states;
  for (const Thread& thread : threads_) {
    ThreadState& own = states.emplace_back();
    for (const auto& transaction : thread.transactions) {
      std::size_t loads = 0;
      for (const Action& action : transaction) loads += action.access == Access::load ? 1 : 0;
      own.transactions.emplace_back().reads.resize(loads);
    }
  }
  return states;
}

const Action* Threads::next_action(const States& states, unsigned thread) const {
  const std::vector<Action>& all = actions(states, thread);
  return states[thread].next == all.size() ? nullptr : &all[states[thread].next];
}

std::uint8_t Threads::value_of(const States& states, unsigned thread, const Action& store) const {
  if (!store.adds) return store.value;
  const Action& load = *(&store - 1);  // an `add` is both
  return static_cast<std::uint8_t>(store.value +
                                   states[thread].transactions[states[thread].transaction].reads[load.result].value);
}

unsigned Threads::thread_at(unsigned warp, unsigned lane) const {
  for (unsigned t = 0; t < threads_.size(); ++t) {
    if (threads_[t].warp == warp && threads_[t].lane == lane) return t;
  }
  throw base::ModelError("a warp of the checker has no such lane");
}

bool Threads::is_alone(unsigned thread) const {
  return std::count_if(threads_.begin(), threads_.end(),
                       [&](const Thread& other) { return other.warp == threads_[thread].warp; }) == 1;
}

LaneMask Threads::lanes_that_want(const States& states, unsigned warp) const {
  std::size_t round = ~std::size_t{0};
  LaneMask lanes = 0;
  for (unsigned t = 0; t < threads_.size(); ++t) {
    const ThreadState& thread = states[t];
    if (threads_[t].warp != warp || thread.transaction == threads_[t].transactions.size()) continue;
    if (thread.transaction > round) continue;
    if (thread.transaction < round) lanes = 0;
    round = thread.transaction;
    lanes |= base::lane_bit(threads_[t].lane);
  }
  return lanes;
}

void Threads::loaded(States& states, const Memory& memory, unsigned thread, const Action& load, std::uint8_t value,
                     bool from_memory) const {
  ThreadState& own = states[thread];
  const std::uint8_t version = from_memory ? memory[load.line][load.word].version : std::uint8_t{0};
  own.transactions[own.transaction].reads[load.result] = {true, from_memory, value, version, load.line, load.word};
  note(fmt::format("{} reads {} = {}{}", name(thread, own.transaction), location_name(load.line, load.word), value,
                   from_memory ? "" : " in its own log"));
}

void Threads::written(States& states, Memory& memory, unsigned thread, unsigned transaction,
                      const Action& store) const {
  Cell& cell = memory[store.line][store.word];
  cell.value = store.value;
  states[thread].transactions[transaction].writes.push_back({store.line, store.word, ++cell.version});
  note(fmt::format("{} = {} is in memory, of {}", location_name(store.line, store.word), store.value,
                   name(thread, transaction)));
}

void Threads::commits(States& states, unsigned thread) const {
  ThreadState& own = states[thread];
  own.transactions[own.transaction].phase = Phase::committing;
  note(fmt::format("{} commits", name(thread, own.transaction)));
  ++own.transaction;
  own.next = 0;
}

void Threads::restart(ThreadState& state) {
  state.next = 0;
  Progress& progress = state.transactions[state.transaction];
  progress.phase = Phase::waits;
  std::fill(progress.reads.begin(), progress.reads.end(), Progress::Read{});
}

bool Threads::all_committed(const States& states) {
  return std::all_of(states.begin(), states.end(), [](const ThreadState& thread) {
    return std::all_of(thread.transactions.begin(), thread.transactions.end(),
                       [](const Progress& transaction) { return transaction.phase == Phase::committed; });
  });
}

std::string Threads::name(unsigned thread, unsigned transaction) const {
  if (threads_[thread].transactions.size() == 1) return fmt::format("T{}", thread);
  return fmt::format("T{}.{}", thread, transaction);
}

void Threads::note(const std::string& line) const {
  if (log != nullptr) *log += "       " + line + "\n";
}

std::string Threads::judge_committed(const States& states) const {
  constexpr unsigned most = explore::max_operations;  // transactions of a thread
  Serializability order;
  const auto id = [](std::size_t thread, std::size_t transaction) { return thread * most + transaction; };
  std::array<std::vector<std::pair<std::uint8_t, Serializability::Id>>, places> writers;  // with versions
  for (std::size_t t = 0; t < states.size(); ++t) {
    for (std::size_t n = 0; n < states[t].transactions.size(); ++n) {
      order.begin(id(t, n));
      for (const Progress::Write& write : states[t].transactions[n].writes)
        writers[location(write.line, write.word)].emplace_back(write.version, id(t, n));
    }
  }
  for (unsigned place = 0; place < places; ++place) {
    std::sort(writers[place].begin(), writers[place].end());
    for (const auto& [version, writer] : writers[place]) order.write(writer, place);
  }
  for (std::size_t t = 0; t < states.size(); ++t) {
    for (std::size_t n = 0; n < states[t].transactions.size(); ++n) {
      const Progress& progress = states[t].transactions[n];
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

explore::Outcome Threads::outcome_of(const States& states, const Memory& memory) const {
  explore::Outcome outcome;
  for (const ThreadState& thread : states) {
    for (const Progress& progress : thread.transactions) {
      for (const Progress::Read& read : progress.reads) outcome.results.push_back(read.value);
    }
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    for (unsigned word = 0; word < explore::max_words; ++word) outcome.memory[line][word] = memory[line][word].value;
  }
  return outcome;
}

void Threads::encode(const States& states, const Memory& memory, Encoder& to) {
  for (const ThreadState& thread : states) {
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
  for (const auto& line : memory) {
    for (const Cell& cell : line) {
      to.put(cell.value);
      to.put(cell.version);
    }
  }
}

}  // namespace syncline::protocols::transactions
