// A recency Bloom filter: upper bounds of what a large number of keys have been raised to, in a few cells. A bound may
// be too high, never too low.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "protocols/transactions/h3.h"

namespace syncline::protocols::transactions {

/// `Bound` begins as what nothing is below; `raise(bound)` makes it at least `bound`, `lower(bound)` the lesser of two
/// that are both upper bounds.
template <class Bound>
class RecencyFilter {
 public:
  /// `rows` of each way, at least 1; hash functions are those of `stream`.
  RecencyFilter(std::string_view stream, unsigned ways, std::size_t rows) : rows_(rows), cells_(ways * rows) {
    base::Random random(0, stream);
    hashes_ = std::make_shared<const std::vector<H3>>(hash_functions(random, ways));
  }
  void insert(std::uint64_t key, const Bound& bound) {
    for (unsigned way = 0; way < hashes_->size(); ++way) cells_[place(way, key)].raise(bound);
  }
  Bound bound(std::uint64_t key) const {
    Bound least = cells_[place(0, key)];
    for (unsigned way = 1; way < hashes_->size(); ++way) least.lower(cells_[place(way, key)]);
    return least;
  }
  void clear() { std::fill(cells_.begin(), cells_.end(), Bound{}); }

 protected:
  const std::vector<Bound>& cells() const { return cells_; }

 private:
  std::size_t place(unsigned way, std::uint64_t key) const { return way * rows_ + (*hashes_)[way].row(key, rows_); }

  std::shared_ptr<const std::vector<H3>> hashes_;  ///< by way
  std::size_t rows_;
  std::vector<Bound> cells_;
};

/// The bound of a number that only grows.
struct Latest {
  std::uint64_t at = 0;
  void raise(const Latest& other) { at = std::max(at, other.at); }
  void lower(const Latest& other) { at = std::min(at, other.at); }
};

}  // namespace syncline::protocols::transactions
