// The link of a home to the next one and from the one before, under CoherencePolicy::home_ring.
#pragma once

#include "models/cache/inbox.h"
#include "models/cache/outbox.h"
#include "models/transport/message_port.h"
#include "protocols/coherence/engine/action.h"

namespace syncline::models {

class CacheController;

class RingLink : private MessageReceiver, private MessageSender {
 public:
  explicit RingLink(CacheController& cache);

  MessageInitiator to_next;
  MessageTarget from_previous;

  base::Cycle take();  ///< when it has more to do, as far as it knows
  base::Cycle drain();
  void pass_on(const protocols::Action& action);
  bool empty() const { return inbox_.size() == 0 && outbox_.size() == 0; }

 private:
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork network, unsigned port) override;

  static constexpr std::size_t queue = 4;
  CacheController& cache_;
  Inbox inbox_;
  Outbox outbox_;
};

}  // namespace syncline::models
