// A partition under WarpTM, step by step: validation, the order of commits, and what it knows of writers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "protocols/transactions/warptm/commit_unit.h"
#include "protocols/transactions/warptm/entry_machine.h"
#include "protocols/transactions/warptm/tickets.h"
#include "protocols/transactions/warptm/write_times.h"
#include "protocols/transactions/warptm/writer_history.h"

namespace syncline::tests {
namespace {

using namespace protocols::warptm;
using testing::ElementsAre;

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

}  // namespace
}  // namespace syncline::tests
