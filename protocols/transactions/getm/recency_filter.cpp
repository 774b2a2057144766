#include "protocols/transactions/getm/recency_filter.h"

#include <algorithm>

namespace syncline::protocols::getm {

RecencyFilter::RecencyFilter(unsigned ways, std::size_t rows) : rows_(rows), cells_(ways * rows) {
  base::Random random(0, "getm.approximate");
  hashes_ = std::make_shared<const std::vector<H3>>(hash_functions(random, ways));
}

void RecencyFilter::insert(Granule granule, const Times& times) {
  for (unsigned way = 0; way < hashes_->size(); ++way) {
    Times& at = cell(way, granule);
    at.wts = std::max(at.wts, times.wts);
    if (times.rts > at.rts)
      at.reader = times.reader;
    else if (times.rts == at.rts)
      at.reader = at.reader.with(times.reader);
    at.rts = std::max(at.rts, times.rts);
  }
}

RecencyFilter::Times RecencyFilter::bound(Granule granule) const {
  Times least = cell(0, granule);
  for (unsigned way = 1; way < hashes_->size(); ++way) {
    const Times& at = cell(way, granule);
    least.wts = std::min(least.wts, at.wts);
    if (at.rts < least.rts || (at.rts == least.rts && least.reader.is_several())) least.reader = at.reader;
    least.rts = std::min(least.rts, at.rts);
  }
  return least;
}

void RecencyFilter::clear() {
  std::fill(cells_.begin(), cells_.end(), Times{});
}

void RecencyFilter::encode(TimeEncoder& to) const {
  for (const Times& at : cells_) {
    to.write_time(at.wts);
    to.read_time(at.rts, at.reader);
  }
}

}  // namespace syncline::protocols::getm
