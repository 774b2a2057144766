// The predictor of leases of Temporal Coherence.
#include <gtest/gtest.h>

#include "protocols/coherence/tc/lease_predictor.h"
#include "tests/unit/protocols/tc_side.h"

namespace syncline::tests {
namespace {

using namespace tc_side;

TEST(LeasePredictor, LearnsFromItsThreeEvents) {
  TcSpec spec;
  const tc::LeasePredictor predictor(spec);
  NodeMeta node;
  EXPECT_EQ(predictor.lease(node, 0), 800U);
  for (int i = 0; i < 100; ++i) predictor.load_found_expired(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 900U);
  predictor.store_met_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 836U);
  predictor.store_met_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 800U) << "stores shorten no further than the first length";
  predictor.evicted_with_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 784U);
  predictor.store_met_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 784U);
}

TEST(LeasePredictor, KeepsBetweenFloorAndCeiling) {
  TcSpec spec;
  spec.lease = 20;
  spec.lease_floor = 10;
  spec.lease_ceiling = 22;
  const tc::LeasePredictor predictor(spec);
  NodeMeta node;
  for (int i = 0; i < 9; ++i) predictor.evicted_with_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 10U);
  for (int i = 0; i < 99; ++i) predictor.load_found_expired(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 22U);
}

TEST(LeasePredictor, AFixedLeaseLearnsNothing) {
  const tc::LeasePredictor predictor(fixed_leases(50));
  NodeMeta node;
  predictor.load_found_expired(node, 0);
  predictor.evicted_with_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 50U);
  EXPECT_EQ(node, NodeMeta{});
}

TEST(LeasePredictor, MayLearnByInstruction) {
  TcSpec spec;
  spec.predictor = TcPredictor::pc_adaptive;
  Side home = strong_home(spec);
  Stimulus early = message(Message::GETS, 10, 5), late = message(Message::GETS, 5000);
  early.pc = 3;
  late.pc = 4;
  in(home, HomeState::E, 0);
  home.tell(early);
  EXPECT_EQ(home.line.exp, 10 + 801U) << "this instruction found an ended lease";
  home.tell(late);
  EXPECT_EQ(home.line.exp, 5000 + 800U);
  home.tell(other(Stimulus::Source::replacement, 5001));
  EXPECT_EQ(home.node.leases[4], -16) << "the one that was granted the last lease";
  EXPECT_EQ(home.node.leases[3], 1);
}

TEST(LeasePredictor, ByBankAllInstructionsLearnTogether) {
  TcSpec spec;
  spec.predictor = TcPredictor::per_bank;
  Side home = strong_home(spec);
  Stimulus load = message(Message::GETS, 10, 5);
  load.pc = 3;
  in(home, HomeState::E, 0);
  home.tell(load);
  EXPECT_EQ(home.node.leases[0], 1);
}

TEST(LeasePredictor, AStoreThatHadToWaitMetALease) {
  TcSpec spec;
  spec.expired_reward = 100;
  spec.predictor = TcPredictor::per_bank;
  Side home = strong_home(spec);
  in(home, HomeState::E, 0);
  home.tell(message(Message::GETS, 10, 5));  // a lease of 900
  Stimulus store = message(Message::WRITE, 911);
  store.arrived = 500 * tick;
  home.tell(store);
  EXPECT_EQ(home.node.leases[0], 100 - 64);
  store = message(Message::WRITE, 2000);
  home.tell(store);
  EXPECT_EQ(home.node.leases[0], 100 - 64) << "this one came late enough";
}

TEST(LeasePredictor, IsFixedUnderTheStrongFormAndPerBankUnderTheWeakOneUnlessNamed) {
  for (const auto& [predictor, strong, weak] :
       {std::tuple{TcPredictor::policy, 0, 1}, std::tuple{TcPredictor::fixed, 0, 0},
        std::tuple{TcPredictor::per_bank, 1, 1}}) {
    TcSpec spec;
    spec.predictor = predictor;
    for (const bool is_weak : {false, true}) {
      Side home = is_weak ? weak_home(spec) : strong_home(spec);
      in(home, HomeState::E, 0);
      home.tell(message(Message::GETS, 10, 5));
      EXPECT_EQ(home.node.leases[0], is_weak ? weak : strong);
    }
  }
}

}  // namespace
}  // namespace syncline::tests
