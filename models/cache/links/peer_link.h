// The link of an L1 to the other L1s, beside it.
#pragma once

#include "models/cache/cache_controller.h"
#include "models/cache/outbox.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// Under CoherencePolicy::peer_messages. It ends in the network that the others' HomeLink::from_network hangs on.
class PeerLink : private MessageSender {
 public:
  PeerLink(CacheController& cache, std::size_t output_queue, base::Cycle send_latency)
      : to_peers("to_peers", *this),
        cache_(cache),
        send_latency_(send_latency),
        outbox_(to_peers, cache.policy().virtual_networks(), output_queue, cache.policy().l1s, cache.waiting()) {}

  MessageInitiator to_peers;

  bool room(unsigned networks) const { return outbox_.room(networks); }
  void send(const protocols::Action& action, const Request& request) {
    action.nodes.for_each([&](unsigned node) {
      Message& m = cache_.make(action, request.line, cache_.l1(node), cache_.l1(action.requester),
                               base::ByteMask::all(cache_.line_bytes()), &request.stimulus);
      const bool urgent = cache_.policy().messages[m.kind].haste >= protocols::Haste::to_peers;
      outbox_.push(m, urgent ? cache_.now_cycle() : cache_.now_cycle() + send_latency_);
    });
  }
  Outbox& outbox() { return outbox_; }
  const Outbox& outbox() const { return outbox_; }

 private:
  void on_ready(VirtualNetwork, unsigned) override { cache_.wake(cache_.clock()->now()); }
  CacheController& cache_;
  base::Cycle send_latency_;
  Outbox outbox_;
};

}  // namespace syncline::models
