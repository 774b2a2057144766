// Temporal Coherence in real caches: leases that end by time alone, stores and fences that wait for them, lines that
// hold a miss register until a timer ends it, and all rows of the tables under random traffic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <exception>

#include "platform/stress/row_coverage.h"
#include "tests/support/platform_fixture.h"
#include "tests/unit/caches/hierarchy_fixture.h"
#include "tests/unit/caches/random_tester.h"

namespace syncline::tests {
namespace {

using isa::Scope;
using isa::Semantics;
using models::L1Kind;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class TcInCaches : public HierarchyFixture {
 protected:
  static constexpr std::uint64_t a = 0x1000, b = 0x1080;
  void build(const std::string& policy, std::uint32_t ticks) {
    spec.coherence.policy = policy;
    spec.coherence.tc.lease = ticks;
    spec.coherence.tc.predictor = protocols::TcPredictor::fixed;
    HierarchyFixture::build();
  }
  /// Core cycles that `body` takes.
  template <class Body>
  double cycles(Body&& body) {
    const auto start = sc_core::sc_time_stamp().value();
    body();
    return static_cast<double>(sc_core::sc_time_stamp().value() - start) / 714;
  }
  /// An access of one word that is not waited for.
  void begin(unsigned sm, models::MessageClass what, std::uint64_t address) {
    models::Message& m = cores[sm]->request(what, L1Kind::global, address);
    m.mask.set(0, 4);
    const auto start = sc_core::sc_time_stamp().value();
    cores[sm]->send(m, [this, start](models::Message&) {
      took = static_cast<double>(sc_core::sc_time_stamp().value() - start) / 714;
    });
  }
  double took = 0;  ///< core cycles, of what began last and is over
  /// Longest that an access takes when nothing holds it up, with the fixture's steps of waiting.
  static constexpr double quick = 500, lease = 4000;
};

TEST_F(TcInCaches, ACopyEndsByItself) {
  build("tc_strong", 400);
  load(0, a);
  load(0, a);
  EXPECT_EQ(stat("l1_0.load_hits"), 1);
  run_ns(400);  // 560 cycles
  load(0, a);
  EXPECT_EQ(stat("l1_0.load_hits"), 1);
  EXPECT_EQ(stat("l1_0.sent_GETS"), 2);
  expect_clean();
}

TEST_F(TcInCaches, AGridBeginsWithoutCopies) {
  build("tc_strong", lease);
  load(0, a);
  control(0, L1Kind::grid_begin);
  load(0, a);
  EXPECT_EQ(stat("l1_0.load_hits"), 0);
}

TEST_F(TcInCaches, AStoreWaitsForTheLeasesOfOthers) {
  build("tc_strong", lease);
  system->debug_word(a, 1);
  load(0, a);
  EXPECT_GT(cycles([&] { store(1, a, 2); }), lease - quick) << "the request is looked up again when the lease is over";
  EXPECT_EQ(load(0, a), 2U);
  EXPECT_GT(stat("part0_l2.stall_protocol"), (lease - quick) / 2) << "in L2 cycles";
  expect_clean();
}

TEST_F(TcInCaches, WhatStandsBehindAStoreThatWaitsWaitsToo) {
  build("tc_strong", lease);
  load(0, a);
  begin(1, models::MessageClass::store_request, a);
  EXPECT_GT(cycles([&] { load(1, b); }), lease - quick) << "another line, but the same queue";
}

/// A store that waits for a lease of SM 0.
class TcRecycles : public TcInCaches {
 protected:
  void SetUp() override {
    spec.coherence.tc.recycle_cycles = 10;
    build("tc_strong", lease);
    system->debug_word(a, 1);
    load(0, a);
    begin(1, models::MessageClass::store_request, a);
    run_ns(500);
  }
};

TEST_F(TcRecycles, OtherLinesPass) {
  EXPECT_LT(cycles([&] { load(0, b); }), quick);
  EXPECT_LT(cycles([&] { load(1, b); }), quick);
  EXPECT_GT(stat("part0_l2.recycles"), 10);
  EXPECT_EQ(took, 0) << "the store waits";
}

TEST_F(TcRecycles, LoadsOfOthersPassAndHoldTheStoreNoLonger) {
  for (unsigned i = 0; i < 5; ++i) {
    control(0, L1Kind::grid_begin);  // its copy is gone, and the load asks the home
    EXPECT_LT(cycles([&] { EXPECT_EQ(load(0, a), 1U); }), quick);
  }
  EXPECT_EQ(stat("l1_0.sent_GETS"), 6);
  EXPECT_EQ(took, 0) << "the store waits";
  run_ns(4000);
  EXPECT_GT(took, lease - quick);
  EXPECT_LT(took, lease + quick) << "as it would have with the first lease alone";
  EXPECT_EQ(load(0, a), 0U) << "which the store has written";
}

TEST_F(TcRecycles, ALoadOfItsOwnSmStaysBehindIt) {
  EXPECT_GT(cycles([&] { EXPECT_EQ(load(1, a), 0U); }), lease / 2);
  EXPECT_NE(took, 0);
}

TEST_F(TcInCaches, TheOnlyHolderStoresAtOnce) {
  build("tc_strong", lease);
  load(0, a);
  EXPECT_LT(cycles([&] { store(0, a, 7); }), quick);
  EXPECT_EQ(stat("l1_0.sent_UPGRADE"), 1);
  EXPECT_EQ(load(0, a), 7U);
  EXPECT_EQ(stat("l1_0.load_hits"), 1) << "the lease goes on";
}

TEST_F(TcInCaches, AnEvictedLineHoldsAMissRegisterUntilItsLeaseIsOver) {
  spec.l2.size = 128;
  spec.l2.ways = 1;
  build("tc_strong", lease);
  store(0, a, 5);
  load(0, a);
  load(0, a + 0x1000);  // evicts
  EXPECT_THAT(system->slices[0]->lines().describe(), Contains(HasSubstr("line 0x1000 in MI")));
  EXPECT_THAT(system->slices[0]->check_end_of_run(), IsEmpty()) << "a timer is nobody's loss";
  EXPECT_EQ(stat("part0_l2.mshrs_in_use"), 1);
  run_ns(static_cast<int>(lease * 0.8));
  EXPECT_THAT(system->slices[0]->lines().describe(), IsEmpty());
  EXPECT_EQ(load(1, a), 5U);
}

TEST_F(TcInCaches, ALineThatIsRememberedIsOutOfReachUntilItsLeaseIsOver) {
  spec.l2.size = 128;
  spec.l2.ways = 1;
  build("tc_strong", lease);
  load(0, a);
  load(0, a + 0x1000);
  EXPECT_GT(cycles([&] { load(1, a); }), lease - 3 * quick);
}

TEST_F(TcInCaches, MissRegistersOfEvictedLinesRunOut) {
  spec.l2.size = 128;
  spec.l2.ways = 1;
  spec.l2.mshr_entries = 2;
  build("tc_strong", lease);
  load(0, a);
  load(0, a + 0x1000);
  EXPECT_GT(cycles([&] { load(0, a + 0x2000); }), lease - 3 * quick) << "two lines are remembered, and none is fetched";
  EXPECT_GT(stat("part0_l2.stall_mshr_full"), 0);
  expect_clean();
}

TEST_F(TcInCaches, AWeakStoreIsQuickAndItsFenceIsNot) {
  build("tc_weak", lease);
  system->debug_word(a, 1);
  load(0, a);
  EXPECT_LT(cycles([&] { store(1, a, 2); }), quick);
  EXPECT_EQ(load(0, a), 1U) << "the lease lasts";
  EXPECT_GT(cycles([&] { control(1, L1Kind::fence, Scope::gpu); }), lease - 3 * quick);
  EXPECT_EQ(load(0, a), 2U) << "nobody reads older bytes after the fence";
  EXPECT_LT(cycles([&] { control(1, L1Kind::fence, Scope::gpu); }), quick);
}

TEST_F(TcInCaches, AWeakFenceOfTheCtaWaitsForNothing) {
  build("tc_weak", lease);
  load(0, a);
  store(1, a, 2);
  EXPECT_LT(cycles([&] { control(1, L1Kind::fence, Scope::cta); }), quick);
}

TEST_F(TcInCaches, AWeakStoreThatReleasesIsAFenceToo) {
  build("tc_weak", lease);
  load(0, a);
  store(1, a, 2);
  models::Message& m = store_message(1, b);
  m.semantics = Semantics::release;
  m.scope = Scope::gpu;
  bool done = false;
  cores[1]->send(m, [&done](models::Message&) { done = true; });
  run_ns(static_cast<int>(lease * 0.3));
  EXPECT_FALSE(done);
  run_ns(static_cast<int>(lease));
  EXPECT_TRUE(done);
}

TEST_F(TcInCaches, AWriterWhoseCopyIsOldGetsTheLine) {
  build("tc_weak", lease);
  load(0, a);
  store(1, a, 2);
  store(0, a + 4, 3);
  EXPECT_EQ(stat("part0_l2.sent_DATA_GLOBAL"), 1);
  EXPECT_EQ(load(0, a), 2U) << "with the other L1's store";
  EXPECT_EQ(load(0, a + 4), 3U);
}

TEST_F(TcInCaches, TheRequestsOfLateLoadsAreSentAgain) {
  spec.max_network_delay_ps = 200'000;
  build("tc_strong", 0);  // over when the data comes
  unsigned answers = 0;
  for (int i = 0; i < 8; ++i) {
    cores[0]->send(load_message(0, a), [&answers](models::Message&) { ++answers; });
    run_ns(30);
  }
  run_ns(4000);
  EXPECT_EQ(answers, 8U);
  EXPECT_GT(stat("l1_0.sent_GETS"), 1);
  EXPECT_EQ(stat("l1_0.loads"), 8) << "a load that asks again is the same load";
  expect_clean();
}

TEST_F(TcInCaches, LoadsThatAskAgainAndFindNoRoomKeepTheirOrder) {
  spec.max_network_delay_ps = 200'000;
  spec.network_capacity = 1;
  spec.l1.output_queue = 1;
  build("tc_strong", 0);  // over when the data comes
  const std::vector<int> in_order{0, 1, 2, 3};
  for (int round = 0; round < 200; ++round) {
    std::vector<int> answered;
    for (const int i : in_order) {
      cores[0]->send(load_message(0, a), [&answered, i](models::Message&) { answered.push_back(i); });
      run_ns(40);
    }
    for (unsigned i = 0; i < 8; ++i) {  // they take the room that the loads need when they ask again
      cores[0]->send(store_message(0, b + 128 * i), [](models::Message&) {});
    }
    for (int i = 0; i < 1000 && answered.size() < 4; ++i) run_ns(20);
    ASSERT_EQ(answered, in_order) << "round " << round;
  }
  EXPECT_GT(stat("l1_0.sent_GETS"), 220) << "some ask again";
}

TEST_F(TcInCaches, ALoadBehindTheBeginOfAGridJoinsNothingThatWasAskedForBefore) {
  spec.max_network_delay_ps = 200'000;
  build("tc_strong", lease);
  cores[0]->send(store_message(0, a), [](models::Message&) {});
  cores[0]->send(load_message(0, a + 8), [](models::Message&) {});
  run_ns(5);
  ASSERT_EQ(stat("l1_0.sent_GETS"), 1) << "for a line that has no frame, behind its store";
  control(0, L1Kind::grid_begin);
  load(0, a + 8);
  EXPECT_EQ(stat("l1_0.sent_GETS"), 2) << "the host may have written the line between the grids";
}

/// Both forms under random traffic with leases shorter than a miss, of the length of some misses, and longer than an
/// episode, whatever is learned.
struct TcVariant {
  std::string name;
  protocols::CoherenceSpec coherence;
};
void PrintTo(const TcVariant& v, std::ostream* out) {
  *out << v.name;
}
std::vector<TcVariant> tc_variants() {
  std::vector<TcVariant> all;
  for (const std::string policy : {"tc_strong", "tc_weak"}) {
    for (const std::uint32_t lease : {0U, 5U, 60U, 300U}) {
      protocols::CoherenceSpec spec;
      spec.policy = policy;
      spec.tc.lease = lease;
      spec.tc.predictor = protocols::TcPredictor::fixed;
      all.push_back({policy + "_" + std::to_string(lease), spec});
    }
    protocols::CoherenceSpec learning;
    learning.policy = policy;
    learning.tc.lease = 50;
    learning.tc.expired_reward = 10;
    learning.tc.predictor = protocols::TcPredictor::pc_adaptive;
    learning.tc.fence = protocols::TcFence::cumulative;
    all.push_back({policy + "_learning", learning});
  }
  return all;
}

class TcUnderRandomTraffic : public PlatformFixture, public testing::WithParamInterface<std::tuple<TcVariant, int>> {};

TEST_P(TcUnderRandomTraffic, ShowsOnlyProgramOrder) {
  MemorySystemSpec spec = MemorySystemSpec::tiny();
  spec.coherence = std::get<0>(GetParam()).coherence;
  spec.seed = static_cast<std::uint64_t>(std::get<1>(GetParam()));
  MemorySystem system(context, spec);
  RandomTester tester("tester", context, system, {}, spec.seed);
  const bool finished = tester.run();
  if (scheduler.failure()) std::rethrow_exception(scheduler.failure());
  ASSERT_TRUE(finished);
  expect_clean();
}

INSTANTIATE_TEST_SUITE_P(Variants, TcUnderRandomTraffic,
                         testing::Combine(testing::ValuesIn(tc_variants()), testing::Range(1, 4)), [](const auto& c) {
                           return std::get<0>(c.param).name + "_seed" + std::to_string(std::get<1>(c.param));
                         });

struct TcForm {
  std::string policy;
  std::uint32_t recycle_cycles;
};
void PrintTo(const TcForm& form, std::ostream* out) {
  *out << form.policy << (form.recycle_cycles != 0 ? "_recycling" : "");
}

class TcRows : public PlatformFixture, public testing::WithParamInterface<TcForm> {};

TEST_P(TcRows, AreAllTakenByRandomTraffic) {
  MemorySystemSpec spec = MemorySystemSpec::tiny();
  spec.coherence.policy = GetParam().policy;
  spec.coherence.tc.recycle_cycles = GetParam().recycle_cycles;
  if (GetParam().recycle_cycles != 0) spec.l2.input_queue = 8;  // room for those that pass
  spec.coherence.tc.lease = 400;
  spec.coherence.tc.predictor = protocols::TcPredictor::fixed;
  spec.l1.handles = 8;
  spec.l1.mshr_entries = spec.l2.mshr_entries = 6;
  MemorySystem system(context, spec);
  TesterSpec tester_spec;
  tester_spec.episodes = 200;
  tester_spec.in_flight = 8;
  RandomTester tester("tester", context, system, tester_spec, 7);
  const bool finished = tester.run();
  if (scheduler.failure()) std::rethrow_exception(scheduler.failure());
  ASSERT_TRUE(finished);
  // A grid begins when nothing is on its way and all leases are over, and the tester sends no prefetches: no flush
  // meets a transient line or a valid one.
  std::vector<std::string> missing = stress::rows_not_taken(stress::machines(system, protocols::Role::l1));
  missing.erase(std::remove_if(missing.begin(), missing.end(),
                               [](const std::string& row) {
                                 return row.rfind("L1: I_S, Flush", 0) == 0 || row.rfind("L1: I_I, Flush", 0) == 0 ||
                                        row.rfind("L1: SM, Flush", 0) == 0 || row.rfind("L1: S, Flush", 0) == 0;
                               }),
                missing.end());
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_THAT(stress::rows_not_taken(stress::machines(system, protocols::Role::home)), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Forms, TcRows,
                         testing::Values(TcForm{"tc_strong", 0}, TcForm{"tc_strong", 10}, TcForm{"tc_weak", 0}),
                         [](const auto& c) { return testing::PrintToString(c.param); });

}  // namespace
}  // namespace syncline::tests
