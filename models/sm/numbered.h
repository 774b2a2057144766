// Things under way, each known by a number that messages can carry; the numbers of those that are over are used again.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::models {

template <class T>
class Numbered {
 public:
  /// A free number. Its thing is a new one, or one that was released, with the values that it had then. References to
  /// things become invalid.
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
