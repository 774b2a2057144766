#include "protocols/transactions/getm/recency_filter.h"

#include <algorithm>

namespace syncline::protocols::getm {

void Times::raise(const Times& other) {
  wts = std::max(wts, other.wts);
  if (other.rts > rts)
    reader = other.reader;
  else if (other.rts == rts)
    reader = reader.with(other.reader);
  rts = std::max(rts, other.rts);
}

void Times::lower(const Times& other) {
  wts = std::min(wts, other.wts);
  if (other.rts < rts || (other.rts == rts && reader.is_several())) reader = other.reader;
  rts = std::min(rts, other.rts);
}

void RecencyFilter::encode(TimeEncoder& to) const {
  for (const Times& at : cells()) {
    to.write_time(at.wts);
    to.read_time(at.rts, at.reader);
  }
}

}  // namespace syncline::protocols::getm
