// Things under way, each known by a number that messages can carry; the numbers of those that are over are used again.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::models {

template <class T>
class Numbered {
 public:
  /// The number of a thing: one that is over, as it was left, or a new one. References to others do not survive this.
  std::uint32_t take() {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(things_.size()));
      things_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  /// Whether it has ever been taken.
  bool known(std::uint32_t number) const { return number < things_.size(); }
  void release(std::uint32_t number) { free_.push_back(number); }
  std::size_t in_use() const { return things_.size() - free_.size(); }
  T& operator[](std::uint32_t number) { return things_[number]; }

 private:
  std::vector<T> things_;
  std::vector<std::uint32_t> free_;
};

}  // namespace syncline::models
