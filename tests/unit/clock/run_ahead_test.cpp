// Turns ahead of SystemC's time, and what other processes of SystemC see of that: nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "models/clock/scheduler.h"

namespace syncline::models {
namespace {

using testing::Each;
using testing::ElementsAre;

std::uint64_t systemc_ps() {
  return sc_core::sc_time_stamp().value();
}

/// Has a turn in each of the cycles 1 to 5 of a nanosecond.
struct FiveTurns : Ticked {
  explicit FiveTurns(std::vector<std::string>& log) : log_(log) {}
  base::Cycle tick(base::Cycle now) override {
    EXPECT_EQ(now_ps(), clock()->ps_of(now));
    log_.push_back("turn@" + std::to_string(now));
    systemc.push_back(systemc_ps());
    if (work) work(now);
    return now < 5 ? now + 1 : base::never;
  }
  std::function<void(base::Cycle)> work;
  std::vector<std::uint64_t> systemc;  ///< its time in each turn

 private:
  std::vector<std::string>& log_;
};

struct OtherProcess : sc_core::sc_module {
  SC_HAS_PROCESS(OtherProcess);
  explicit OtherProcess(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { SC_THREAD(run); }
  void run() {
    if (program) program();
  }
  std::function<void()> program;
};

class RunAhead : public testing::Test {
 protected:
  RunAhead() {
    core.add(worker, TickRank::sm, "worker");
    worker.wake(1);
    scheduler.run_ahead();
  }
  void host_is_here() { log.push_back("host@" + std::to_string(systemc_ps())); }

  Scheduler scheduler{"scheduler"};
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  std::vector<std::string> log;
  FiveTurns worker{log};
  OtherProcess host{"host"};
};

TEST_F(RunAhead, WhereNobodyElseHasAnythingToDoSystemCsTimeStands) {
  sc_core::sc_start();
  EXPECT_THAT(log, ElementsAre("turn@1", "turn@2", "turn@3", "turn@4", "turn@5"));
  EXPECT_THAT(worker.systemc, ElementsAre(1000, 1000, 1000, 1000, 1000));
}

TEST_F(RunAhead, TurnsEndWhereAnotherProcessWakes) {
  host.program = [this] {
    for (const unsigned ps : {2500, 1500}) {
      sc_core::wait(sc_core::sc_time::from_value(ps));
      host_is_here();
    }
  };
  sc_core::sc_start();
  EXPECT_THAT(log, ElementsAre("turn@1", "turn@2", "host@2500", "turn@3", "turn@4", "host@4000", "turn@5"));
  EXPECT_THAT(worker.systemc, ElementsAre(1000, 1000, 3000, 4000, 5000)) << "at 4 ns the turn is the scheduler's own";
}

TEST_F(RunAhead, WhoIsToldInATurnHearsItAtItsTime) {
  sc_core::sc_event told;
  worker.work = [&](base::Cycle now) {
    if (now == 3) told.notify(lead_of_turn());
  };
  host.program = [&] {
    sc_core::wait(told);
    host_is_here();
  };
  sc_core::sc_start();
  EXPECT_THAT(log, ElementsAre("turn@1", "turn@2", "turn@3", "host@3000", "turn@4", "turn@5"));
  EXPECT_EQ(worker.systemc[2], 1000U) << "it has been ahead";
}

TEST_F(RunAhead, AFailureIsToldAtTheTimeOfItsTurn) {
  worker.work = [](base::Cycle now) {
    if (now == 4) throw base::ModelError("a model's");
  };
  host.program = [this] {
    sc_core::wait(scheduler.failed());
    host_is_here();
  };
  sc_core::sc_start();
  EXPECT_THAT(log, ElementsAre("turn@1", "turn@2", "turn@3", "turn@4", "host@4000"));
  EXPECT_TRUE(scheduler.failure());
}

TEST_F(RunAhead, WhereOrderIsKeptEachTurnIsAtSystemCsTime) {
  scheduler.keep_order("waves are written");
  sc_core::sc_start();
  EXPECT_THAT(worker.systemc, ElementsAre(1000, 2000, 3000, 4000, 5000));
}

TEST_F(RunAhead, ALeadIsNothingWhereTurnsAreNotAhead) {
  scheduler.keep_order("waves are written");
  std::vector<std::uint64_t> leads;
  worker.work = [&](base::Cycle) { leads.push_back(lead_of_turn().value()); };
  sc_core::sc_start();
  EXPECT_THAT(leads, Each(0U));
}

}  // namespace
}  // namespace syncline::models
