// The weak form of Temporal Coherence: stores that are performed at once, and what a fence waits for.
#include <gtest/gtest.h>

#include "tests/unit/protocols/tc_side.h"

namespace syncline::tests {
namespace {

using namespace tc_side;

TEST(TcWeakHome, AStoreOfTheOnlyHolderIsSeenByAllOnceLeasesOnOlderBytesAreOver) {
  for (const bool over : {false, true}) {
    Side home = weak_home();
    in(home, HomeState::S, 200);
    home.line.last_write = 150;
    const std::uint64_t now = over ? 151 : 150;
    EXPECT_EQ(home.tell(message(Message::UPGRADE, now, 200)),
              over ? "write send_ACK outdate_leases -> S" : "write send_ACK_GLOBAL outdate_leases -> S")
        << "a lease can be used in its last tick";
  }
}

TEST(TcWeak, LoadsHitTheOwnStoresOnTheirWay) {
  Side l1 = weak_l1();
  in(l1, L1State::S, 100);
  EXPECT_EQ(l1.tell(access(Operation::store, 10)), "write count_write forward_UPGRADE -> SM");
  EXPECT_EQ(l1.tell(access(Operation::load, 20)), "hit -> SM");
  EXPECT_EQ(l1.tell(access(Operation::store, 21)), "write count_write outdate_read forward_UPGRADE -> SM");
  EXPECT_EQ(l1.tell(message(Message::DATA_GLOBAL, 60, 140, 100)), "uncount_write note_gwct deliver -> SM")
      << "the line that came lacks the second store";
  EXPECT_EQ(l1.tell(message(Message::DATA_GLOBAL, 61, 141, 100)),
            "uncount_write note_gwct fill take_lease deliver -> S");
  EXPECT_EQ(l1.line.exp, 141U);
}

TEST(TcWeak, AStoreIsPerformedAtOnceAndSaysWhenAllSeeIt) {
  Side home = weak_home();
  in(home, HomeState::SS, 100);
  EXPECT_EQ(home.tell(message(Message::WRITE, 20)),
            "learn_store cover_leases write send_ACK_GLOBAL outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::gwct], 100U);
  EXPECT_EQ(home.line.exp, 101U);
  in(home, HomeState::S, 100);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 20, 60)),
            "learn_store cover_leases write send_DATA_GLOBAL outdate_leases -> S");
  in(home, HomeState::SS, 100);
  EXPECT_EQ(home.tell(message(Message::ATOMIC, 20)),
            "learn_store cover_leases write send_DATA_ATOMIC outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::gwct], 100U);
}

TEST(TcWeak, ACurrentWriterLearnsOfLeasesFromBeforeItsFirstStore) {
  Side home = weak_home();
  in(home, HomeState::SS, 100);
  home.tell(message(Message::UPGRADE, 20, 100));  // another L1 holds a lease until 100
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 30, 101)), "write send_ACK_GLOBAL outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::gwct], 100U);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 101, 102)), "write send_ACK outdate_leases -> S")
      << "the older lease is over";
}

TEST(TcWeak, AFenceOfAWarpEndsWhenTheLastLeaseOnOlderBytesIsOver) {
  TcSpec spec = fixed_leases(100);
  spec.fence = TcFence::warp;
  Side l1 = weak_l1(spec);
  l1.line.pending_writes = 1;
  in(l1, L1State::I_I, 0);
  Stimulus reply = message(Message::ACK_GLOBAL, 50, 0, 120);
  reply.warp = 5;
  EXPECT_EQ(l1.tell(reply), "uncount_write note_gwct deliver drop -> I");
  Stimulus fence = at(60);
  fence.warp = 5;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 121 * tick) << "a copy can still be read in tick 120";
  EXPECT_FALSE(l1.machine->fence(fence, l1.node).flush);
  fence.warp = 6;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 0U) << "another warp";
  fence.warp = 5;
  fence.access.scope = Scope::cta;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 0U) << "all warps of a CTA share the L1";
}

TEST(TcWeak, AFenceOfAWarpWaitsForTheLongestOfItsStoresWhicheverIsAnsweredLast) {
  TcSpec spec = fixed_leases(100);
  spec.fence = TcFence::warp;
  Side l1 = weak_l1(spec);
  for (const std::uint64_t gwct : {120U, 90U}) {  // of stores to two homes
    l1.line.pending_writes = 1;
    in(l1, L1State::I_I, 0);
    Stimulus reply = message(Message::ACK_GLOBAL, 50, 0, gwct);
    reply.warp = 5;
    l1.tell(reply);
  }
  Stimulus fence = at(60);
  fence.warp = 5;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 121 * tick);
}

TEST(TcWeak, ACumulativeFenceCoversWhatTheSmHasRead) {
  Side home = weak_home(fixed_leases(100)), l1 = weak_l1(fixed_leases(100));
  in(home, HomeState::SS, 100);
  home.tell(message(Message::WRITE, 20));
  home.tell(message(Message::GETS, 30));
  const auto stamps = home.asked(ActionKind::answer).stamps;
  EXPECT_EQ(stamps[tc::stamp::gwct], 100U);
  l1.tell(access(Operation::load, 25));
  EXPECT_EQ(l1.tell(message(Message::DATA, 40, stamps[tc::stamp::lease], stamps[tc::stamp::gwct])),
            "uncount_read note_gwct fill take_lease answer_covered replay -> S");
  Stimulus fence = at(60);
  fence.warp = 9;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 101 * tick);
}

TEST(TcWeak, ACumulativeFenceCoversWhatItsSmHasWritten) {
  Side l1 = weak_l1();
  l1.line.pending_writes = 1;
  in(l1, L1State::I_I, 0);
  Stimulus reply = message(Message::ACK_GLOBAL, 50, 0, 120);
  reply.warp = 5;
  l1.tell(reply);
  Stimulus fence = at(60);
  fence.warp = 6;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 121 * tick);
}

TEST(TcWeak, AnEvictedLineComesBackWithTheEndOfItsLeases) {
  Side home = weak_home();
  in(home, HomeState::SS, 100);
  EXPECT_EQ(home.tell(other(Stimulus::Source::replacement, 40)), "learn_eviction drop wake_when_over -> MI");
  EXPECT_EQ(home.tell(message(Message::WRITE, 50)), "allocate park fetch -> IM");
  EXPECT_EQ(home.tell(other(Stimulus::Source::memory_data, 60)), "fill replay -> SS");
  EXPECT_EQ(home.tell(message(Message::WRITE, 60)),
            "learn_store cover_leases write send_ACK_GLOBAL outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::gwct], 100U);
  EXPECT_EQ(home.tell(other(Stimulus::Source::replacement, 70)), "learn_eviction drop wake_when_over -> MI");
  EXPECT_EQ(home.tell(other(Stimulus::Source::timer, 101)), "-> MI") << "of the first eviction";
  EXPECT_EQ(home.tell(other(Stimulus::Source::timer, 102)), "-> NP");
  EXPECT_EQ(home.tell(other(Stimulus::Source::timer, 103)), "-> NP");
}

}  // namespace
}  // namespace syncline::tests
