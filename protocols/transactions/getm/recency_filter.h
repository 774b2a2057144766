// Upper bounds of the timestamps of granules that have no exact metadata (section 4.5.2). A bound that is too high
// makes transactions abort; one that is too low does not exist.
//
// The thesis keeps times only. Where a store must know who read at a time, so must the filter: if all that left the
// exact table came back as read by several, a warp whose transaction reads more granules than the table holds and
// then writes one of the first could never commit, not even alone.
#pragma once

#include "protocols/transactions/getm/metadata.h"
#include "protocols/transactions/recency_filter.h"

namespace syncline::protocols::getm {

struct Times {
  Timestamp wts = 0, rts = 0;
  Reader reader;  ///< all who have read at `rts` are among these

  void raise(const Times& other);
  void lower(const Times& other);
};

class RecencyFilter : public transactions::RecencyFilter<Times> {
 public:
  RecencyFilter(unsigned ways, std::size_t rows) : transactions::RecencyFilter<Times>("getm.approximate", ways, rows) {}
  void encode(TimeEncoder& to) const;
};

}  // namespace syncline::protocols::getm
