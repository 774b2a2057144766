// Universal hashing of class H3 (J. Carter, M. Wegman, "Universal classes of hash functions", JCSS 1979): each bit of
// the key that is set adds, by exclusive or, a random word of its own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace syncline::protocols::transactions {

class H3 {
 public:
  explicit H3(base::Random& random) {
    for (auto& table : by_byte_) {
      for (unsigned bit = 1; bit < table.size(); bit *= 2) {
        const auto word = static_cast<std::uint32_t>(random.next());
        for (unsigned low = 0; low < bit; ++low) table[bit + low] = table[low] ^ word;
      }
    }
  }
  std::uint32_t operator()(std::uint64_t key) const {
    std::uint32_t hash = 0;
    for (const auto& table : by_byte_) {
      hash ^= table[key & 0xffU];
      key >>= 8U;
      if (key == 0) break;
    }
    return hash;
  }
  /// One of `rows`, at least 1 and less than 2^32.
  std::size_t row(std::uint64_t key, std::size_t rows) const { return (*this)(key) % static_cast<std::uint32_t>(rows); }

 private:
  std::array<std::array<std::uint32_t, 256>, 8> by_byte_{};
};

inline std::vector<H3> hash_functions(base::Random& random, unsigned count) {
  std::vector<H3> all;
  for (unsigned i = 0; i < count; ++i) all.emplace_back(random);
  return all;
}

}  // namespace syncline::protocols::transactions
