// A warp's side of WarpTM, step by step, and what keeps transactions apart before they commit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "protocols/transactions/warptm/conflict_tables.h"
#include "protocols/transactions/warptm/intra_warp.h"
#include "protocols/transactions/warptm/running.h"
#include "protocols/transactions/warptm/warp_transaction.h"

namespace syncline::tests {
namespace {

using namespace protocols::warptm;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Lanes = base::LaneMask;
constexpr std::uint64_t x = 8, x1 = 9, y = 16;

LoggedWord at(std::uint64_t word, std::uint32_t value = 0, unsigned lane = 0, std::uint8_t bytes = 0xf) {
  return {word, value, bytes, static_cast<std::uint8_t>(lane)};
}

struct WarptmLockstep : testing::Test {
  Lanes aborted(IntraWarp how, const std::vector<LoggedWord>& reads, const std::vector<LoggedWord>& writes) {
    spec.intra_warp = how;
    return conflicting_lanes(spec, 0x7, reads, writes);
  }
  WarptmSpec spec;
};

TEST_F(WarptmLockstep, TheLowestWriterStays) {
  for (const IntraWarp how : {IntraWarp::two_phase, IntraWarp::serial, IntraWarp::perfect}) {
    EXPECT_EQ(aborted(how, {}, {at(x, 0, 2), at(x, 0, 1)}), 0x4U);
    EXPECT_EQ(aborted(how, {at(x, 0, 2)}, {at(x, 0, 1)}), 0x4U) << "it has read what was there before";
    EXPECT_EQ(aborted(how, {at(x, 0, 1), at(x, 0, 2)}, {}), 0U) << "readers do not conflict";
  }
  EXPECT_EQ(aborted(IntraWarp::none, {}, {at(x, 0, 2), at(x, 0, 1)}), 0U);
}

TEST_F(WarptmLockstep, AReaderBelowTheWriterIsBeforeIt) {
  EXPECT_EQ(aborted(IntraWarp::two_phase, {at(x, 0, 0)}, {at(x, 0, 1)}), 0U);
  EXPECT_EQ(aborted(IntraWarp::serial, {at(x, 0, 0)}, {at(x, 0, 1)}), 0x2U) << "readers mark, too";
}

TEST_F(WarptmLockstep, ALaneThatAbortsStillAbortsOthersInTwoPhases) {
  const std::vector<LoggedWord> writes{at(x, 0, 0), at(x, 0, 1), at(y, 0, 1), at(y, 0, 2)};
  EXPECT_EQ(aborted(IntraWarp::two_phase, {}, writes), 0x6U);
  EXPECT_EQ(aborted(IntraWarp::serial, {}, writes), 0x2U);
}

TEST_F(WarptmLockstep, WordsOfOneEntryConflict) {
  spec.ownership_entries = 8;
  const std::vector<LoggedWord> writes{at(x, 0, 0), at(y, 0, 1)};
  EXPECT_EQ(aborted(IntraWarp::two_phase, {}, writes), 0x2U);
  EXPECT_EQ(aborted(IntraWarp::serial, {}, writes), 0x2U);
  EXPECT_EQ(aborted(IntraWarp::perfect, {}, writes), 0U);
  spec.ownership_entries = 0;
  EXPECT_EQ(aborted(IntraWarp::two_phase, {}, writes), 0U);
}

struct WarptmCore : testing::Test {
  WarpTransaction make() { return WarpTransaction(spec, 3); }
  static void load(WarpTransaction& warp, const LoggedWord& read, Time now, Time written) {
    warp.asks(read.lane, now);
    warp.loaded(read, written);
  }
  static unsigned home(std::uint64_t word) { return static_cast<unsigned>(word / 8 % 2); }
  WarptmSpec spec;
};

TEST_F(WarptmCore, LoadsFindWhatTheLaneHasWritten) {
  WarpTransaction warp = make();
  warp.begin(0x3);
  EXPECT_EQ(warp.missing(at(x)), 0xfU);
  warp.store(at(x, 0x11223344, 0, 0x3));
  EXPECT_EQ(warp.missing(at(x)), 0xcU);
  EXPECT_EQ(warp.missing(at(x, 0, 1)), 0xfU) << "lanes do not see each other";
  warp.store(at(x, 0xaa0000bb, 0, 0x9));
  EXPECT_EQ(warp.logged(0, x)->value, 0xaa0033bbU);
  EXPECT_EQ(warp.logged(0, x)->bytes, 0xbU);
  EXPECT_FALSE(warp.logged(1, x));
}

TEST_F(WarptmCore, WalksToItsCommit) {
  WarpTransaction warp = make();
  warp.begin(0x3);
  load(warp, at(x, 5, 0), 10, 99);
  warp.store(at(y, 6, 0));
  load(warp, at(y, 7, 1), 10, 99);
  warp.store(at(x1, 8, 1));
  warp.finish(0x1);
  EXPECT_FALSE(warp.complete());
  EXPECT_THROW(warp.resolve(), base::ModelError);
  warp.finish(0x2);
  ASSERT_TRUE(warp.complete());
  const auto resolved = warp.resolve();
  EXPECT_EQ(resolved.silent, 0U);
  EXPECT_EQ(resolved.intra_warp, 0x2U) << "lane 0 writes y";
  EXPECT_EQ(warp.wants(), 1U);
  const auto sent = warp.send(4, 3, home);
  ASSERT_THAT(sent, SizeIs(3));
  EXPECT_EQ(sent[0].first, 0U);
  EXPECT_THAT(sent[0].second.writes, ElementsAre(at(y, 6, 0)));
  EXPECT_THAT(sent[1].second.reads, ElementsAre(at(x, 5, 0)));
  EXPECT_TRUE(sent[2].second.skip);
  EXPECT_TRUE(sent[2].second.last);
  EXPECT_EQ(sent[2].second.ticket, 4U);
  EXPECT_FALSE(warp.replied({4, 3, 0}));
  const auto outcomes = warp.replied({4, 3, 0});
  ASSERT_TRUE(outcomes);
  EXPECT_EQ(outcomes->outcome.commits, 0x1U);
  EXPECT_THAT(outcomes->to, ElementsAre(std::make_pair(0U, true), std::make_pair(1U, false))) << "whoever has replied";
  EXPECT_FALSE(warp.done());
  EXPECT_THROW(warp.replied({4, 3, 0}), base::ModelError);
  warp.drained(4);
  ASSERT_TRUE(warp.done()) << "the other partition has nothing to write";
  EXPECT_THROW(warp.drained(4), base::ModelError);
  const auto ended = warp.end();
  EXPECT_EQ(ended.committed, 0x1U);
  EXPECT_EQ(ended.aborted, 0x2U);
  warp.begin(0x2);
  EXPECT_FALSE(warp.logged(1, x1)) << "logs are of an attempt";
}

TEST_F(WarptmCore, LanesThatFailAnywhereAbort) {
  WarpTransaction warp = make();
  warp.begin(0x3);
  load(warp, at(x, 0, 0), 1, 9);
  load(warp, at(y, 0, 1), 1, 9);
  warp.store(at(y + 1, 1, 0));
  warp.store(at(x1, 1, 1));
  warp.finish(0x3);
  warp.resolve();
  warp.send(1, 2, home);
  warp.replied({1, 3, 0x1});
  EXPECT_EQ(warp.replied({1, 3, 0})->outcome.commits, 0x2U);
  warp.drained(1);
  EXPECT_EQ(warp.end().aborted, 0x1U);
}

TEST_F(WarptmCore, ReadersOfOneTimeCommitSilently) {
  WarpTransaction warp = make();
  warp.begin(0x7);
  load(warp, at(x, 0, 0), 10, 9);
  load(warp, at(y, 0, 0), 20, 9);
  load(warp, at(x, 0, 1), 10, 10);  // of the same cycle: nobody knows which was first
  warp.finish(0x7);
  const auto resolved = warp.resolve();
  EXPECT_EQ(resolved.silent, 0x5U) << "lane 2 has done nothing";
  EXPECT_EQ(warp.wants(), 1U);

  spec.tcd = false;
  WarpTransaction other = make();
  other.begin(0x3);
  load(other, at(x, 0, 0), 10, 9);
  other.finish(0x3);
  EXPECT_EQ(other.resolve().silent, 0x2U);
}

TEST_F(WarptmCore, NobodyToValidateIsTheEnd) {
  WarpTransaction warp = make();
  warp.begin(0x1);
  warp.abort(0x1);
  EXPECT_TRUE(warp.complete());
  warp.resolve();
  EXPECT_TRUE(warp.done());
  EXPECT_EQ(warp.end().aborted, 0x1U);
}

TEST_F(WarptmCore, WithoutCoalescingEachEntryIsAPacket) {
  spec = WarptmSpec::of(Design::kilotm);
  WarpTransaction warp = make();
  warp.begin(0x3);
  load(warp, at(y, 1, 0), 1, 9);
  warp.store(at(y, 2, 0));
  warp.store(at(y, 3, 1));
  warp.finish(0x3);
  EXPECT_EQ(warp.resolve().intra_warp, 0U) << "validation finds it";
  ASSERT_EQ(warp.wants(), 2U);
  const auto sent = warp.send(5, 1, [](std::uint64_t) { return 0U; });
  ASSERT_THAT(sent, SizeIs(5));
  EXPECT_THAT(sent[0].second.reads, SizeIs(1));
  EXPECT_THAT(sent[1].second.writes, SizeIs(1));
  EXPECT_TRUE(sent[2].second.last);
  EXPECT_FALSE(sent[2].second.skip);
  EXPECT_EQ(sent[3].second.ticket, 6U);
  EXPECT_TRUE(warp.replied({6, 3, 0x2}));
  EXPECT_FALSE(warp.done());
  EXPECT_TRUE(warp.replied({5, 3, 0}));
  warp.drained(5);
  EXPECT_EQ(warp.end().aborted, 0x2U);
}

TEST_F(WarptmCore, EagerDetectionSendsWritesAlone) {
  spec = WarptmSpec::of(Design::warptm_el);
  WarpTransaction warp = make();
  warp.begin(0x3);
  load(warp, at(x, 1, 0), 1, 9);
  load(warp, at(y, 1, 1), 1, 9);
  warp.store(at(x, 2, 0));
  warp.finish(0x3);
  EXPECT_EQ(warp.resolve().silent, 0x2U) << "nobody can have written what it reads";
  const auto sent = warp.send(1, 1, [](std::uint64_t) { return 0U; });
  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_THAT(sent[0].second.reads, IsEmpty());
  EXPECT_THAT(sent[0].second.writes, SizeIs(1));
}

TEST(WarptmRunningAccesses, LetTheFirstGoOn) {
  RunningAccesses running;
  EXPECT_TRUE(running.access(Access::load, x, {1, 0}));
  EXPECT_TRUE(running.access(Access::load, x, {2, 0}));
  EXPECT_FALSE(running.access(Access::store, x, {2, 0})) << "another one has read it";
  running.release({1, 0});
  EXPECT_TRUE(running.access(Access::store, x, {2, 0})) << "only itself";
  EXPECT_FALSE(running.access(Access::load, x, {2, 1})) << "lanes of one warp are two";
  running.release({2, 0});
  EXPECT_TRUE(running.empty());
}

struct WarptmEarly : testing::Test {
  WarptmSpec spec = WarptmSpec::of(Design::eapg);
};

TEST_F(WarptmEarly, OnlyTheFirstAndTheLastOfAWordAreTold) {
  ReferenceCounts counts(spec);
  Broadcast told = counts.enter({at(x)}, {at(y)});
  EXPECT_THAT(told.read, ElementsAre(x));
  EXPECT_THAT(told.written, ElementsAre(y));
  told = counts.enter({at(x)}, {at(x)});
  EXPECT_THAT(told.read, IsEmpty());
  EXPECT_THAT(told.written, ElementsAre(x));
  EXPECT_THAT(counts.leave({at(x)}, {at(x)}).no_more_written, ElementsAre(x));
  told = counts.leave({at(x)}, {at(y)});
  EXPECT_THAT(told.no_more_read, ElementsAre(x));
  EXPECT_THAT(told.no_more_written, ElementsAre(y));
  EXPECT_EQ(counts.size(), 0U);
  EXPECT_TRUE(counts.leave({at(x)}, {}).empty());
}

TEST_F(WarptmEarly, WhatCameAndLeftIsNotTold) {
  Broadcast told{{x}, {y}, {}, {}};
  merge(told, {{}, {x1}, {x}, {}});
  EXPECT_THAT(told.read, IsEmpty());
  EXPECT_THAT(told.no_more_read, IsEmpty());
  EXPECT_THAT(told.written, ElementsAre(y, x1));
  Broadcast gone{{}, {}, {x}, {}};
  merge(gone, {{x}, {}, {}, {}});
  EXPECT_TRUE(gone.empty());
}

TEST_F(WarptmEarly, FullTablesForget) {
  spec.conflict_entries = 1;
  ReferenceCounts counts(spec);
  EXPECT_THAT(counts.enter({at(x), at(y)}, {}).read, ElementsAre(x));
  EXPECT_TRUE(counts.enter({at(x)}, {}).empty()) << "a second reader of what the table has";
  EXPECT_TRUE(counts.leave({at(x), at(y)}, {}).empty());
  EXPECT_THAT(counts.leave({at(x)}, {}).no_more_read, ElementsAre(x));
  ConflictTable table(spec);
  table.apply({{}, {x, y}, {}, {}});
  EXPECT_TRUE(table.conflicts(Access::load, x));
  EXPECT_FALSE(table.conflicts(Access::load, y));
  table.apply({{}, {}, {}, {x}});
  EXPECT_EQ(table.size(), 0U);
}

TEST_F(WarptmEarly, ConflictsAreWithWritersAndOfWriters) {
  ConflictTable table(spec);
  table.apply({{x}, {y}, {}, {}});
  EXPECT_FALSE(table.conflicts(Access::load, x));
  EXPECT_TRUE(table.conflicts(Access::store, x));
  EXPECT_TRUE(table.conflicts(Access::load, y));
  EXPECT_FALSE(table.conflicts(Access::store, x1));
}

TEST_F(WarptmEarly, LanesThatConflictAbortButOne) {
  ConflictTable table(spec);
  table.apply({{x}, {}, {}, {}});
  const auto resolved = [&](std::uint64_t first, std::uint64_t second) {
    WarpTransaction warp(spec, 0);
    warp.begin(0x3);
    warp.store(at(first, 1, 0));
    warp.store(at(second, 1, 1));
    warp.finish(0x3);
    return warp.resolve(&table).early;
  };
  EXPECT_EQ(resolved(x, y), 0x1U);
  EXPECT_EQ(resolved(x1, x), 0x2U);
  EXPECT_EQ(resolved(y, x1), 0U);
  WarpTransaction alone(spec, 0);
  alone.begin(0x1);
  alone.store(at(x, 1, 0));
  alone.finish(0x1);
  EXPECT_EQ(alone.resolve(&table).early, 0U) << "somebody has to try";
}

}  // namespace
}  // namespace syncline::tests
