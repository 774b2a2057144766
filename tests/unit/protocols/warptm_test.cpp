// The machines of WarpTM, step by step: a partition's units, a warp's side, and what is about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "protocols/transactions/warptm/commit_unit.h"
#include "protocols/transactions/warptm/conflict_tables.h"
#include "protocols/transactions/warptm/intra_warp.h"
#include "protocols/transactions/warptm/running.h"
#include "protocols/transactions/warptm/tickets.h"
#include "protocols/transactions/warptm/warp_transaction.h"
#include "protocols/transactions/warptm/write_times.h"

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

struct WarptmPartition : testing::Test {
  void make() {
    machine = std::make_unique<EntryMachine>();
    unit = std::make_unique<CommitUnit>(spec, *machine);
  }
  void receive(Ticket ticket, std::vector<LoggedWord> reads, std::vector<LoggedWord> writes, bool last = true) {
    unit->receive({ticket, static_cast<Warp>(ticket), std::move(reads), std::move(writes), last, false});
  }
  void skip(Ticket ticket) { unit->receive({ticket, 0, {}, {}, true, true}); }
  /// Memory holds `value` in every word.
  unsigned validate(std::uint32_t value) {
    unsigned reads = 0;
    for (; unit->has_read(); ++reads) unit->answer(unit->next_read(), value);
    return reads;
  }
  /// The reply that the unit comes to, if any.
  std::optional<Reply> reply() {
    while (unit->detect()) {
    }
    const auto passed = unit->pass();
    return passed ? passed->reply : std::nullopt;
  }
  void write_all(Ticket ticket, Lanes lanes) {
    unit->decide({ticket, lanes});
    while (unit->has_write()) unit->acknowledge(unit->next_write());
    while (unit->retire()) {
    }
  }

  WarptmSpec spec;
  std::unique_ptr<EntryMachine> machine;
  std::unique_ptr<CommitUnit> unit;
};

TEST_F(WarptmPartition, LetsPassWhatMemoryStillHoldsAndWritesIt) {
  make();
  receive(1, {at(x, 7)}, {at(y, 8)});
  EXPECT_FALSE(reply()) << "memory has not been read";
  EXPECT_EQ(validate(7), 1U);
  const auto passed = reply();
  ASSERT_TRUE(passed);
  EXPECT_EQ(passed->ticket, 1U);
  EXPECT_EQ(passed->failed, 0U);
  EXPECT_FALSE(unit->has_write()) << "the core has not heard of the others";
  unit->decide({1, 1});
  ASSERT_TRUE(unit->has_write());
  const CommitUnit::Write write = unit->next_write();
  EXPECT_THAT(write.words, ElementsAre(at(y, 8)));
  EXPECT_FALSE(unit->retire());
  EXPECT_TRUE(unit->acknowledge(write)) << "all is in memory";
  EXPECT_TRUE(unit->retire());
  EXPECT_TRUE(unit->empty());
  EXPECT_EQ(unit->retired(), 2U);
}

TEST_F(WarptmPartition, FailsLanesAloneThatHaveReadSomethingElse) {
  make();
  receive(1, {at(x, 7, 0), at(x1, 6, 1)}, {at(y, 1, 0), at(y + 1, 2, 1)});
  validate(7);
  EXPECT_EQ(reply()->failed, 2U);
  unit->decide({1, 1});
  const CommitUnit::Write write = unit->next_write();
  EXPECT_THAT(write.words, ElementsAre(at(y, 1, 0))) << "of lanes that commit";
  EXPECT_FALSE(unit->has_write());
}

TEST_F(WarptmPartition, ComparesOnlyBytesThatWereRead) {
  make();
  receive(1, {at(x, 0x1234, 0, 0x3)}, {});
  validate(0xabcd1234);
  EXPECT_EQ(reply()->failed, 0U);
}

TEST_F(WarptmPartition, ValidatesOnceMoreBehindAWriterOfWhatItReads) {
  make();
  receive(1, {}, {at(x, 1)});
  receive(2, {at(x, 1)}, {at(y, 1)});
  EXPECT_EQ(validate(0), 1U);  // 2 reads what 1 has not written yet: it fails, whatever comes
  EXPECT_EQ(reply()->ticket, 1U);
  EXPECT_EQ(reply()->failed, 1U);

  make();
  receive(1, {}, {at(x, 1)});
  receive(2, {at(x, 0)}, {at(y, 1)});
  EXPECT_EQ(validate(0), 1U);
  EXPECT_EQ(reply()->ticket, 1U);
  EXPECT_FALSE(reply()) << "1 is to write x";
  write_all(1, 1);
  EXPECT_FALSE(reply());
  EXPECT_EQ(validate(1), 1U) << "it asks again";
  EXPECT_EQ(reply()->failed, 1U) << "1 has written something else";
}

TEST_F(WarptmPartition, NeedsNoSecondLookAtWhatWasRetiredWhenItsLogCame) {
  make();
  receive(1, {}, {at(x, 1)});
  reply();
  write_all(1, 1);
  receive(2, {at(x, 1)}, {});
  validate(1);
  EXPECT_TRUE(reply());
}

TEST_F(WarptmPartition, CountsFromTheFirstPacketOfALog) {
  make();
  receive(1, {}, {at(x, 1)});
  receive(2, {at(x, 1)}, {}, false);
  validate(1);
  reply();
  write_all(1, 1);
  receive(2, {}, {at(y, 2)});
  EXPECT_FALSE(reply()) << "1 was not retired when memory was asked for x";
  EXPECT_EQ(validate(1), 1U);
  EXPECT_EQ(reply()->failed, 0U);
}

TEST_F(WarptmPartition, PassesAndWritesInTheOrderOfCommitIDs) {
  make();
  receive(2, {}, {at(x, 2)});
  EXPECT_FALSE(reply()) << "what 1 writes is not known";
  receive(1, {}, {at(x, 1)});
  EXPECT_EQ(reply()->ticket, 1U);
  EXPECT_EQ(reply()->ticket, 2U) << "only to read would be to wait for";
  unit->decide({2, 1});
  EXPECT_FALSE(unit->has_write());
  unit->decide({1, 1});
  EXPECT_EQ(unit->next_write().ticket, 1U);
  EXPECT_EQ(unit->next_write().ticket, 2U) << "1 has told memory all";
}

TEST_F(WarptmPartition, TakesPartsOfLogsAndNoLogAtAll) {
  make();
  receive(2, {at(x, 0)}, {}, false);
  receive(2, {}, {at(y, 1)}, false);
  receive(2, {}, {}, true);
  validate(0);
  EXPECT_FALSE(reply());
  skip(1);
  EXPECT_EQ(reply()->ticket, 2U);
  EXPECT_TRUE(unit->retire()) << "1 has nothing to do here";
  unit->decide({2, 0});
  EXPECT_TRUE(unit->retire()) << "it fails elsewhere, and writes nothing";
}

TEST_F(WarptmPartition, WritesWhatSharesASectorAtOnceIfItCoalesces) {
  const std::vector<LoggedWord> log{at(x1, 2), at(y, 3), at(x, 1)};
  make();
  receive(1, {}, log);
  reply();
  unit->decide({1, 1});
  EXPECT_THAT(unit->next_write().words, ElementsAre(at(x, 1), at(x1, 2)));
  EXPECT_THAT(unit->next_write().words, ElementsAre(at(y, 3)));

  spec.coalescing = false;
  make();
  receive(1, {}, log);
  reply();
  unit->decide({1, 1});
  EXPECT_THAT(unit->next_write().words, ElementsAre(at(x1, 2)));
}

TEST_F(WarptmPartition, RefusesWhatItCannotKnow) {
  spec.ring_entries = 2;
  make();
  EXPECT_THROW(receive(3, {}, {at(x, 1)}), base::ModelError) << "no room";
  EXPECT_THROW(unit->decide({1, 1}), base::ModelError);
  EXPECT_THROW(unit->next_write(), base::ModelError);
  EXPECT_THROW(unit->next_read(), base::ModelError);
  receive(1, {}, {at(x, 1)});
  EXPECT_THROW(receive(1, {}, {at(x, 1)}), base::ModelError) << "its log was complete";
  EXPECT_THROW(unit->decide({1, 1}), base::ModelError) << "it has not replied";
}

TEST_F(WarptmPartition, KnowsWhatIsToBeWritten) {
  make();
  EXPECT_FALSE(unit->awaits_write(x));
  receive(1, {}, {at(x, 1)});
  EXPECT_FALSE(unit->awaits_write(x)) << "before hazard detection nobody can have let it pass";
  reply();
  EXPECT_TRUE(unit->awaits_write(x));
  EXPECT_FALSE(unit->awaits_write(y));
  WriteTimes times(spec);
  times.note(x, 10);
  EXPECT_EQ(last_write(spec, *unit, times, x, 20), 20U);
  spec.tcd_rule = TcdRule::thesis;
  EXPECT_EQ(last_write(spec, *unit, times, x, 20), 10U);
  spec.tcd = false;
  EXPECT_EQ(last_write(spec, *unit, times, x, 20), 20U) << "nothing is old enough";
  write_all(1, 1);
  EXPECT_FALSE(unit->awaits_write(x));
}

TEST(WarptmWriterHistory, NeverForgetsAWriter) {
  WarptmSpec spec;
  spec.history_sets = 2;
  spec.history_ways = 2;
  spec.history_filter_entries = 4;
  WriterHistory history(spec);
  EXPECT_EQ(history.last(3), 0U);
  for (Ticket ticket = 1; ticket <= 100; ++ticket) history.note(ticket % 37, ticket);
  for (Ticket ticket = 64; ticket <= 100; ++ticket) {
    EXPECT_GE(history.last(ticket % 37), ticket);
    EXPECT_LE(history.last(ticket % 37), 100U);
  }
  EXPECT_EQ(history.last(100 % 37), 100U) << "exact while it is in the table";
}

TEST(WarptmWriteTimes, AreNeverTooEarly) {
  WarptmSpec spec;
  spec.tcd_entries = 4;
  spec.tcd_granularity = 4;
  WriteTimes times(spec);
  for (Time now = 1; now <= 100; ++now) times.note(now % 37, now);
  for (Time now = 64; now <= 100; ++now) EXPECT_GE(times.last(now % 37), now);
  spec.tcd_granularity = 128;
  WriteTimes lines(spec);
  lines.note(0, 5);
  EXPECT_EQ(lines.last(31), 5U) << "128 bytes share a time";
}

TEST(WarptmTickets, AreGivenOutAsFarAsAllRingsHaveRoom) {
  WarptmSpec spec;
  spec.ring_entries = 2;
  Tickets tickets(spec, 2);
  EXPECT_FALSE(tickets.may_take(3));
  EXPECT_EQ(tickets.take(2), 1U);
  EXPECT_FALSE(tickets.may_take(1));
  tickets.retired(0, 2);
  EXPECT_FALSE(tickets.may_take(1)) << "the other partition has not retired any";
  tickets.retired(1, 2);
  EXPECT_TRUE(tickets.may_take(1));
  EXPECT_EQ(tickets.take(1), 3U);
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
