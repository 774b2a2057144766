// Streams: launches of one stream run one after another, those of different streams side by side, or in the order of
// the launches, too.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "base/ids.h"
#include "platform/host/device.h"

namespace syncline::platform {

/// Orders launches. Plain bookkeeping: who starts a grid and who says that it ended are given from outside.
class Streams {
 public:
  enum class Order : std::uint8_t {
    streams,  ///< launches of different streams know nothing of each other
    launches  ///< all streams are one: which launch comes first does not depend on time
  };
  /// `start` is called when a grid's predecessors have ended: those in its stream, or all.
  explicit Streams(std::function<void(base::GridId)> start, Order order = Order::streams)
      : start_(std::move(start)), order_(order), streams_(1) {}

  StreamHandle create();
  /// UserError for a handle that `create` did not give.
  void check(StreamHandle stream) const;
  void push(StreamHandle stream, base::GridId grid);
  /// The grid at the head of its stream has ended; the next one starts.
  void ended(base::GridId grid);
  /// Nothing is before what comes next in the stream.
  bool idle(StreamHandle stream) const { return streams_[queue_of(stream)].empty(); }
  bool all_idle() const;

 private:
  std::size_t queue_of(StreamHandle stream) const {
    return order_ == Order::launches ? 0 : static_cast<std::size_t>(stream);
  }

  std::function<void(base::GridId)> start_;
  Order order_;
  std::vector<std::deque<base::GridId>> streams_;  ///< the head is running
};

}  // namespace syncline::platform
