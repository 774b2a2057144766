// The L1 data cache of one SM: tags, data, miss registers and queues around the coherence machine of a policy.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/block/block.h"
#include "models/block/watched_port.h"
#include "models/cache/coherent_lines.h"
#include "models/cache/covered_cycles.h"
#include "models/cache/inbox.h"
#include "models/cache/line_event.h"
#include "models/cache/outbox.h"
#include "models/cache/sent_messages.h"
#include "models/cache/stall_counter.h"
#include "models/l1_cache/handle_table.h"
#include "models/l1_cache/l1_spec.h"
#include "models/partition/home_map.h"
#include "models/transport/message_port.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// One access is looked up per port and cycle, in the order of arrival; one that cannot proceed stalls those behind it.
/// Hits and misses under misses complete out of order. Messages from the network go first, so they never wait for a
/// stalled access. Contract with the SM: models/sm/l1_interface.h.
class L1Cache : public Block,
                public Ticked,
                private MessageReceiver,
                private MessageSender,
                private CoherentLines::Owner {
 public:
  /// `homes` says to whom a line's requests go, and outlives the cache; `place` is where the SM is.
  L1Cache(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L1Spec& spec,
          const protocols::CoherencePolicy& policy, base::SmId sm, const HomeMap& homes, GpuPlace place = {});
  ~L1Cache() override;

  MessageTarget from_sm;
  MessageInitiator to_sm;
  MessageInitiator to_network;
  MessageTarget from_network;
  /// Towards the other L1s, into the network that their `from_network` hangs on; null unless the policy has messages
  /// between them.
  std::unique_ptr<MessageInitiator> to_peers;
  WatchedPort<LineEvent> line_events;

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

  const CoherentLines& lines() const { return lines_; }
  /// Puts the bytes of [address, address + bytes) that this L1 has written and its homes may lack into `data`: what a
  /// reader that takes no time needs beside L2Slice::debug_read.
  void debug_overlay(base::ByteAddress address, std::uint8_t* data, std::size_t bytes) const;

 private:
  enum Port : unsigned { sm_port, network_port, peer_port };
  /// A line that left for its home, until that has it.
  struct WrittenBack {
    Index handle;  ///< which line and bytes
    base::LineData data;
  };
  struct HeldFence {
    base::Cycle until;
    Message* message;
  };

  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork network, unsigned port) override;

  StallReason stall_reason(const protocols::Transition& transition) override;
  void execute(const protocols::Action& action, const Lookup& lookup, Request& request) override;
  void answer_parked(Message& message, base::Cycle since, const Request& request) override;
  void filled(const Lookup& lookup, const Request& request) override;
  std::uint64_t line_number(base::LineAddress line) const override { return line.value() / spec_.line; }
  std::uint64_t now_ps() const override { return now_ps_; }
  base::Cycle now_cycle() const override { return now_; }
  std::string history(base::LineAddress line) const override { return sent_.history(line); }
  void wake_at_ps(std::uint64_t ps) override { wake(clock()->cycle_at_or_after_ps(ps)); }

  base::Cycle take_messages();  ///< these three return when they have more to do, as far as they know
  base::Cycle take_replays();
  base::Cycle take_requests();
  base::Cycle fire_timers();
  base::Cycle answer_fences();
  base::Cycle drain();
  StallReason take_request(Message& message);
  StallReason pass_on(Message& message);
  StallReason take_access(Message& message, bool replayed);
  StallReason wait_for_release(const Request& request);
  StallReason take_prefetch(Message& message);
  void take_control(Message& message);
  bool store_under_way(base::LineAddress line) const;
  void end_stall();
  void flush();
  void forward(const protocols::Action& action, Request& request);
  NodeId home_of(base::LineAddress line, isa::Scope scope = isa::Scope::none) const {
    return homes_.home(line, scope, node_);
  }
  base::Cycle ready_to_leave(const Message& m, protocols::Haste haste) const;
  void send(const protocols::Action& action, const Request& request);
  Message& make(const protocols::Action& action, const Request& request, const base::ByteMask& bytes,
                const NodeId& destination);
  void write_back(const protocols::Action& action, const Lookup& lookup, const Request& request);
  void deliver(Request& request);
  void acquire(const Message& message);
  void answer(Message& access, const base::LineData& data, base::Cycle since);
  void acknowledge(Message& store);
  void reply_to_sm(Message& message, base::Cycle not_before);
  void tell(LineEvent::Kind kind, const Message& message, const base::ByteMask& bytes,
            const base::LineData* data = nullptr, Index frame = nowhere, const Message* source = nullptr);
  Request present_access(Message& message) const;
  void add_statistics();

  const L1Spec spec_;
  const protocols::CoherencePolicy& policy_;
  const base::SmId sm_;
  const NodeId node_;
  const HomeMap& homes_;
  CoherentLines lines_;
  HandleTable handles_;
  std::vector<WrittenBack> written_back_;  ///< under way, in the order of leaving
  Inbox requests_, messages_;
  Outbox outbox_;
  std::optional<Outbox> peer_outbox_;
  StallCounter request_stalls_;
  CoveredCycles held_by_stores_;
  bool stalled_by_store_ = false;  ///< the head of the queue, and by one to its line
  bool stalled_messages_ = false;  ///< a message of the network could not proceed in this tick
  base::Cycle now_ = 0;
  std::uint64_t now_ps_ = 0;
  std::vector<HeldFence> held_;                         ///< those that are answered first at the end
  std::uint64_t retry_ps_ = protocols::Machine::never;  ///< when time alone lets a request go on that waits
  base::Cycle reply_slot_ = 0;                          ///< next cycle in which a reply may leave for the SM
  bool changed_ = false;      ///< something left or arrived since a stalled request was looked at
  bool flush_after_ = false;  ///< an acquire was delivered
  bool forwarded_ = false;    ///< the access being looked up went on to the home

  base::Counter loads_, stores_, atomics_, prefetches_, prefetches_dropped_, hits_, forwarded_loads_, write_backs_,
      flushes_, fences_, recycles_;
  SentMessages sent_;
  base::Distribution load_cycles_, store_cycles_, atomic_cycles_;
};

}  // namespace syncline::models
