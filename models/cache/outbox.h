// Messages that wait for their link: one FIFO per virtual network in front of a sending port.
#pragma once

#include <vector>

#include "base/error.h"
#include "base/growing_ring.h"
#include "base/ids.h"
#include "models/clock/scheduler.h"
#include "models/transport/message_port.h"
#include "protocols/coherence/engine/action.h"

namespace syncline::models {

class Outbox {
 public:
  /// A network with fewer than `limit` messages has room for a transition, which may send one to each of `nodes` nodes,
  /// and a few more. `waiting`: of all outboxes of a cache, as most turns find all of them empty. `grows`: some are
  /// pushed without asking for room, of which there is a bound that depends on others.
  Outbox(MessageInitiator& link, unsigned networks, std::size_t limit, unsigned nodes, std::size_t& waiting,
         bool grows = false)
      : link_(link), limit_(limit), waiting_(waiting), queues_(networks) {
    if (grows) return;
    for (auto& queue : queues_) queue.set_limit(limit + nodes + protocols::ActionList::capacity);
  }

  /// Room for a transition on all of `networks` (bit n: network n).
  bool room(unsigned networks) const {
    for (std::uint32_t asked = used_ & networks; asked != 0; asked &= asked - 1) {
      if (queues_[static_cast<unsigned>(__builtin_ctz(asked))].size() >= limit_) return false;
    }
    return true;
  }
  /// `message` may leave in cycle `ready`, behind what was pushed before on its network.
  void push(Message& message, base::Cycle ready) {
    auto& queue = queues_[message.network];
    if (queue.full()) throw base::ModelError("a transition sends more than its table says");
    if (!queue.empty() && queue.back().ready > ready) ready = queue.back().ready;
    queue.push_back({&message, ready});
    used_ |= 1U << message.network;
    ++size_;
    ++waiting_;
  }
  /// Sends what may leave in cycle `now`. Returns the next cycle at which something may (links that are busy report
  /// through on_ready), or base::never.
  base::Cycle drain(base::Cycle now) {
    base::Cycle next = base::never;
    for (std::uint32_t left = used_; left != 0; left &= left - 1) {
      const auto network = static_cast<unsigned>(__builtin_ctz(left));
      auto& queue = queues_[network];
      while (!queue.empty() && queue.front().ready <= now && link_.ready(static_cast<VirtualNetwork>(network))) {
        Message& message = *queue.front().message;
        queue.pop_front();
        --size_;
        --waiting_;
        if (!queue.empty()) prefetch(*queue.front().message);
        link_.send(message);
      }
      if (queue.empty())
        used_ &= ~(1U << network);
      else if (queue.front().ready > now && queue.front().ready < next)
        next = queue.front().ready;
    }
    return next;
  }
  std::size_t size() const { return size_; }

 private:
  struct Waiting {
    Message* message;
    base::Cycle ready;
  };
  MessageInitiator& link_;
  std::size_t limit_;
  std::size_t size_ = 0;    ///< of all queues
  std::uint32_t used_ = 0;  ///< bit n: the queue of network n is not empty
  std::size_t& waiting_;
  std::vector<base::GrowingRing<Waiting>> queues_;
};

}  // namespace syncline::models
