// The delay to annotate for a time that is known.
#pragma once

#include <systemc>

namespace syncline::models {

/// From now until `at`; zero when that is over.
inline sc_core::sc_time delay_until(const sc_core::sc_time& at) {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  return at > now ? at - now : sc_core::SC_ZERO_TIME;
}

}  // namespace syncline::models
