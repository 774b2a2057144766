// Messages that have arrived, or are about to: one finite FIFO per virtual network behind a receiving port.
#pragma once

#include <algorithm>
#include <vector>

#include "base/growing_ring.h"
#include "base/ids.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// A message that was recycled keeps its place in the finite queue, but those behind it are looked at first, except the
/// ones of its line: they never overtake it, so a warp's accesses to a line keep the order of the program, and nobody
/// starves. A message that may overtake (MessageKind::overtakes) waits behind those of its line and its sender only.
class Inbox {
 public:
  struct Arrived {
    Message* message;
    base::Cycle at;  ///< first cycle in which it may be looked at
    bool overtakes = false;
    bool recycled = false;
    /// The two keep their order whatever is recycled.
    bool in_order_with(const Arrived& older) const {
      return older.message->line == message->line && !(overtakes && older.message->source != message->source);
    }
  };

  Inbox(unsigned networks, std::size_t capacity) : queues_(networks), recycled_(networks) {
    for (auto& queue : queues_) queue.set_limit(capacity);
  }
  /// False: full.
  bool push(Message& message, base::Cycle at, bool overtakes = false) {
    auto& queue = queues_.at(message.network);
    if (queue.full()) return false;
    queue.push_back({&message, at, overtakes});
    used_ |= 1U << message.network;
    ++size_;
    return true;
  }
  /// In the order of arrival.
  const base::GrowingRing<Arrived>& queue(unsigned network) const { return queues_[network]; }
  /// Bit n: something waits on network n.
  std::uint32_t used() const { return used_; }
  bool empty() const { return size_ == 0; }

  /// Place in the queue of the message that is to be looked at next; the queue must not be empty.
  std::size_t next(unsigned network) const {
    const auto& queue = queues_[network];
    std::size_t best = 0;
    if (recycled_[network] == 0) return best;
    for (std::size_t place = 1; place < queue.size(); ++place) {
      if (queue[place].at >= queue[best].at) continue;
      const bool behind_another = std::any_of(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(place),
                                              [&](const Arrived& older) { return queue[place].in_order_with(older); });
      if (!behind_another) best = place;
    }
    return best;
  }
  void take(unsigned network, std::size_t place) {
    auto& queue = queues_[network];
    if (queue[place].recycled) --recycled_[network];
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
    --size_;
    if (queue.empty())
      used_ &= ~(1U << network);
    else
      prefetch(*queue.front().message);
  }
  /// The message is to be looked at again in cycle `at`.
  void recycle(unsigned network, std::size_t place, base::Cycle at) {
    Arrived& arrived = queues_[network][place];
    if (!arrived.recycled) ++recycled_[network];
    arrived.recycled = true;
    arrived.at = at;
  }
  std::size_t size() const { return size_; }

 private:
  std::vector<base::GrowingRing<Arrived>> queues_;
  std::size_t size_ = 0;  ///< of all queues
  std::uint32_t used_ = 0;
  std::vector<std::size_t> recycled_;  ///< messages of the network's queue that were recycled
};

}  // namespace syncline::models
