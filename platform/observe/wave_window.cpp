#include "platform/observe/wave_window.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "platform/config/quantity.h"

namespace syncline::platform {

namespace {

// The first cycle at or after a point of time that the user gives as a cycle or as a time.
base::Cycle cycle_of(const char* option, const std::string& text, const models::ClockDomain& clock) {
  const auto cycle = parse_integer(text, base::Unit::cycles, IntegerRange::of<std::uint64_t>());
  if (cycle.value) return cycle.value->magnitude;
  constexpr double most_seconds = 1e6;  // picoseconds that a SystemC time holds
  const auto seconds = parse_real(text, base::Unit::seconds);
  if (seconds.value && *seconds.value >= 0 && *seconds.value <= most_seconds)
    return clock.cycle_at_or_after_ps(static_cast<std::uint64_t>(std::llround(*seconds.value * 1e12)));
  throw base::UserError(
      fmt::format("{} `{}`: expected a cycle of the SM clock (`12000`) or a time (`35 us`)", option, text));
}

}  // namespace

WaveWindow::WaveWindow(const WaveSpec& spec, const models::ClockDomain& clock)
    : from_text_(spec.from), kernel_(spec.kernel) {
  if (!spec.from.empty()) begin_ = cycle_of("--wave-from", spec.from, clock);
  if (!spec.to.empty()) end_ = cycle_of("--wave-to", spec.to, clock);
  if (end_ < begin_)
    throw base::UserError(fmt::format("--wave-to `{}` is before --wave-from `{}`", spec.to, spec.from));
}

std::string WaveWindow::why_not(std::uint64_t launches) const {
  if (kernel_ != 0 && !kernel_begun_)
    return fmt::format("the run launched {} kernel{} (--wave-kernel {})", launches, launches == 1 ? "" : "s", kernel_);
  return fmt::format("the run, or the kernel, was over before cycle {} (--wave-from {})", begin_, from_text_);
}

}  // namespace syncline::platform
