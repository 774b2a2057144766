// An SM as a whole, as tests of it begin.
#pragma once

#include <string>

#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {

class SmTest : public SmMachine {
 protected:
  double stalls(const std::string& sm) const {
    double sum = 0;
    for (const base::Statistic* s : statistics.sorted()) {
      if (s->block == sm && s->name.rfind("stall_", 0) == 0) sum += static_cast<double>(s->counter->value());
    }
    return sum;
  }
};

}  // namespace syncline::tests
