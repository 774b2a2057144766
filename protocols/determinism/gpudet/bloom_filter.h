// A parallel Bloom filter over the chunks that a warp has written in this quantum: sub-arrays of equal size, one hash
// function each (GPUDet, section 4.3; D. Sanchez et al., "Implementing signatures for transactional memory", MICRO
// 2007, section 3.2: parallel filters).
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <set>

#include "base/random.h"

namespace syncline::protocols::gpudet {

class BloomFilter {
 public:
  static constexpr unsigned hashes = 4;

  /// `bits`: of all sub-arrays together, a multiple of `hashes`; 0: ideal, without false positives.
  explicit BloomFilter(unsigned bits) : bits_(bits / hashes), set_(bits) {}

  void insert(std::uint64_t chunk) {
    if (bits_ == 0) exact_.insert(chunk);
    for (unsigned n = 0; n < hashes && bits_ != 0; ++n) set_[place(chunk, n)] = true;
    empty_ = false;
  }
  /// False only if the chunk was not inserted.
  bool may_contain(std::uint64_t chunk) const {
    if (empty_) return false;
    if (bits_ == 0) return exact_.count(chunk) != 0;
    for (unsigned n = 0; n < hashes; ++n) {
      if (!set_[place(chunk, n)]) return false;
    }
    return true;
  }
  /// From now on it contains what `other`, of the same size, does.
  void merge(const BloomFilter& other) {
    if (other.empty_) return;
    set_ |= other.set_;
    exact_.insert(other.exact_.begin(), other.exact_.end());
    empty_ = false;
  }
  void clear() {
    if (empty_) return;
    set_.reset();
    exact_.clear();
    empty_ = true;
  }

 private:
  std::size_t place(std::uint64_t chunk, unsigned n) const {
    const std::uint64_t hash = base::mix64(chunk * hashes + n);
    return n * bits_ + ((bits_ & (bits_ - 1)) == 0 ? hash & (bits_ - 1) : hash % bits_);
  }

  std::size_t bits_;  ///< of a sub-array
  boost::dynamic_bitset<> set_;
  std::set<std::uint64_t> exact_;
  bool empty_ = true;
};

}  // namespace syncline::protocols::gpudet
