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

using testing::AnyOf;
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

/// A method, as a thread and a failure do not go together under AddressSanitizer (tests/support/sanitized.h).
struct OtherProcess : sc_core::sc_module {
  SC_HAS_PROCESS(OtherProcess);
  explicit OtherProcess(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { SC_METHOD(run); }
  void run() {
    if (program) program(visits_++);
  }
  std::function<void(unsigned visit)> program;

 private:
  unsigned visits_ = 0;
};

class RunAhead : public testing::Test {
 protected:
  RunAhead() {
    core.add(worker, TickRank::sm, "worker");
    worker.wake(1);
    scheduler.run_ahead();
  }
  void host_is_here() { log.push_back("host@" + std::to_string(systemc_ps())); }
  void host_waits_for(const sc_core::sc_event& event) {
    host.program = [this, &event](unsigned visit) {
      if (visit == 0)
        sc_core::next_trigger(event);
      else
        host_is_here();
    };
  }

  Scheduler scheduler{"scheduler"};
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  std::vector<std::string> log;
  FiveTurns worker{log};
  OtherProcess host{"host"};
};

TEST_F(RunAhead, WhereNobodyElseHasAnythingToDoSystemCsTimeStands) {
  sc_core::sc_start();
  EXPECT_THAT(log, ElementsAre("turn@1", "turn@2", "turn@3", "turn@4", "turn@5"));
  EXPECT_THAT(worker.systemc, ElementsAre(0, 0, 0, 0, 0));
}

TEST_F(RunAhead, TurnsEndWhereAnotherProcessWakes) {
  host.program = [this](unsigned visit) {
    if (visit > 0) host_is_here();
    if (visit < 2) sc_core::next_trigger(sc_core::sc_time::from_value(visit == 0 ? 2500 : 1500));
  };
  sc_core::sc_start();
  // SystemC leaves open who is first at 4 ns; if the turn is, the next one is not ahead of who has yet to come.
  EXPECT_THAT(log, AnyOf(ElementsAre("turn@1", "turn@2", "host@2500", "turn@3", "host@4000", "turn@4", "turn@5"),
                         ElementsAre("turn@1", "turn@2", "host@2500", "turn@3", "turn@4", "host@4000", "turn@5")));
  const bool turn_is_first = log.at(4) == "turn@4";
  EXPECT_THAT(worker.systemc, ElementsAre(0, 0, 3000, 4000, turn_is_first ? 5000 : 4000));
}

TEST_F(RunAhead, WhoIsToldInATurnHearsItAtItsTime) {
  sc_core::sc_event told;
  worker.work = [&](base::Cycle now) {
    if (now == 3) told.notify(lead_of_turn());
  };
  host_waits_for(told);
  sc_core::sc_start();
  EXPECT_THAT(log, ElementsAre("turn@1", "turn@2", "turn@3", "host@3000", "turn@4", "turn@5"));
  EXPECT_EQ(worker.systemc[2], 0U) << "it has been ahead";
}

TEST_F(RunAhead, AFailureIsToldAtTheTimeOfItsTurn) {
  worker.work = [](base::Cycle now) {
    if (now == 4) throw base::ModelError("a model's");
  };
  host_waits_for(scheduler.failed());
  sc_core::sc_start();
  EXPECT_THAT(log, ElementsAre("turn@1", "turn@2", "turn@3", "turn@4", "host@4000"));
  EXPECT_TRUE(scheduler.failure());
}

TEST_F(RunAhead, WhereOrderIsKeptTurnsAreAheadAllTheSame) {
  scheduler.keep_order("a policy follows warps");
  sc_core::sc_start();
  EXPECT_THAT(worker.systemc, Each(0U));
}

TEST_F(RunAhead, WhereTimeIsKeptEachTurnIsAtSystemCsTime) {
  scheduler.keep_time("waves are written");
  sc_core::sc_start();
  EXPECT_THAT(worker.systemc, ElementsAre(1000, 2000, 3000, 4000, 5000));
}

TEST_F(RunAhead, ALeadIsNothingWhereTurnsAreNotAhead) {
  scheduler.keep_time("waves are written");
  std::vector<std::uint64_t> leads;
  worker.work = [&](base::Cycle) { leads.push_back(lead_of_turn().value()); };
  sc_core::sc_start();
  EXPECT_THAT(leads, Each(0U));
}

}  // namespace
}  // namespace syncline::models
