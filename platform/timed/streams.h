// Streams: launches of one stream run one after another, those of different streams side by side.
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
  /// `start` is called when a grid's predecessors in its stream have ended.
  explicit Streams(std::function<void(base::GridId)> start) : start_(std::move(start)), streams_(1) {}

  StreamHandle create();
  /// UserError for a handle that `create` did not give.
  void check(StreamHandle stream) const;
  void push(StreamHandle stream, base::GridId grid);
  /// The grid at the head of its stream has ended; the next one starts.
  void ended(base::GridId grid);
  bool idle(StreamHandle stream) const { return streams_[static_cast<std::size_t>(stream)].empty(); }
  bool all_idle() const;

 private:
  std::function<void(base::GridId)> start_;
  std::vector<std::deque<base::GridId>> streams_;  ///< the head is running
};

}  // namespace syncline::platform
