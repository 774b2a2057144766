// The link of a cache to those above it that ask it by messages: L1s, and units beside it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stats.h"
#include "models/cache/inbox.h"
#include "models/cache/line_event.h"
#include "models/cache/links/handle_table.h"
#include "models/cache/links/network_turns.h"
#include "models/cache/outbox.h"
#include "models/cache/stall_counter.h"
#include "models/transport/message_port.h"

namespace syncline::models {

class CacheController;

/// Requests are looked up in the order of arrival on their virtual network, `ports` per cycle, each when its bank is
/// free; one that cannot proceed stalls those behind it. Answers leave `access_latency` cycles after the lookup.
class ClientLink : private MessageReceiver, private MessageSender {
 public:
  struct Spec {
    std::uint32_t ports, banks;
    base::Cycle bank_busy;
    base::Cycle queue_latency;   ///< of a request before its lookup
    base::Cycle access_latency;  ///< from there to its answer
    std::uint32_t input_queue, output_queue;
  };
  struct Counts {
    base::Counter loads, stores, atomics, hits, bank_conflicts, recycles;
  };

  ClientLink(CacheController& cache, const Spec& spec);

  MessageTarget requests;
  MessageInitiator replies;

  base::Cycle take();  ///< when it has more to do, as far as it knows
  /// Something was looked up in this cycle, which may help one that was refused before it.
  bool looked_up() const { return lookups_ != spec_.ports; }
  bool stalls() const { return stalled_networks_ != 0 || stalled_replays_ != 0; }
  bool room(unsigned networks) const { return outbox_.room(networks); }

  // Actions.
  void answer(const protocols::Action& action, const Lookup& lookup, Request& request);
  void send(const protocols::Action& action, const Request& request);
  void send_to_modules(const protocols::Action& action, const Request& request);
  void write(const protocols::Action& action, const Lookup& lookup, Request& request);
  /// The reply to an access that went on to another home has come: it goes to who asked, as the message of `action`.
  void deliver(const protocols::Action& action, Message& reply, const ForwardedAccess& access);

  /// A lookup begins: what is answered from now on is ready after the latency, and
  void begin();
  void delay_answer(base::Cycle cycles) { answer_ready_ += cycles; }  ///< so much later;
  void count_hit(bool may_hit) {                                      ///< if it was answered, and this holds
    if (answered_ && may_hit) counts_.hits.add();
  }

  const Counts& counts() const { return counts_; }
  const StallCounter& stall_cycles() const { return stalls_; }
  const Inbox& inbox() const { return inbox_; }
  Outbox& outbox() { return outbox_; }
  const Outbox& outbox() const { return outbox_; }

 private:
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork network, unsigned port) override;

  unsigned roles() const;
  base::Cycle take_replays();
  base::Cycle take_replays(unsigned role);
  bool take_replay_of_line_here(unsigned role);
  std::uint32_t behind_replays() const;
  base::Cycle take_requests();
  bool brings_request(unsigned network) const;
  base::Cycle take_from(unsigned network);
  void pass_over(unsigned network);
  StallReason take(Message& message, bool replayed);
  StallReason look_up(Message& message, Request& request, bool replayed);
  void count(MessageClass request);
  void tell(LineEvent::Kind at_home, LineEvent::Kind elsewhere, const Message& message, const base::LineData& data,
            const Lookup& lookup) const;
  base::Cycle& bank_free_at(base::LineAddress line);

  CacheController& cache_;
  const Spec spec_;
  Inbox inbox_;
  Outbox outbox_;
  StallCounter stalls_;
  std::vector<base::Cycle> bank_free_at_;
  unsigned lookups_ = 0;               ///< that may still be made in this cycle
  base::Cycle answer_ready_ = 0;       ///< of the request being looked up
  bool answered_ = false;              ///< that one
  std::uint32_t stalled_replays_ = 0;  ///< bit n: of the n-th role
  std::uint32_t stalled_networks_ = 0;
  NetworkTurns turns_;
  Counts counts_;
};

}  // namespace syncline::models
