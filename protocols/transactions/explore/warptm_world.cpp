#include "protocols/transactions/explore/warptm_world.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::transactions {

using base::LaneMask;
using warptm::AbortCause;
using warptm::CommitUnit;
using warptm::WarpTransaction;
using Phase = Progress::Phase;
using Walk = WarpTransaction::Walk;

void WarptmMet::add(const WarptmMet& other) {
  for (std::size_t i = 0; i < aborts.size(); ++i) aborts[i] += other.aborts[i];
  silent += other.silent;
  hazards += other.hazards;
  coalesced += other.coalesced;
  forwarded += other.forwarded;
  paused += other.paused;
  waits_for_ticket += other.waits_for_ticket;
  same_again += other.same_again;
}

WarptmWorld::WarptmWorld(const explore::Program& program, const WarptmWorldOptions& options)
    : Threads(program),
      options_(options),
      machine_(options_.table != nullptr ? options_.table : warptm::entry_table()) {}

WarptmState WarptmWorld::initial() {
  State state;
  state.threads = beginning();
  for (unsigned w = 0; w < warps(); ++w) {
    state.warps.emplace_back(options_.spec, w);
    state.conflicts.emplace_back(options_.spec);
  }
  for (unsigned p = 0; p < options_.partitions; ++p) {
    state.units.emplace_back(options_.spec, machine_, options_.turn);
    state.times.emplace_back(options_.spec);
    state.counts.emplace_back(options_.spec);
  }
  state.messages.resize(std::size_t{warps()} * options_.partitions);
  state.broadcasts.resize(state.messages.size());
  state.answers.resize(options_.partitions);
  state.acks.resize(options_.partitions);
  state.committing.resize(warps());
  state.tickets.emplace(options_.spec, options_.partitions);
  settle(state);
  return state;
}

bool WarptmWorld::finished(const State& state) const {
  const auto is_empty = [](const auto& one) { return one.empty(); };
  return all_committed(state.threads) && std::all_of(state.units.begin(), state.units.end(), is_empty) &&
         std::all_of(state.broadcasts.begin(), state.broadcasts.end(), is_empty);
}

bool WarptmWorld::is_paused(const State& state, unsigned thread) const {
  const Action& action = *next_action(state.threads, thread);
  return options_.spec.pause_and_go &&
         state.conflicts[threads()[thread].warp].conflicts(action.access, word_of(action));
}

bool WarptmWorld::may_access(const State& state, unsigned thread) const {
  return runs(state, thread) && next_action(state.threads, thread) != nullptr && !is_paused(state, thread);
}

bool WarptmWorld::runs(const State& state, unsigned thread) const {
  const WarpTransaction& warp = state.warps[threads()[thread].warp];
  return warp.walk() == Walk::running && base::has_lane(warp.live(), threads()[thread].lane);
}

bool WarptmWorld::follows_by_itself(const State& state, unsigned thread) const {
  if (options_.spec.eager || options_.spec.pause_and_go) return false;
  const Action& action = *next_action(state.threads, thread);
  const auto [warp, lane] = std::make_pair(threads()[thread].warp, threads()[thread].lane);
  return action.access == Access::store || state.warps[warp].logged(lane, word_of(action));
}

void WarptmWorld::abort(State& state, unsigned warp, LaneMask lanes, AbortCause cause) {
  met_.aborts[static_cast<std::size_t>(cause)] += base::lane_count(lanes);
  base::for_each_lane(lanes, [&](unsigned lane) {
    note(fmt::format("{} aborts ({})", name(state.threads, thread_at(warp, lane)), warptm::name(cause)));
    if (options_.spec.eager) state.running.release({warp, lane});
  });
}

void WarptmWorld::access(State& state, unsigned thread) {
  const auto [warp, lane] = std::make_pair(threads()[thread].warp, threads()[thread].lane);
  const Action& action = *next_action(state.threads, thread);
  ++state.threads[thread].next;
  if (options_.spec.eager && !state.running.access(action.access, word_of(action), {warp, lane})) {
    state.warps[warp].abort(base::lane_bit(lane));
    abort(state, warp, base::lane_bit(lane), AbortCause::eager);
  } else if (action.access == Access::load) {
    load(state, thread, action);
  } else {
    state.warps[warp].store(
        {word_of(action), value_of(state.threads, thread, action), 0xf, static_cast<std::uint8_t>(lane)});
  }
}

void WarptmWorld::load(State& state, unsigned thread, const Action& action) {
  const unsigned lane = threads()[thread].lane;
  WarpTransaction& warp = state.warps[threads()[thread].warp];
  warptm::LoggedWord read{word_of(action), 0, 0xf, static_cast<std::uint8_t>(lane)};
  if (warp.missing(read) == 0) {
    ++met_.forwarded;
    const auto own = static_cast<std::uint8_t>(warp.logged(lane, read.word)->value);
    return loaded(state.threads, state.memory, thread, action, own, false);
  }
  const unsigned partition = home(read.word);
  warp.asks(lane, state.now);
  read.value = cell_of(state.memory, read.word).value;
  warp.loaded(read, last_write(options_.spec, state.units[partition], state.times[partition], read.word, state.now));
  ++state.now;
  loaded(state.threads, state.memory, thread, action, static_cast<std::uint8_t>(read.value), true);
}

void WarptmWorld::resolve(State& state, unsigned warp) {
  WarpTransaction& own = state.warps[warp];
  const WarpTransaction::Resolved resolved = own.resolve(&state.conflicts[warp]);
  abort(state, warp, resolved.intra_warp, AbortCause::intra_warp);
  abort(state, warp, resolved.early, AbortCause::early);
  base::for_each_lane(resolved.silent, [&](unsigned lane) {
    const unsigned thread = thread_at(warp, lane);
    const ThreadState& one = state.threads[thread];
    const bool reads = !one.transactions[one.transaction].reads.empty();
    if (reads && !options_.spec.eager) ++met_.silent;
    note(fmt::format("{} commits silently", name(state.threads, thread)));
  });
  if (own.walk() == Walk::acquire && !state.tickets->may_take(own.wants())) ++met_.waits_for_ticket;
}

void WarptmWorld::acquire(State& state, unsigned warp) {
  WarpTransaction& own = state.warps[warp];
  const warptm::Ticket first = state.tickets->take(own.wants());
  note(fmt::format("from {} on", first));
  for (auto& [partition, packet] :
       own.send(first, options_.partitions, [this](std::uint64_t word) { return home(word); }))
    state.messages[way(warp, partition)].emplace_back(std::move(packet));
}

void WarptmWorld::broadcast(State& state, unsigned partition, const warptm::Broadcast& broadcast) {
  if (broadcast.empty() || !options_.spec.tells_cores()) return;
  for (unsigned warp = 0; warp < warps(); ++warp) {
    auto& way_there = state.broadcasts[way(warp, partition)];
    if (!options_.late_broadcasts)
      hear(state, warp, broadcast);
    else if (way_there.empty())
      way_there.push_back(broadcast);
    else if (merge(way_there.back(), broadcast); way_there.back().empty())
      way_there.pop_back();
  }
}

void WarptmWorld::hear(State& state, unsigned warp, const warptm::Broadcast& broadcast) {
  state.conflicts[warp].apply(broadcast);
  for (unsigned t = 0; t < threads().size(); ++t) {
    if (threads()[t].warp != warp || !runs(state, t)) continue;
    if (next_action(state.threads, t) != nullptr && is_paused(state, t)) ++met_.paused;
  }
}

void WarptmWorld::arrive(State& state, unsigned warp, unsigned partition) {
  auto& messages = state.messages[way(warp, partition)];
  const WarptmState::Message message = std::move(messages.front());
  messages.pop_front();
  if (const auto* const packet = std::get_if<warptm::Packet>(&message)) {
    state.units[partition].receive(*packet);
    broadcast(state, partition, state.counts[partition].enter(packet->reads, packet->writes));
  } else {
    state.units[partition].decide(std::get<warptm::Outcome>(message));
  }
}

void WarptmWorld::validate(State& state, unsigned partition) {
  const CommitUnit::Read read = state.units[partition].next_read();
  state.answers[partition].push_back({read, cell_of(state.memory, read.expected.word)});
  if (!options_.late_answers) answer(state, partition);
}

void WarptmWorld::answer(State& state, unsigned partition) {
  const WarptmState::Answer answer = state.answers[partition].front();
  state.answers[partition].pop_front();
  const warptm::Warp warp = state.units[partition].entry(answer.read.ticket).warp;
  const bool same = state.units[partition].answer(answer.read, answer.held.value);
  note(fmt::format("{} of {} is {}{}",
                   explore::location_name(static_cast<unsigned>(answer.read.expected.word / words_of_line),
                                          static_cast<unsigned>(answer.read.expected.word % words_of_line)),
                   name(state.threads, thread_at(warp, answer.read.expected.lane)), answer.held.value,
                   same ? ", as it was read" : ""));
  if (same) revalidated(state, warp, answer.read.expected, answer.held.version);
}

/// By values alone nobody can tell versions apart, and need not: what counts is the one that was compared.
void WarptmWorld::revalidated(State& state, warptm::Warp warp, const warptm::LoggedWord& word, std::uint8_t version) {
  ThreadState& own = state.threads[thread_at(warp, word.lane)];
  for (Progress::Read& read : own.transactions[own.transaction].reads) {
    if (!read.from_memory || read.line * words_of_line + read.word != word.word || read.value != word.value) continue;
    if (read.version != version) ++met_.same_again;
    read.version = version;
  }
}

void WarptmWorld::write(State& state, unsigned partition) {
  const CommitUnit::Write write = state.units[partition].next_write();
  if (write.words.size() > 1) ++met_.coalesced;
  for (const warptm::LoggedWord& word : write.words) {
    const unsigned thread = thread_at(write.warp, word.lane);
    if (!base::has_lane(state.committing[write.warp], word.lane))
      throw base::ModelError("memory is written for a transaction that does not commit");
    written(state.threads, state.memory, thread, state.threads[thread].transaction,
            {Access::store, static_cast<std::uint8_t>(word.word / words_of_line),
             static_cast<std::uint8_t>(word.word % words_of_line), static_cast<std::uint8_t>(word.value)});
    state.times[partition].note(word.word, state.now);
  }
  ++state.now;
  state.acks[partition].push_back(write);
  if (!options_.late_answers) acknowledge(state, partition);
}

void WarptmWorld::acknowledge(State& state, unsigned partition) {
  const CommitUnit::Write write = std::move(state.acks[partition].front());
  state.acks[partition].pop_front();
  if (state.units[partition].acknowledge(write)) state.warps[write.warp].drained(write.ticket);
}

void WarptmWorld::replied(State& state, unsigned partition, const warptm::Reply& reply) {
  const warptm::Entry& entry = state.units[partition].entry(reply.ticket);
  broadcast(state, partition, state.counts[partition].leave(entry.reads, entry.writes));
  abort(state, reply.warp, reply.failed & state.warps[reply.warp].live(), AbortCause::validation);
  const auto outcomes = state.warps[reply.warp].replied(reply);
  if (!outcomes) return;
  state.committing[reply.warp] |= outcomes->outcome.commits;
  for (const auto& [to, writes] : outcomes->to) state.messages[way(reply.warp, to)].emplace_back(outcomes->outcome);
}

void WarptmWorld::end(State& state, unsigned warp) {
  const LaneMask early = state.warps[warp].lanes();
  const WarpTransaction::Ended ended = state.warps[warp].end();
  state.committing[warp] = 0;
  base::for_each_lane(ended.committed, [&](unsigned lane) {
    const unsigned thread = thread_at(warp, lane);
    const std::uint8_t transaction = state.threads[thread].transaction;
    commits(state.threads, thread);
    state.threads[thread].transactions[transaction].phase = Phase::committed;
  });
  base::for_each_lane(ended.aborted, [&](unsigned lane) { restart(state.threads[thread_at(warp, lane)]); });
  if (options_.spec.eager) base::for_each_lane(early, [&](unsigned lane) { state.running.release({warp, lane}); });
  state.judged = state.judged && ended.committed == 0;
}

void WarptmWorld::settle(State& state) {
  unsigned rounds = 0;
  for (bool again = true; again;) {
    if (++rounds > 1000) throw base::ModelError("the machines never come to rest");
    again = false;
    for (unsigned partition = 0; partition < options_.partitions; ++partition)
      again = settle_unit(state, partition) || again;
    for (unsigned warp = 0; warp < warps(); ++warp) again = settle_warp(state, warp) || again;
  }
}

bool WarptmWorld::settle_unit(State& state, unsigned partition) {
  CommitUnit& unit = state.units[partition];
  bool moves = false;
  if (const auto detected = unit.detect()) {
    if (detected->hazard) ++met_.hazards;
    moves = true;
  }
  if (const auto passed = unit.pass()) {
    if (passed->reply) replied(state, partition, *passed->reply);
    moves = true;
  }
  while (unit.retire()) moves = true;
  state.tickets->retired(partition, unit.retired());
  return moves;
}

bool WarptmWorld::settle_warp(State& state, unsigned warp) {
  WarpTransaction& own = state.warps[warp];
  if (own.done()) {
    end(state, warp);
    return true;
  }
  if (own.walk() == Walk::idle) {
    const LaneMask lanes = lanes_that_want(state.threads, warp);
    if (lanes == 0) return false;
    own.begin(lanes);
    base::for_each_lane(lanes, [&](unsigned lane) {
      ThreadState& thread = state.threads[thread_at(warp, lane)];
      thread.transactions[thread.transaction].phase = Phase::running;
    });
    return true;
  }
  bool moves = false;
  for (unsigned t = 0; t < threads().size(); ++t) {
    if (threads()[t].warp != warp) continue;
    while (may_access(state, t) && follows_by_itself(state, t)) {
      access(state, t);
      moves = true;
    }
    const LaneMask lane = base::lane_bit(threads()[t].lane);
    if (own.walk() != Walk::running || (own.live() & ~own.at_end() & lane) == 0) continue;
    if (next_action(state.threads, t) != nullptr) continue;
    own.finish(lane);
    moves = true;
  }
  if (own.complete() && resolves_by_itself()) {
    resolve(state, warp);
    moves = true;
  }
  return moves;
}

void WarptmWorld::list(const State& state, std::vector<Step>& steps) const {
  steps.clear();
  const auto add = [&steps](Step::Kind kind, std::size_t at) {
    steps.push_back({kind, static_cast<std::uint8_t>(at)});
  };
  for (unsigned t = 0; t < threads().size(); ++t) {
    if (may_access(state, t)) add(Step::Kind::access, t);
  }
  for (unsigned w = 0; w < warps(); ++w) {
    const WarpTransaction& warp = state.warps[w];
    if (warp.complete()) add(Step::Kind::resolve, w);
    if (warp.walk() == Walk::acquire && state.tickets->may_take(warp.wants())) add(Step::Kind::acquire, w);
  }
  for (std::size_t i = 0; i < state.messages.size(); ++i) {
    if (!state.messages[i].empty()) add(Step::Kind::arrive, i);
    if (!state.broadcasts[i].empty()) add(Step::Kind::broadcast, i);
  }
  for (unsigned p = 0; p < options_.partitions; ++p) {
    if (state.units[p].has_read()) add(Step::Kind::validate, p);
    if (!state.answers[p].empty()) add(Step::Kind::answer, p);
    if (state.units[p].has_write()) add(Step::Kind::write, p);
    if (!state.acks[p].empty()) add(Step::Kind::ack, p);
  }
}

void WarptmWorld::apply(State& state, const Step& step) {
  const unsigned warp = step.at / options_.partitions, partition = step.at % options_.partitions;
  switch (step.kind) {
    case Step::Kind::access:
      access(state, step.at);
      break;
    case Step::Kind::resolve:
      resolve(state, step.at);
      break;
    case Step::Kind::acquire:
      acquire(state, step.at);
      break;
    case Step::Kind::arrive:
      arrive(state, warp, partition);
      break;
    case Step::Kind::broadcast:
      hear(state, warp, state.broadcasts[step.at].front());
      state.broadcasts[step.at].pop_front();
      break;
    case Step::Kind::validate:
      validate(state, step.at);
      break;
    case Step::Kind::answer:
      answer(state, step.at);
      break;
    case Step::Kind::write:
      write(state, step.at);
      break;
    case Step::Kind::ack:
      acknowledge(state, step.at);
      break;
  }
  settle(state);
}

std::string WarptmWorld::describe(const State& state, const Step& step) const {
  const unsigned warp = step.at / options_.partitions, partition = step.at % options_.partitions;
  switch (step.kind) {
    case Step::Kind::access:
      return fmt::format("{}: {}", name(state.threads, step.at), text_of(*next_action(state.threads, step.at)));
    case Step::Kind::resolve:
      return fmt::format("warp {}: all lanes are at the end", step.at);
    case Step::Kind::acquire:
      return fmt::format("warp {}: takes commit IDs", step.at);
    case Step::Kind::arrive: {
      const auto& message = state.messages[step.at].front();
      const auto* const packet = std::get_if<warptm::Packet>(&message);
      if (packet == nullptr)
        return fmt::format("partition {}: the outcome of {} arrives", partition,
                           std::get<warptm::Outcome>(message).ticket);
      return fmt::format("partition {}: {} of {}, warp {}, arrives", partition,
                         packet->skip   ? "no log"
                         : packet->last ? "the end of the log"
                                        : "a part of the log",
                         packet->ticket, warp);
    }
    case Step::Kind::broadcast:
      return fmt::format("warp {}: hears what partition {} validates", warp, partition);
    case Step::Kind::validate:
      return fmt::format("partition {}: reads to validate {}", step.at, state.units[step.at].front_read().ticket);
    case Step::Kind::answer:
      return fmt::format("partition {}: the unit sees what was read", step.at);
    case Step::Kind::write:
      return fmt::format("partition {}: writes", step.at);
    case Step::Kind::ack:
      return fmt::format("partition {}: the unit hears what was written", step.at);
  }
  return {};
}

void WarptmWorld::encode(const State& state, std::string& bytes) const {
  bytes.clear();
  warptm::Ticket oldest = state.tickets->next();
  for (const CommitUnit& unit : state.units) oldest = std::min(oldest, unit.oldest_that_matters());
  std::vector<warptm::Time> began;
  for (const WarpTransaction& warp : state.warps) {
    const auto own = warp.began();
    began.insert(began.end(), own.begin(), own.end());
  }
  warptm::Encoder to(bytes, oldest, std::move(began));
  Threads::encode(state.threads, state.memory, to);
  for (const WarpTransaction& warp : state.warps) warp.encode(to);
  for (const auto& table : state.conflicts) table.encode(to);
  for (const LaneMask lanes : state.committing) to.put(lanes);
  for (const CommitUnit& unit : state.units) unit.encode(to);
  for (const auto& times : state.times) times.encode(to);
  for (const auto& counts : state.counts) counts.encode(to);
  state.running.encode(to);
  to.ticket(state.tickets->next());
  for (const auto& queue : state.messages) {
    to.put(queue.size());
    for (const WarptmState::Message& message : queue) {
      to.put(message.index());
      if (const auto* const packet = std::get_if<warptm::Packet>(&message)) {
        warptm::encode(*packet, to);
      } else {
        to.ticket(std::get<warptm::Outcome>(message).ticket);
        to.put(std::get<warptm::Outcome>(message).commits);
      }
    }
  }
  for (const auto& queue : state.broadcasts) {
    to.put(queue.size());
    for (const warptm::Broadcast& broadcast : queue) {
      for (const auto* const words :
           {&broadcast.read, &broadcast.written, &broadcast.no_more_read, &broadcast.no_more_written}) {
        to.put(words->size());
        for (const std::uint64_t word : *words) to.put(word);
      }
    }
  }
  for (const auto& queue : state.answers) {
    to.put(queue.size());
    for (const WarptmState::Answer& answer : queue) {
      to.ticket(answer.read.ticket);
      to.word(answer.read.expected);
      to.put(answer.held.value * 256U + answer.held.version);
    }
  }
  for (const auto& queue : state.acks) {
    to.put(queue.size());
    for (const CommitUnit::Write& write : queue) {
      to.ticket(write.ticket);
      to.put(write.words.size());
    }
  }
}

}  // namespace syncline::protocols::transactions
