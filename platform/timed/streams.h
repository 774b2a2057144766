// Streams: the work of one stream is done one after another, that of different streams side by side, or in the order in
// which it was asked for, too.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "platform/host/device.h"

namespace syncline::platform {

/// Orders work: launches, copies between devices, events. Plain bookkeeping: who does it, and says that it ended, is
/// outside.
class Streams {
 public:
  enum class Order : std::uint8_t {
    streams,  ///< streams know nothing of each other
    launches  ///< all streams are one: what comes first does not depend on time
  };
  using Ticket = std::uint64_t;
  /// Begins the work, of which `ended` is told by the ticket: later, or within the call.
  using Start = std::function<void(Ticket)>;

  Streams() : Streams(Order::streams) {}
  /// `first_handle`: is added to the handles, but for the default stream's.
  explicit Streams(Order order, std::uint32_t first_handle = 0)
      : order_(order), first_handle_(first_handle), streams_(1) {}

  StreamHandle create();
  std::size_t count() const { return streams_.size(); }
  /// `start` is called when what was before it has ended: in its stream, or all. The stream is one of these.
  void push(StreamHandle stream, Start start);
  /// The work at the head of its stream has ended; the next one starts.
  void ended(Ticket ticket);
  /// Nothing is before what comes next in the stream.
  bool idle(StreamHandle stream) const { return streams_[queue_of(stream)].works.empty(); }
  bool all_idle() const;

 private:
  struct Work {
    Ticket ticket;
    Start start;
  };
  struct Queue {
    std::deque<Work> works;  ///< the head is under way
    bool starting = false;   ///< in a loop that starts what is at the head
  };
  void start_head(std::size_t queue);
  std::size_t queue_of(StreamHandle stream) const {
    if (order_ == Order::launches || stream == StreamHandle::default_stream) return 0;
    return static_cast<std::uint32_t>(stream) - first_handle_;
  }

  Order order_;
  std::uint32_t first_handle_;
  Ticket last_ = 0;
  std::deque<Queue> streams_;  // do not move while work starts other work
};

}  // namespace syncline::platform
