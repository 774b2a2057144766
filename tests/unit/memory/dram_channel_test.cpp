// The controller alone: legality under any timing and any traffic, order of service, latency by hand.
#include "models/dram/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/random.h"
#include "tests/support/dram_timing_checker.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::broken_dram_rules;

/// A channel with its log and its finished requests.
struct Bench : DramCompletion, DramCommandListener {
  explicit Bench(const DramSpec& s) : spec(s), channel(s, *this) { channel.listen(this); }
  void on_scheduled(const DramRequest& request, base::Cycle data_end) override {
    done.push_back({request.tag, data_end});
  }
  bool answers_blocked() const override { return blocked; }
  void on_command(const DramCommand& command) override { log.push_back(command); }

  /// Steps from `now` until nothing is left or `until`.
  base::Cycle run(base::Cycle until = base::never) {
    while (next != base::never && next < until) {
      now = next;
      next = channel.step(now);
    }
    return now;
  }
  void add(std::uint32_t tag, bool write, std::uint64_t address, std::uint32_t bytes, base::Cycle at) {
    channel.add(tag, write, address, bytes, at);
    next = std::min(next, at);
  }
  std::vector<DramCommandKind> kinds() const {
    std::vector<DramCommandKind> list;
    for (const DramCommand& c : log) list.push_back(c.kind);
    return list;
  }

  DramSpec spec;
  DramChannel channel;
  base::Cycle now = 0, next = base::never;
  bool blocked = false;
  std::vector<DramCommand> log;
  std::vector<std::pair<std::uint32_t, base::Cycle>> done;
};

DramSpec plain() {
  DramSpec spec;
  spec.capacity = 1 << 20;
  spec.timing.refresh = false;
  return spec;
}
/// Address of (row, bank, column) with the order row_bank_column.
std::uint64_t at(const DramSpec& spec, std::uint64_t row, std::uint64_t bank, std::uint64_t column = 0) {
  return (row * spec.banks + bank) * spec.row + column * spec.burst_bytes();
}

TEST(DramChannel, AReadOfAClosedBankTakesActivateColumnData) {
  Bench bench(plain());
  bench.add(7, false, 0, 64, 100);
  bench.run();
  ASSERT_EQ(bench.log.size(), 2U);
  EXPECT_EQ(bench.log[0].cycle, 100U);
  EXPECT_EQ(bench.log[1].cycle, 112U) << "tRCD";
  EXPECT_THAT(bench.done, ElementsAre(std::pair(7U, 100UL + 12 + 12 + 2))) << "tRCD + tCL + 2 cycles of data";
}

TEST(DramChannel, ARowConflictPaysPrechargeAndTRas) {
  const DramSpec spec = plain();
  Bench bench(spec);
  bench.add(0, false, at(spec, 0, 0), 64, 0);
  bench.add(1, false, at(spec, 1, 0), 64, 0);
  bench.run();
  EXPECT_THAT(bench.kinds(), ElementsAre(DramCommandKind::activate, DramCommandKind::read, DramCommandKind::precharge,
                                         DramCommandKind::activate, DramCommandKind::read));
  EXPECT_EQ(bench.log[2].cycle, 28U) << "tRAS";
  EXPECT_EQ(bench.log[3].cycle, 40U) << "tRP after it, and tRC after the first";
  EXPECT_EQ(bench.done[1].second, 40U + 12 + 12 + 2);
  EXPECT_EQ(bench.channel.statistics().row_misses.value(), 1U);
  EXPECT_EQ(bench.channel.statistics().row_conflicts.value(), 1U);
}

TEST(DramChannel, ALineIsTwoBurstsAtTCcdl) {
  const DramSpec spec = plain();
  Bench bench(spec);
  bench.add(0, false, 0, 128, 0);
  bench.run();
  EXPECT_THAT(bench.kinds(), ElementsAre(DramCommandKind::activate, DramCommandKind::read, DramCommandKind::read));
  EXPECT_EQ(bench.log[2].cycle - bench.log[1].cycle, 3U);
  EXPECT_EQ(bench.channel.statistics().data_cycles.value(), 4U);
}

TEST(DramChannel, FrFcfsServesAnOpenRowFirstAndFcfsDoesNot) {
  for (const DramScheduling policy : {DramScheduling::fr_fcfs, DramScheduling::fcfs}) {
    DramSpec spec = plain();
    spec.scheduling = policy;
    Bench bench(spec);
    bench.add(0, false, at(spec, 0, 0), 64, 0);
    bench.add(1, false, at(spec, 1, 0), 64, 0);
    bench.add(2, false, at(spec, 0, 0, 5), 64, 0);
    bench.run();
    std::vector<std::uint32_t> tags;
    for (const auto& [tag, end] : bench.done) tags.push_back(tag);
    if (policy == DramScheduling::fr_fcfs) {
      EXPECT_THAT(tags, ElementsAre(0, 2, 1));
    } else {
      EXPECT_THAT(tags, ElementsAre(0, 1, 2));
    }
    EXPECT_THAT(broken_dram_rules(spec, bench.log), IsEmpty());
  }
}

TEST(DramChannel, RowHitsDoNotOvertakeForEver) {
  for (const base::Cycle limit : {0, 300}) {
    DramSpec spec = plain();
    spec.starvation_limit = limit;
    Bench bench(spec);
    bench.add(0, false, at(spec, 0, 0), 64, 0);
    bench.add(1, false, at(spec, 1, 0), 64, 0);
    std::uint32_t tag = 2;
    for (base::Cycle cycle = 0; cycle < 3000; ++cycle) {
      if (bench.channel.queued() < 8) {
        bench.add(tag, false, at(spec, 0, 0, tag % 32), 64, cycle);
        ++tag;
      }
      bench.run(cycle + 1);
    }
    const auto served = std::find_if(bench.done.begin(), bench.done.end(), [](const auto& d) { return d.first == 1; });
    if (limit == 0) {
      EXPECT_EQ(served, bench.done.end()) << "pure FR-FCFS starves";
    } else {
      ASSERT_NE(served, bench.done.end());
      EXPECT_LT(served->second, limit + 200);
    }
  }
}

TEST(DramChannel, WhoHasStarvedGoesFirstThoughNothingHappenedInBetween) {
  DramSpec spec = plain();
  spec.starvation_limit = 300;
  Bench bench(spec);
  bench.add(0, false, at(spec, 0, 0), 64, 0);
  bench.run();
  bench.log.clear();
  bench.add(1, false, at(spec, 1, 0), 64, 100);
  bench.add(2, false, at(spec, 0, 0, 3), 64, 1000);  // in the open row, but before its time until then
  bench.run();
  EXPECT_EQ(bench.kinds().front(), DramCommandKind::precharge);
  EXPECT_EQ(bench.done[1].first, 1U);
}

TEST(DramChannel, TheClosedPagePolicyClosesRowsThatNobodyWants) {
  DramSpec spec = plain();
  spec.page_policy = PagePolicy::closed;
  Bench bench(spec);
  bench.add(0, false, at(spec, 0, 0), 64, 0);
  bench.add(1, false, at(spec, 0, 0, 3), 64, 0);
  bench.run();
  EXPECT_THAT(bench.kinds(), ElementsAre(DramCommandKind::activate, DramCommandKind::read, DramCommandKind::read,
                                         DramCommandKind::auto_precharge));
  bench.add(2, false, at(spec, 9, 0), 64, 500);
  bench.run();
  EXPECT_EQ(bench.done.back().second, 500U + 12 + 12 + 2) << "no precharge in the way";
  EXPECT_EQ(bench.channel.statistics().row_conflicts.value(), 0U);
}

TEST(DramChannel, ABlockedAnswerPathStopsColumnCommands) {
  Bench bench(plain());
  bench.blocked = true;
  bench.add(0, false, 0, 64, 0);
  bench.run();
  EXPECT_THAT(bench.kinds(), ElementsAre(DramCommandKind::activate));
  bench.blocked = false;
  bench.next = 50;
  bench.run();
  EXPECT_EQ(bench.done.size(), 1U);
}

TEST(DramChannel, AnIdleChannelMakesUpForItsRefreshes) {
  DramSpec spec = plain();
  spec.timing.refresh = true;
  Bench bench(spec);
  bench.add(0, false, 0, 64, 0);
  bench.run();
  bench.add(1, false, 0, 64, 10 * spec.timing.t_refi + 20);
  bench.run();
  EXPECT_EQ(bench.channel.statistics().refreshes.value(), 10U);
  EXPECT_GE(bench.done.back().second, 10 * spec.timing.t_refi + spec.timing.t_rfc + 12 + 12 + 2)
      << "the last refresh is still under way";
  EXPECT_EQ(bench.channel.statistics().row_misses.value(), 2U) << "a refresh closes rows";
  EXPECT_THAT(broken_dram_rules(spec, bench.log), IsEmpty());
}

TEST(DramChannel, BankLevelParallelismBeatsOneBank) {
  const DramSpec spec = plain();
  const auto time_for = [&](bool spread) {
    Bench bench(spec);
    for (std::uint32_t i = 0; i < 16; ++i) bench.add(i, false, spread ? at(spec, i, i) : at(spec, i, 0), 64, 0);
    bench.run();
    return bench.done.back().second;
  };
  EXPECT_EQ(time_for(false), 15 * 40U + 26) << "one row cycle each";
  EXPECT_LE(time_for(true), 15 * 7U + 26) << "tRRD apart, or one more when a column command takes the slot";
}

TEST(DramChannel, OpenRowStreamsReachTheBusBandwidth) {
  DramSpec spec = plain();
  spec.queue = 64;
  Bench bench(spec);
  // Two banks of different groups in turn: tCCD, not tCCDL, is the distance.
  for (std::uint32_t i = 0; i < 64; ++i) bench.add(i, false, at(spec, 0, i % 2, i / 2), 64, 0);
  bench.run();
  EXPECT_LE(bench.done.back().second, 12 + 6 + 12 + 64 * 2 + 16U);
}

// The checker itself: each rule is provoked once.
TEST(DramTimingChecker, SeesEveryKindOfViolation) {
  DramSpec spec = plain();
  spec.timing.t_faw = 30;
  using Kind = DramCommandKind;
  const auto verdict = [&](std::vector<DramCommand> log) {
    const auto lines = broken_dram_rules(spec, std::move(log));
    std::string all;
    for (const auto& line : lines) all += line.substr(0, line.find(':')) + ";";
    return all;
  };
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {12, Kind::read, 0, 1}}), "");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {11, Kind::read, 0, 1}}), "tRCD;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {12, Kind::read, 0, 2}}), "column command to a row that is not open;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {5, Kind::activate, 1, 1}}), "tRRD;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {27, Kind::precharge, 0}}), "tRAS;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {28, Kind::precharge, 0}, {39, Kind::activate, 0, 1}}), "tRP;tRC;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {30, Kind::activate, 0, 1}}), "activate of an open bank;tRC;");
  EXPECT_EQ(verdict({{0, Kind::precharge, 0}}), "precharge of a closed bank;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {12, Kind::write, 0, 1}, {29, Kind::precharge, 0}}), "tWR;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {12, Kind::read, 0, 1}, {14, Kind::read, 0, 1}}), "tCCDL;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {12, Kind::write, 0, 1}, {22, Kind::read, 0, 1}}), "tCDLR;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {12, Kind::read, 0, 1}, {20, Kind::write, 0, 1}}), "data bus;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1}, {0, Kind::precharge_all}}).substr(0, 12), "command bus;");
  EXPECT_EQ(verdict({{0, Kind::activate, 0, 1},
                     {6, Kind::activate, 1, 1},
                     {12, Kind::activate, 2, 1},
                     {18, Kind::activate, 3, 1},
                     {24, Kind::activate, 4, 1}}),
            "tFAW;");
  spec.timing.refresh = true;
  EXPECT_EQ(verdict({{3600, Kind::refresh}, {3650, Kind::activate, 0, 1}}), "tRFC;");
  EXPECT_EQ(verdict({{100, Kind::refresh}}), "refresh too early;");
  EXPECT_EQ(verdict({{4000, Kind::refresh}}), "refresh too late;");
  EXPECT_EQ(verdict({{10'000, Kind::activate, 0, 1}}), "tREFI;");
}

RC_GTEST_PROP(DramAddressing, IsABijectionBetweenBurstsAndPlaces, ()) {
  DramSpec spec;
  spec.address_order =
      *rc::gen::element(AddressOrder::row_bank_column, AddressOrder::bank_row_column, AddressOrder::row_column_bank);
  spec.banks = 1U << *rc::gen::inRange(0, 5);
  spec.bank_groups = 1;
  spec.row = 256U << *rc::gen::inRange(0, 4);
  spec.capacity = std::uint64_t{spec.banks} * spec.row * static_cast<std::uint64_t>(*rc::gen::inRange(1, 20));
  const DramAddressing addressing(spec);
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> seen;
  for (std::uint64_t burst = 0; burst < spec.capacity / spec.burst_bytes(); ++burst) {
    const DramPlace p = addressing.place(burst * spec.burst_bytes() + burst % spec.burst_bytes());
    RC_ASSERT(p.bank < spec.banks);
    RC_ASSERT(p.column < spec.row / spec.burst_bytes());
    RC_ASSERT(p.row < spec.capacity / (std::uint64_t{spec.banks} * spec.row));
    RC_ASSERT(seen.insert({p.bank, p.row, p.column}).second);
  }
}

DramSpec random_spec() {
  DramSpec spec;
  spec.banks = 1U << *rc::gen::inRange(0, 5);
  spec.bank_groups = std::min(spec.banks, 1U << *rc::gen::inRange(0, 3));
  spec.row = 256U << *rc::gen::inRange(0, 4);
  spec.queue = *rc::gen::inRange(1U, 40U);
  spec.burst_length = 1U << *rc::gen::inRange(0, 5);
  spec.scheduling = *rc::gen::element(DramScheduling::fcfs, DramScheduling::fr_fcfs);
  spec.page_policy = *rc::gen::element(PagePolicy::open, PagePolicy::closed);
  spec.address_order =
      *rc::gen::element(AddressOrder::row_bank_column, AddressOrder::bank_row_column, AddressOrder::row_column_bank);
  spec.starvation_limit = *rc::gen::element<base::Cycle>(0, 50, 500);
  spec.capacity = std::uint64_t{spec.banks} * spec.row * 8;
  DramTiming& t = spec.timing;
  for (base::Cycle* p : {&t.t_cl, &t.t_wl, &t.t_rp, &t.t_ras, &t.t_rcd, &t.t_rrd, &t.t_ccd, &t.t_ccd_l, &t.t_cdlr,
                         &t.t_wtr, &t.t_wr, &t.t_rtp, &t.t_faw})
    *p = *rc::gen::inRange<base::Cycle>(0, 40);
  t.t_ccd_l = std::max(t.t_ccd_l, t.t_ccd);
  t.t_cdlr = std::max(t.t_cdlr, t.t_wtr);
  t.t_rc = t.t_ras + t.t_rp + *rc::gen::inRange<base::Cycle>(0, 10);
  t.t_rfc = *rc::gen::inRange<base::Cycle>(0, 100);
  t.refresh = *rc::gen::arbitrary<bool>();
  t.t_refi = t.t_rfc + t.t_rp + t.t_ras + t.t_rc + *rc::gen::inRange<base::Cycle>(300, 2000);
  return spec;
}

RC_GTEST_PROP(DramChannel, NoTrafficAndNoTimingMakesAnIllegalCommand, ()) {
  const DramSpec spec = random_spec();
  Bench bench(spec);
  const auto traffic_seed = *rc::gen::arbitrary<std::uint64_t>();
  base::Random random(traffic_seed);
  const unsigned requests = *rc::gen::inRange(1U, 150U);
  const unsigned spacing = *rc::gen::element(1U, 10U, 400U);
  base::Cycle cycle = 0;
  std::vector<base::Cycle> accepted;
  for (unsigned tag = 0; tag < requests; ++tag) {
    cycle += random.below(spacing);
    bench.run(cycle + 1);
    while (bench.channel.full()) {
      cycle = bench.next;
      bench.run(cycle + 1);
    }
    const std::uint32_t bytes = 1 + random.below(std::min<std::uint32_t>(256, spec.row));
    const std::uint64_t address = random.below(static_cast<std::uint32_t>(spec.capacity - bytes + 1));
    accepted.push_back(cycle);
    bench.add(tag, random.below(3) == 0, address, bytes, cycle);
  }
  bench.run();
  RC_ASSERT(bench.channel.empty());
  RC_ASSERT(bench.done.size() == requests);
  std::vector<bool> seen(requests);
  for (const auto& [tag, data_end] : bench.done) {
    RC_ASSERT(!seen[tag]);
    seen[tag] = true;
    RC_ASSERT(data_end > accepted[tag]);
  }
  if (spec.scheduling == DramScheduling::fcfs) {
    for (std::size_t i = 0; i < bench.done.size(); ++i) RC_ASSERT(bench.done[i].first == i);
  }
  for (const std::string& line : broken_dram_rules(spec, bench.log)) RC_FAIL(line);
}

}  // namespace
}  // namespace syncline::models
