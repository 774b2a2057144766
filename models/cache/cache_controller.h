// What every cache around coherent lines is: one shell, and links above, below, beside it and to memory.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <systemc>
#include <vector>

#include "base/taps.h"
#include "models/block/block.h"
#include "models/block/watched_port.h"
#include "models/cache/coherent_lines.h"
#include "models/cache/line_event.h"
#include "models/cache/sent_messages.h"
#include "models/partition/home_map.h"
#include "models/partition/module_places.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

class CoreLink;
class ClientLink;
class HomeLink;
class PeerLink;
class RingLink;
class HomeMemoryLink;
class AtomicUnitLink;

/// The links that a cache has; null: it has none of that kind. Each brings stimuli, and performs the actions that mean
/// its direction.
struct CacheLinks {
  CoreLink* core = nullptr;           ///< above: an SM
  ClientLink* clients = nullptr;      ///< above: caches that ask by messages
  HomeLink* homes = nullptr;          ///< below: the homes of lines, which are asked by messages
  PeerLink* peers = nullptr;          ///< beside: caches that have copies of the same lines
  RingLink* ring = nullptr;           ///< beside: the next home
  HomeMemoryLink* memory = nullptr;   ///< below: memory whose lines are at home here
  AtomicUnitLink* atomics = nullptr;  ///< beside: the unit that performs atomics on lines of this cache
};

/// The shell: a clocked block that keeps a machine's lines, presents to it what its links bring, and hands its actions
/// to the link that they mean. An L1 is one with a core above and homes below, a slice of the L2 one with clients above
/// and memory below; a cache between them would have clients above and homes below.
///
/// In a cycle messages that set others free come before what may wait for them: the ring, memory, atomics, timers, what
/// homes say, what is presented again, and new requests at last.
class CacheController : public Block, public Ticked, private CoherentLines::Owner {
 public:
  struct Spec {
    NodeId node;
    /// In which the policy gives it a machine, and perhaps a directory. Several: what it is to a line the home map says
    /// (ModulePlaces), and the first one is what it is beside all lines.
    std::vector<protocols::Role> roles;
    TickRank rank;
    const char* random_stream;  ///< of replacement
    CoherentLines::Geometry geometry;
  };
  /// `homes` says where a line is at home and lies there, and outlives the cache. ModelError where the policy lacks a
  /// role, or is of several modules and `homes` knows of none.
  CacheController(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const Spec& spec,
                  const protocols::CoherencePolicy& policy, const HomeMap& homes);
  ~CacheController() override;

  WatchedPort<LineEvent> line_events;

  base::Cycle tick(base::Cycle now) final;
  bool waits_for_link() const final { return waiting_ != 0; }
  const CoherentLines& lines() const { return lines_; }

  // What links share.
  std::uint64_t now_ps() const final { return now_ps_; }
  base::Cycle now_cycle() const final { return now_; }
  CoherentLines& lines() { return lines_; }
  const protocols::CoherencePolicy& policy() const { return policy_; }
  /// What the policy has for this cache's first role.
  const protocols::RoleMachine& role() const { return role_; }
  const NodeId& node() const { return node_; }
  /// The L1 that machines of this place, or of this module, call `number`.
  NodeId l1(unsigned number) const {
    if (places_ != nullptr) return places_->l1(module_, number);
    return l1_node(base::SmId(static_cast<std::uint16_t>(number)), node_.place);
  }
  /// Null: no L2s of several modules cache each other's lines.
  const ModulePlaces* places() const { return places_; }
  /// The L2 of a module that machines call `module`: the slice there that has the lines of this one.
  NodeId l2_of(unsigned module) const { return places_->slice(module, places_->slice_number(node_)); }
  /// The machines' view of a message that has come.
  protocols::Stimulus stimulus_of(const Message& message) const;
  /// Both ends of a message are known: it gets the virtual network of those that go so far.
  void set_network(Message& message) const {
    if (places_ != nullptr)
      message.network = policy_.virtual_network(message.network, places_->span(message.source, message.destination));
  }
  unsigned line_bytes() const { return line_bytes_; }
  NodeId home_of(base::LineAddress line, isa::Scope scope = isa::Scope::none) const {
    return homes_.home(line, scope, node_);
  }
  /// Where a line lies in the memory of its home.
  std::uint64_t local(base::LineAddress line) const { return homes_.local(line.value()); }
  unsigned home_count() const { return homes_.homes(); }
  CacheLinks& links() { return links_; }
  SentMessages& sent() { return sent_; }
  std::size_t& waiting() { return waiting_; }
  /// Something left or arrived: what was refused is to be looked at again.
  void change() { changed_ = true; }
  bool changed() const { return changed_; }
  void progress() { ++tile().progress; }
  /// Time alone lets a request go on then.
  void retry_at(std::uint64_t ps) { retry_ps_ = std::min(retry_ps_, ps); }
  using Block::context;
  using Block::touched;
  /// Null: nobody follows messages.
  MessageListener* follower() const { return base::has_taps ? listener_ : nullptr; }
  /// A new message from this cache, as `action` says; it is counted, and remains to be sent. `cause`: the stimulus
  /// whose warp and instruction it is for; `requester`: the cache whose access it belongs to.
  Message& make(const protocols::Action& action, base::LineAddress line, const NodeId& destination,
                const NodeId& requester, const base::ByteMask& bytes = {}, const protocols::Stimulus* cause = nullptr);
  /// Throws the ModelError of what needs a link that is not there: "to memory".
  [[noreturn]] void lacks(const char* link) const;
  /// Whether the links have room for what the transition needs of them.
  StallReason stall_reason(const protocols::Transition& transition, const Lookup& lookup, const Request& request) final;
  std::uint8_t role_of(base::LineAddress line) const final {
    return role_of_standing_[static_cast<std::size_t>(places_->standing(line, node_))];
  }

 protected:
  /// Before the simulation starts.
  void join(const CacheLinks& links) { links_ = links; }

 private:
  CoherentLines::Geometry geometry_of(const Spec& spec) const;
  StallReason stall_between_modules(const protocols::Transition& transition, const Lookup& lookup,
                                    const Request& request) const;
  void execute(const protocols::Action& action, const Lookup& lookup, Request& request) final;
  void send(const protocols::Action& action, const Request& request);
  void write_back(const protocols::Action& action, const Lookup& lookup, const Request& request);
  void answer_parked(Message& message, base::Cycle since, const Request& request) final;
  bool follows() const final { return follower() != nullptr; }
  void state_changed(base::LineAddress line, std::uint8_t from, std::uint8_t to, const Request& request) final {
    listener_->state_changed(line, from, to, *this, request.message);
  }
  void parked(const Message& message) final { listener_->step(message, CacheStep::parked, *this, nullptr); }
  void replayed(const Message& message, const Request& request) final {
    listener_->step(message, CacheStep::released, *this, request.message);
  }
  void filled(const Lookup& lookup, const Request& request) final;
  std::uint64_t line_number(base::LineAddress line) const final {
    return (node_.kind == NodeKind::home ? local(line) : line.value()) >> line_shift_;
  }
  std::string history(base::LineAddress line) const final { return sent_.history(line); }
  void wake_at_ps(std::uint64_t ps) final { wake(clock()->cycle_at_or_after_ps(ps)); }
  base::Cycle fire_timers();
  base::Cycle drain();

  const protocols::CoherencePolicy& policy_;
  const protocols::RoleMachine& role_;
  const NodeId node_;
  const unsigned line_bytes_;  ///< a power of two
  const unsigned line_shift_;
  const HomeMap& homes_;
  const ModulePlaces* const places_;
  const unsigned module_;  ///< with `places_`
  std::array<std::uint8_t, static_cast<std::size_t>(Standing::count_)> role_of_standing_{};
  MessageListener* const listener_;  ///< null: nobody follows messages
  const Message* cause_ = nullptr;   ///< of the message that is made now; null: of nothing that was sent here
  CacheLinks links_;
  CoherentLines lines_;
  SentMessages sent_;
  base::Cycle now_ = 0;
  std::uint64_t now_ps_ = 0;
  std::size_t waiting_ = 0;  ///< messages in the links' outboxes
  bool changed_ = false;     ///< something left or arrived since a stalled request was looked at
  std::uint64_t retry_ps_ = protocols::Machine::never;
};

}  // namespace syncline::models
