// The machines of GETM, step by step: a partition's units and a warp's side.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "protocols/transactions/getm/rollover.h"
#include "protocols/transactions/getm/validation_unit.h"
#include "protocols/transactions/getm/warp_transaction.h"

namespace syncline::tests {
namespace {

using namespace protocols::getm;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Granule a = 5, b = 6;

struct Partition : testing::Test {
  void make() {
    machine = std::make_unique<GranuleMachine>(spec);
    unit = std::make_unique<ValidationUnit>(spec, 1, *machine);
  }
  Answer load(Granule granule, Requester who, Timestamp at) {
    return unit->present({Access::load, granule, who, at, 1, 0});
  }
  Answer store(Granule granule, Requester who, Timestamp at, std::uint16_t count = 1) {
    return unit->present({Access::store, granule, who, at, count, 0});
  }
  bool apply(Granule granule, Requester who, std::uint32_t writes, bool commits = true) {
    return unit->apply({granule, who, writes, commits, {}}).writes;
  }
  const Metadata& metadata(Granule granule) { return *unit->table().find(granule); }

  GetmSpec spec;
  std::unique_ptr<GranuleMachine> machine;
  std::unique_ptr<ValidationUnit> unit;
};

// Section 4.4.2, figure 4.7: two transfers between accounts, at times 20 and 10.
TEST_F(Partition, DoesWhatTheWalkthroughSays) {
  make();
  constexpr Requester tx1 = 1, tx2 = 2;
  EXPECT_EQ(load(a, tx1, 20).verdict, Verdict::done);
  EXPECT_EQ(store(a, tx1, 20).verdict, Verdict::done);
  EXPECT_EQ(load(b, tx2, 10).verdict, Verdict::done);
  EXPECT_EQ(store(b, tx2, 10).verdict, Verdict::done);
  EXPECT_EQ(metadata(a).wts, 21U);
  EXPECT_EQ(metadata(a).rts, 20U);
  EXPECT_EQ(metadata(b).wts, 11U);
  EXPECT_EQ(metadata(b).rts, 10U);

  const Answer refused = load(a, tx2, 10);
  EXPECT_EQ(refused.verdict, Verdict::refused);
  EXPECT_EQ(refused.cause, AbortCause::war);
  EXPECT_EQ(refused.seen, 21U);
  EXPECT_FALSE(apply(b, tx2, 1, false)) << "an abort writes nothing";

  EXPECT_EQ(load(b, tx1, 20).verdict, Verdict::done);
  EXPECT_EQ(store(b, tx1, 20).verdict, Verdict::done);
  EXPECT_EQ(metadata(b).wts, 21U);
  EXPECT_EQ(load(b, tx2, 22).verdict, Verdict::queued);
  EXPECT_TRUE(apply(a, tx1, 1));
  EXPECT_FALSE(unit->can_retry());
  EXPECT_TRUE(apply(b, tx1, 1));
  const auto retried = unit->retry();
  ASSERT_TRUE(retried);
  EXPECT_EQ(retried->request.who, tx2);
  EXPECT_EQ(retried->verdict, Verdict::done);
  EXPECT_TRUE(unit->stalled().empty());
}

TEST_F(Partition, SaysWhyItRefuses) {
  make();
  store(a, 1, 5);
  EXPECT_EQ(load(a, 2, 5).cause, AbortCause::war);
  EXPECT_EQ(store(a, 2, 5).cause, AbortCause::waw);
  load(b, 1, 5);
  EXPECT_EQ(store(b, 2, 4).cause, AbortCause::raw);
  EXPECT_EQ(store(b, 2, 5).cause, AbortCause::tie);
  EXPECT_EQ(store(b, 2, 5).seen, 5U);
  EXPECT_EQ(store(b, 1, 5).verdict, Verdict::done) << "the reader itself";
}

TEST_F(Partition, TieRulesDifferInWhoseReadsTheyRemember) {
  const auto verdict = [this](TieRule rule, std::initializer_list<Requester> readers) {
    spec.tie_rule = rule;
    make();
    for (const Requester reader : readers) load(a, reader, 3);
    return store(a, 1, 3).verdict;
  };
  EXPECT_EQ(verdict(TieRule::thesis, {2}), Verdict::done);
  EXPECT_EQ(verdict(TieRule::last_reader, {2}), Verdict::refused);
  EXPECT_EQ(verdict(TieRule::last_reader, {1, 2}), Verdict::done) << "that of 2 leaves no trace";
  EXPECT_EQ(verdict(TieRule::reader_set, {1, 2}), Verdict::refused);
  EXPECT_EQ(verdict(TieRule::reader_set, {2, 1}), Verdict::refused);
  EXPECT_EQ(verdict(TieRule::reader_set, {1, 1}), Verdict::done);
}

TEST_F(Partition, CountsWritesUntilNoneIsToCome) {
  make();
  store(a, 1, 1, 3);
  store(a, 1, 1);
  EXPECT_TRUE(apply(a, 1, 2));
  EXPECT_TRUE(metadata(a).reserved);
  EXPECT_FALSE(apply(a, 1, 2, false));
  EXPECT_FALSE(metadata(a).reserved);
  EXPECT_THROW(apply(a, 1, 1), base::ModelError) << "it is not reserved";
  store(b, 1, 2);
  EXPECT_THROW(apply(b, 2, 1), base::ModelError) << "for another";
  EXPECT_THROW(apply(b, 1, 2), base::ModelError) << "more than it made";
}

TEST_F(Partition, TheEarliestOfThoseThatWaitGoesFirst) {
  make();
  store(a, 1, 1);
  EXPECT_EQ(load(a, 2, 9).verdict, Verdict::queued);
  EXPECT_EQ(load(a, 3, 4).verdict, Verdict::queued);
  EXPECT_EQ(load(a, 4, 4).verdict, Verdict::queued);
  apply(a, 1, 1);
  EXPECT_EQ(unit->retry()->request.who, 3U);
  EXPECT_EQ(unit->retry()->request.who, 4U) << "the granule is still free";
  EXPECT_EQ(unit->retry()->request.who, 2U);
  EXPECT_FALSE(unit->retry());
}

TEST_F(Partition, NobodyWaitsWhoHasBecomeTooEarly) {
  make();
  store(a, 1, 1);
  EXPECT_EQ(load(a, 2, 2).verdict, Verdict::queued);
  apply(a, 1, 1);
  EXPECT_EQ(store(a, 3, 7).verdict, Verdict::done) << "before the one that waits had its turn";
  const auto retried = unit->retry();
  ASSERT_TRUE(retried);
  EXPECT_EQ(retried->verdict, Verdict::refused);
  EXPECT_EQ(retried->seen, 8U);
}

TEST_F(Partition, ALaneIsNotKeptFromWhatItsWarpHasReservedSince) {
  make();
  store(a, 1, 1);
  EXPECT_EQ(store(a, 2, 2).verdict, Verdict::queued);
  EXPECT_EQ(load(a, 2, 2).verdict, Verdict::queued);
  apply(a, 1, 1);
  EXPECT_EQ(unit->retry()->verdict, Verdict::done);
  EXPECT_EQ(unit->retry()->verdict, Verdict::done);
}

TEST_F(Partition, AFullStallBufferRefuses) {
  spec.stall_addresses = 2;
  spec.stall_requests = 1;
  make();
  for (const Granule granule : {1, 2, 3}) store(granule, 1, 1);
  EXPECT_EQ(load(1, 2, 2).verdict, Verdict::queued);
  EXPECT_EQ(load(1, 3, 2).cause, AbortCause::no_room);
  EXPECT_EQ(load(2, 3, 2).verdict, Verdict::queued);
  EXPECT_EQ(store(3, 4, 2).cause, AbortCause::no_room);
  EXPECT_EQ(unit->stalled().addresses(), 2U);
  EXPECT_EQ(unit->stalled().size(), 2U);
}

TEST_F(Partition, WhoMayGoWaitsAgainWhenTheGranuleIsTaken) {
  make();
  store(a, 1, 1);
  EXPECT_EQ(load(a, 2, 5).verdict, Verdict::queued);
  apply(a, 1, 1);
  EXPECT_TRUE(unit->can_retry());
  EXPECT_EQ(store(a, 3, 4).verdict, Verdict::done) << "an earlier one that did not have to wait";
  EXPECT_FALSE(unit->can_retry());
  apply(a, 3, 1);
  EXPECT_EQ(unit->retry()->verdict, Verdict::done);
}

TEST(GetmStallBuffer, OfEqualTimesTheOlderGranuleGoesFirst) {
  const GetmSpec spec;
  const GranuleMachine machine(spec);
  StallBuffer buffer(spec, machine);
  const auto park = [&buffer](Granule granule, Requester who) {
    EXPECT_TRUE(buffer.park({Access::load, granule, who, 7, 1, 0}));
  };
  park(b, 1);
  park(a, 2);
  park(b, 3);
  EXPECT_FALSE(buffer.take()) << "they wait";
  Metadata changed;
  changed.granule = a;
  buffer.changed(changed);
  EXPECT_EQ(buffer.take()->who, 2U);
  EXPECT_FALSE(buffer.may_one_go());
  park(a, 4);
  buffer.release_all();
  for (const Requester who : {1U, 3U, 4U}) EXPECT_EQ(buffer.take()->who, who);
  EXPECT_TRUE(buffer.empty());
}

TEST(GetmValidation, WhatIsToWaitIsRefusedOrParked) {
  const GetmSpec spec;
  GranuleMachine machine(spec);
  Validation unit(spec, 1, machine);
  const auto look = [&unit](Requester who) { return unit.look({Access::store, a, who, 1U + who, 1, 0}); };
  EXPECT_FALSE(look(1).waits);
  EXPECT_EQ(unit.decide(look(1), false).verdict, Verdict::done);
  EXPECT_TRUE(unit.metadata(a).reserved);
  EXPECT_FALSE(unit.metadata(b).reserved);
  EXPECT_TRUE(look(2).waits);
  EXPECT_EQ(unit.decide(look(2), false).cause, AbortCause::no_room);
  EXPECT_EQ(unit.decide(look(2), true).verdict, Verdict::queued);
  EXPECT_THROW(unit.decide(look(1), true), base::ModelError) << "its own: there is nothing to wait for";
}

TEST_F(Partition, RollsOverWhenTimeIsUsedUp) {
  spec.timestamp_bits = 4;
  make();
  store(a, 1, 14);
  EXPECT_FALSE(unit->wants_rollover());
  EXPECT_EQ(metadata(a).wts, 15U);
  load(b, 1, 14);
  EXPECT_EQ(load(b, 2, 15).cause, AbortCause::rollover);
  EXPECT_TRUE(unit->wants_rollover());
  store(b, 1, 14);
  unit->stop();
  EXPECT_EQ(load(a, 3, 2).cause, AbortCause::rollover);
  EXPECT_EQ(store(a, 1, 14).verdict, Verdict::done) << "its own";
  EXPECT_TRUE(apply(a, 1, 2)) << "logs are still applied";
  unit->restart();
  EXPECT_FALSE(unit->wants_rollover());
  EXPECT_EQ(unit->table().find(a), nullptr);
  EXPECT_EQ(store(a, 3, 1).verdict, Verdict::done);
}

TEST_F(Partition, ARolloverRefusesThoseThatWait) {
  make();
  store(a, 1, 1);
  load(a, 2, 2);
  EXPECT_FALSE(unit->can_retry());
  unit->stop();
  const auto refused = unit->retry();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->cause, AbortCause::rollover);
  EXPECT_EQ(refused->request.who, 2U);
}

// Whatever moves between table, stash, list and filter: what is reserved is exact, what is not is never too early.
TEST(GetmTable, IsExactForTheReservedAndNeverTooEarly) {
  GetmSpec spec;
  spec.precise_entries = 32;
  spec.stash_entries = 2;
  spec.approximate_entries = 16;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::Random random(seed);
    MetadataTable table(spec, 1);
    std::map<Granule, Metadata> truth;
    std::uint64_t probes = 0, evicted = 0;
    std::size_t overflowed = 0;
    for (unsigned step = 0; step < 4'000; ++step) {
      const Granule granule = random.below(120);
      TableCost cost;
      Metadata& entry = table.at(granule, cost);
      probes += cost.probes;
      evicted += cost.evicted;
      Metadata& known = truth[granule];
      ASSERT_GE(entry.wts, known.wts);
      ASSERT_GE(entry.rts, known.rts);
      if (entry.rts == known.rts && !known.reader.is_several() && known.rts != 0) {
        ASSERT_TRUE(entry.reader.is_several() || entry.reader.code() == known.reader.code());
      }
      if (known.reserved) {
        ASSERT_EQ(entry.owner, known.owner);
        ASSERT_EQ(entry.writes, known.writes);
        ASSERT_EQ(entry.wts, known.wts);
      }
      switch (random.below(4)) {
        case 0:
          if (step / 1'000 % 2 == 0 || random.below(3) == 0) {
            entry.reserved = true;
            entry.owner = random.below(9);
            entry.writes = 1 + random.below(9);
            entry.wts += random.below(3);
          }
          break;
        case 1:
          entry.reserved = false;
          break;
        default:
          entry.rts += random.below(3);
          entry.reader = random.below(2) == 0 ? Reader(random.below(4)) : Reader::several();
      }
      known = entry;
      table.tidy();
      overflowed = std::max(overflowed, table.overflowed());
      ASSERT_LE(table.stashed(), 2U);
    }
    EXPECT_GT(probes, 0U);
    EXPECT_GT(evicted, 0U);
    EXPECT_GT(overflowed, 0U);
  }
}

/// A table of one set of so many ways, without a stash.
GetmSpec one_set(unsigned ways) {
  GetmSpec spec;
  spec.precise_entries = spec.precise_ways = ways;
  spec.stash_entries = 0;
  return spec;
}

TEST(GetmTable, TellsWhatTheListInMemoryCosts) {
  GetmSpec spec = one_set(1);
  spec.insertion_probes = 0;
  MetadataTable table(spec, 1);
  TableCost cost;
  for (const Granule granule : {1, 2, 3}) table.at(granule, cost).reserved = true;
  EXPECT_EQ(table.overflowed(), 2U);
  EXPECT_EQ(cost.overflow, 1 + 1 + 1) << "one is appended, one is passed, one is appended";
  cost = {};
  table.at(3, cost).reserved = false;
  EXPECT_EQ(cost.overflow, 2);
  table.tidy();
  EXPECT_EQ(table.overflowed(), 1U);
}

TEST(GetmTable, TheEntryOfTheEarliestTimesLeaves) {
  MetadataTable table(one_set(2), 1);
  TableCost cost;
  table.at(1, cost).wts = 3;
  table.at(2, cost).rts = 9;
  table.at(3, cost).wts = 9;
  EXPECT_EQ(cost.evicted, 1);
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_NE(table.find(2), nullptr);
}

TEST(GetmTable, IsAsInTheBeginningWhenItHasBeenCleared) {
  MetadataTable table(one_set(1), 1);
  TableCost cost;
  table.at(1, cost).wts = 9;
  table.at(2, cost);
  ASSERT_EQ(cost.evicted, 1);
  EXPECT_EQ(table.at(1, cost).wts, 9U);
  table.clear();
  EXPECT_EQ(table.at(1, cost).wts, 0U) << "also its bound";
}

TEST(GetmTable, SharesTheEntriesOfTheGpu) {
  const MetadataTable table(GetmSpec{}, 6);
  EXPECT_EQ(table.capacity(), 4096 / 6 / 4 * 4 + 4);
}

TEST(GetmHash, IsLinearAndSpreads) {
  base::Random random(1);
  const protocols::transactions::H3 hash(random);
  EXPECT_EQ(hash(0), 0U);
  EXPECT_EQ(hash(0x1234) ^ hash(0x5600000), hash(0x5601234));
  std::set<std::uint32_t> seen;
  for (std::uint64_t key = 0; key < 1'000; ++key) seen.insert(hash(key << 20U));
  EXPECT_THAT(seen, SizeIs(testing::Gt(990U)));
}

TEST(GetmFilter, ForgetsNoReader) {
  RecencyFilter filter(1, 1);
  filter.insert(1, {4, 7, Reader(3)});
  EXPECT_TRUE(filter.bound(9).reader.is_only(3)) << "a bound for everything that shares its place";
  filter.insert(2, {6, 7, Reader(4)});
  EXPECT_EQ(filter.bound(1).wts, 6U);
  EXPECT_TRUE(filter.bound(1).reader.is_several());
  filter.insert(1, {0, 8, Reader(3)});
  EXPECT_TRUE(filter.bound(2).reader.is_only(3));
  filter.insert(1, {0, 2, Reader(4)});
  EXPECT_EQ(filter.bound(1).rts, 8U);
  EXPECT_TRUE(filter.bound(1).reader.is_only(3));
}

TEST(GetmFilter, OfBoundsOfOneTimeTheOneThatKnowsMoreIsTaken) {
  Times one{4, 7, Reader::several()};
  one.lower({5, 7, Reader(3)});
  EXPECT_TRUE(one.reader.is_only(3));
  one.lower({5, 7, Reader::several()});
  EXPECT_TRUE(one.reader.is_only(3));
  EXPECT_EQ(one.wts, 4U);
}

TEST(GetmCommitUnit, CommitsAGranuleOnce) {
  GetmSpec spec;
  for (const bool coalescing : {true, false}) {
    spec.coalescing = coalescing;
    CommitUnit unit(spec);
    unit.accept({{a, 1, 2, true, {{40, 7, 0xf, 0}}}, {b, 1, 1, false, {}}, {a, 1, 1, false, {}}});
    unit.accept({{a, 2, 1, true, {{40, 8, 0xf, 0}}}});
    EXPECT_EQ(unit.size(), coalescing ? 3U : 4U);
    const CommitUnit::Applied first = unit.take();
    EXPECT_EQ(first.region.writes, coalescing ? 3U : 2U);
    EXPECT_TRUE(first.region.commits);
    EXPECT_FALSE(first.completes);
    if (!coalescing) {
      EXPECT_FALSE(unit.take().completes);
    }
    EXPECT_TRUE(unit.take().completes) << "the last of warp 1";
    EXPECT_TRUE(unit.take().completes);
    EXPECT_TRUE(unit.empty());
    EXPECT_THROW(unit.take(), base::ModelError);
  }
}

TEST(GetmCommitUnit, TakesALargeLogWhenItIsEmpty) {
  GetmSpec spec;
  spec.commit_regions = 2;
  CommitUnit unit(spec);
  EXPECT_TRUE(unit.has_room(5));
  unit.accept({{a, 1, 1, true, {}}});
  EXPECT_TRUE(unit.has_room(1));
  EXPECT_FALSE(unit.has_room(2));
}

TEST(GetmRollover, StopsUnitsAndThenCores) {
  Rollover rollover(2, 2);
  EXPECT_THROW(rollover.unit_stopped(), base::ModelError);
  rollover.ask();
  rollover.ask();
  rollover.unit_stopped();
  EXPECT_THROW(rollover.core_stopped(), base::ModelError);
  rollover.unit_stopped();
  EXPECT_EQ(rollover.phase(), Rollover::Phase::stopping_cores);
  EXPECT_FALSE(rollover.core_stopped());
  EXPECT_TRUE(rollover.core_stopped());
  EXPECT_EQ(rollover.phase(), Rollover::Phase::none);
}

struct Warp : testing::Test {
  using Touch = WarpTransaction::Touch;
  void make() { warp = std::make_unique<WarpTransaction>(spec, 3); }
  /// Answers all requests.
  void answer(const WarpTransaction::Issued& issued, Verdict verdict = Verdict::done, Timestamp seen = 0) {
    for (const Request& request : issued.requests)
      warp->answered({request, verdict, verdict == Verdict::refused ? AbortCause::war : AbortCause::none, seen, {}});
  }
  WarpTransaction::Ended end() {
    return warp->end([](Granule granule) { return static_cast<unsigned>(granule % 2); });
  }

  GetmSpec spec;
  std::unique_ptr<WarpTransaction> warp;
};

TEST_F(Warp, AsksOnceAGranule) {
  make();
  warp->begin(0xf);
  const auto issued = warp->access(Access::store, {{0, 0, 1}, {1, 1, 2}, {2, 8, 3}, {2, 2, 4}, {3, 9, 5}});
  ASSERT_THAT(issued.requests, SizeIs(2));
  EXPECT_EQ(issued.aborted, 0U);
  EXPECT_EQ(issued.requests[0].granule, 0U);
  EXPECT_EQ(issued.requests[0].count, 3) << "lanes 0, 1 and 2";
  EXPECT_EQ(issued.requests[1].count, 2);
  EXPECT_EQ(issued.requests[0].who, 3U);
  EXPECT_EQ(issued.requests[0].at, first_timestamp);
}

TEST_F(Warp, OfLanesInConflictTheFirstGoesOn) {
  make();
  warp->begin(0x7);
  const auto issued = warp->access(Access::store, {{0, 4, 1}, {1, 4, 2}, {2, 5, 3}});
  EXPECT_EQ(issued.aborted, 0b010U);
  ASSERT_THAT(issued.requests, SizeIs(1));
  EXPECT_EQ(issued.requests[0].count, 2);
  EXPECT_EQ(warp->access(Access::load, {{2, 4, 0}}).aborted, 0b100U) << "reads what lane 0 writes";
  EXPECT_EQ(warp->access(Access::store, {{0, 5, 0}}).aborted, 0U) << "lane 2 does not count any more";
}

TEST_F(Warp, ReadersShareAndAWriterAmongThemAborts) {
  make();
  warp->begin(0x3);
  EXPECT_EQ(warp->access(Access::load, {{0, 4}, {1, 4}}).aborted, 0U);
  EXPECT_EQ(warp->access(Access::store, {{1, 4, 1}}).aborted, 0b10U);
  EXPECT_EQ(warp->access(Access::store, {{0, 4, 1}}).aborted, 0U) << "the last that lives never loses";
}

TEST_F(Warp, WordsThatShareAnEntryOfTheOwnershipTableConflict) {
  spec.ownership_entries = 16;
  make();
  warp->begin(0x3);
  EXPECT_EQ(warp->access(Access::store, {{0, 4, 1}, {1, 20, 1}}).aborted, 0b10U);
  spec.ownership_entries = 0;
  make();
  warp->begin(0x3);
  EXPECT_EQ(warp->access(Access::store, {{0, 4, 1}, {1, 20, 1}}).aborted, 0U);
}

TEST_F(Warp, ReadsItsOwnLog) {
  make();
  warp->begin(0x1);
  answer(warp->access(Access::store, {{0, 4, 0x11223344, 0b0011}}));
  EXPECT_THAT(warp->access(Access::load, {{0, 4, 0, 0b0001}}).requests, IsEmpty());
  EXPECT_THAT(warp->access(Access::load, {{0, 4}}).requests, SizeIs(1)) << "two bytes are in memory";
  answer(warp->access(Access::store, {{0, 4, 0xaabbccdd, 0b1010}}));
  const auto logged = warp->logged(0, 4);
  ASSERT_TRUE(logged);
  EXPECT_EQ(logged->value, 0xaa00cc44U);
  EXPECT_EQ(logged->bytes, 0b1011);
  EXPECT_FALSE(warp->logged(0, 5));
}

TEST_F(Warp, SendsWordsOfWhoCommitsAndCountsOfAll) {
  make();
  warp->begin(0x7);
  answer(warp->access(Access::store, {{0, 0, 1}, {1, 1, 2}}));
  answer(warp->access(Access::store, {{0, 8, 3}}));
  answer(warp->access(Access::store, {{0, 2, 4}}));
  answer(warp->access(Access::load, {{1, 80}}), Verdict::refused, 6);
  EXPECT_FALSE(warp->complete());
  warp->finish(0x7);
  ASSERT_TRUE(warp->complete());
  const auto ended = end();
  EXPECT_EQ(ended.committed, 0b101U);
  EXPECT_EQ(ended.aborted, 0b010U);
  EXPECT_EQ(warp->warpts(), 7U) << "behind what it heard of";
  ASSERT_THAT(ended.logs, SizeIs(2));
  const WarpLog& even = ended.logs.at(0);
  ASSERT_THAT(even, SizeIs(2));
  EXPECT_EQ(even[0].writes, 2U) << "of lane 0: two stores to granule 0";
  EXPECT_TRUE(even[0].commits);
  EXPECT_THAT(even[0].words, SizeIs(2));
  EXPECT_EQ(even[1].writes, 1U);
  EXPECT_FALSE(even[1].commits);
  EXPECT_THAT(even[1].words, IsEmpty());
  ASSERT_THAT(ended.logs.at(1), SizeIs(1));
  EXPECT_EQ(ended.logs.at(1)[0].words[0].value, 3U);

  EXPECT_FALSE(warp->may_begin()) << "what it has reserved would be taken for the next attempt's";
  EXPECT_FALSE(warp->acknowledged(3));
  EXPECT_FALSE(warp->may_begin());
  EXPECT_TRUE(warp->acknowledged(3));
  EXPECT_TRUE(warp->may_begin());
  EXPECT_THROW(warp->acknowledged(3), base::ModelError);
}

TEST_F(Warp, AttemptsWithTagsOverlapTheirCommits) {
  spec.attempt_tags = 2;
  make();
  std::vector<Requester> used;
  for (int i = 0; i < 2; ++i) {
    warp->begin(0x1);
    used.push_back(warp->who());
    answer(warp->access(Access::store, {{0, 0, 1}}));
    warp->finish(0x1);
    EXPECT_EQ(end().who, used.back());
  }
  EXPECT_THAT(used, ElementsAre(7, 6));
  EXPECT_FALSE(warp->may_begin()) << "7 is still to be released";
  warp->acknowledged(6);
  EXPECT_FALSE(warp->may_begin());
  warp->acknowledged(7);
  EXPECT_TRUE(warp->may_begin());
}

TEST_F(Warp, ALaneThatIsRefusedWhileMoreIsUnderWayCleansUpAll) {
  make();
  warp->begin(0x1);
  const auto first = warp->access(Access::load, {{0, 0}});
  const auto second = warp->access(Access::store, {{0, 8, 1}});
  answer(first, Verdict::refused, 4);
  EXPECT_EQ(warp->live(), 0U);
  EXPECT_FALSE(warp->complete()) << "the store is under way";
  answer(second);
  ASSERT_TRUE(warp->complete());
  const auto ended = end();
  EXPECT_EQ(ended.aborted, 0x1U);
  EXPECT_EQ(ended.logs.at(1)[0].writes, 1U);
}

TEST_F(Warp, GivesUpForARollover) {
  make();
  warp->begin(0x3);
  const auto issued = warp->access(Access::store, {{0, 0, 1}});
  warp->stop();
  EXPECT_FALSE(warp->stopped());
  EXPECT_THROW(warp->access(Access::load, {{1, 8}}), base::ModelError);
  EXPECT_THROW(warp->restart(), base::ModelError);
  answer(issued, Verdict::done, 9);
  warp->finish(0x3);
  EXPECT_FALSE(warp->complete()) << "nothing ends now";
  ASSERT_TRUE(warp->stopped());
  EXPECT_EQ(warp->restart(), 0x3U);
  EXPECT_EQ(warp->warpts(), first_timestamp);
  EXPECT_TRUE(warp->may_begin());
}

TEST_F(Warp, ItsTimeEndsAtTheLastOne) {
  spec.timestamp_bits = 3;
  make();
  warp->begin(0x1);
  answer(warp->access(Access::load, {{0, 0}}), Verdict::refused, 7);
  end();
  EXPECT_EQ(warp->warpts(), 7U);
}

TEST_F(Warp, ErrorsOfItsHostAreFound) {
  make();
  EXPECT_THROW(warp->begin(0), base::ModelError);
  EXPECT_THROW(end(), base::ModelError);
  warp->begin(0x1);
  EXPECT_THROW(warp->begin(0x1), base::ModelError);
  EXPECT_THROW(warp->answered({{Access::load, 0, 3, 1, 1, 5}, Verdict::done, {}, 0, {}}), base::ModelError);
}

}  // namespace
}  // namespace syncline::tests
