// Lets nobody starve at what the schedulers of an SM share, its pipelines and the way to memory: whoever finds them
// free may always be the same, the first scheduler, or a warp that asks at the right moment.
#pragma once

#include "base/ids.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

/// Time is cut into spans of `limit` cycles. Warps that were ready in a whole span and did not issue go first at their
/// pipeline, each once, until all of them have issued: a warp that is ready waits for less than two spans, for those
/// that go first when they end, and for those that go first with it, each of which takes its pipeline once.
class PipeTurns {
 public:
  explicit PipeTurns(base::Cycle limit) : limit_(limit), span_end_(limit) {}
  /// Whether a span has ended.
  bool due(base::Cycle now) const { return now >= span_end_; }
  /// One ends now, with `ready` warps that could issue if their pipeline took them.
  void next_span(WarpMask ready, base::Cycle now) {
    if ((first_ & ready) == 0) first_ = waiting_ & ready;
    waiting_ = ready;
    span_end_ = now + limit_;
  }
  void issued(unsigned slot) {
    waiting_ &= ~warp_bit(slot);
    first_ &= ~warp_bit(slot);
  }
  /// Those of the warps that are ready for one pipeline that may have it.
  WarpMask may_have_it(WarpMask ready) const {
    const WarpMask first = ready & first_;
    return first != 0 ? first : ready;
  }

 private:
  base::Cycle limit_, span_end_;
  WarpMask waiting_ = 0;  ///< ready when the span began, and have not issued since then
  WarpMask first_ = 0;
};

}  // namespace syncline::models
