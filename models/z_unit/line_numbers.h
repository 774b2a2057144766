// A set of lines by number: a bit for each up to the highest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace syncline::models {

class LineNumbers {
 public:
  void insert(std::uint64_t number) {
    const std::uint64_t word = number / 64;
    if (word >= words_.size()) words_.resize(std::max<std::uint64_t>(word + 1, 2 * words_.size()));
    words_[word] |= std::uint64_t{1} << number % 64;
  }
  /// Calls `visit(number)` for each in ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1)
        visit(word * 64 + static_cast<unsigned>(__builtin_ctzll(bits)));
    }
  }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace syncline::models
