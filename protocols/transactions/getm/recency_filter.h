// Upper bounds of the timestamps of granules that have no exact metadata: a recency Bloom filter (section 4.5.2). A
// bound that is too high makes transactions abort; one that is too low does not exist.
//
// The thesis keeps times only. Where a store must know who read at a time, so must the filter: if all that left the
// exact table came back as read by several, a warp whose transaction reads more granules than the table holds and
// then writes one of the first could never commit, not even alone.
#pragma once

#include <memory>
#include <vector>

#include "protocols/transactions/getm/h3.h"
#include "protocols/transactions/getm/metadata.h"

namespace syncline::protocols::getm {

class RecencyFilter {
 public:
  /// `rows` of each way, at least 1.
  RecencyFilter(unsigned ways, std::size_t rows);

  struct Times {
    Timestamp wts = 0, rts = 0;
    Reader reader;  ///< all who have read at `rts` are among these
  };
  void insert(Granule granule, const Times& times);
  Times bound(Granule granule) const;
  void clear();
  void encode(TimeEncoder& to) const;

 private:
  Times& cell(unsigned way, Granule granule) { return cells_[way * rows_ + (*hashes_)[way](granule) % rows_]; }
  const Times& cell(unsigned way, Granule granule) const {
    return cells_[way * rows_ + (*hashes_)[way](granule) % rows_];
  }

  std::shared_ptr<const std::vector<H3>> hashes_;  ///< by way
  std::size_t rows_;
  std::vector<Times> cells_;
};

}  // namespace syncline::protocols::getm
