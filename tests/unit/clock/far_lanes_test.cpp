// Lanes that meet over links: windows as long as these, and threads that take lanes over from each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "models/block/block.h"
#include "models/clock/side_by_side.h"

namespace syncline::models {
namespace {

constexpr std::uint64_t latency_ps = 40'000;

struct Letter {
  std::uint64_t at_ps;
  unsigned from, value;
  bool operator==(const Letter& other) const {
    return at_ps == other.at_ps && from == other.from && value == other.value;
  }
};

/// The end of a link of one tile: letters come to it a latency after they were sent.
class End : public Block, public Ticked {
 public:
  End(const std::string& name, PlatformContext& context, ClockDomain& clock) : Block(name.c_str(), context) {
    clock.add(*this, TickRank::link, this->name());
  }
  std::uint64_t tells_lanes_in_ps() const override { return latency_ps; }
  base::Cycle woken_by_tiles_in() const override { return base::never; }
  base::Cycle wakes_tiles_in() const override { return base::never; }
  void send(End& to, unsigned from, unsigned value) {
    in_order(to.tile().lane(), [&to, from, value, at = now_ps() + latency_ps] {
      to.coming_.push_back({at, from, value});
      to.wake(to.clock()->cycle_at_or_after_ps(at));
    });
  }
  base::Cycle tick(base::Cycle) override {
    if (this_turn.lane != nullptr) lanes.insert(this_turn.lane->number());
    // Of several senders in the order of their times, and then of their numbers: none of them is handed over first.
    std::stable_sort(coming_.begin(), coming_.end(), [](const Letter& a, const Letter& b) {
      return a.at_ps != b.at_ps ? a.at_ps < b.at_ps : a.from < b.from;
    });
    for (; !coming_.empty() && coming_.front().at_ps <= now_ps(); coming_.pop_front()) {
      come.push_back(coming_.front());
      if (work) work(come.back());
    }
    return coming_.empty() ? base::never : clock()->cycle_at_or_after_ps(coming_.front().at_ps);
  }
  std::function<void(const Letter&)> work;
  std::vector<Letter> come;
  std::set<unsigned> lanes;  ///< that it has run in

 private:
  std::deque<Letter> coming_;
};

/// Sends a letter now and then.
class Core : public Block, public Ticked {
 public:
  Core(const std::string& name, PlatformContext& context, ClockDomain& clock) : Block(name.c_str(), context) {
    clock.add(*this, TickRank::sm, this->name());
  }
  base::Cycle tick(base::Cycle now) override { return work(now); }
  std::function<base::Cycle(base::Cycle)> work;
};

/// GPUs of a module each, with a core and a link to a switch that is between them all.
struct LinkedMachine {
  LinkedMachine(const std::string& name, unsigned threads)
      : scheduler((name + "_scheduler").c_str()),
        context{scheduler, pool, statistics},
        clock(scheduler.add_domain("core", 1'300'000'000)) {
    scheduler.run_on(threads);
    for (unsigned i = 0; i < gpus; ++i) {
      const std::string gpu = fmt::format("{}_gpu{}", name, i);
      const TilePlace place{i, i + 1};
      {
        const TileScope scope(context.tiles, gpu, place);
        cores.push_back(std::make_unique<Core>(gpu, context, clock));
      }
      const TileScope scope(context.tiles, gpu + "_link", place, TileKind::joins);
      links.push_back(std::make_unique<End>(gpu + "_link", context, clock));
    }
    const TileScope scope(context.tiles, name + "_switch", {}, TileKind::far);
    nvlink_switch = std::make_unique<End>(name + "_switch", context, clock);
    nvlink_switch->work = [this](const Letter& letter) {
      nvlink_switch->send(*links[(letter.from + letter.value) % gpus], letter.from, letter.value);
    };
    for (unsigned i = 0; i < gpus; ++i) {
      cores[i]->work = [this, i](base::Cycle now) {
        const auto value = static_cast<unsigned>(now - first);
        if ((value * 7 + i) % 5 == 0) links[i]->send(*nvlink_switch, i, value);
        return now_ps() > end_ps ? base::never : now + 1 + value % (i + 1);
      };
      // A letter that has come makes its core run on.
      links[i]->work = [this, i](const Letter& letter) {
        if (now_ps() < end_ps) cores[i]->wake(clock.cycle_at_or_after_ps(now_ps()) + letter.value % 3);
      };
    }
  }
  void start(std::uint64_t ps, std::uint64_t for_ps) {
    end_ps = ps + for_ps;
    first = clock.cycle_at_or_after_ps(ps);
    for (const auto& core : cores) core->wake(clock.cycle_at_or_after_ps(ps));
  }

  static constexpr unsigned gpus = 4;
  base::StatisticsRegistry statistics;
  MessagePool pool;
  Scheduler scheduler;
  PlatformContext context;
  ClockDomain& clock;
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<std::unique_ptr<End>> links;
  std::unique_ptr<End> nvlink_switch;
  std::uint64_t end_ps = 0;
  base::Cycle first = 0;
};

/// What has come, with times from `ps` on.
std::vector<Letter> come_since(std::uint64_t ps, const End& end) {
  std::vector<Letter> letters = end.come;
  for (Letter& letter : letters) letter.at_ps -= ps;
  return letters;
}

TEST(FarLanes, TurnsAreThoseOfOneThread) {
  // Times at which all machines' clocks have an edge, so far from each other that none meets another one.
  constexpr std::uint64_t apart = 60'000'000, lasts = 20'000'000;
  std::vector<std::unique_ptr<LinkedMachine>> machines;
  for (const unsigned threads : {1U, 2U, 3U, 4U})
    machines.push_back(std::make_unique<LinkedMachine>(fmt::format("m{}", threads), threads));
  for (std::size_t i = 0; i < machines.size(); ++i) machines[i]->start(i * apart, lasts);
  sc_core::sc_start(sc_core::sc_time::from_value(machines.size() * apart));
  const LinkedMachine& one = *machines.front();
  EXPECT_GT(one.nvlink_switch->come.size(), 5000U);
  EXPECT_EQ(one.scheduler.window_counts().windows, 0U);
  for (std::size_t i = 1; i < machines.size(); ++i) {
    const LinkedMachine& other = *machines[i];
    ASSERT_FALSE(other.scheduler.failure());
    for (unsigned gpu = 0; gpu < LinkedMachine::gpus; ++gpu) {
      EXPECT_TRUE(come_since(0, *one.links[gpu]) == come_since(i * apart, *other.links[gpu])) << i << " " << gpu;
      EXPECT_EQ(other.links[gpu]->lanes.size(), 1U);
      EXPECT_EQ(*other.links[gpu]->lanes.begin(), gpu) << "of more GPUs than threads each has a lane";
    }
    EXPECT_EQ(other.nvlink_switch->lanes.size(), 1U) << "a switch runs in a lane, too";
    const WindowCounts counts = other.scheduler.window_counts();
    EXPECT_GT(counts.turns, 80 * counts.windows) << "a window is as long as a link";
    EXPECT_GE(counts.longest * (i + 1), counts.turns);
  }
}

}  // namespace
}  // namespace syncline::models
