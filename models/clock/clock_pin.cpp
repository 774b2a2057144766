#include "models/clock/clock_pin.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::models {

ClockPin::ClockPin(const sc_core::sc_module_name& name, const ClockDomain& domain)
    : sc_core::sc_module(name), pin("pin"), domain_(domain) {
  constexpr std::uint64_t fastest = 500'000'000'000;
  if (domain.frequency_hz() > fastest)
    throw base::UserError(
        fmt::format("the clock `{}` of {} Hz has no room for a falling edge in its cycle; a pin has {} at most",
                    domain.name(), domain.frequency_hz(), fastest));
  SC_HAS_PROCESS(ClockPin);
  SC_METHOD(toggle);
}

void ClockPin::toggle() {
  const std::uint64_t begins = domain_.ps_of(cycle_), ends = domain_.ps_of(cycle_ + 1),
                      now = sc_core::sc_time_stamp().value();
  const bool rises = !pin.read();
  pin.write(rises);
  if (!rises) ++cycle_;
  next_trigger(sc_core::sc_time::from_value((rises ? begins + (ends - begins) / 2 : ends) - now));
}

}  // namespace syncline::models
