// What the model checker's caches do between modules: what an L1 asks others on behalf of its threads, what only an L2
// of a module is told, and networks that are apart by how far they reach.
#include <algorithm>

#include "base/error.h"
#include "protocols/coherence/explore/world.h"

namespace syncline::protocols::explore {

World::Verdict World::ask(State& state, unsigned t, unsigned operation, Asking then) {
  const std::uint8_t l1 = program_.threads[t].l1;
  Packet question;
  question.source = question.requester = l1;
  question.thread = static_cast<std::uint8_t>(t);
  question.operation = static_cast<std::uint8_t>(operation);
  Request request;
  request.stimulus = access_of(question);
  request.stimulus.source = Stimulus::Source::fence;
  if (op_of(question).has_location()) {  // an access that does both asks twice
    request.stimulus.access.acquires = then == Asking::after;
    request.stimulus.access.releases = then == Asking::before;
  }
  request.packet = &question;
  request.of_node = true;
  const Verdict verdict = present(state, l1, 0, request);
  if (verdict == Verdict::done) state.threads[t].asking = then;
  return verdict;
}

bool World::asks_before(State& state, unsigned t, const Op& op) {
  if (!op.releases() || policy_.consistency == Consistency::sc || !options_.sm.release_asks_l1) return false;
  Stimulus release;
  release.access.scope = op.scope;
  release.access.releases = true;
  return l1_->fence(release, state.nodes[program_.threads[t].l1].meta).ask;
}

/// Of the threads of an L1 one at a time asks.
void World::answered(State& state, unsigned l1) {
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    ThreadState& thread = state.threads[t];
    if (program_.threads[t].l1 != l1) continue;
    if (thread.asking == Asking::before) {
      thread.asking = Asking::answered;
      return;
    }
    if (thread.asking == Asking::after) {
      thread.asking = Asking::no;
      flush_after_ = true;
      return;
    }
  }
  throw base::ModelError("an answer comes that no thread waits for");
}

Stimulus World::of_modules(Stimulus stimulus, const Packet& packet) const {
  if (!policy_.of_modules) return stimulus;
  stimulus.local = is_l1(packet.source);
  stimulus.module = static_cast<std::uint16_t>(places_.module_of(packet.requester));
  return stimulus;
}

bool World::is_at_once(const State& state, const Packet& packet) const {
  if (!policy_.messages[packet.kind].at_once) return false;
  const Machine& machine = *machines_[home_place_];
  Stimulus s = stimulus_of(packet);
  s.node = static_cast<std::uint16_t>(packet.destination - max_l1s);
  const Transition& t = machine.decide(s, {}, state.nodes[packet.destination].meta);
  return std::all_of(t.row.actions.begin(), t.row.actions.end(), [&](Code code) {
    const ActionName& name = machine.table().vocabulary().actions[code];
    return (name.needs & Needs::sending) == 0 || policy_.messages[name.message].at_once;
  });
}

bool World::may_pass(const Packet& older, const Packet& younger) const {
  if (policy_.order == MessageOrder::pair || span(younger) == 0) return false;
  if (policy_.order == MessageOrder::none) return true;
  const auto of_node = [&](const Packet& packet) { return policy_.messages[packet.kind].of_node; };
  return of_node(older) || of_node(younger) || older.line != younger.line;
}

/// What concerns no line takes no room: caches send it whether there is any or not.
bool World::has_room(const State& state, unsigned node, unsigned network, unsigned span) const {
  const auto under_way = std::count_if(state.packets.begin(), state.packets.end(), [&](const Packet& p) {
    return p.source == node && p.network == network && this->span(p) == span && !policy_.messages[p.kind].of_node;
  });
  return under_way < static_cast<std::ptrdiff_t>(options_.network_capacity);
}

bool World::room_in_modules(const State& state, unsigned node, unsigned line, const Request& request,
                            const Transition& transition) const {
  const auto& words = machines_[request.role]->table().vocabulary();
  return std::all_of(transition.row.actions.begin(), transition.row.actions.end(), [&](Code code) {
    const ActionName& name = words.actions[code];
    if ((name.needs & (Needs::sending | Needs::forwarding)) == 0 || policy_.messages[name.message].of_node) return true;
    const unsigned network = policy_.messages[name.message].network;
    if (name.to_modules) return has_room(state, node, network, 1) && has_room(state, node, network, 2);
    unsigned to = places_.below(node, line);
    if (name.asks == ActionKind::answer)
      to = request.packet->source;
    else if (name.asks == ActionKind::deliver)
      to = places_.above(node, line, request.packet->requester);
    else if (name.asks == ActionKind::send && name.performer == Performer::completed)
      return has_room(state, node, network, 0);  // to L1s
    return has_room(state, node, network, places_.span(node, to));
  });
}

}  // namespace syncline::protocols::explore
