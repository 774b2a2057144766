// The delay to annotate for a time that is known.
#pragma once

#include <systemc>

#include "models/clock/turn.h"

namespace syncline::models {

/// From now until `at`; zero when that is over.
inline sc_core::sc_time delay_until(const sc_core::sc_time& at) {
  const sc_core::sc_time& now = time_now();
  return at > now ? at - now : sc_core::SC_ZERO_TIME;
}

}  // namespace syncline::models
