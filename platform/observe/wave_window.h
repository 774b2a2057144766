// When waves are written: between two points of time, and while a kernel is in flight.
#pragma once

#include <cstdint>
#include <string>

#include "models/clock/scheduler.h"
#include "platform/observe/wave_spec.h"

namespace syncline::platform {

class WaveWindow {
 public:
  /// UserError where `spec` gives a time that is none, or an end before the beginning. `clock`: of the SMs.
  WaveWindow(const WaveSpec& spec, const models::ClockDomain& clock);

  void kernel_begins(std::uint64_t number) { kernel_begun_ = kernel_begun_ || number == kernel_; }
  void kernel_ends(std::uint64_t number) { kernel_over_ = kernel_over_ || number == kernel_; }
  base::Cycle begin() const { return begin_; }
  base::Cycle end() const { return end_; }  ///< the last cycle
  bool has_begun(base::Cycle now) const { return now >= begin_ && (kernel_ == 0 || kernel_begun_); }
  /// Nothing behind `now` is in it.
  bool is_over(base::Cycle now) const { return now >= end_ || (kernel_ != 0 && kernel_over_); }
  /// Why it did not begin.
  std::string why_not(std::uint64_t launches) const;

 private:
  std::string from_text_;
  std::uint64_t kernel_;
  bool kernel_begun_ = false, kernel_over_ = false;
  base::Cycle begin_ = 0, end_ = base::never;
};

}  // namespace syncline::platform
