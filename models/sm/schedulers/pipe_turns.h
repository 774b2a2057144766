// Lets no warp starve at what the schedulers of an SM share: its pipelines and the way to memory. The schedulers are
// asked in a fixed order, so without this the first one, or a warp that is always ready just when a pipeline becomes
// free, could take it each time.
#pragma once

#include "base/ids.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

/// Time is cut into spans of `limit` cycles. A warp that was ready during a whole span without issuing belongs to the
/// set that goes first at its pipeline, each warp once; a new set forms when all of the last one have issued. So a
/// ready warp waits at most for the end of its second span, then for the set that goes first at that time, then for its
/// own set.
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
