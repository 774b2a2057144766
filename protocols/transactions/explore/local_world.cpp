#include "protocols/transactions/explore/local_world.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::transactions {

using base::LaneMask;
using local::Detector;
using local::Mode;
using local::Wavefront;
using Phase = Progress::Phase;

namespace {
constexpr unsigned words = explore::max_lines * explore::max_words;
constexpr std::uint8_t bit(unsigned bank) {
  return static_cast<std::uint8_t>(1U << bank);
}
template <class Cells>
auto& cell_of(Cells& memory, local::Word word) {
  return memory[word / explore::max_words][word % explore::max_words];
}
}  // namespace

void LocalMet::add(const LocalMet& other) {
  conflicts += other.conflicts;
  second_looks += other.second_looks;
  wavefront_serial += other.wavefront_serial;
  group_serial += other.group_serial;
  quiesced += other.quiesced;
}

LocalWorld::LocalWorld(const explore::Program& program, const LocalWorldOptions& options)
    : Threads(program),
      options_(options),
      machine_(options_.table != nullptr ? options_.table : local::word_table(options_.spec.detection)) {
  for (const Thread& thread : threads()) lanes_ = std::max(lanes_, thread.lane + 1);
}

LocalState LocalWorld::initial() {
  State state;
  state.threads = beginning();
  state.wavefronts.assign(warps(), Wavefront(options_.spec));
  state.ending.assign(warps(), false);
  state.leaving.resize(threads().size());
  state.detector.emplace(options_.spec, machine_, warps(), lanes_, words);
  settle(state);
  return state;
}

bool LocalWorld::finished(const State& state) const {
  return all_committed(state.threads) &&
         std::all_of(state.leaving.begin(), state.leaving.end(), [](const State::Leaving& one) { return one.empty(); });
}

local::WorkItem LocalWorld::item_of(unsigned thread) const {
  return static_cast<local::WorkItem>(threads()[thread].warp * lanes_ + threads()[thread].lane);
}

std::uint8_t LocalWorld::banks_of(const State& state, unsigned thread) const {
  std::uint8_t banks = 0;
  for (unsigned bank = 0; bank < options_.spec.banks; ++bank) {
    if (state.detector->knows(item_of(thread), bank)) banks |= bit(bank);
  }
  return banks;
}

bool LocalWorld::is_leaving(const State& state, unsigned wavefront) const {
  for (unsigned t = 0; t < threads().size(); ++t) {
    if (threads()[t].warp == wavefront && !state.leaving[t].empty()) return true;
  }
  return false;
}

bool LocalWorld::is_alone_in_group(const State& state, unsigned wavefront) const {
  for (unsigned w = 0; w < warps(); ++w) {
    if (w != wavefront && (state.wavefronts[w].running() || state.ending[w])) return false;
  }
  return true;
}

bool LocalWorld::may_begin(const State& state, unsigned wavefront) const {
  const Wavefront& own = state.wavefronts[wavefront];
  if (!own.waits() || state.ending[wavefront]) return false;
  if (!state.holder) return true;
  return *state.holder == wavefront && is_alone_in_group(state, wavefront);
}

/// In lockstep: all lanes have done the instruction before, and banks have heard of who has lost there.
bool LocalWorld::may_access(const State& state, unsigned thread) const {
  const Thread& own = threads()[thread];
  const LaneMask live = state.wavefronts[own.warp].live();
  if (!base::has_lane(live, own.lane) || next_action(state.threads, thread) == nullptr) return false;
  const unsigned next = state.threads[thread].next;
  for (unsigned t = 0; t < threads().size(); ++t) {
    if (threads()[t].warp != own.warp || state.threads[t].next >= next) continue;
    if (state.leaving[t].lost != 0) return false;
    if (base::has_lane(live, threads()[t].lane) && next_action(state.threads, t) != nullptr) return false;
  }
  return true;
}

void LocalWorld::list(const State& state, std::vector<Step>& steps) const {
  steps.clear();
  const auto add = [&steps](Step::Kind kind, unsigned at, unsigned bank = 0) {
    steps.push_back({kind, static_cast<std::uint8_t>(at), static_cast<std::uint8_t>(bank)});
  };
  for (unsigned w = 0; w < warps(); ++w) {
    if (may_begin(state, w)) add(Step::Kind::begin, w);
    if (state.holder && *state.holder != w && state.wavefronts[w].running()) add(Step::Kind::quiesce, w);
  }
  for (unsigned t = 0; t < threads().size(); ++t) {
    if (may_access(state, t)) add(Step::Kind::access, t);
    for (unsigned bank = 0; bank < options_.spec.banks; ++bank) {
      if ((state.leaving[t].lost & bit(bank)) != 0) add(Step::Kind::broadcast, t, bank);
      if ((state.leaving[t].committed & bit(bank)) != 0) add(Step::Kind::release, t, bank);
    }
  }
}

void LocalWorld::apply(State& state, const Step& step) {
  switch (step.kind) {
    case Step::Kind::begin: {
      Wavefront& own = state.wavefronts[step.at];
      const LaneMask live = own.begin();
      if (own.mode() == Mode::wavefront_serial) ++met_.wavefront_serial;
      if (own.mode() == Mode::group_serial) {
        ++met_.group_serial;
        // Each attempt is of fewer lanes than the one before, down to one that nobody is in the way of.
        if (++state.fruitless > lanes_) throw base::ModelError("alone in the work-group, and no lane commits");
      }
      base::for_each_lane(live, [&](unsigned lane) {
        ThreadState& one = state.threads[thread_at(step.at, lane)];
        one.transactions[one.transaction].phase = Phase::running;
      });
      break;
    }
    case Step::Kind::access:
      access(state, step.at);
      break;
    case Step::Kind::broadcast:
      broadcast(state, step.at, step.bank);
      break;
    case Step::Kind::release:
      state.detector->release(item_of(step.at), step.bank);
      state.leaving[step.at].committed &= static_cast<std::uint8_t>(~bit(step.bank));
      break;
    case Step::Kind::quiesce:
      quiesce(state, step.at);
      break;
  }
  settle(state);
}

void LocalWorld::access(State& state, unsigned thread) {
  const Action& action = *next_action(state.threads, thread);
  const local::Word word = word_of(action);
  const Detector::Answer answer = state.detector->access(item_of(thread), word, action.access);
  if (answer.looks_up) ++met_.second_looks;
  if (!answer.accesses) {
    ++met_.conflicts;
    note(fmt::format("{} has a conflict", name(state.threads, thread)));
    state.wavefronts[threads()[thread].warp].conflict(threads()[thread].lane, answer.lost_to);
    return lose(state, thread);
  }
  ThreadState& own = state.threads[thread];
  ++own.next;
  const Cell& cell = cell_of(state.memory, word);
  if (answer.backs_up) cell_of(state.backups, word) = cell;
  if (action.access == Access::load) {
    const std::vector<Progress::Write>& writes = own.transactions[own.transaction].writes;
    const bool is_own = std::any_of(writes.begin(), writes.end(), [&](const Progress::Write& write) {
      return write.line == action.line && write.word == action.word;
    });
    return loaded(state.threads, state.memory, thread, action, cell.value, !is_own);
  }
  Action store = action;
  store.value = value_of(state.threads, thread, action);
  written(state.threads, state.memory, thread, own.transaction, store);
}

void LocalWorld::lose(State& state, unsigned thread) {
  state.leaving[thread].lost = banks_of(state, thread);
  ThreadState& own = state.threads[thread];
  own.transactions[own.transaction].writes.clear();
}

void LocalWorld::broadcast(State& state, unsigned thread, unsigned bank) {
  state.detector->broadcast(item_of(thread), bank, [&](local::Word word) {
    cell_of(state.memory, word) = cell_of(state.backups, word);
    note(fmt::format("{} = {} again", explore::location_name(word / explore::max_words, word % explore::max_words),
                     cell_of(state.memory, word).value));
  });
  state.leaving[thread].lost &= static_cast<std::uint8_t>(~bit(bank));
}

void LocalWorld::quiesce(State& state, unsigned wavefront) {
  ++met_.quiesced;
  const LaneMask exec = state.wavefronts[wavefront].exec();
  base::for_each_lane(state.wavefronts[wavefront].quiesce(),
                      [&](unsigned lane) { lose(state, thread_at(wavefront, lane)); });
  base::for_each_lane(exec, [&](unsigned lane) { restart(state.threads[thread_at(wavefront, lane)]); });
  state.ending[wavefront] = true;
}

void LocalWorld::commit(State& state, unsigned wavefront) {
  Wavefront& own = state.wavefronts[wavefront];
  base::for_each_lane(own.commit(), [&](unsigned lane) {
    const unsigned thread = thread_at(wavefront, lane);
    state.leaving[thread].committed = banks_of(state, thread);
    const unsigned transaction = state.threads[thread].transaction;
    commits(state.threads, thread);
    state.threads[thread].transactions[transaction].phase = Phase::committed;
    state.judged = false;
    if (state.holder == wavefront) state.fruitless = 0;
  });
  base::for_each_lane(own.exec(), [&](unsigned lane) { restart(state.threads[thread_at(wavefront, lane)]); });
  state.ending[wavefront] = true;
}

/// What follows by itself: wavefronts come to their ends, and to the next TX_Begin.
void LocalWorld::settle(State& state) {
  for (unsigned w = 0; w < warps(); ++w) {
    Wavefront& own = state.wavefronts[w];
    if (is_leaving(state, w)) continue;
    if (own.running()) {
      bool at_end = true;
      base::for_each_lane(own.live(), [&](unsigned lane) {
        if (next_action(state.threads, thread_at(w, lane)) != nullptr) at_end = false;
      });
      if (at_end) commit(state, w);
      if (is_leaving(state, w)) continue;
    }
    if (state.ending[w]) {
      state.ending[w] = false;
      state.detector->ended(w, is_alone_in_group(state, w));
      if (state.holder == w && own.exec() == 0) state.holder.reset();
    }
    if (own.exec() != 0 || own.running()) continue;
    if (const LaneMask lanes = lanes_that_want(state.threads, w); lanes != 0) own.enter(lanes);
  }
  for (unsigned w = 0; w < warps() && !state.holder; ++w) {
    if (state.wavefronts[w].waits() && state.wavefronts[w].wants_group()) state.holder = static_cast<std::uint8_t>(w);
  }
}

std::string LocalWorld::describe(const State& state, const Step& step) const {
  switch (step.kind) {
    case Step::Kind::begin: {
      const Mode mode = state.wavefronts[step.at].mode();
      return fmt::format("wavefront {}: TX_Begin{}", step.at,
                         mode == Mode::wavefront_serial ? ", serialised"
                         : mode == Mode::group_serial   ? ", alone in the work-group"
                                                        : "");
    }
    case Step::Kind::access:
      return fmt::format("{}: {}", name(state.threads, step.at),
                         text_of(actions(state.threads, step.at)[state.threads[step.at].next]));
    case Step::Kind::broadcast:
      return fmt::format("bank {}: {} has lost", step.bank, name(state.threads, step.at));
    case Step::Kind::release:
      return fmt::format("bank {}: T{} has committed", step.bank, step.at);
    case Step::Kind::quiesce:
      return fmt::format("wavefront {}: gives up for another", step.at);
  }
  return {};
}

void LocalWorld::encode(const State& state, std::string& bytes) const {
  bytes.clear();
  Encoder to(bytes);
  Threads::encode(state.threads, state.memory, to);
  for (unsigned w = 0; w < warps(); ++w) {
    state.wavefronts[w].encode(to);
    to.put(state.ending[w] ? 1 : 0);
  }
  for (const State::Leaving& one : state.leaving) to.put(one.lost * 256U + one.committed);
  state.detector->encode(to);
  to.put(state.holder ? *state.holder + 1U : 0U);
  to.put(state.fruitless);
  for (local::Word word = 0; word < words; ++word) {
    if (!state.detector->has_backup(word)) continue;
    const Cell& cell = cell_of(state.backups, word);
    to.put(cell.value);
    to.put(cell.version);
  }
}

}  // namespace syncline::protocols::transactions
