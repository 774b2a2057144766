// How GETM validates accesses at a partition, step by step: whom it lets go, refuses and parks.
#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"
#include "protocols/transactions/getm/validation_unit.h"

namespace syncline::tests {
namespace {

using namespace protocols::getm;

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

}  // namespace
}  // namespace syncline::tests
