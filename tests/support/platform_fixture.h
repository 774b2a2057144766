// What every test of a block needs around it: a scheduler, a message pool, statistics and the context that joins them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "models/block/block.h"

namespace syncline::tests {

class PlatformFixture : public testing::Test {
 protected:
  models::Scheduler scheduler{"scheduler"};
  models::MessagePool pool;
  base::StatisticsRegistry statistics;
  models::PlatformContext context{scheduler, pool, statistics};

  /// Runs for `ns` nanoseconds.
  static void run_ns(double ns) { sc_core::sc_start(ns, sc_core::SC_NS); }

  /// Value of a counter, count of a distribution, or value of a gauge; fails the test if nothing has that name.
  double statistic(const std::string& full_name) const {
    for (const base::Statistic* s : statistics.sorted()) {
      if (s->full_name() != full_name) continue;
      if (s->counter != nullptr) return static_cast<double>(s->counter->value());
      if (s->distribution != nullptr) return static_cast<double>(s->distribution->count());
      return s->gauge();
    }
    ADD_FAILURE() << "no statistic is called " << full_name;
    return 0;
  }

  /// Sum of a distribution.
  std::uint64_t sum(const std::string& full_name) const {
    for (const base::Statistic* s : statistics.sorted())
      if (s->full_name() == full_name && s->distribution != nullptr) return s->distribution->sum();
    ADD_FAILURE() << "no distribution is called " << full_name;
    return 0;
  }

  /// Every block says that nothing is left over.
  void expect_clean() const {
    for (const models::Block* block : context.blocks) {
      for (const std::string& line : block->check_end_of_run()) ADD_FAILURE() << line;
    }
    EXPECT_EQ(pool.in_flight(), 0U) << "messages that nobody released";
  }
};

}  // namespace syncline::tests
