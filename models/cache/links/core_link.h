// The link of a cache to the SM above it: accesses, prefetches and fences come down, replies go up.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/stats.h"
#include "models/cache/covered_cycles.h"
#include "models/cache/inbox.h"
#include "models/cache/line_event.h"
#include "models/cache/links/handle_table.h"
#include "models/cache/stall_counter.h"
#include "models/transport/message_port.h"

namespace syncline::models {

class CacheController;

/// One access is looked up per port and cycle, in the order of arrival; one that cannot proceed stalls those behind it.
/// Contract with the SM: models/sm/l1_interface.h.
class CoreLink : private MessageReceiver, private MessageSender {
 public:
  struct Spec {
    std::uint32_t ports, input_queue;
    base::Cycle hit_latency;
  };
  struct Counts {
    base::Counter loads, stores, atomics, prefetches, prefetches_dropped, hits, forwarded_loads, flushes, fences,
        recycles;
    base::Distribution load_cycles, store_cycles, atomic_cycles;
  };

  CoreLink(CacheController& cache, const Spec& spec);

  MessageTarget from_sm;
  MessageInitiator to_sm;

  // What the shell asks for in a cycle: when each has more to do, as far as it knows.
  base::Cycle answer_fences();
  base::Cycle take();
  bool stalls() const;

  // Actions.
  void answer(const Lookup& lookup, Request& request);
  void answer_parked(Message& message, base::Cycle since, const Request& request);
  void write(const protocols::Action& action, const Lookup& lookup, const Request& request);
  void filled(const Lookup& lookup, const Request& request);
  /// The reply to a forwarded access has come.
  void deliver(Message& reply, const ForwardedAccess& access);

  void reply(Message& message, base::Cycle not_before);
  /// Those whom the cache has asked below on behalf of fences have answered, all of them.
  void answered();
  /// What an acquire that was answered asks for.
  void flush_if_asked() {
    if (flush_asked_) flush();
  }

  const Counts& counts() const { return counts_; }
  const StallCounter& stall_cycles() const { return stalls_; }
  const base::Counter& held_by_stores() const { return held_by_stores_.cycles(); }
  const Inbox& requests() const { return requests_; }

 private:
  struct HeldFence {
    base::Cycle until;
    Message* message;
  };
  /// What goes on when those below have answered.
  enum class Then : std::uint8_t {
    control,  ///< a fence, or the begin or end of a grid, is answered
    access,   ///< an access that releases is presented
    reply     ///< the reply to an access that acquires goes up
  };
  struct Asking {
    Message* message;
    Then then;
    protocols::AccessTraits what;
  };
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork, unsigned) override {}

  base::Cycle take_released();
  base::Cycle take_replays();
  base::Cycle take_requests();
  StallReason take_request(Message& message);
  StallReason take_access(Message& message, bool replayed, bool released = false);
  void count(protocols::Operation operation, bool forwarded);
  protocols::FenceOutcome release(const Request& request);
  void ask(Message& message, Then then, const protocols::AccessTraits& what);
  void ask_below();
  bool waits_to_release(base::LineAddress line) const;
  StallReason take_prefetch(Message& message);
  void take_control(Message& message);
  void end_control(Message& message, const protocols::FenceOutcome& outcome);
  Request present(Message& message) const;
  bool store_under_way(base::LineAddress line) const;
  void note_stall(StallReason stall, base::LineAddress line);
  void end_stall();
  void flush();
  void give(Message& access, const base::LineData& data, base::Cycle since);
  void acknowledge(Message& store);
  bool acquire(Message& message);
  void tell(LineEvent::Kind kind, const Message& message, const base::ByteMask& bytes,
            const base::LineData* data = nullptr, Index frame = nowhere, const Message* source = nullptr);

  CacheController& cache_;
  const Spec spec_;
  Inbox requests_;
  StallCounter stalls_;
  CoveredCycles held_by_stores_;
  bool stalled_by_store_ = false;  ///< the head of the queue, and by one to its line
  std::vector<HeldFence> held_;    ///< those that are answered first at the end
  std::vector<Asking> asking_;     ///< on whose behalf those below have been asked, together
  std::vector<Asking> to_ask_;     ///< who came since: what they have done may be younger than the question
  std::deque<Message*> released_;  ///< accesses that may go on
  base::Cycle reply_slot_ = 0;     ///< next cycle in which a reply may leave for the SM
  bool flush_asked_ = false;       ///< an acquire was delivered
  Counts counts_;
};

}  // namespace syncline::models
