// Turns on several threads: the same ones, at the same times, as on one.
#include "models/clock/side_by_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/error.h"
#include "models/block/block.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Turned {
  std::uint64_t ps;
  base::Cycle cycle;
  bool operator==(const Turned& other) const { return ps == other.ps && cycle == other.cycle; }
};

/// Writes down its turns, and does in them what the test says.
class Unit : public Block, public Ticked {
 public:
  Unit(const std::string& name, PlatformContext& context, ClockDomain& clock, TickRank rank)
      : Block(name.c_str(), context) {
    clock.add(*this, rank, this->name());
  }
  base::Cycle tick(base::Cycle now) override {
    turns.push_back({now_ps(), now});
    EXPECT_EQ(clock()->ps_of(now), now_ps());
    EXPECT_EQ(clock()->now(), now);
    return work ? work(now) : base::never;
  }
  std::function<base::Cycle(base::Cycle)> work;
  std::vector<Turned> turns;
};

/// Tiles of two units each under one clock, tiles of one unit under another, and a hub under a third clock that tiles
/// wake and that wakes tiles: what a GPU with a crossbar is. All that its units do follows from numbers of their own.
class Machine {
 public:
  Machine(const std::string& name, unsigned threads, std::uint64_t core_hz = 1'400'000'000,
          std::uint64_t hub_hz = 700'000'000)
      : scheduler((name + "_scheduler").c_str()),
        context{scheduler, pool, statistics},
        core(scheduler.add_domain("core", core_hz)),
        middle(scheduler.add_domain("hub", hub_hz)),
        low(scheduler.add_domain("low", 924'000'000)) {
    scheduler.run_on(threads);
    hub = std::make_unique<Unit>(name + "_hub", context, middle, TickRank::crossbar);
    for (unsigned i = 0; i < tiles; ++i) {
      const TileScope scope(context.tiles, fmt::format("{}_sm{:02}", name, i));
      upper.push_back(std::make_unique<Unit>(fmt::format("{}_sm{:02}", name, i), context, core, TickRank::sm));
      lower.push_back(std::make_unique<Unit>(fmt::format("{}_sm{:02}_l1", name, i), context, core, TickRank::l1_cache));
    }
    for (unsigned i = 0; i < 5; ++i) {
      const TileScope scope(context.tiles, fmt::format("{}_part{}", name, i));
      memories.push_back(std::make_unique<Unit>(fmt::format("{}_part{}", name, i), context, low, TickRank::dram));
    }
    for (unsigned i = 0; i < tiles; ++i) drive(i);
    for (unsigned i = 0; i < memories.size(); ++i)
      memories[i]->work = [this, i](base::Cycle cycle) {
        const base::Cycle now = cycle - first(low);
        if ((now + i) % 3 == 0) tell_hub(100 + i, now);
        return now % 7 == i ? cycle + 1 : base::never;
      };
    hub->work = [this](base::Cycle cycle) {
      const base::Cycle now = cycle - first(middle);
      std::sort(told.begin(), told.end());
      for (const auto& [who, when] : told) {
        heard.push_back({who, when});
        const std::uint64_t at = now_ps() + 5000 + 131 * (who + when) % 4000;
        if (who < 100) memories[(who + when) % memories.size()]->wake(low.cycle_at_or_after_ps(at));
        if (who >= 100) upper[(who * 5 + when) % tiles]->wake(core.cycle_at_or_after_ps(at));
        if (who >= 100) lower[(who * 5 + when) % tiles]->wake(0);
      }
      told.clear();
      return now % 50 == 0 ? cycle + 9 : base::never;
    };
  }

  /// Begins at a time of its own, so that several machines of one process do not meet.
  void start(std::uint64_t ps) {
    begin = ps;
    for (unsigned i = 0; i < tiles; ++i) upper[i]->wake(core.cycle_at_or_after_ps(ps) + i % 4);
    hub->wake(middle.cycle_at_or_after_ps(ps) + 50);
  }
  void stop(std::uint64_t ps) { end = ps; }

  static constexpr unsigned tiles = 11;
  base::StatisticsRegistry statistics;
  MessagePool pool;
  Scheduler scheduler;
  PlatformContext context;
  ClockDomain &core, &middle, &low;
  std::unique_ptr<Unit> hub;
  std::vector<std::unique_ptr<Unit>> upper, lower, memories;
  std::vector<std::pair<unsigned, base::Cycle>> told, heard;
  std::uint64_t begin = 0, end = ~std::uint64_t{0};

 private:
  base::Cycle first(const ClockDomain& clock) const { return clock.cycle_at_or_after_ps(begin); }
  void tell_hub(unsigned who, base::Cycle now) {
    in_order([this, who, now] {
      told.emplace_back(who, now);
      hub->wake(0);
    });
  }
  void drive(unsigned i) {
    upper[i]->work = [this, i](base::Cycle cycle) {
      const base::Cycle now = cycle - first(core);
      if (now_ps() > end) return base::never;
      if ((now * 13 + i * 7) % 4 == 0) lower[i]->wake(cycle + (now + i) % 3);
      return cycle + 1 + (now * (i + 3)) % 5 / 3;
    };
    lower[i]->work = [this, i](base::Cycle cycle) {
      const base::Cycle now = cycle - first(core);
      if ((now * 5 + i) % 3 == 0) tell_hub(i, now);
      return (now + i) % 11 == 0 ? cycle + 2 : base::never;
    };
  }
};

std::vector<Turned> since(const Unit& unit, std::uint64_t ps, ClockDomain& clock) {
  std::vector<Turned> turns;
  const base::Cycle first = clock.cycle_at_or_after_ps(ps);
  for (const Turned& turned : unit.turns) turns.push_back({turned.ps - ps, turned.cycle - first});
  return turns;
}

/// On `threads` threads beside one, in one process: one machine runs after the other.
void expect_same(const std::vector<unsigned>& threads, std::uint64_t core_hz, std::uint64_t hub_hz) {
  std::vector<std::unique_ptr<Machine>> machines;
  for (const unsigned n : threads)
    machines.push_back(std::make_unique<Machine>(fmt::format("m{}", n), n, core_hz, hub_hz));
  // All clocks have an edge in each microsecond.
  constexpr std::uint64_t apart = 50'000'000;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    machines[i]->start(i * apart);
    machines[i]->stop(i * apart + apart / 5);
  }
  sc_core::sc_start(sc_core::sc_time::from_value(machines.size() * apart));
  const Machine& one = *machines.front();
  EXPECT_GT(one.upper[3]->turns.size(), 5000U);
  EXPECT_GT(one.heard.size(), 5000U);
  for (std::size_t i = 1; i < machines.size(); ++i) {
    const Machine& other = *machines[i];
    ASSERT_FALSE(other.scheduler.failure());
    const auto same = [&](const Unit& a, const Unit& b, ClockDomain& of_a, ClockDomain& of_b) {
      EXPECT_TRUE(since(a, one.begin, of_a) == since(b, other.begin, of_b)) << b.name();
    };
    same(*one.hub, *other.hub, one.middle, other.middle);
    for (unsigned t = 0; t < Machine::tiles; ++t) {
      same(*one.upper[t], *other.upper[t], one.core, other.core);
      same(*one.lower[t], *other.lower[t], one.core, other.core);
    }
    for (std::size_t m = 0; m < one.memories.size(); ++m)
      same(*one.memories[m], *other.memories[m], one.low, other.low);
    EXPECT_TRUE(one.heard == other.heard);
  }
}

TEST(SideBySide, TurnsAreThoseOfOneThread) {
  expect_same({1, 2, 3, 8, 64}, 1'400'000'000, 700'000'000);
}

TEST(SideBySide, AlsoWhereAllClocksAreOne) {
  expect_same({1, 2, 5}, 1'000'000'000, 1'000'000'000);
}

TEST(SideBySide, AlsoWhereTheHubIsSlow) {
  expect_same({1, 2, 5}, 1'400'000'000, 100'000'000);
}

TEST(SideBySide, IsNotWhereSomebodyNeedsTheOrder) {
  Machine machine("m", 4);
  machine.scheduler.keep_order("a test");
  machine.scheduler.keep_order("a test");
  EXPECT_THAT(machine.scheduler.kept_in_order(), ElementsAre("a test"));
  const auto here = std::this_thread::get_id();
  for (auto& unit : machine.upper)
    unit->work = [here](base::Cycle now) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      EXPECT_EQ(this_turn.lane, nullptr);
      return now + 1;
    };
  machine.start(0);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  EXPECT_GT(machine.upper[0]->turns.size(), 100U);
}

TEST(SideBySide, NobodyMayNeedTheOrderWhenItIsTooLate) {
  Machine machine("m", 2);
  machine.hub->work = [&](base::Cycle now) {
    EXPECT_THROW(machine.scheduler.keep_order("late"), base::ModelError);
    return now + 1;
  };
  machine.hub->wake(0);
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_NS));
  EXPECT_FALSE(machine.hub->turns.empty());
  EXPECT_THAT(machine.scheduler.kept_in_order(), testing::IsEmpty());
}

TEST(SideBySide, WaitsWhileTheOrderIsNeeded) {
  Machine machine("m", 4);
  std::vector<unsigned> order;
  unsigned beside = 0;
  for (unsigned i = 0; i < Machine::tiles; ++i)
    machine.upper[i]->work = [&, i](base::Cycle now) {
      if (now < 100 && this_turn.lane != nullptr) in_order([&beside] { ++beside; });
      if (now >= 100 && now < 103) {
        EXPECT_EQ(this_turn.lane, nullptr);
        order.push_back(i);
      }
      return now + 1;
    };
  // The hub's turn at 71 ns is before cycle 100 of the core clock.
  machine.hub->work = [&](base::Cycle now) {
    if (now == 49) machine.scheduler.hold_order();
    if (now == 60) machine.scheduler.release_order();
    return now + 1;
  };
  for (auto& unit : machine.upper) unit->wake(0);
  machine.hub->wake(0);
  sc_core::sc_start(sc_core::sc_time(120, sc_core::SC_NS));
  ASSERT_EQ(order.size(), 3 * Machine::tiles);
  for (unsigned i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i % Machine::tiles);
  EXPECT_GT(beside, 0U);
  EXPECT_GT(machine.upper[0]->turns.size(), 160U) << "goes on";
}

TEST(SideBySide, AFaultIsThatOfTheFirstTurn) {
  Machine machine("m", 4);
  for (unsigned i = 0; i < Machine::tiles; ++i)
    machine.upper[i]->work = [i](base::Cycle now) -> base::Cycle {
      if (now == 60 - i / 6) throw base::ModelError(fmt::format("tile {} at {}", i, now));
      return now + 1;
    };
  for (auto& unit : machine.upper) unit->wake(0);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  ASSERT_TRUE(machine.scheduler.failure());
  try {
    std::rethrow_exception(machine.scheduler.failure());
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("tile 6 at 59"));
  }
  const std::size_t turns = machine.upper[0]->turns.size();
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  EXPECT_EQ(machine.upper[0]->turns.size(), turns) << "time stands still";
}

/// A process of SystemC's that looks every 1.3 ns, twice: also when whoever has a turn at that instant has had it.
struct Onlooker : sc_core::sc_module {
  Onlooker(const sc_core::sc_module_name& name, Machine& machine) : sc_core::sc_module(name), machine_(machine) {
    SC_HAS_PROCESS(Onlooker);
    SC_METHOD(look);
  }
  void look() {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    for (const auto& unit : machine_.upper) {
      if (now == 0) break;
      ASSERT_FALSE(unit->turns.empty());
      EXPECT_LE(unit->turns.back().ps, now);
      EXPECT_GT(unit->turns.back().ps + 2000, now);
    }
    ++looks;
    next_trigger(sc_core::sc_time::from_value(looks % 2 == 1 ? 0 : 1300));
  }
  unsigned looks = 0;

 private:
  Machine& machine_;
};

TEST(SideBySide, AnotherProcessSeesTheMachineOfItsTime) {
  Machine machine("m", 3);
  Onlooker onlooker("onlooker", machine);
  for (auto& unit : machine.upper) unit->work = [](base::Cycle now) { return now + 1; };
  for (auto& unit : machine.upper) unit->wake(0);
  sc_core::sc_start(sc_core::sc_time(400, sc_core::SC_NS));
  EXPECT_GT(onlooker.looks, 600U);
}

}  // namespace
}  // namespace syncline::models
