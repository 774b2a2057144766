// How all units and cores start again from time 0 together (section 4.5.2): the units stop one after the other, then
// the cores, and when nothing is under way any more the units forget all, and then all go on.
#pragma once

#include <cstdint>

namespace syncline::protocols::getm {

/// Counts who has answered; the host carries the messages.
class Rollover {
 public:
  enum class Phase : std::uint8_t {
    none,
    stopping_units,  ///< ValidationUnit::stop
    stopping_cores   ///< WarpTransaction::stop
  };
  Rollover(std::uint32_t units, std::uint32_t cores) : units_(units), cores_(cores) {}

  Phase phase() const { return phase_; }
  /// A unit wants a rollover, which begins unless it has begun.
  void ask();
  /// A unit has stopped. When the last one has the cores are to be told.
  void unit_stopped();
  /// All warps of a core have stopped (WarpTransaction::stopped). True: all cores; the units and then the cores are to
  /// restart, and the rollover is over.
  bool core_stopped();

  std::uint32_t missing() const { return missing_; }

 private:
  std::uint32_t units_, cores_;
  Phase phase_ = Phase::none;
  std::uint32_t missing_ = 0;
};

}  // namespace syncline::protocols::getm
