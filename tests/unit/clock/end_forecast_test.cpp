// When the next CTA may end, of tiles that say how many turns that takes and whose turns are known.
#include "models/clock/end_forecast.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <memory>
#include <string>

#include "models/block/block.h"
#include "models/clock/scheduler.h"

namespace syncline::models {
namespace {

class Foreseen : public Block, public Ticked {
 public:
  Foreseen(const std::string& name, PlatformContext& context, ClockDomain& clock, TickRank rank)
      : Block(name.c_str(), context) {
    clock.add(*this, rank, this->name());
  }
  base::Cycle tick(base::Cycle) override { return base::never; }
  base::Cycle wakes_tiles_in() const override { return wakes_in; }
  bool waits_for_link() const override { return waits; }
  base::Cycle wakes_in = base::never;
  bool waits = false;
};

/// Four tiles of two units, and one between them; a cycle is a nanosecond.
class EndForecasts : public testing::Test {
 protected:
  EndForecasts() {
    for (unsigned i = 0; i < 4; ++i) {
      const TileScope scope(context.tiles, fmt::format("sm{}", i));
      sm.push_back(std::make_unique<Foreseen>(fmt::format("sm{}", i), context, clock, TickRank::sm));
      l1.push_back(std::make_unique<Foreseen>(fmt::format("sm{}_l1", i), context, clock, TickRank::l1_cache));
    }
    const TileScope scope(context.tiles, "network", {0, 4}, TileKind::joins);
    network = std::make_unique<Foreseen>("network", context, clock, TickRank::crossbar);
  }

  /// Of two lanes; nobody is due.
  void begin(base::Cycle network_wakes_in) {
    network->wakes_in = network_wakes_in;
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    for (unsigned i = 0; i < 4; ++i) turns.push_back(&forecast.follow(sm[i]->tile(), i / 2));
    forecast.follow(network->tile(), 0);
    for (unsigned i = 0; i < 4; ++i) {
      forecast.add(sm[i]->tile(), *sm[i]);
      forecast.add(l1[i]->tile(), *l1[i]);
    }
    forecast.add(network->tile(), *network);
  }
  /// In cycles.
  std::uint64_t first(WakingEnds ends, base::Cycle from = 100) {
    const std::uint64_t ps = forecast.first_ps(ends, from * 1000, clock);
    return ps == never_ps ? base::never : ps / 1000;
  }

  Scheduler scheduler{"scheduler"};
  MessagePool pool;
  base::StatisticsRegistry statistics;
  PlatformContext context{scheduler, pool, statistics};
  ClockDomain& clock = scheduler.add_domain("core", 1'000'000'000);
  std::vector<std::unique_ptr<Foreseen>> sm, l1;
  std::unique_ptr<Foreseen> network;
  EndForecast forecast{2, 5};
  std::vector<Tile::Turns*> turns;
};

TEST_F(EndForecasts, AnyEndIsThatOfTheNearestTile) {
  begin(base::never);
  *turns[0] = 40;
  *turns[3] = 20;
  EXPECT_EQ(first(WakingEnds::any), 119U);
  EXPECT_EQ(first(WakingEnds::last), 139U) << "as the other one goes on";
}

TEST_F(EndForecasts, TilesWithoutCtasDoNotCount) {
  begin(base::never);
  *turns[1] = 40;
  EXPECT_EQ(first(WakingEnds::any), 139U);
  EXPECT_EQ(first(WakingEnds::last), 139U);
}

TEST_F(EndForecasts, WhereNobodyHasACtaTheLastEndMayHaveBeen) {
  begin(base::never);
  EXPECT_EQ(first(WakingEnds::last), 100U);
}

TEST_F(EndForecasts, AFewTurnsBeginWhenSomebodyIsDue) {
  begin(base::never);
  *turns[0] = 3;
  *turns[2] = 1;
  sm[0]->wake(107);
  l1[2]->wake(112);
  sm[2]->wake(150);
  EXPECT_EQ(first(WakingEnds::any), 109U) << "turns at 107, 108 and 109";
  EXPECT_EQ(first(WakingEnds::last), 112U) << "the turn of the L1";
}

TEST_F(EndForecasts, WhoIsDueNowMayEndNow) {
  begin(8);
  *turns[0] = 0;
  sm[0]->wake(100);
  EXPECT_EQ(first(WakingEnds::any), 100U);
  *turns[0] = 1;
  EXPECT_EQ(first(WakingEnds::any), 100U);
  *turns[0] = 2;
  EXPECT_EQ(first(WakingEnds::any), 101U);
}

TEST_F(EndForecasts, SomebodyElsesMessageComesNoSoonerThanItsNetworkSays) {
  begin(8);
  *turns[0] = 0;
  *turns[1] = 2;
  EXPECT_EQ(first(WakingEnds::any), 108U);
  EXPECT_EQ(first(WakingEnds::last), 108U) << "one that is late enough is enough";
}

TEST_F(EndForecasts, WhoWaitsForALinkMayHaveATurnAtOnce) {
  begin(8);
  *turns[0] = 0;
  l1[0]->waits = true;
  EXPECT_EQ(first(WakingEnds::any), 100U);
}

TEST_F(EndForecasts, WithoutNetworksInLanesNobodyWaitsForALink) {
  begin(base::never);
  *turns[0] = 0;
  l1[0]->waits = true;
  sm[0]->wake(105);
  EXPECT_EQ(first(WakingEnds::any), 105U) << "windows end before the turn of who could free it";
}

TEST_F(EndForecasts, FarEndsBoundTheNearOnes) {
  begin(base::never);
  *turns[0] = 1;
  *turns[1] = 20;
  sm[0]->wake(500);
  EXPECT_EQ(first(WakingEnds::any), 115U) << "those that are asked have fewer turns than 16";
}

TEST_F(EndForecasts, AreTheSameWhenAskedAgain) {
  begin(8);
  for (unsigned i = 0; i < 4; ++i) *turns[i] = static_cast<Tile::Turns>(i + 1);
  sm[2]->wake(101);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(first(WakingEnds::any), 103U);
  sm[1]->wake(100);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(first(WakingEnds::any), 101U);
}

}  // namespace
}  // namespace syncline::models
