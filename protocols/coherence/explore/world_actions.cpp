// What a machine asks of the model checker's caches.
#include <algorithm>
#include <string>

#include "base/error.h"
#include "protocols/coherence/explore/world.h"

namespace syncline::protocols::explore {
namespace {

/// Bytes of `from` enter `to` where they are valid and `to` has nothing dirty.
void fill_bytes(Bytes& to, const Bytes& from) {
  for (unsigned w = 0; w < max_words; ++w) {
    const auto bit = static_cast<std::uint8_t>(1U << w);
    if ((from.valid & bit) == 0 || (to.dirty & bit) != 0) continue;
    to.words[w] = from.words[w];
    to.valid |= bit;
  }
}

/// A protocol that sends or keeps ever more is wrong; the lists of a state have an end.
template <class List>
void need_room(const List& list, const char* what) {
  if (list.size() == list.capacity()) throw base::ModelError(std::string("there is no end to ") + what);
}

}  // namespace

void World::execute(State& state, unsigned node, unsigned line, Request& request, Copy& copy, const Action& action) {
  Node& at = state.nodes[node];
  // Memory and timers know the line that the miss register was made for.
  const unsigned own = copy.of_entry ? static_cast<unsigned>(&copy - at.lines.data()) : line;
  switch (action.kind) {
    case ActionKind::forward: {
      Packet packet = *request.packet;
      packet.source = static_cast<std::uint8_t>(node);
      packet.destination = static_cast<std::uint8_t>(places_.below(node, line));
      packet.kind = action.message;
      packet.network = policy_.messages[action.message].network;
      packet.acks = action.acks;
      packet.stamps = action.stamps;
      send(state, packet);
      request.kept = true;
      break;
    }
    case ActionKind::send: {
      Packet packet = message(node, line, request, action);
      if (asks_below(node, action)) {
        packet.destination =
            request.of_node ? request.packet->source : static_cast<std::uint8_t>(places_.below(node, line));
        send(state, packet);
        break;
      }
      const unsigned lines = action.of_entry ? entry_lines_ : 1;
      for (unsigned i = 0; i < lines; ++i) {
        if (action.of_entry) packet.line = static_cast<std::uint8_t>(first_of_entry(line) + i);
        action.nodes.for_each([&](unsigned to) {
          packet.destination = static_cast<std::uint8_t>(action.to_modules ? max_l1s + to : to);
          send(state, packet);
        });
      }
      break;
    }
    case ActionKind::answer:
      if (is_l1(node))
        complete(state, *request.packet, copy.frame);
      else
        answer_home(state, node, line, request, action);
      request.kept = true;
      break;
    case ActionKind::answer_parked:
    case ActionKind::answer_first:
      if (request.incoming == nullptr) request.incoming = &copy.frame;  // the line's own bytes are current
      while (!copy.parked.empty()) {
        if (action.time != 0 && copy.parked.front().parked_at * tick_ps_ > action.time) break;
        complete(state, copy.parked.front(), *request.incoming);
        copy.parked.erase(copy.parked.begin());
        if (action.kind == ActionKind::answer_first) break;
      }
      break;
    case ActionKind::deliver:
      if (!is_l1(node))
        relay(state, node, line, *request.packet, action);
      else if (request.of_node)
        answered(state, node);
      else
        complete(state, *request.packet, request.packet->bytes);
      request.kept = true;
      break;
    case ActionKind::deliver_parked:
      for (const Packet& reply : copy.parked) complete(state, reply, reply.bytes);
      copy.parked.clear();
      break;
    case ActionKind::park:
      if (!copy.has_entry) throw base::ModelError("an access is parked at a line without a miss register");
      need_room(copy.parked, "the accesses that wait at a line");
      copy.parked.push_back(*request.packet);
      copy.parked.back().parked_at = policy_.physical_leases ? state.time : 0;
      request.kept = true;
      break;
    case ActionKind::replay: {  // in front of what waited at this line before, and has not been presented since
      auto front = std::find_if(at.replays.begin(), at.replays.end(), [&](const Packet& p) {
        return is_l1(node) ? p.line == line : first_of_entry(p.line) == first_of_entry(line);
      });
      for (Packet& packet : copy.parked) {
        packet.parked_at = 0;
        need_room(at.replays, "the accesses that are to be presented again");
        front = at.replays.insert(front, packet) + 1;
      }
      copy.parked.clear();
      break;
    }
    case ActionKind::fill:
      if (copy.has_frame) fill_bytes(copy.frame, *request.incoming);
      break;
    case ActionKind::write:
      write(state, node, line, request, action);
      break;
    case ActionKind::invalidate:
      if (copy.has_frame && copy.has_entry) copy.entry = copy.frame;
      copy.has_frame = false;
      break;
    case ActionKind::free_directory_entry:
      if (copy.has_frame && !lists_sharers(node, line))
        throw base::ModelError("a line leaves the directory while its data is here");
      unlist(state, node, line, copy);
      break;
    case ActionKind::fetch:
      if (((state.fetching >> own) & 1U) != 0) throw base::ModelError("a line is fetched twice at a time");
      state.fetching |= static_cast<std::uint8_t>(1U << own);
      spend(state, static_cast<unsigned>(policy_.messages.size()));
      break;
    case ActionKind::write_back: {
      const Bytes& bytes = copy.has_frame ? copy.frame : copy.entry;
      if (copy.has_frame && bytes.valid == 0) break;  // a store of no bytes brought it (write_on)
      if (bytes.dirty == 0) throw base::ModelError("a line is written back that memory has already");
      spend(state, static_cast<unsigned>(policy_.messages.size()) + 1);
      for (unsigned w = 0; w < max_words; ++w) {
        if (((bytes.dirty >> w) & 1U) != 0) state.memory[own][w] = bytes.words[w];
      }
      break;
    }
    case ActionKind::flush_lines:
      flush(state, node, action.role);
      break;
    case ActionKind::write_on: {
      Packet packet = message(node, line, request, action);
      const Packet& from = *request.packet;
      const Op& op = op_of(from);
      const bool is_atomic = op.kind == OpKind::atomic;  // the words of its packet are those that it has found
      packet.bytes.words = is_atomic ? copy.frame.words : from.bytes.words;
      packet.bytes.valid = from.bytes.valid;
      for (unsigned w = 0; is_atomic && w < max_words; ++w) {
        if (!op.writes_over(from.bytes.words[w])) packet.bytes.valid &= static_cast<std::uint8_t>(~(1U << w));
      }
      packet.destination = static_cast<std::uint8_t>(places_.below(node, line));
      send(state, packet);
      break;
    }
    case ActionKind::pass_on: {
      Packet packet = message(node, line, request, action);
      packet.requester = static_cast<std::uint8_t>(max_l1s + action.requester);
      packet.destination = static_cast<std::uint8_t>(max_l1s + (node - max_l1s + 1) % options_.homes);
      send(state, packet);
      break;
    }
    case ActionKind::wake_at: {
      const Timer timer{(action.time + tick_ps_ - 1) / tick_ps_, static_cast<std::uint8_t>(node),
                        static_cast<std::uint8_t>(own)};
      const auto same = [&timer](const Timer& other) { return !in_order(other, timer) && !in_order(timer, other); };
      if (std::any_of(state.timers.begin(), state.timers.end(), same)) break;
      need_room(state.timers, "the timers");
      state.timers.insert(std::upper_bound(state.timers.begin(), state.timers.end(), timer, in_order), timer);
      break;
    }
  }
}

bool World::asks_below(unsigned node, const Action& action) const {
  return (is_l1(node) || policy_.of_modules) && action.nodes.empty() && !action.to_modules;
}

/// The reply to an access that a cache between has forwarded goes on to whom it has it from.
void World::relay(State& state, unsigned node, unsigned line, Packet packet, const Action& action) const {
  packet.source = static_cast<std::uint8_t>(node);
  packet.destination = static_cast<std::uint8_t>(places_.above(node, line, packet.requester));
  packet.kind = action.message;
  packet.network = policy_.messages[action.message].network;
  send(state, packet);
}

Packet World::message(unsigned node, unsigned line, const Request& request, const Action& action) const {
  Packet packet;
  packet.source = static_cast<std::uint8_t>(node);
  packet.kind = action.message;
  packet.network = policy_.messages[action.message].network;
  const bool of_module = policy_.of_modules && !is_l1(node);
  packet.requester = static_cast<std::uint8_t>(of_module || asks_below(node, action) ? node : action.requester);
  if (policy_.messages[action.message].of_node) {
    if (!is_l1(node) && !of_module) packet.requester = Packet::nobody;
    packet.thread = Packet::nobody;
    if (of_module) packet.requester = static_cast<std::uint8_t>(max_l1s + action.requester);  // on behalf of a module
  } else {
    packet.line = static_cast<std::uint8_t>(line);
    if (asks_below(node, action)) packet.bytes.valid = all_words_;  // it asks for the line
    if (!of_module) packet.thread = static_cast<std::uint8_t>(request.stimulus.warp);
  }
  packet.acks = action.acks;
  packet.stamps = action.stamps;
  return packet;
}

void World::answer_home(State& state, unsigned node, unsigned line, Request& request, const Action& action) const {
  const Copy& copy = state.nodes[node].lines[line];
  Packet packet = *request.packet;
  const MessageKind& asked = policy_.messages[packet.kind];
  const MessageKind& kind = policy_.messages[action.message];
  if (kind.payload == Payload::line ||
      (kind.payload != Payload::none && asked.traffic_class == TrafficClass::load_request)) {
    const std::uint8_t wanted = kind.payload == Payload::line ? all_words_ : packet.bytes.valid;
    packet.bytes = copy.has_frame ? copy.frame : copy.entry;
    packet.bytes.dirty = 0;
    packet.bytes.valid = wanted;
  }
  packet.destination = packet.source;
  packet.source = static_cast<std::uint8_t>(node);
  packet.kind = action.message;
  packet.network = kind.network;
  packet.acks = action.acks;
  packet.stamps = action.stamps;
  send(state, packet);
}

void World::write(State& state, unsigned node, unsigned line, Request& request, const Action& action) const {
  Copy& copy = state.nodes[node].lines[line];
  if (!copy.has_frame) {
    if (is_l1(node)) return;
    throw base::ModelError("the policy writes a line that has no frame");
  }
  Bytes& carried = request.packet->bytes;
  const bool is_bytes = request.packet->operation == Packet::no_operation;  // of a cache above (write_on)
  const Op op = is_bytes ? Op{OpKind::store} : op_of(*request.packet);
  for (unsigned w = 0; w < max_words; ++w) {
    const auto bit = static_cast<std::uint8_t>(1U << w);
    if ((carried.valid & bit) == 0) continue;
    const std::uint8_t before = copy.frame.words[w];
    copy.frame.words[w] = is_bytes ? carried.words[w] : op.written(before);
    if (op.kind == OpKind::atomic) carried.words[w] = before;
    if (!is_l1(node)) copy.frame.valid |= bit;
    if (action.marks_dirty) copy.frame.dirty |= bit;
  }
}

void World::send(State& state, Packet packet) const {
  packet.bytes.dirty = 0;
  packet.recycled = false;
  spend(state, packet.kind);
  need_room(state.packets, "the messages under way");
  state.packets.insert(std::upper_bound(state.packets.begin(), state.packets.end(), packet, in_order), packet);
}

void World::complete(State& state, const Packet& access, const Bytes& bytes) {
  ThreadState& thread = state.threads[access.thread];
  const Op& op = op_of(access);
  const auto bit = static_cast<std::uint8_t>(1U << access.operation);
  if ((thread.waiting & bit) == 0) throw base::ModelError("an access is answered twice");
  thread.waiting &= static_cast<std::uint8_t>(~bit);
  for (ThreadState& other : state.threads) other.drains[access.thread] &= static_cast<std::uint8_t>(~bit);
  if (op.kind == OpKind::store) return;
  if (((bytes.valid >> op.word) & 1U) == 0) throw base::ModelError("a load is answered with bytes that are not there");
  thread.results[access.operation] = bytes.words[op.word];
  if (op.acquires()) acquire(state, op, access.thread);
}

}  // namespace syncline::protocols::explore
