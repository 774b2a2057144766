// A state of the small system that the model checker explores: threads, L1s, homes, memory, and messages under way.
#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <tuple>

#include "protocols/coherence/engine/meta.h"
#include "protocols/coherence/engine/stimulus.h"
#include "protocols/coherence/explore/places.h"
#include "protocols/coherence/explore/program.h"

namespace syncline::protocols::explore {

inline constexpr unsigned max_networks = 5, max_lanes = max_networks * Places::spans, max_spent = 24;

/// The words of a line and which of them are held, and not yet in memory.
struct Bytes {
  std::array<std::uint8_t, max_words> words{};
  std::uint8_t valid = 0, dirty = 0;
  template <class Self, class Body>
  static void each(Self& m, Body&& body) {
    for (auto& word : m.words) body(word);
    body(m.valid), body(m.dirty);
  }
};

/// An access of a thread, or a message: an access that travels stays the same packet until it is answered.
struct Packet {
  static constexpr std::uint8_t no_operation = 0xff;
  static constexpr std::uint8_t nobody = 0xff;  ///< as a requester; 0xffff in a Stimulus
  std::uint8_t source = 0, destination = 0;     ///< nodes
  std::uint8_t network = 0, kind = 0, line = 0;
  std::uint8_t requester = 0;             ///< L1, or `nobody`
  std::uint8_t thread = 0;                ///< of the access that this is or was; the warp otherwise
  std::uint8_t operation = no_operation;  ///< index in its thread, of an access
  bool recycled = false;                  ///< those behind it that concern other lines may pass it
  std::int16_t acks = 0;
  std::uint64_t parked_at = 0;  ///< ticks; where time alone changes states
  std::array<std::uint64_t, 4> stamps{};
  Bytes bytes;  ///< what it carries, by `valid`
  template <class Self, class Body>
  static void each(Self& m, Body&& body) {
    body(m.network), body(m.kind), body(m.line), body(m.operation), body(m.recycled), body(m.acks);
    body(m.parked_at);
    for (auto& stamp : m.stamps) body(stamp);
    Bytes::each(m.bytes, body);
  }
};

/// What a node has of a line. Frame and miss register hold bytes separately, as in the caches.
struct Copy {
  LineMeta meta;
  bool has_frame = false, has_entry = false;
  bool has_directory_entry = false;  ///< an entry in the home's own directory (RoleMachine::directory)
  bool of_entry = false;             ///< the miss register is of all lines of an entry that has left the directory
  bool known() const { return has_frame || has_entry || has_directory_entry; }
  Bytes frame, entry;
  boost::container::static_vector<Packet, 8> parked;
};

struct Node {
  NodeMeta meta;
  std::array<Copy, max_lines> lines;
  boost::container::static_vector<Packet, 8> replays;
  /// The sender (plus one) whose message stands at the head of a network's queue and waits; for accesses, the thread.
  std::array<std::uint8_t, max_lanes> blocked{};  ///< by World::lane
  std::uint8_t blocked_thread = 0;
};

/// Where a thread is with what its L1 has to ask others about (FenceOutcome::ask).
enum class Asking : std::uint8_t {
  no,
  before,    ///< a fence or a release, which waits for the answer
  answered,  ///< and goes on
  due,       ///< an acquire has read, and others are to be asked
  after      ///< have been
};

struct ThreadState {
  std::uint8_t next = 0;     ///< operation to issue
  std::uint8_t waiting = 0;  ///< bit n: operation n is under way
  /// A fence knows which stores of its SM it waits for: bit n of `drains[t]`, operation n of thread t
  /// (CoherencePolicy::shows_stores_early).
  bool draining = false;
  std::array<std::uint8_t, max_threads> drains{};
  bool fencing = false;           ///< the L1 has said until when the fence lasts
  std::uint64_t fence_until = 0;  ///< ticks
  std::array<std::uint8_t, max_operations> results{};
  Asking asking = Asking::no;
};

struct Timer {
  std::uint64_t at = 0;  ///< ticks
  std::uint8_t node = 0, line = 0;
};

/// Order of packets and of timers in a state. Packets that it does not tell apart are first in, first out.
struct Before {
  bool operator()(const Packet& a, const Packet& b) const {
    return std::tie(a.destination, a.network, a.source) < std::tie(b.destination, b.network, b.source);
  }
  bool operator()(const Timer& a, const Timer& b) const {
    return std::tie(a.at, a.node, a.line) < std::tie(b.at, b.node, b.line);
  }
};
inline constexpr Before in_order;

struct State {
  std::uint64_t time = 0;  ///< ticks
  std::array<ThreadState, max_threads> threads;
  boost::container::static_vector<Node, max_nodes> nodes;  ///< as many as there are
  std::array<std::array<std::uint8_t, max_words>, max_lines> memory{};
  std::uint8_t fetching = 0;                            ///< bit n: line n is being read from memory
  std::uint8_t home_evictions = 0;                      ///< only where they are limited
  std::array<std::uint8_t, max_spent> spent{};          ///< World::spending of them
  boost::container::static_vector<Timer, 16> timers;    ///< sorted by `in_order`
  boost::container::static_vector<Packet, 32> packets;  ///< messages under way, sorted by `in_order`
};

}  // namespace syncline::protocols::explore
