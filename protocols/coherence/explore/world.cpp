#include "protocols/coherence/explore/world.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::explore {
namespace {

Operation operation_of(OpKind kind) {
  return kind == OpKind::load ? Operation::load : kind == OpKind::store ? Operation::store : Operation::atomic;
}

/// By state: whether a row answers a load from the copy.
std::vector<bool> states_that_serve(const TransitionTable& table) {
  const Vocabulary& words = table.vocabulary();
  std::vector<bool> serves(words.states.size());
  for (const Transition& t : table.transitions()) {
    if ((words.events[t.row.event].trigger.operations & on::load.operations) == 0) continue;
    for (const Code action : t.row.actions) {
      const ActionName& name = words.actions[action];
      const bool asks = name.performer == Performer::asked || name.performer == Performer::completed;
      if (asks && name.asks == ActionKind::answer) serves[t.row.state] = true;
    }
  }
  return serves;
}

}  // namespace

World::World(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
             const WorldOptions& options)
    : policy_(policy),
      program_(program),
      tick_ps_(context.tick_ps),
      options_(options),
      all_words_(static_cast<std::uint8_t>((1U << program.words()) - 1)),
      home_place_(policy.place_of(Role::home)),
      entry_lines_(std::min(policy.at(Role::home).lines_of_entry(), program.lines())),
      places_(policy, program, options.homes, entry_lines_),
      met_(policy.no_rows()) {
  for (const RoleMachine& one : policy.roles) {
    machines_.push_back(policy.make(one.role));
    if (one.directory) one.directory->check();
  }
  l1_ = machines_[policy.place_of(Role::l1)].get();
  if (entry_lines_ != 1 && (policy.physical_leases || policy.logical_time))
    throw base::ModelError("the checker has no leases beside directory entries of several lines");
  serves_ = states_that_serve(*policy.table(Role::l1));
  for (unsigned t = 0; t < program.threads.size(); ++t) {
    for (std::size_t i = 0; i < program.threads[t].ops.size(); ++i) awaited_[t][i] = awaited_by(t, i);
  }
  if (policy.networks.size() > max_networks)
    throw base::ModelError(fmt::format("the checker has {} virtual networks, policy `{}` needs {}", max_networks,
                                       policy.name, policy.networks.size()));
}

std::uint8_t World::awaited_by(unsigned t, std::size_t i) const {
  const auto& ops = program_.threads[t].ops;
  const SmRules& rules = options_.sm;
  // By OpKind: load, store, atomic.
  std::array<bool, 3> waits{};
  if (policy_.consistency == Consistency::sc)
    waits = {rules.sc_waits_for_loads, rules.sc_waits_for_stores, rules.sc_waits_for_atomics};
  else if (ops[i].kind == OpKind::fence)
    waits = {rules.fence_waits_for_loads, rules.fence_waits_for_stores, rules.fence_waits_for_atomics};
  else if (ops[i].releases())
    waits = {rules.release_waits_for_loads, rules.release_waits_for_stores, rules.release_waits_for_atomics};
  std::uint8_t awaited = 0;
  for (std::size_t before = 0; before < i; ++before) {
    const Op& op = ops[before];
    if (!op.has_location()) continue;
    const bool acquired = op.acquires() && ops[i].kind != OpKind::flush && rules.acquire_holds_later;
    if (acquired || waits[static_cast<std::size_t>(op.kind)]) awaited |= static_cast<std::uint8_t>(1U << before);
  }
  return awaited;
}

bool World::may_issue(const State& state, unsigned t) const {
  const ThreadState& thread = state.threads[t];
  const Thread& code = program_.threads[t];
  if (thread.next == code.ops.size()) return false;
  const std::uint8_t head = state.nodes[code.l1].blocked_thread;
  if (head != 0 && head != t + 1) return false;
  if (!state.nodes[code.l1].replays.empty()) return false;  // older accesses first
  if ((thread.waiting & awaited_[t][thread.next]) != 0) return false;
  if (thread.asking == Asking::before || thread.asking == Asking::after) return false;
  if (thread.drains != decltype(thread.drains){}) return false;
  return !thread.fencing || state.time >= thread.fence_until;
}

bool World::waits_for_mates(const Op& op) const {
  return policy_.shows_stores_early && policy_.consistency == Consistency::wo && options_.sm.waits_for_mates &&
         (op.kind == OpKind::fence || op.releases()) && op.scope != Scope::cta;
}

/// Notes the stores of other threads that a fence or a release of `t` has to wait for, as the SM does (models/sm,
/// FencePlan::drain_sm); false: there are none.
bool World::begin_drain(State& state, unsigned t) const {
  bool any = false;
  for (unsigned other = 0; other < program_.threads.size(); ++other) {
    const Thread& code = program_.threads[other];
    if (other == t || code.l1 != program_.threads[t].l1) continue;
    for (std::size_t i = 0; i < code.ops.size(); ++i) {
      const auto bit = static_cast<std::uint8_t>(1U << i);
      if (!code.ops[i].writes() || (state.threads[other].waiting & bit) == 0) continue;
      state.threads[t].drains[other] |= bit;
      any = true;
    }
  }
  return any;
}

World::Verdict World::issue_fence(State& state, unsigned t, const Op& op) {
  ThreadState& thread = state.threads[t];
  const std::uint8_t l1 = program_.threads[t].l1;
  if (!thread.fencing && policy_.consistency != Consistency::sc && options_.sm.fence_asks_l1) {
    Stimulus stimulus;
    stimulus.access.scope = op.scope;
    stimulus.access.acquires = stimulus.access.releases = true;
    stimulus.requester = l1;
    stimulus.warp = static_cast<std::uint16_t>(t);
    stimulus.time = state.time * tick_ps_;
    const FenceOutcome outcome = l1_->fence(stimulus, state.nodes[l1].meta);
    if (outcome.ask && thread.asking != Asking::answered) return ask(state, t, thread.next, Asking::before);
    if (outcome.flush) flush(state, l1);
    thread.fence_until = (outcome.ready_at + tick_ps_ - 1) / tick_ps_;
    if (thread.fence_until > state.time) {
      thread.fencing = true;
      return Verdict::done;
    }
  }
  thread.draining = thread.fencing = false;
  thread.asking = Asking::no;
  thread.fence_until = 0;
  ++thread.next;
  return Verdict::done;
}

bool World::may_pass(Node& node, const Stimulus& access) const {
  if (!access.access.releases || policy_.consistency == Consistency::sc || !options_.sm.release_asks_l1) return true;
  Stimulus release = access;
  release.access.acquires = false;
  return l1_->fence(release, node.meta).ready_at <= access.time;
}

bool World::release_waits(const State& state, unsigned t) const {
  const ThreadState& thread = state.threads[t];
  const Thread& code = program_.threads[t];
  return state.nodes[code.l1].blocked_thread == t + 1 && thread.next < code.ops.size() &&
         code.ops[thread.next].releases();
}

void World::acquire(State& state, const Op& op, unsigned t) {
  if (!options_.sm.acquire_tells_l1) return;
  Stimulus stimulus;
  stimulus.access.scope = op.scope;
  stimulus.access.acquires = true;
  stimulus.time = state.time * tick_ps_;
  const FenceOutcome outcome = l1_->fence(stimulus, state.nodes[program_.threads[t].l1].meta);
  ThreadState& thread = state.threads[t];
  if (outcome.ask && thread.next != program_.threads[t].ops.size())
    thread.asking = Asking::due;
  else
    flush_after_ |= outcome.flush;
}

World::Verdict World::issue(State& state, unsigned t) {
  ThreadState& thread = state.threads[t];
  const Thread& code = program_.threads[t];
  const Op& op = code.ops[thread.next];
  Node& node = state.nodes[code.l1];
  if (thread.asking == Asking::due) return ask(state, t, thread.next - 1U, Asking::after);
  if (op.kind == OpKind::flush) {
    flush(state, code.l1);
    ++thread.next;
    return Verdict::done;
  }
  if (!thread.draining && waits_for_mates(op)) {
    thread.draining = true;
    if (begin_drain(state, t)) return Verdict::done;
  }
  if (op.kind == OpKind::fence) return issue_fence(state, t, op);
  if (thread.asking != Asking::answered && asks_before(state, t, op)) return ask(state, t, thread.next, Asking::before);
  Packet access;
  access.source = access.requester = code.l1;
  access.line = op.line;
  access.thread = static_cast<std::uint8_t>(t);
  access.operation = thread.next;
  access.bytes.valid = static_cast<std::uint8_t>(1U << op.word);
  access.bytes.words[op.word] = op.value;
  Request request;
  request.stimulus = access_of(access);
  request.stimulus.time = state.time * tick_ps_;
  request.packet = &access;
  const auto bit = static_cast<std::uint8_t>(1U << thread.next);
  thread.waiting |= bit;
  const bool passes = may_pass(node, request.stimulus);
  const Verdict verdict = passes ? present(state, code.l1, op.line, request) : Verdict::waits;
  if (verdict != Verdict::done) {
    thread.waiting &= static_cast<std::uint8_t>(~bit);
    if (verdict == Verdict::waits) node.blocked_thread = static_cast<std::uint8_t>(t + 1);
    return verdict;
  }
  node.blocked_thread = 0;
  thread.draining = false;
  if (thread.asking == Asking::answered) thread.asking = Asking::no;
  ++thread.next;
  return verdict;
}

Stimulus World::stimulus_of(const Packet& packet) const {
  Stimulus s;
  s.source = Stimulus::Source::message;
  s.message = packet.kind;
  s.sender = is_l1(packet.source) ? packet.source : packet.source - max_l1s;
  s.requester = packet.requester == Packet::nobody ? std::uint16_t{0xffff}
                : is_l1(packet.requester)          ? packet.requester
                                                   : static_cast<std::uint16_t>(packet.requester - max_l1s);
  s.warp = packet.thread;
  s.acks = packet.acks;
  s.stamps = packet.stamps;
  if (packet.operation == Packet::no_operation) return of_modules(s, packet);
  const Op& op = op_of(packet);
  s.access.operation = operation_of(op.kind);
  if (policy_.of_modules) s.access.scope = op.scope;
  return of_modules(s, packet);
}

Stimulus World::access_of(const Packet& packet) const {
  Stimulus s = stimulus_of(packet);
  s.source = Stimulus::Source::access;
  const Op& op = op_of(packet);
  s.access.is_private = op.manner == Manner::is_private;
  s.access.is_read_only = op.manner == Manner::read_only;
  s.access.acquires = op.acquires() || op.kind == OpKind::fence;
  s.access.releases = op.releases() || op.kind == OpKind::fence;
  s.access.scope = op.scope;
  // The L1 is the CTA's point of coherence. Where software keeps it, all that others are to see goes around it.
  const bool wide = op.scope == Scope::gpu || op.scope == Scope::sys;
  s.access.around_l1 = op.manner == Manner::around_l1 || (wide && (op.acquires() || policy_.of_modules));
  return s;
}

void World::flush(State& state, unsigned node, const Role* role) {
  for (unsigned line = 0; line < program_.lines(); ++line) {
    Request flush;
    flush.stimulus.source = Stimulus::Source::flush;
    const Copy& copy = state.nodes[node].lines[line];
    if (!copy.has_frame && !copy.has_entry) continue;
    if (role != nullptr && policy_.roles[places_.role(node, line)].role != *role) continue;
    if (present(state, node, line, flush) != Verdict::done) throw base::ModelError("a flush had to wait");
  }
}

World::Verdict World::receive(State& state, unsigned index) {
  Packet packet = state.packets[index];
  Request request;
  request.stimulus = stimulus_of(packet);
  request.packet = &packet;
  request.of_node = policy_.messages[packet.kind].of_node;
  if (policy_.messages[packet.kind].payload != Payload::none) request.incoming = &packet.bytes;
  // Its place among those of its sender: what is sent while it is looked at may shift them all.
  const auto first = [&] { return std::lower_bound(state.packets.begin(), state.packets.end(), packet, in_order); };
  const auto place = static_cast<std::ptrdiff_t>(index) - (first() - state.packets.begin());
  state.packets.erase(state.packets.begin() + index);
  const unsigned node = packet.destination;
  const Verdict verdict = present(state, node, packet.line, request);
  std::uint8_t unblocked = 0;  // the ring of homes has ports of its own
  std::uint8_t& blocked = is_on_ring(packet) ? unblocked : state.nodes[node].blocked[lane(packet)];
  if (verdict == Verdict::done) {
    blocked = 0;
  } else {
    packet.recycled |= verdict == Verdict::recycles;
    state.packets.insert(first() + place, packet);
    if (verdict == Verdict::waits) blocked = static_cast<std::uint8_t>(packet.source + 1);
  }
  return verdict;
}

World::Verdict World::replay(State& state, unsigned at) {
  Node& node = state.nodes[at];
  Packet packet = node.replays.front();
  node.replays.erase(node.replays.begin());
  Request request;
  request.stimulus = is_l1(at) ? access_of(packet) : stimulus_of(packet);
  request.stimulus.time = state.time * tick_ps_;
  request.packet = &packet;
  request.incoming = &packet.bytes;
  const bool passes = !is_l1(at) || may_pass(node, request.stimulus);
  const Verdict verdict = passes ? present(state, at, packet.line, request) : Verdict::waits;
  if (verdict != Verdict::done) node.replays.insert(node.replays.begin(), packet);
  return verdict;
}

World::Verdict World::memory_data(State& state, unsigned line) {
  Bytes bytes;
  bytes.words = state.memory[line];
  bytes.valid = all_words_;
  Request request;
  request.stimulus.source = Stimulus::Source::memory_data;
  request.incoming = &bytes;
  const auto bit = static_cast<std::uint8_t>(1U << line);
  state.fetching &= static_cast<std::uint8_t>(~bit);
  const Verdict verdict = present(state, home_of(line), line, request);
  if (verdict != Verdict::done) state.fetching |= bit;
  return verdict;
}

World::Verdict World::replace(State& state, unsigned node, unsigned line) {
  Request request;
  request.stimulus.source = Stimulus::Source::replacement;
  const Verdict verdict = present(state, node, line, request);
  if (verdict == Verdict::done && state.nodes[node].lines[line].has_frame)
    throw base::ModelError("a replacement leaves the frame taken");
  return verdict;
}

World::Verdict World::fire(State& state, unsigned index) {
  const Timer timer = state.timers[index];
  Request request;
  request.stimulus.source = Stimulus::Source::timer;
  state.timers.erase(state.timers.begin() + index);
  const Verdict verdict = present(state, timer.node, timer.line, request);
  if (verdict != Verdict::done) state.timers.insert(state.timers.begin() + index, timer);
  return verdict;
}

World::Verdict World::present(State& state, unsigned node, unsigned line, Request& request) {
  Copy none;
  Copy& copy = request.of_node ? none : copy_of(state, node, line);
  Stimulus& s = request.stimulus;
  s.node = static_cast<std::uint16_t>(is_l1(node) ? node : node - max_l1s);
  s.line = line * 128;
  s.time = s.arrived = state.time * tick_ps_;
  const std::uint8_t wanted = request.packet != nullptr ? request.packet->bytes.valid : 0;
  const std::uint8_t held = copy.has_frame ? copy.frame.valid : 0;
  s.dirty = copy.has_frame && copy.frame.dirty != 0;
  s.covered = (held & wanted) == wanted;
  s.completes = (held | wanted) == all_words_;
  // What concerns no line is the home's, whichever lines there are.
  request.role = request.of_node && !is_l1(node) ? home_place_ : places_.role(node, line);
  const Transition& t = machines_[request.role]->decide(s, copy.meta, state.nodes[node].meta);
  ++met_[request.role][t.index];
  if (t.only_waits()) {
    if (t.row.actions.size() > 1) perform(state, node, line, request, copy, t);
    return (t.needs & Needs::waits) != 0 ? Verdict::waits : Verdict::recycles;
  }
  if (policy_.of_modules ? !room_in_modules(state, node, line, request, t) : !room(state, node, t))
    return Verdict::waits;
  if ((t.needs & Needs::directory_entry) != 0 && !copy.has_directory_entry) list(state, node, line);
  if ((t.needs & Needs::frame) != 0 && !copy.has_frame) {
    copy.has_frame = true;
    copy.frame = {};
  }
  perform(state, node, line, request, copy, t);
  if (flush_after_) {
    flush_after_ = false;
    if (policy_.physical_leases) throw base::ModelError("the checker has no flushes by acquires beside leases in time");
    flush(state, node);
  }
  return Verdict::done;
}

bool World::room(const State& state, unsigned node, const Transition& transition) const {
  for (unsigned network = 0; network < policy_.networks.size(); ++network) {
    if (((transition.networks >> network) & 1U) == 0) continue;
    const auto under_way = std::count_if(state.packets.begin(), state.packets.end(), [&](const Packet& p) {
      return p.source == node && p.network == network && !is_on_ring(p);
    });
    if (under_way >= static_cast<std::ptrdiff_t>(options_.network_capacity)) return false;
  }
  return true;
}

void World::perform(State& state, unsigned node, unsigned line, Request& request, Copy& copy,
                    const Transition& transition) {
  if (!transition.next_is_stable && !copy.has_entry) {
    copy.has_entry = true;
    copy.entry = {};
  }
  if (log != nullptr) {
    const Vocabulary& words = machines_[request.role]->table().vocabulary();
    *log += fmt::format("    {} {}{}: {}", words.machine, is_l1(node) ? node : node - max_l1s,
                        line == 0 ? ", x" : ", y", row_name(transition.row, words));
    *log += ":";
    for (const Code action : transition.row.actions) *log += fmt::format(" {}", words.actions[action].name);
    *log += fmt::format(" -> {}\n", words.states[transition.row.next].name);
  }
  ActionList actions;
  machines_[request.role]->perform(transition, request.stimulus, copy.meta, state.nodes[node].meta, actions);
  if (copy.has_directory_entry) share(state, node, line, copy, transition.next_is_stable);
  for (const Action& action : actions) execute(state, node, line, request, copy, action);
  if (transition.next_is_stable && copy.has_entry) {
    if (!copy.parked.empty()) throw base::ModelError("a miss register is released while accesses wait there");
    copy.has_entry = copy.of_entry = false;
    copy.entry = {};
  }
  if (!copy.has_frame) copy.frame = {};
  if (options_.invariants) check_line(node, line, copy, request, state.nodes[node].meta);
  forget(state, node, line);
}

RowCounts World::taken() const {
  RowCounts taken;
  for (const auto& machine : machines_) taken.push_back(machine->taken());
  return taken;
}

bool World::finished(const State& state) const {
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    const ThreadState& thread = state.threads[t];
    if (thread.next != program_.threads[t].ops.size() || thread.waiting != 0 || thread.asking != Asking::no)
      return false;
  }
  if (!state.packets.empty() || state.fetching != 0 || !state.timers.empty()) return false;
  return std::all_of(state.nodes.begin(), state.nodes.end(), [](const Node& node) {
    return node.replays.empty() &&
           std::none_of(node.lines.begin(), node.lines.end(), [](const Copy& copy) { return copy.has_entry; });
  });
}

Outcome World::outcome(const State& state) const {
  Outcome outcome;
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    const auto& ops = program_.threads[t].ops;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (ops[i].kind == OpKind::load || ops[i].kind == OpKind::atomic)
        outcome.results.push_back(state.threads[t].results[i]);
    }
  }
  for (unsigned line = 0; line < program_.lines(); ++line) {
    for (unsigned w = 0; w < program_.words(); ++w) outcome.memory[line][w] = truth(state, line, w);
  }
  return outcome;
}

std::string World::node_name(unsigned node) const {
  if (is_l1(node)) return fmt::format("L1 {}", node);
  const unsigned number = node - max_l1s, of_gpu = policy_.grid.modules_of_gpu;
  return policy_.of_modules ? fmt::format("L2 {}.{}", number / of_gpu, number % of_gpu)
                            : fmt::format("home {}", number);
}

}  // namespace syncline::protocols::explore
