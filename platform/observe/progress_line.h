// How far a run is, on standard error, with an estimate of what is left.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

namespace syncline::platform {

/// One line that is written over at most twice a second of host time, and cleared in the end. Never influences the run.
class ProgressLine {
 public:
  struct Work {
    std::uint64_t ctas_done = 0, ctas_launched = 0;
  };
  using Clock = std::function<double()>;  ///< seconds of host time since some moment

  explicit ProgressLine(std::ostream& out);
  /// With another clock than the host's, for tests.
  ProgressLine(std::ostream& out, Clock clock);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// Whether half a second has passed since the last line.
  bool is_due();
  /// `position`: how far the run has come, for a line that is due. CTAs done of those launched follow, and the time
  /// that the launched ones still need at the rate so far.
  void print(const std::string& position, const Work& work);
  /// Leaves the line to what else is said on the stream.
  void clear();
  /// Host time since construction, seconds.
  double seconds() const { return clock_() - start_; }

 private:
  std::ostream& out_;
  Clock clock_;
  double start_, last_;
  bool printed_ = false;
};

}  // namespace syncline::platform
