// Whether both sides remember, hold, send and refuse the same.
#include <algorithm>

#include "tests/unit/caches/host_contract.h"

namespace syncline::tests {

using explore::State;
using models::Message;
using models::nowhere;

std::string HostContract::compare_node(unsigned node) const {
  const explore::Node& explored = state_.nodes[node];
  const models::CoherentLines& timed = lines(node);
  const auto differ = [&](unsigned line, const char* what) {
    return fmt::format("cycle {}: {} and line {}: {}", now_, where(node), line, what);
  };
  if (explored.meta != timed.node()) return differ(0, "what the node remembers");
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    const explore::Copy& copy = explored.lines[line];
    const models::Lookup lookup = timed.locate(base::LineAddress(line * line_bytes));
    if (copy.has_frame != (lookup.frame != nowhere)) return differ(line, "a frame");
    if (copy.has_entry != (lookup.mshr != nowhere)) return differ(line, "a miss register");
    if (policy_.at(protocols::Role::home).directory && node == home &&
        copy.has_directory_entry != (lookup.directory_entry != nowhere))
      return differ(line, "an entry of the directory");
    protocols::LineMeta meta;
    if (lookup.mshr != nowhere)
      meta = timed.mshrs()[lookup.mshr].meta;
    else if (timed.directory() != nullptr && lookup.directory_entry != nowhere)
      meta = timed.directory()->frame(lookup.directory_entry).meta;
    else if (timed.directory() == nullptr && lookup.frame != nowhere)
      meta = timed.tags().frame(lookup.frame).meta;
    if (copy.meta != meta) return differ(line, "what it remembers of the line");
    const unsigned parked = lookup.mshr != nowhere ? timed.mshrs()[lookup.mshr].parked : 0;
    if (copy.parked.size() != parked) return differ(line, "how many wait");
    if (lookup.frame != nowhere) {
      const models::Frame& frame = timed.tags().frame(lookup.frame);
      if (!same_bytes(copy.frame, frame.valid, frame.dirty, timed.tags().data(lookup.frame)))
        return differ(line, "the bytes");
    } else if (lookup.mshr != nowhere) {
      const models::MissRegister& entry = timed.mshrs()[lookup.mshr];
      if (!same_bytes(copy.entry, entry.valid, entry.dirty, entry.data))
        return differ(line, "the bytes of a line whose frame is gone");
    }
  }
  return {};
}

/// Which words are valid and dirty, and those that are valid.
bool HostContract::same_bytes(const explore::Bytes& explored, const base::ByteMask& valid, const base::ByteMask& dirty,
                              const base::LineData& data) {
  for (unsigned word = 0; word < explore::max_words; ++word) {
    const unsigned byte = word * word_bytes;
    const bool is_valid = ((explored.valid >> word) & 1U) != 0;
    if (is_valid != valid.test(byte) || (((explored.dirty >> word) & 1U) != 0) != dirty.test(byte)) return false;
    if (is_valid && explored.words[word] != data[byte]) return false;
  }
  return true;
}

/// What is under way from these nodes.
std::string HostContract::compare_flights(const std::function<bool(unsigned)>& from) const {
  std::size_t packets = 0;
  for (std::size_t i = 0; i < state_.packets.size(); ++i) {
    const explore::Packet& first = state_.packets[i];
    if (!from(first.source) || world_->is_on_ring(first)) continue;
    if (i != 0 && !explore::in_order(state_.packets[i - 1], first)) continue;
    const auto way = network_->way(first.source, first.destination, first.network);
    // The oldest of the way may have come, and wait at its receiver.
    const bool stands = std::any_of(waiting_.begin(), waiting_.end(), [&](const Command& command) {
      return command.kind == Command::Kind::deliver && !explore::in_order(command.packet, first) &&
             !explore::in_order(first, command.packet);
    });
    for (std::size_t n = stands ? 1 : 0;
         i + n < state_.packets.size() && !explore::in_order(first, state_.packets[i + n]); ++n) {
      const explore::Packet& packet = state_.packets[i + n];
      const std::size_t place = stands ? n - 1 : n;
      ++packets;
      const std::string_view name = policy_.messages[packet.kind].name;
      if (place >= way.size()) return fmt::format("cycle {}: no {} is under way", now_, name);
      if (const char* const wrong = differ(packet, *way[place]))
        return fmt::format("cycle {}: {} of a {}", now_, wrong, name);
    }
  }
  const auto& flights = network_->flights();
  const auto timed = std::count_if(flights.begin(), flights.end(),
                                   [&](const HandNetwork::Flight& flight) { return from(flight.from); });
  if (static_cast<std::ptrdiff_t>(packets) != timed)
    return fmt::format("cycle {}: {} messages are under way, {} of the explored side", now_, timed, packets);
  return {};
}

/// What is under way, answers and memory, when nothing moves.
std::string HostContract::compare_rest() const {
  if (std::string wrong = compare_flights([](unsigned) { return true; }); !wrong.empty()) return wrong;
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    const explore::ThreadState& thread = state_.threads[t];
    for (unsigned i = 0; i < thread.next; ++i) {
      const explore::Op& op = program_.threads[t].ops[i];
      if (!op.has_location()) continue;
      const bool answered = ((thread.waiting >> i) & 1U) == 0;
      if (answered != answers_[t][i].has_value())
        return fmt::format("cycle {}: whether operation {} of thread {} is answered", now_, i, t);
      if (answered && op.reads() && thread.results[i] != *answers_[t][i])
        return fmt::format("cycle {}: what operation {} of thread {} returned", now_, i, t);
    }
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    for (unsigned word = 0; word < explore::max_words; ++word) {
      if (state_.memory[line][word] != memory_->byte(std::uint64_t{line} * line_bytes + word * word_bytes))
        return fmt::format("cycle {}: memory's bytes of line {}", now_, line);
    }
  }
  return {};
}

const char* HostContract::differ(const explore::Packet& packet, const Message& m) const {
  const protocols::MessageKind& kind = policy_.messages[packet.kind];
  if (m.kind != packet.kind || m.coherence.acks != packet.acks || m.coherence.stamps != packet.stamps)
    return "kind, acknowledgements or stamps";
  if (kind.of_node) return nullptr;
  if (m.line.value() != std::uint64_t{packet.line} * line_bytes) return "line";
  const unsigned requester = packet.requester == explore::Packet::nobody ? 0xffff : packet.requester;
  if (m.requester.index != requester) return "requester";
  const bool brings_line = kind.traffic_class == protocols::TrafficClass::data_reply &&
                           kind.payload != protocols::Payload::none && m.atomic_count == 0;
  for (unsigned word = 0; brings_line && word < explore::max_words; ++word) {
    if (((packet.bytes.valid >> word) & 1U) != 0 && m.data[word * word_bytes] != packet.bytes.words[word])
      return "bytes";
  }
  return nullptr;
}

/// Whether a timed cache of this size could hold what the explored one would.
bool HostContract::fits(const State& state, unsigned node) const {
  const auto& copies = state.nodes[node].lines;
  const auto count = [&copies](auto&& has) {
    return static_cast<std::size_t>(std::count_if(copies.begin(), copies.end(), has));
  };
  const std::uint32_t merges = node == home ? l2_spec_.mshr_merges : l1_spec_.mshr_merges;
  return count([](const explore::Copy& copy) { return copy.has_frame; }) <= lines(node).tags().ways() &&
         count([](const explore::Copy& copy) { return copy.has_entry; }) <= lines(node).mshrs().capacity() &&
         count([merges](const explore::Copy& copy) { return copy.parked.size() > merges; }) == 0;
}

/// Whether the timed cache has room for what the explored one takes; it may have to replace the other line first.
bool HostContract::has_room(const Command& command) {
  if (command.node != home && handles_[command.node]->gauge() == l1_spec_.handles) return false;
  const auto taken_after = [&](auto&& first) {
    State copy = state_;
    return first(copy) && ask(*world_, copy, command) == Verdict::done && fits(copy, command.node);
  };
  if (taken_after([](State&) { return true; })) return true;
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    const auto replaced = [&](State& copy) {
      return copy.nodes[command.node].lines[line].has_frame &&
             world_->replace(copy, command.node, line) == Verdict::done && fits(copy, command.node);
    };
    if (taken_after(replaced)) return true;
  }
  return false;
}

/// What `command` waits for is what the explored side waits for, or room.
std::string HostContract::watch(Command& command) {
  const std::vector<std::uint64_t> before = world_->machine(command.node).taken();
  State copy = state_;
  command.met = ask(*world_, copy, command);
  // What is remembered of being asked is so on both sides.
  if (command.met != Verdict::done && noted(command.node, before)) state_ = copy;
  command.lacks = command.met == Verdict::done && !has_room(command);
  command.lacked |= command.lacks;
  command.waited |= command.met == Verdict::waits || (command.met == Verdict::recycles && policy_.recycle_ps == 0);
  if (command.met != Verdict::done || command.lacks) {
    command.accepted_since = 0;
    return {};
  }
  if (command.accepted_since == 0) command.accepted_since = now_;
  // What was recycled rests before it is looked at again.
  return now_ - command.accepted_since > 3 + policy_.recycle_ps / cycle_ps
             ? refused(command, "which the explored one takes")
             : std::string();
}

/// The reason that the timed cache gives, when nothing moves, for having `command` wait at the head of its queue.
std::string HostContract::compare_reason(const Command& command) const {
  if (!state_.nodes[command.node].replays.empty()) return {};  // it has not been looked at
  const auto same_node = [&](const Command& other) { return other.node == command.node; };
  if (std::count_if(waiting_.begin(), waiting_.end(), same_node) != 1) return {};
  // An L1 says nothing of messages, and neither of memory's answers.
  if (command.kind != (command.node == home ? Command::Kind::deliver : Command::Kind::issue)) return {};
  const models::Block& block = command.node == home ? static_cast<const models::Block&>(*slice_) : *l1s_[command.node];
  std::string reasons;
  for (const std::string& line : block.describe_waiting()) reasons += line + "; ";
  const auto says = [&reasons](std::string_view word) { return reasons.find(word) != std::string::npos; };
  const bool by_protocol = says(": protocol; ");
  const bool rests = command.met == Verdict::recycles && policy_.recycle_ps != 0;
  const bool by_room = says("_full; ") || says(": no_frame; ") || says(": no_directory_entry; ");
  // Time may have changed the explored one's mind since the timed one has looked.
  const bool same = (command.lacked && by_room && !by_protocol) || (command.waited && by_protocol && !by_room) ||
                    (rests && !by_room && !by_protocol);
  return same ? std::string() : refused(command, "for another reason than the explored one");
}

std::string HostContract::refused(const Command& command, const char* how) const {
  std::string waiting;
  for (const models::Block* block : context.blocks) {
    for (const std::string& line : block->describe_waiting()) waiting += fmt::format("; {}: {}", block->name(), line);
  }
  const char* const what = command.kind == Command::Kind::issue     ? "an access of thread"
                           : command.kind == Command::Kind::deliver ? "a message of kind"
                                                                    : "memory's line";
  return fmt::format("cycle {}: {} refuses {} {}, {}{}", now_, where(command.node), what,
                     command.kind == Command::Kind::deliver ? command.packet.kind : command.which, how, waiting);
}

}  // namespace syncline::tests
