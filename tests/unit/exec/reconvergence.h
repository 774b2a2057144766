// What tests of mechanisms by which lanes meet again begin with.
#pragma once

#include <string>

#include "tests/support/file_text.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {

inline isa::EmulatorConfig under(const std::string& mechanism, unsigned patience = 64) {
  isa::EmulatorConfig config;
  config.reconvergence = {mechanism, patience};
  config.spin_window = 100'000;
  return config;
}

inline std::string spin_lock() {
  return text_of("tests/data/ptx/spin_lock.ptx");
}

}  // namespace syncline::test
