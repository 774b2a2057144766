#include "protocols/determinism/explore/world.h"

#include <fmt/format.h>

#include <algorithm>

namespace syncline::protocols::determinism {

using explore::Op;
using explore::OpKind;
using explore::Thread;
using gpudet::CtaPlace;
using gpudet::Mode;
using gpudet::OpClass;
using gpudet::Place;
using gpudet::QuantumMachine;

namespace {

constexpr unsigned barrier = 0;

OpClass class_of(const Op& op) {
  switch (op.kind) {
    case OpKind::store:
      return OpClass::store;
    case OpKind::atomic:
      return OpClass::atomic;
    case OpKind::fence:
      return OpClass::fence;
    case OpKind::load:
    case OpKind::flush:
    case OpKind::barrier:
      break;
  }
  return OpClass::plain;
}

gpudet::Ask ask_for(const Op& op) {
  const bool load = op.kind == OpKind::load;
  return {class_of(op), true, false, false, load, load};
}

}  // namespace

World::World(const explore::Program& program, const WorldOptions& options) : program_(program), options_(options) {
  ctas_.resize(program.l1s());
  for (const Thread& thread : program.threads) ctas_[thread.l1].push_back(&thread);
  for (auto& cta : ctas_) warps_per_cta_ = std::max(warps_per_cta_, static_cast<unsigned>(cta.size()));
  for (auto& cta : ctas_) cta.resize(warps_per_cta_);
}

World::State World::initial() const {
  State state{QuantumMachine(options_.spec, options_.sms, warps_per_cta_, options_.rounds), {}, {}, {}, {}, {}, {}};
  const unsigned places = state.machine.places();
  state.warps.resize(places);
  state.logs.resize(places);
  state.written.resize(places);
  state.on_their_way.resize(std::size_t{options_.sms} * explore::max_lines);
  state.results.resize(program_.threads.size());
  state.ctas.add(0, ctas_.size());
  settle(state);
  return state;
}

void World::distribute(State& state) const {
  state.ctas.collect();
  std::vector<CtaPlace> dealt;
  for (bool placed = true; placed;) {
    placed = false;
    for (unsigned sm = 0; sm < options_.sms && !state.ctas.empty(); ++sm) {
      const auto place = state.machine.launch(sm, warps_per_cta_);
      if (!place) continue;
      begin_cta(state, *place, state.ctas.first());
      state.ctas.take_first();
      placed = true;
    }
  }
  for (Place warp = 0; warp < state.machine.places(); warp += warps_per_cta_) {
    if (state.machine.present(warp)) dealt.push_back(state.machine.cta_of(warp));
  }
  state.ctas.deal(std::move(dealt));
  state.machine.distributed();
}

void World::begin_cta(State& state, CtaPlace place, std::uint64_t cta) const {
  const auto& places = state.machine.warps_of(place);
  for (std::size_t i = 0; i < places.size(); ++i) state.warps[places[i]] = {ctas_[cta][i], 0, {}};
}

std::vector<std::uint8_t>& World::results_of(State& state, Place warp) const {
  return state.results[static_cast<std::size_t>(state.warps[warp].thread - program_.threads.data())];
}

void World::store(State& state, Place warp, const Op& op) const {
  state.logs[warp].push_back({op.line, op.word, op.value, state.machine.rank(warp)});
}

std::uint8_t World::load(const State& state, Place warp, const Op& op) const {
  const Store* best = nullptr;
  for (const Place mate : state.machine.warps_of(state.machine.cta_of(warp))) {
    const std::uint32_t seen = state.machine.seen(warp, mate);
    for (std::uint32_t i = 0; i < seen; ++i) {
      const Store& one = state.logs[mate][i];
      if (one.line == op.line && one.word == op.word && (best == nullptr || wins(one.rank, best->rank))) best = &one;
    }
  }
  return best != nullptr ? best->value : state.memory[op.line][op.word];
}

/// Of memory, without the logs, which are on their way there.
std::string World::load_ahead(State& state, Place place, const Op& op) const {
  std::vector<std::uint8_t>& results = results_of(state, place);
  const bool touched = std::any_of(state.logs.begin(), state.logs.end(), [&](const std::vector<Store>& log) {
    return std::any_of(log.begin(), log.end(), [&](const Store& one) { return one.line == op.line; });
  });
  if (touched && options_.holds) {
    state.warps[place].held.push_back({static_cast<std::uint8_t>(results.size()), op.line, op.word});
    results.push_back(0);
    return " waits for the commit";
  }
  results.push_back(state.memory[op.line][op.word]);
  return fmt::format(" reads {} ahead", results.back());
}

void World::open_barrier(State& state, CtaPlace cta) const {
  bool somebody = false;
  for (const Place place : state.machine.warps_of(cta)) {
    if (state.machine.waits_at_barrier(place)) {
      somebody = true;
    } else if (!state.machine.has_exited(place)) {
      return;
    }
  }
  if (!somebody) return;
  for (const Place place : state.machine.warps_of(cta)) {
    if (state.machine.waits_at_barrier(place)) ++state.warps[place].next;
  }
  state.machine.opened(cta, barrier);
}

/// One operation of a warp; what it was, or empty when nothing has changed.
std::string World::run(State& state, Place place) const {
  QuantumMachine& machine = state.machine;
  Warp& warp = state.warps[place];
  const bool ends = warp.thread == nullptr || warp.next == warp.thread->ops.size();
  const Op op = ends ? Op{} : warp.thread->ops[warp.next];
  const std::string who = fmt::format("warp {}", place);
  if (!machine.may_issue(place, ends ? gpudet::Ask{} : ask_for(op))) {
    if (machine.mode() != Mode::parallel) return {};
    return fmt::format("{} stops: {}", who, name(machine.reason(place)));
  }
  machine.issued(place, ends ? OpClass::plain : class_of(op));
  const CtaPlace cta = machine.cta_of(place);
  if (ends) {
    machine.exited(place);
    open_barrier(state, cta);
    return who + " exits";
  }
  std::string what = who + ": " + text_of(op);
  switch (op.kind) {
    case OpKind::load:
      ++warp.next;
      if (machine.mode() != Mode::parallel) return what + load_ahead(state, place, op);
      results_of(state, place).push_back(load(state, place, op));
      return fmt::format("{} reads {}", what, results_of(state, place).back());
    case OpKind::store:
      store(state, place, op);
      break;
    case OpKind::atomic:
      state.on_their_way[place / warps_per_cta_ * explore::max_lines + op.line].push_back({place, op});
      break;
    case OpKind::fence:
    case OpKind::flush:
      break;
    case OpKind::barrier:
      machine.arrived(place, barrier, true);
      open_barrier(state, cta);
      return what;
  }
  ++warp.next;
  return what;
}

void World::steps_of_warps(const State& state, const Visitor& visit) const {
  for (Place place = 0; place < state.machine.places(); ++place) {
    if (!state.machine.running(place)) continue;
    State after = state;
    const std::string step = run(after, place);
    settle(after);
    visit(std::move(after), step);
  }
  for (Place place = 0; place < state.machine.places(); place += warps_per_cta_) {
    if (!state.machine.present(place)) continue;
    const CtaPlace cta = state.machine.cta_of(place);
    if (!state.machine.may_replenish(cta)) continue;
    State after = state;
    const auto next = options_.partitions ? after.ctas.take(cta) : after.ctas.take_any();
    if (next) {
      after.machine.replenish(cta);
      begin_cta(after, cta, *next);
    } else {
      after.machine.no_more(cta);
    }
    settle(after);
    visit(std::move(after),
          next ? fmt::format("CTA {} takes place {}", *next, cta) : fmt::format("no CTA is left for place {}", cta));
  }
}

void World::steps_of_commit(const State& state, const Visitor& visit) const {
  for (Place place = 0; place < state.machine.places(); ++place) {
    if (state.written[place] == state.logs[place].size()) continue;
    State after = state;
    const Store& one = after.logs[place][after.written[place]];
    gpudet::Rank& rank = after.ranks[one.line][one.word];
    const bool stays = wins(one.rank, rank);
    const std::string step = fmt::format("warp {} commits {} to line {}, word {}{}", place, one.value, one.line,
                                         one.word, stays ? "" : ": another's stays");
    if (stays) {
      rank = one.rank;
      after.memory[one.line][one.word] = one.value;
    }
    if (++after.written[place] == after.logs[place].size()) after.machine.committed(place);
    settle(after);
    visit(std::move(after), step);
  }
  for (Place place = 0; place < state.machine.places(); ++place) {
    if (!state.machine.present(place) || options_.spec.overlap == gpudet::Overlap::none) continue;
    State after = state;
    const std::string step = run(after, place);
    if (!step.empty()) visit(std::move(after), step);
  }
}

void World::steps_of_serial(const State& state, const Visitor& visit) const {
  for (Place place = 0; place < state.machine.places(); ++place) {
    if (!state.machine.present(place)) continue;
    State after = state;
    const std::string step = run(after, place);
    if (!step.empty()) visit(std::move(after), step);
  }
  for (std::size_t queue = 0; queue < state.on_their_way.size(); ++queue) {
    if (state.on_their_way[queue].empty()) continue;
    State after = state;
    const Atomic one = after.on_their_way[queue].front();
    after.on_their_way[queue].erase(after.on_their_way[queue].begin());
    std::uint8_t& cell = after.memory[one.op.line][one.op.word];
    results_of(after, one.warp).push_back(cell);
    cell = static_cast<std::uint8_t>(cell + one.op.value);
    after.machine.performed(one.warp);
    settle(after);
    visit(std::move(after), fmt::format("the atomic of warp {} is performed", one.warp));
  }
}

void World::for_each_step(const State& state, const Visitor& visit) const {
  switch (state.machine.mode()) {
    case Mode::distribution:
      break;
    case Mode::parallel:
      steps_of_warps(state, visit);
      break;
    case Mode::commit:
      steps_of_commit(state, visit);
      break;
    case Mode::serial:
      steps_of_serial(state, visit);
      break;
  }
}

void World::settle(State& state) const {
  const auto tell = [this, &state] {
    if (options_.entered) options_.entered(state.machine.mode());
  };
  state.machine.advance();
  tell();
  if (state.machine.mode() == Mode::commit) {
    for (Place place = 0; place < state.machine.places() && state.machine.mode() == Mode::commit; ++place) {
      if (state.machine.present(place) && state.logs[place].empty()) state.machine.committed(place);
    }
    tell();
  }
  if (state.machine.mode() == Mode::serial || state.machine.mode() == Mode::distribution) {
    for (auto& log : state.logs) log.clear();
    std::fill(state.written.begin(), state.written.end(), 0);
    for (Place place = 0; place < state.machine.places(); ++place) {
      for (const Held& one : state.warps[place].held)
        results_of(state, place)[one.result] = state.memory[one.line][one.word];
      state.warps[place].held.clear();
    }
  }
  if (state.machine.mode() == Mode::distribution) distribute(state);
  tell();
}

explore::Outcome World::outcome(const State& state) const {
  explore::Outcome outcome;
  for (const auto& results : state.results)
    outcome.results.insert(outcome.results.end(), results.begin(), results.end());
  outcome.memory = state.memory;
  return outcome;
}

std::string World::encode(const State& state) const {
  std::string code;
  state.machine.encode(code);
  const auto put = [&code](std::uint64_t value) { code += static_cast<char>(value); };
  // Of older rounds it matters only that they are older.
  const auto put_rank = [&](const gpudet::Rank& rank) {
    const bool now = rank.round >= state.machine.round();
    put(now ? rank.round - state.machine.round() + 1 : 0);
    put(now ? rank.warp : 0);
  };
  for (Place place = 0; place < state.machine.places(); ++place) {
    const Warp& warp = state.warps[place];
    put(warp.thread == nullptr ? 0xFF : static_cast<std::uint64_t>(warp.thread - program_.threads.data()));
    put(warp.next);
    put(warp.held.size());
    for (const Held& one : warp.held) put(one.result);
    put(state.logs[place].size());
    put(state.written[place]);
    for (const Store& one : state.logs[place]) {
      put(one.line * explore::max_words + one.word);
      put(one.value);
      put_rank(one.rank);
    }
  }
  for (const auto& queue : state.on_their_way) {
    put(queue.size());
    for (const Atomic& one : queue) put(one.warp);
  }
  for (const auto& results : state.results) {
    put(results.size());
    for (const std::uint8_t one : results) put(one);
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    for (unsigned word = 0; word < explore::max_words; ++word) {
      put(state.memory[line][word]);
      put_rank(state.ranks[line][word]);
    }
  }
  state.ctas.encode(code);
  return code;
}

}  // namespace syncline::protocols::determinism
