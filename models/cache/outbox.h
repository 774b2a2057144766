// Messages that wait for their link: one FIFO per virtual network in front of a sending port.
#pragma once

#include <boost/circular_buffer.hpp>
#include <vector>

#include "base/ids.h"
#include "models/clock/scheduler.h"
#include "models/transport/message_port.h"

namespace syncline::models {

class Outbox {
 public:
  Outbox(MessageInitiator& link, unsigned networks, std::size_t capacity) : link_(link), queues_(networks) {
    for (auto& queue : queues_) queue.set_capacity(capacity);
  }

  /// Room for one more message on every network (a machine does not say beforehand which it will use).
  bool room() const {
    for (const auto& queue : queues_) {
      if (queue.full()) return false;
    }
    return true;
  }
  bool room(VirtualNetwork network) const { return !queues_[network].full(); }
  /// `message` may leave in cycle `ready`, behind what was pushed before on its network.
  void push(Message& message, base::Cycle ready) {
    auto& queue = queues_[message.network];
    if (!queue.empty() && queue.back().ready > ready) ready = queue.back().ready;
    queue.push_back({&message, ready});
  }
  /// Sends what may leave in cycle `now`. Returns the next cycle at which something may (links that are busy report
  /// through on_ready), or base::never.
  base::Cycle drain(base::Cycle now) {
    base::Cycle next = base::never;
    for (unsigned network = 0; network < queues_.size(); ++network) {
      auto& queue = queues_[network];
      while (!queue.empty() && queue.front().ready <= now && link_.ready(static_cast<VirtualNetwork>(network))) {
        Message& message = *queue.front().message;
        queue.pop_front();
        link_.send(message);
      }
      if (!queue.empty() && queue.front().ready > now && queue.front().ready < next) next = queue.front().ready;
    }
    return next;
  }
  std::size_t size() const {
    std::size_t total = 0;
    for (const auto& queue : queues_) total += queue.size();
    return total;
  }

 private:
  struct Waiting {
    Message* message;
    base::Cycle ready;
  };
  MessageInitiator& link_;
  std::vector<boost::circular_buffer<Waiting>> queues_;
};

}  // namespace syncline::models
