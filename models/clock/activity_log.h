// Which units have had a turn or have been woken: who looks at their state need not look at those that slept.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace syncline::models {

/// Units have numbers below `units`. `first` is called when one is noted and none was since `take`.
class ActivityLog {
 public:
  ActivityLog(std::size_t units, std::function<void()> first)
      : noted_((units + 63) / 64, 0), first_(std::move(first)) {}

  void note(std::uint32_t unit) {
    mark(unit);
    if (!std::exchange(any_, true)) first_();
  }
  /// `unit` is among those that `take` finds next, and nobody is told.
  void mark(std::uint32_t unit) { noted_[unit / 64] |= std::uint64_t{1} << (unit % 64); }
  /// Calls `body` with each unit noted or marked since the last time, in the order of their numbers; it notes none.
  template <class Body>
  void take(const Body& body) {
    any_ = false;
    for (std::size_t word = 0; word < noted_.size(); ++word) {
      for (std::uint64_t bits = std::exchange(noted_[word], 0); bits != 0; bits &= bits - 1)
        body(static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
    }
  }

 private:
  std::vector<std::uint64_t> noted_;  ///< a bit for each unit
  bool any_ = false;
  std::function<void()> first_;
};

}  // namespace syncline::models
