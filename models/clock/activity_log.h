// Which units have had a turn or have been woken: who looks at their state need not look at those that slept.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace syncline::models {

/// Units have numbers below `units`. `first` is called when one is noted and none was since `clear`.
class ActivityLog {
 public:
  ActivityLog(std::size_t units, std::function<void()> first) : noted_(units, 0), first_(std::move(first)) {}

  void note(std::uint32_t unit) {
    if (noted_[unit] != 0) return;
    noted_[unit] = 1;
    units_.push_back(unit);
    if (units_.size() == 1) first_();
  }
  /// Those noted since `clear`, each once, in the order in which they were.
  const std::vector<std::uint32_t>& units() const { return units_; }
  void clear() {
    for (const std::uint32_t unit : units_) noted_[unit] = 0;
    units_.clear();
  }

 private:
  std::vector<std::uint8_t> noted_;
  std::vector<std::uint32_t> units_;
  std::function<void()> first_;
};

}  // namespace syncline::models
