// Messages that have arrived, or are about to: one finite FIFO per virtual network behind a receiving port.
#pragma once

#include <boost/circular_buffer.hpp>
#include <vector>

#include "base/ids.h"
#include "models/transport/message_port.h"

namespace syncline::models {

class Inbox {
 public:
  struct Arrived {
    Message* message;
    base::Cycle at;  ///< first cycle in which it may be looked at
  };

  Inbox(unsigned networks, std::size_t capacity) : queues_(networks) {
    for (auto& queue : queues_) queue.set_capacity(capacity);
  }
  /// False: full.
  bool push(Message& message, base::Cycle at) {
    auto& queue = queues_.at(message.network);
    if (queue.full()) return false;
    queue.push_back({&message, at});
    return true;
  }
  unsigned networks() const { return static_cast<unsigned>(queues_.size()); }
  boost::circular_buffer<Arrived>& queue(unsigned network) { return queues_[network]; }
  const boost::circular_buffer<Arrived>& queue(unsigned network) const { return queues_[network]; }
  /// The message to look at in cycle `now`, or null.
  Message* head(unsigned network, base::Cycle now) const {
    const auto& queue = queues_[network];
    return queue.empty() || queue.front().at > now ? nullptr : queue.front().message;
  }
  std::size_t size() const {
    std::size_t total = 0;
    for (const auto& queue : queues_) total += queue.size();
    return total;
  }

 private:
  std::vector<boost::circular_buffer<Arrived>> queues_;
};

}  // namespace syncline::models
