// The link of a home to the next one and from the one before, under CoherencePolicy::home_ring.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/cache/inbox.h"
#include "models/transport/message_port.h"
#include "protocols/coherence/engine/action.h"

namespace syncline::models {

class CacheController;

/// What a home passes on is at the next one CoherencePolicy::ring_ps later, and there is room there for all that homes
/// can have under way. So homes may be in lanes that run side by side for so long.
class RingLink : private MessageReceiver, private MessageSender {
 public:
  explicit RingLink(CacheController& cache);

  MessageInitiator to_next;
  MessageTarget from_previous;

  base::Cycle take();  ///< when it has more to do, as far as it knows
  void pass_on(const protocols::Action& action);
  std::uint64_t tells_lanes_in_ps() const;  ///< Ticked::tells_lanes_in_ps of the home
  bool empty() const { return inbox_.size() == 0; }

 private:
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork, unsigned) override {}  // nothing is ever refused

  static std::size_t room_for(const CacheController& cache);

  CacheController& cache_;
  Inbox inbox_;
};

}  // namespace syncline::models
