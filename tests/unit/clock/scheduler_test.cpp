#include "models/clock/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <map>

#include "base/error.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;

sc_core::sc_time ps(std::uint64_t n) {
  return sc_core::sc_time::from_value(n);
}

/// Writes down when it ticks, then does what the test says and returns what the test says.
struct Recorder : Ticked {
  Recorder(std::string label, std::vector<std::string>& log) : name(std::move(label)), log_(log) {}
  base::Cycle tick(base::Cycle now) override {
    log_.push_back(name + "@" + std::to_string(now));
    EXPECT_EQ(clock()->ps_of(now), sc_core::sc_time_stamp().value());
    return work ? work(now) : base::never;
  }
  std::string name;
  std::function<base::Cycle(base::Cycle)> work;

 private:
  std::vector<std::string>& log_;
};

class SchedulerTest : public testing::Test {
 protected:
  Scheduler scheduler{"scheduler"};
  std::vector<std::string> log;
};

TEST_F(SchedulerTest, TicksInOrderOfRankAndNameWhateverTheOrderOfConstruction) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  Recorder l2("l2", log), sm1("sm1", log), sm0("sm0", log), xbar("xbar", log);
  core.add(l2, TickRank::l2_slice, "gpu.l2");
  core.add(sm1, TickRank::sm, "gpu.sm1");
  core.add(xbar, TickRank::crossbar, "gpu.xbar");
  core.add(sm0, TickRank::sm, "gpu.sm0");
  for (Recorder* unit : {&l2, &sm1, &xbar, &sm0}) unit->wake(3);
  sc_core::sc_start(ps(10'000));
  EXPECT_THAT(log, ElementsAre("sm0@3", "sm1@3", "xbar@3", "l2@3"));
}

TEST_F(SchedulerTest, ReturnValueIsTheNextTick) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  Recorder unit("u", log);
  core.add(unit, TickRank::sm, "u");
  unit.work = [](base::Cycle now) { return now < 4 ? now + 1 : now < 10 ? now + 5 : now == 14 ? now : base::never; };
  unit.wake(2);
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("u@2", "u@3", "u@4", "u@9", "u@14", "u@15"))
      << "a cycle that is not later means the next";
}

TEST_F(SchedulerTest, AWakeReachesUnitsBehindInTheSameCycleAndThoseBeforeInTheNext) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  Recorder first("first", log), second("second", log), third("third", log);
  core.add(first, TickRank::sm, "a");
  core.add(second, TickRank::sm, "b");
  core.add(third, TickRank::sm, "c");
  second.work = [&](base::Cycle now) {
    if (now == 5) {
      first.wake(0);
      second.wake(5);
      third.wake(5);
    }
    return base::never;
  };
  second.wake(5);
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("second@5", "third@5", "first@6", "second@6"));
}

TEST_F(SchedulerTest, AFaultThatIsKeptCostsItsBlockNothingButTheTurn) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  Recorder first("first", log), second("second", log);
  core.add(first, TickRank::sm, "a");
  core.add(second, TickRank::sm, "b");
  std::vector<std::string> kept;
  scheduler.keep_faults([&](const std::exception_ptr& fault) {
    try {
      std::rethrow_exception(fault);
    } catch (const base::ProgramFault& error) {
      kept.emplace_back(error.what());
    }
    return kept.size() < 2;
  });
  first.work = [](base::Cycle now) -> base::Cycle {
    if (now == 3 || now == 6) throw base::ProgramFault("at " + std::to_string(now));
    return now + 1;
  };
  for (Recorder* unit : {&first, &second}) unit->wake(3);
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("first@3", "second@3", "first@4", "first@5", "first@6"));
  EXPECT_THAT(kept, ElementsAre("at 3", "at 6"));
  EXPECT_TRUE(scheduler.failure()) << "the second one was not kept";
}

TEST_F(SchedulerTest, OnlyFaultsOfTheProgramAreKept) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  Recorder unit("u", log);
  core.add(unit, TickRank::sm, "u");
  scheduler.keep_faults([](const std::exception_ptr&) { return true; });
  unit.work = [](base::Cycle) -> base::Cycle { throw base::ModelError("a model's"); };
  unit.wake(3);
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("u@3"));
  EXPECT_TRUE(scheduler.failure());
}

TEST_F(SchedulerTest, AnEarlierWakeWinsAndALaterOneIsNoSecondTick) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  Recorder unit("u", log);
  core.add(unit, TickRank::sm, "u");
  unit.wake(9);
  unit.wake(4);
  unit.wake(7);
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("u@4"));
}

// A turn in an instant depends on the order of the domains only, not on whether the other domain was awake.
TEST_F(SchedulerTest, DomainsAtOneInstantRunInTheOrderOfTheirNames) {
  ClockDomain& late = scheduler.add_domain("icnt", 500'000'000);
  ClockDomain& early = scheduler.add_domain("core", 1'000'000'000);
  Recorder core("core", log), icnt("icnt", log);
  early.add(core, TickRank::sm, "core");
  late.add(icnt, TickRank::crossbar, "icnt");
  core.work = [&](base::Cycle now) {
    if (now == 4) icnt.wake(0);  // 4 ns is an edge of both, and icnt is still to come
    return base::never;
  };
  icnt.work = [&](base::Cycle now) {
    if (now == 2) core.wake(0);  // the core's turn at 4 ns is over
    return base::never;
  };
  core.wake(4);
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("core@4", "icnt@2", "core@5"));
}

TEST_F(SchedulerTest, ATurnDoesNotDependOnWhoElseIsAwake) {
  ClockDomain& early = scheduler.add_domain("a", 1'000'000'000);
  ClockDomain& late = scheduler.add_domain("b", 1'000'000'000);
  Recorder sleeper("sleeper", log), waker("waker", log);
  early.add(sleeper, TickRank::sm, "sleeper");
  late.add(waker, TickRank::sm, "waker");
  waker.work = [&](base::Cycle now) {
    sleeper.wake(now);
    return base::never;
  };
  waker.wake(3);  // nobody of domain a is awake in cycle 3, yet its turn in that instant is over
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("waker@3", "sleeper@4"));
}

TEST_F(SchedulerTest, PeriodsThatAreNoWholePicosecondsDoNotDrift) {
  ClockDomain& clock = scheduler.add_domain("dram", 924'000'000);
  EXPECT_EQ(clock.ps_of(924'000'000), 1'000'000'000'000U) << "one second has exactly 924 million cycles";
  EXPECT_EQ(clock.ps_of(1), 1082U);
  EXPECT_EQ(clock.ps_of(231), 250'000U);
}

TEST_F(SchedulerTest, CyclesAndTimesAreInversesForAnyFrequency) {
  unsigned number = 0;
  EXPECT_TRUE(rc::check("cycle_at_or_after(ps_of(n)) == n", [&] {
    const auto hertz = *rc::gen::inRange<std::uint64_t>(1, 10'000'000'000);
    const auto cycle = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000'000);
    ClockDomain& clock = scheduler.add_domain("c" + std::to_string(number++), hertz);
    RC_PRE(cycle < ~std::uint64_t{0} / (1'000'000'000'000 / hertz + 1));
    const std::uint64_t at = clock.ps_of(cycle);
    RC_ASSERT(clock.cycle_at_or_after(ps(at)) == cycle);
    RC_ASSERT(clock.cycle_at_or_after(ps(at + 1)) == cycle + 1);
    __extension__ using Wide = unsigned __int128;
    RC_ASSERT(Wide{at} * hertz <= Wide{cycle} * 1'000'000'000'000U);
    RC_ASSERT(Wide{at + 1} * hertz > Wide{cycle} * 1'000'000'000'000U);
  }));
}

TEST_F(SchedulerTest, APhaseMovesEveryEdgeButTheFirstAndKeepsTheDistances) {
  unsigned number = 0;
  EXPECT_TRUE(rc::check("as without a phase, earlier by it", [&] {
    const auto hertz = *rc::gen::inRange<std::uint64_t>(1, 10'000'000'000);
    const auto phase = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000'000 / hertz);
    const auto cycle = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    ClockDomain& steady = scheduler.add_domain("s" + std::to_string(number), hertz);
    ClockDomain& ahead = scheduler.add_domain("a" + std::to_string(number++), hertz, phase);
    const std::uint64_t at = ahead.ps_of(cycle);
    RC_ASSERT(at + phase == steady.ps_of(cycle));
    RC_ASSERT(ahead.ps_of(0) == 0U);
    RC_ASSERT(ahead.cycle_at_or_after(ps(0)) == 0U);
    RC_ASSERT(ahead.cycle_at_or_after(ps(1)) == 1U);
    RC_ASSERT(ahead.cycle_at_or_after(ps(at)) == cycle);
    RC_ASSERT(ahead.cycle_at_or_after(ps(at + 1)) == cycle + 1);
    RC_ASSERT(ahead.length_of(cycle) == steady.time_of(cycle));
  }));
}

TEST_F(SchedulerTest, AClockThatIsAheadTicksItsUnitsAtItsOwnEdges) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000, 300);
  Recorder unit("u", log);  // compares the time of each tick with ps_of
  core.add(unit, TickRank::sm, "u");
  std::vector<std::uint64_t> times;
  unit.work = [&](base::Cycle now) {
    times.push_back(sc_core::sc_time_stamp().value());
    return now < 3 ? now + 1 : base::never;
  };
  unit.wake(0);
  sc_core::sc_start(ps(10'000));
  EXPECT_THAT(log, ElementsAre("u@0", "u@1", "u@2", "u@3"));
  EXPECT_THAT(times, ElementsAre(0U, 700U, 1700U, 2700U));
  EXPECT_EQ(core.now(), 10U) << "cycle 10 began at 9.7 ns";
}

TEST_F(SchedulerTest, AClockCannotBeAPeriodAhead) {
  EXPECT_THROW(scheduler.add_domain("core", 1'000'000'000, 1000), base::ModelError);
  scheduler.add_domain("core", 1'000'000'000, 999);
}

/// A SystemC process beside the scheduler, as host programs are.
struct Host : sc_core::sc_module {
  SC_HAS_PROCESS(Host);
  explicit Host(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { SC_THREAD(run); }
  void run() {
    wait(ps(2500));
    unit->wake(0);  // between two edges
    wait(ps(2500));
    unit->wake(0);  // on an edge: the next one
  }
  Ticked* unit = nullptr;
};

TEST_F(SchedulerTest, WakesFromOtherProcessesMeanTheNextEdge) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  Recorder unit("u", log);
  core.add(unit, TickRank::sm, "u");
  Host host("host");
  host.unit = &unit;
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("u@3", "u@6"));
}

TEST_F(SchedulerTest, WakesFromATurnOfAnotherSchedulerMeanTheNextEdge) {
  Scheduler other("other");
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  ClockDomain& its_core = other.add_domain("core", 1'000'000'000);
  Recorder first("first", log), second("second", log);
  core.add(first, TickRank::sm, "first");
  its_core.add(second, TickRank::observer, "second");
  first.work = [&](base::Cycle now) {
    second.wake(0);
    return now < 5 ? now + 2 : base::never;
  };
  second.work = [&](base::Cycle now) {
    if (now == 8) first.wake(0);
    return base::never;
  };
  first.wake(1);
  sc_core::sc_start(ps(20'000));
  EXPECT_THAT(log, ElementsAre("first@1", "second@2", "first@3", "second@4", "first@5", "second@6"));
}

TEST_F(SchedulerTest, MoreUnitsThanOneWordOfTheActiveSet) {
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  std::vector<std::unique_ptr<Recorder>> units;
  for (unsigned i = 0; i < 200; ++i) {
    units.push_back(std::make_unique<Recorder>(std::to_string(i), log));
    core.add(*units.back(), TickRank::sm, "u" + std::to_string(1000 + i));
  }
  units[63]->work = [&](base::Cycle) {
    units[64]->wake(0);
    units[199]->wake(0);
    units[62]->wake(0);
    return base::never;
  };
  units[63]->wake(1);
  units[127]->wake(1);
  sc_core::sc_start(ps(30'000));
  EXPECT_THAT(log, ElementsAre("63@1", "64@1", "127@1", "199@1", "62@2"));
}

TEST_F(SchedulerTest, NowIsTheLastCycleThatHasBegun) {
  ClockDomain& core = scheduler.add_domain("core", 400'000'000);
  sc_core::sc_start(ps(2499));
  EXPECT_EQ(core.now(), 0U);
  sc_core::sc_start(ps(1));
  EXPECT_EQ(core.now(), 1U);
}

TEST_F(SchedulerTest, WakingAUnitWithoutAClockDoesNothing) {
  Recorder unit("u", log);
  unit.wake(0);
  sc_core::sc_start(ps(1000));
  EXPECT_TRUE(log.empty());
}

TEST_F(SchedulerTest, RefusesAClockThatStandsStillAndTwoOfOneName) {
  try {
    scheduler.add_domain("core", 0);
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("`core` has a frequency of 0 Hz"));
  }
  scheduler.add_domain("core", 1);
  EXPECT_THROW(scheduler.add_domain("core", 2), base::ModelError);
}

// Against a model that is too simple to be wrong: units that sleep and wake each other, added in a scrambled order.
TEST_F(SchedulerTest, RandomWakesAgreeWithAReferenceModel) {
  constexpr unsigned units = 97;
  ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  std::vector<std::unique_ptr<Recorder>> recorders(units);
  const auto next_of = [](unsigned i, base::Cycle n) {
    return (i * 31 + n * 17) % 5 == 0 ? n + 1 + (i + n) % 9 : base::never;
  };
  const auto target_of = [](unsigned i, base::Cycle n) { return static_cast<unsigned>((i * 7 + n * 3) % units); };
  for (unsigned k = 0; k < units; ++k) {
    const unsigned i = (k * 41 + 5) % units;  // any order
    recorders[i] = std::make_unique<Recorder>(std::to_string(i), log);
    recorders[i]->work = [&, i](base::Cycle n) {
      recorders[target_of(i, n)]->wake(n);
      return next_of(i, n);
    };
    core.add(*recorders[i], TickRank::sm, "u" + std::to_string(100 + i));
  }
  for (unsigned i = 0; i < units; i += 9) recorders[i]->wake(i);
  sc_core::sc_start(ps(400'500));

  std::vector<std::string> expected;
  std::map<std::pair<base::Cycle, unsigned>, bool> due;
  std::vector<base::Cycle> when(units, base::never);
  const auto wake = [&](unsigned i, base::Cycle n) {
    if (n >= when[i]) return;
    if (when[i] != base::never) due.erase({when[i], i});
    when[i] = n;
    due[{n, i}] = true;
  };
  for (unsigned i = 0; i < units; i += 9) wake(i, i);
  while (!due.empty() && due.begin()->first.first <= 400) {
    const auto [n, i] = due.begin()->first;
    due.erase(due.begin());
    when[i] = base::never;
    expected.push_back(std::to_string(i) + "@" + std::to_string(n));
    const unsigned target = target_of(i, n);
    wake(target, target > i ? n : n + 1);
    wake(i, next_of(i, n));
  }
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_EQ(log, expected);
}

}  // namespace
}  // namespace syncline::models
