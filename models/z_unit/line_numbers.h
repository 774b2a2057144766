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
  bool contains(std::uint64_t number) const {
    const std::uint64_t word = number / 64;
    return word < words_.size() && (words_[word] >> number % 64 & 1U) != 0;
  }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace syncline::models
