#include "platform/observe/point_of_time.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "platform/config/quantity.h"

namespace syncline::platform {

base::Cycle cycle_of(std::string_view option, const std::string& text, const models::ClockDomain& clock) {
  const auto cycle = parse_integer(text, base::Unit::cycles, IntegerRange::of<std::uint64_t>());
  if (cycle.value) return cycle.value->magnitude;
  constexpr double most_seconds = 1e6;  // picoseconds that a SystemC time holds
  const auto seconds = parse_real(text, base::Unit::seconds);
  if (seconds.value && *seconds.value >= 0 && *seconds.value <= most_seconds)
    return clock.cycle_at_or_after_ps(static_cast<std::uint64_t>(std::llround(*seconds.value * 1e12)));
  throw base::UserError(
      fmt::format("{} `{}`: expected a cycle of the SM clock (`12000`) or a time (`35 us`)", option, text));
}

}  // namespace syncline::platform
