// One slice of the L2: the home of the lines of its partition, around the home machine of a coherence policy.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/block/block.h"
#include "models/block/watched_port.h"
#include "models/cache/coherent_lines.h"
#include "models/cache/inbox.h"
#include "models/cache/line_event.h"
#include "models/cache/outbox.h"
#include "models/cache/sent_messages.h"
#include "models/cache/stall_counter.h"
#include "models/l2_slice/atomic_port.h"
#include "models/l2_slice/l2_spec.h"
#include "models/l2_slice/memory_port.h"
#include "models/partition/home_map.h"
#include "models/transport/message_port.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// Requests are looked up in the order of arrival on their virtual network, `ports` per cycle, each when its bank is
/// free; one that cannot proceed stalls those behind it. Replies leave `latency` cycles after the lookup. Higher
/// virtual networks go first, so that answers never wait for requests.
///
/// An atomic is performed by the unit behind `atomics`, which gets operands and old bytes. Until its answer comes the
/// line is locked: requests for it wait, nothing replaces it, and the rest of the slice goes on.
///
/// Values that the host reads and writes pass by time: transport_dbg of the socket `debug` with device addresses, or
/// `debug_read` and `debug_write`. They are always coherent with what the slice and its memory hold.
class L2Slice : public Block,
                public Ticked,
                private MessageReceiver,
                private MessageSender,
                private MemoryPort::Listener,
                private AtomicPort::Listener,
                private CoherentLines::Owner {
 public:
  /// `homes` says where a line lies in its memory, and outlives the slice; `place` is where the partition is.
  L2Slice(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L2Spec& spec,
          const protocols::CoherencePolicy& policy, base::PartitionId partition, const HomeMap& homes,
          GpuPlace place = {});
  ~L2Slice() override;

  MessageTarget requests;
  MessageInitiator replies;
  /// The ring of homes, towards the next number and from the one before; null unless the policy has one.
  std::unique_ptr<MessageInitiator> to_next;
  std::unique_ptr<MessageTarget> from_previous;
  MemoryPort memory;   ///< its socket carries addresses within the partition (HomeMap::local)
  AtomicPort atomics;  ///< its socket is to be bound to an atomic unit, or to what a user has in its place
  tlm_utils::simple_target_socket_optional<L2Slice> debug;  ///< debug transport only
  WatchedPort<LineEvent> line_events;

  /// Bytes of device memory as the program would read them now. False: some are not in this partition's memory.
  bool debug_read(base::ByteAddress address, std::uint8_t* data, std::size_t bytes);
  bool debug_write(base::ByteAddress address, const std::uint8_t* data, std::size_t bytes);

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

  const CoherentLines& lines() const { return lines_; }

 private:
  enum Port : unsigned { network_port, ring_port };
  static constexpr std::size_t ring_queue = 4;

  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork network, unsigned port) override;
  void memory_ready(const sc_core::sc_time& at) override;
  void atomics_ready(const sc_core::sc_time& at) override;

  StallReason stall_reason(const protocols::Transition& transition) override;
  void execute(const protocols::Action& action, const Lookup& lookup, Request& request) override;
  void answer_parked(Message& message, base::Cycle since, const Request& request) override;
  std::uint64_t line_number(base::LineAddress line) const override { return homes_.local(line.value()) / spec_.line; }
  std::uint64_t now_ps() const override { return now_ps_; }
  base::Cycle now_cycle() const override { return now_; }
  std::string history(base::LineAddress line) const override { return sent_.history(line); }
  void wake_at_ps(std::uint64_t ps) override { wake(clock()->cycle_at_or_after_ps(ps)); }

  base::Cycle take_ring();
  base::Cycle take_memory();
  base::Cycle take_atomics();
  base::Cycle fire_timers();
  base::Cycle drain();
  base::Cycle take_replays(unsigned& lookups);
  base::Cycle take_requests(unsigned& lookups);
  StallReason take(Message& message, bool replayed);
  base::Cycle& bank_free_at(base::LineAddress line) {
    return bank_free_at_[homes_.local(line.value()) / spec_.line % spec_.banks];
  }
  void answer(const protocols::Action& action, const Lookup& lookup, Request& request);
  void send(const protocols::Action& action, const Request& request);
  void pass_on(const protocols::Action& action);
  void write(const protocols::Action& action, const Lookup& lookup, Request& request);
  void update(const protocols::Action& action, const Lookup& lookup, Request& request);
  void enter(AtomicPort::Transaction& answer, const Lookup& lookup);
  void write_back(const Lookup& lookup);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void add_statistics();

  const L2Spec spec_;
  const protocols::CoherencePolicy& policy_;
  const NodeId node_;
  const HomeMap& homes_;
  CoherentLines lines_;
  Inbox inbox_;
  Outbox outbox_;
  Inbox ring_inbox_;
  std::optional<Outbox> ring_outbox_;
  StallCounter request_stalls_;
  std::vector<base::Cycle> bank_free_at_;
  base::Cycle now_ = 0;
  std::uint64_t now_ps_ = 0;
  base::Cycle reply_ready_ = 0;  ///< of the request being looked up
  bool changed_ = false;         ///< something left or arrived since a stalled request was looked at
  bool replay_stalled_ = false;
  std::uint32_t stalled_networks_ = 0;
  bool answered_ = false;                     ///< the request being looked up
  AtomicPort::Transaction* asked_ = nullptr;  ///< what the atomic unit was asked last

  std::uint64_t retry_ps_ = protocols::Machine::never;  ///< when time alone lets a request go on that waits

  base::Counter loads_, stores_, atomics_, hits_, memory_reads_, memory_writes_, memory_written_bytes_, bank_conflicts_,
      recycles_;
  SentMessages sent_;
  base::Distribution memory_cycles_;
};

}  // namespace syncline::models
