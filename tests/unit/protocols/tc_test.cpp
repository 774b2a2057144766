// Temporal Coherence: leases, and what a store waits for, in L1s and homes of the strong form.
#include <gtest/gtest.h>

#include "tests/unit/protocols/tc_side.h"

namespace syncline::tests {
namespace {

using namespace tc_side;

TEST(TcL1, ACopyIsValidUpToAndWithTheEndOfItsLease) {
  Side l1 = strong_l1();
  in(l1, L1State::S, 100);
  EXPECT_EQ(l1.tell(access(Operation::load, 100)), "hit -> S");
  EXPECT_EQ(l1.tell(access(Operation::load, 101)), "allocate park send_GETS count_read -> I_S");
  EXPECT_EQ(l1.asked(ActionKind::send).stamps[tc::stamp::lease], 100U) << "the home learns that it was too short";
}

TEST(TcL1, AMissBringsLineAndLease) {
  Side l1 = strong_l1();
  l1.tell(access(Operation::load, 10));
  EXPECT_EQ(l1.asked(ActionKind::send).stamps[tc::stamp::lease], 0U) << "there was no copy";
  EXPECT_EQ(l1.tell(access(Operation::load, 20)), "park join_read -> I_S");
  EXPECT_EQ(l1.tell(message(Message::DATA, 70, 150)), "uncount_read fill take_lease answer_covered replay -> S");
  EXPECT_EQ(l1.line.exp, 150U);
  EXPECT_EQ(l1.tell(access(Operation::load, 150)), "hit -> S");
}

TEST(TcL1, DataAnswersOnlyLoadsThatCameBeforeTheEndOfItsLease) {
  Side l1 = strong_l1();
  l1.tell(access(Operation::load, 10));
  l1.tell(message(Message::DATA, 70, 30));
  EXPECT_EQ(l1.asked(ActionKind::answer_parked).time, 31 * tick - 1) << "up to the last picosecond of tick 30";
  EXPECT_EQ(l1.tell(access(Operation::load, 70)), "allocate park send_GETS count_read -> I_S");
}

TEST(TcL1, AStoreToACopySendsTheEndOfItsLeaseAndServesNoLoad) {
  Side l1 = strong_l1();
  in(l1, L1State::S, 100);
  EXPECT_EQ(l1.tell(access(Operation::store, 10)), "write count_write forward_UPGRADE -> SM");
  EXPECT_EQ(l1.asked(ActionKind::forward).stamps[tc::stamp::lease], 100U);
  EXPECT_EQ(l1.tell(access(Operation::load, 20)), "park send_GETS count_read -> SM");
  EXPECT_EQ(l1.tell(access(Operation::load, 21)), "park join_read -> SM");
  EXPECT_EQ(l1.tell(message(Message::ACK, 50, 101)), "uncount_write take_lease deliver -> SM");
  EXPECT_EQ(l1.tell(message(Message::DATA, 60, 160)), "uncount_read fill take_lease answer_covered replay -> S");
  EXPECT_EQ(l1.line.exp, 160U);
}

TEST(TcL1, ALoadDoesNotJoinAReadThatIsOlderThanAStore) {
  Side l1 = strong_l1();
  l1.tell(access(Operation::load, 10));
  EXPECT_EQ(l1.tell(access(Operation::store, 11)), "count_write outdate_read forward_WRITE -> I_I");
  EXPECT_EQ(l1.tell(access(Operation::load, 12)), "stall until 0");
  EXPECT_EQ(l1.tell(message(Message::DATA, 60, 110)), "uncount_read answer_covered replay -> I_I");
  EXPECT_EQ(l1.tell(access(Operation::load, 61)), "park send_GETS count_read -> I_I");
  EXPECT_EQ(l1.tell(access(Operation::load, 62)), "park join_read -> I_I");
  EXPECT_EQ(l1.tell(message(Message::ACK, 70)), "uncount_write deliver -> I_I");
  EXPECT_EQ(l1.tell(message(Message::DATA, 80, 180)), "uncount_read answer_covered replay drop -> I");
}

TEST(TcL1, AStoreDoesNotOvertakeALoadThatMayHaveToAskAgain) {
  Side l1 = strong_l1();  // leases of 100, so that the DATA of a GETS at 10 is good until 110 at least
  l1.tell(access(Operation::load, 10));
  l1.tell(access(Operation::load, 110));
  EXPECT_EQ(l1.tell(access(Operation::store, 112)).substr(0, 11), "count_write");
  Side late = strong_l1();
  late.tell(access(Operation::load, 10));
  late.tell(access(Operation::load, 111));
  EXPECT_EQ(late.tell(access(Operation::store, 112)), "stall until 0");
  EXPECT_EQ(late.tell(access(Operation::atomic, 112)), "stall until 0");
}

TEST(TcL1, AStoreWhoseLeaseEndsOnTheWayLeavesNoCopy) {
  Side l1 = strong_l1();
  in(l1, L1State::S, 100);
  l1.tell(access(Operation::store, 90));
  EXPECT_EQ(l1.tell(message(Message::ACK, 120, 110)), "uncount_write deliver drop -> I");
}

TEST(TcL1, AFenceOfTheStrongFormIsOverAtOnce) {
  Side l1 = strong_l1();
  EXPECT_EQ(l1.machine->fence(at(10), l1.node).ready_at, 0U);
}

TEST(TcHome, GrantsLeasesAndExtendsThem) {
  Side home = strong_home();
  in(home, HomeState::E, 0);
  EXPECT_EQ(home.tell(message(Message::GETS, 10)), "learn_load grant_lease send_DATA -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::lease], 110U);
  EXPECT_EQ(home.tell(message(Message::GETS, 50)), "learn_load grant_lease send_DATA -> SS");
  EXPECT_EQ(home.line.exp, 150U);
}

TEST(TcHome, AStoreWaitsUntilTheLeasesAreOver) {
  for (const HomeState state : {HomeState::S, HomeState::SS}) {
    Side home = strong_home();
    in(home, state, 100);
    EXPECT_EQ(home.tell(message(Message::WRITE, 20)), "stall until 101");
    EXPECT_EQ(home.tell(message(Message::ATOMIC, 100)), "stall until 101");
    EXPECT_EQ(home.tell(message(Message::UPGRADE, 20, 90)), "stall until 101") << "of a copy that is not current";
    EXPECT_EQ(home.tell(message(Message::WRITE, 101)), "learn_store write send_ACK outdate_leases -> S");
    EXPECT_GT(home.line.exp, 100U);
  }
}

TEST(TcHome, AStoreThatIsRecycledKeepsLeasesFromGrowing) {
  Side home = recycling_home();
  in(home, HomeState::S, 150);
  EXPECT_EQ(home.tell(message(Message::GETS, 60)), "learn_load grant_lease send_DATA -> SS");
  EXPECT_EQ(home.tell(message(Message::WRITE, 70)), "await_leases recycle -> SS");
  EXPECT_EQ(home.tell(message(Message::GETS, 80)), "learn_load send_DATA -> SS");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::lease], 160U) << "as the lease before";
  EXPECT_EQ(home.tell(message(Message::ATOMIC, 90)), "await_leases recycle -> SS");
  EXPECT_EQ(home.tell(message(Message::GETS, 161)), "recycle -> E") << "or the store would wait for one more lease";
  EXPECT_EQ(home.tell(message(Message::WRITE, 170)), "learn_store write send_ACK outdate_leases -> S");
  EXPECT_EQ(home.tell(message(Message::GETS, 171)), "learn_load grant_lease send_DATA -> S");
  EXPECT_EQ(home.line.exp, 271U);
}

TEST(TcHome, AnEvictedLineIsAwaitedNoLonger) {
  Side home = recycling_home();
  in(home, HomeState::S, 150);
  home.tell(message(Message::WRITE, 70));
  home.tell(other(Stimulus::Source::replacement, 80));
  EXPECT_FALSE(home.line.awaited) << "a load that has fetched it would be recycled, and keep the store from its turn";
}

TEST(TcHome, TheOnlyHolderOfALeaseWritesAtOnce) {
  Side home = strong_home();
  in(home, HomeState::S, 100);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 20, 100)), "write send_ACK outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::lease], 101U);
  EXPECT_EQ(home.line.exp, 101U);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 21, 100)), "stall until 102") << "sent before the first was answered";
  in(home, HomeState::SS, 100);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 20, 100)), "stall until 101") << "others have leases too";
}

TEST(TcHome, AnEvictedLineIsRememberedUntilItsLeasesAreOver) {
  Side home = strong_home();
  in(home, HomeState::SS, 100);
  Stimulus replacement = other(Stimulus::Source::replacement, 40);
  replacement.dirty = true;
  EXPECT_EQ(home.tell(replacement), "learn_eviction write_back drop wake_when_over -> MI");
  EXPECT_EQ(home.asked(ActionKind::wake_at).time, 101 * tick);
  for (const Message kind : {Message::GETS, Message::WRITE, Message::UPGRADE, Message::ATOMIC})
    EXPECT_EQ(home.tell(message(kind, 50, 100)), "stall until 101");
  EXPECT_EQ(home.tell(other(Stimulus::Source::timer, 101)), "-> NP");
  in(home, HomeState::SS, 100);
  replacement.time = 101 * tick;
  EXPECT_EQ(home.tell(replacement), "write_back drop -> NP") << "nothing has to be remembered";
}

TEST(TcHome, EveryWriteChangesTheEndOfTheLeases) {
  Side home = strong_home();
  in(home, HomeState::E, 10);
  for (const Message kind : {Message::WRITE, Message::UPGRADE, Message::ATOMIC}) {
    const std::uint64_t before = home.line.exp;
    home.tell(message(kind, 20 + before));
    EXPECT_GT(home.line.exp, before);
  }
}

}  // namespace
}  // namespace syncline::tests
