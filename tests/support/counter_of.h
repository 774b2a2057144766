// What a run counted.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "platform/timed/simulation.h"

namespace syncline::test {

/// The counter of that full name; fails the test if there is none.
inline std::uint64_t counter_of(platform::Simulation& simulation, const std::string& full_name) {
  for (const base::Statistic* const one : simulation.context().statistics.sorted()) {
    if (one->full_name() == full_name) return one->counter->value();
  }
  ADD_FAILURE() << "no statistic is called " << full_name;
  return 0;
}

}  // namespace syncline::test
