// The L1 of `rcc` and `rcc_wo` against Ren's figure 3.5, cell by cell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "protocols/coherence/rcc_wo/rcc_wo.h"
#include "tests/unit/protocols/rcc_side.h"

namespace syncline::tests {
namespace {

using namespace rcc_side;
using testing::ElementsAre;

class RccL1 : public testing::Test, protected Side<L1State, L1Event> {
 protected:
  using S = L1State;
  RccL1() { make(one_clock); }
  void make(Clocks clocks) { machine = make_l1(l1_table(spec), spec, clocks, 1000); }
  RccSpec spec;
};

TEST_F(RccL1, AMissAsksWithNowAndWithoutALease) {
  node.now = 7;
  EXPECT_THAT(present(load), ElementsAre("allocate", "park", "begin_read", "send_GETS"));
  EXPECT_EQ(state(), S::IV);
  EXPECT_EQ(asked(ActionKind::send).stamps[stamp_time], 7U);
  EXPECT_EQ(asked(ActionKind::send).stamps[stamp_exp], 0U);
}

TEST_F(RccL1, DataAdvancesNowToTheVersionAndGivesTheLease) {
  in(S::IV);
  line.pending_reads = 1;
  node.now = 3;
  EXPECT_THAT(present(message(Message::DATA, 30, 40)),
              ElementsAre("end_read", "see_read", "take_lease", "fill", "answer_parked"));
  EXPECT_EQ(state(), S::V);
  EXPECT_EQ(node.now, 30U);
  EXPECT_EQ(line.exp, 40U);
}

TEST_F(RccL1, ACopyIsValidWhileNowHasNotPassedItsLease) {
  in(S::V);
  line.exp = node.now = 10;
  EXPECT_THAT(present(load), ElementsAre("hit"));
  node.now = 11;
  EXPECT_THAT(present(load), ElementsAre("park", "begin_read", "send_GETS"));
  EXPECT_EQ(asked(ActionKind::send).stamps[stamp_exp], 10U);  // what the home needs to renew
  EXPECT_EQ(state(), S::IV);
  EXPECT_THAT(present(message(Message::RENEW, 5, 30)),
              ElementsAre("end_read", "see_read", "take_lease", "answer_parked"));
  EXPECT_EQ(node.now, 11U);
  EXPECT_EQ(line.exp, 30U);
}

TEST_F(RccL1, AnExpiredCopyCountsAsNoneForStoresAndInVI) {
  in(S::V);
  line.exp = 10, node.now = 11;
  present(store);
  EXPECT_EQ(state(), S::II);
  line = {};
  in(S::VI);
  line.exp = 10, line.pending_writes = 1;
  line.sharers.insert(0);
  EXPECT_THAT(present(load), ElementsAre("allocate", "park", "begin_read", "send_GETS"));
  EXPECT_EQ(state(), S::II);
}

TEST_F(RccL1, AStoreKeepsTheCopyForOtherWarpsUntilItHasATime) {
  in(S::V);
  line.exp = 10, node.now = 4;
  EXPECT_THAT(present(access(Operation::store, 2)), ElementsAre("begin_write", "forward_WRITE"));
  EXPECT_EQ(state(), S::VI);
  EXPECT_EQ(asked(ActionKind::forward).stamps[stamp_time], 4U);
  EXPECT_THAT(present(access(Operation::load, 1)), ElementsAre("hit"));
  EXPECT_THAT(present(message(Message::ACK, 11)), ElementsAre("end_write", "see_write", "deliver", "drop"));
  EXPECT_EQ(state(), S::I);
  EXPECT_EQ(node.now, 11U);
}

TEST_F(RccL1, AWarpDoesNotReadWhatIsOlderThanItsOwnStore) {
  in(S::VI);
  line.exp = 10, line.pending_writes = 1;
  line.sharers.insert(2);
  EXPECT_THAT(present(access(Operation::load, 2)), ElementsAre("park", "begin_read", "send_GETS"));
  EXPECT_EQ(state(), S::II);
  EXPECT_THAT(present(access(Operation::load, 2)), ElementsAre("join_read", "park"));  // GETS was sent behind the store
  present(access(Operation::store, 3));
  EXPECT_THAT(present(access(Operation::load, 3)), ElementsAre("stall"));
}

TEST_F(RccL1, IICountsWhatIsOnItsWay) {
  present(store);
  present(atomic);
  EXPECT_EQ(line.pending_writes, 2U);
  present(message(Message::ACK, 5));
  EXPECT_EQ(state(), S::II);
  present(access(Operation::load, 1));
  present(message(Message::ATOMIC_DATA, 6));
  EXPECT_EQ(state(), S::II);  // the read is on its way
  present(message(Message::DATA, 6, 20));
  EXPECT_EQ(state(), S::V);
  EXPECT_EQ(node.now, 6U);
}

TEST_F(RccL1, DataBeforeTheStoresAckMakesVI) {
  present(load);
  present(access(Operation::store, 1));
  EXPECT_EQ(state(), S::II);
  present(message(Message::DATA, 2, 20));
  EXPECT_EQ(state(), S::VI);
  present(message(Message::ACK, 21));
  EXPECT_EQ(state(), S::I);
}

// The load that asked does not: where leases are shorter than the way there and back, nobody would ever read anything.
TEST_F(RccL1, ALoadThatHasSeenATimeBehindTheLeaseAsksAgain) {
  present(load);
  node.now = 50;  // another home's reply came
  EXPECT_THAT(present(access(Operation::load, 1)), ElementsAre("join_read", "park"));
  EXPECT_THAT(present(access(Operation::store, 2)), ElementsAre("stall"));
  EXPECT_THAT(present(message(Message::DATA, 0, 40)), ElementsAre("see_read", "answer_first", "replay", "drop"));
  EXPECT_EQ(state(), S::I);
  line = {};
  present(load);
  present(access(Operation::load, 1));
  EXPECT_THAT(present(message(Message::DATA, 0, 60)), testing::Contains("answer_parked"));
}

TEST_F(RccL1, AFlushReachesTheCopyOnItsWay) {
  present(load);
  present(from(Stimulus::Source::flush));
  EXPECT_THAT(present(load), ElementsAre("stall"));
  EXPECT_THAT(present(message(Message::DATA, 5, 20)), ElementsAre("see_read", "answer_parked", "drop"));
  EXPECT_EQ(state(), S::I);
}

TEST_F(RccL1, AThreadsOwnMemoryHasNoTime) {
  Stimulus own_load = load, own_store = store;
  own_load.access.is_private = own_store.access.is_private = true;
  in(S::V);
  line.exp = 0, node.now = 100;
  EXPECT_THAT(present(own_load), ElementsAre("hit"));
  EXPECT_THAT(present(own_store), ElementsAre("write", "forward_WRITE"));
  EXPECT_EQ(asked(ActionKind::forward).stamps[stamp_alone], 1U);
  Stimulus ack = message(Message::ACK, 1000);
  EXPECT_THROW(machine->decide(ack, line, node), base::ModelError);  // an Ack of a shared line has no place in V
  ack.stamps[stamp_alone] = 1;
  EXPECT_THAT(present(ack), ElementsAre("deliver"));
  EXPECT_EQ(node.now, 100U);
}

TEST_F(RccL1, NowAdvancesByItselfEveryTick) {
  in(S::V);
  line.exp = 10;
  time = 10 * spec.tick * 1000;
  EXPECT_THAT(present(load), ElementsAre("hit"));
  time += spec.tick * 1000;
  EXPECT_THAT(present(load), testing::Contains("send_GETS"));
  EXPECT_EQ(asked(ActionKind::send).stamps[stamp_time], 11U);
  present(message(Message::DATA, 500, 600));
  EXPECT_EQ(machine->logical_time(node, time), 500U);
  EXPECT_EQ(machine->logical_time(node, time + spec.tick * 1000), 501U);
}

TEST_F(RccL1, AVolatileLoadGoesToTheHomeUnlessTheKeySaysHit) {
  Stimulus around = load;
  around.access.around_l1 = true;
  in(S::V);
  line.exp = 10;
  EXPECT_THAT(present(around), testing::Contains("send_GETS"));
  spec.around_l1 = RccAroundL1::hit;
  make(one_clock);
  line = {};
  in(S::V);
  line.exp = 10;
  EXPECT_THAT(present(around), ElementsAre("hit"));
}

TEST_F(RccL1, ARolloverFlushesTheNodeAndItsClock) {
  node.now = 200;
  EXPECT_THAT(present(message(Message::FLUSH)), ElementsAre("begin_epoch", "flush_lines", "send_FLUSH_ACK"));
  EXPECT_EQ(node.now, 0U);
  EXPECT_EQ(node.epoch, 1U);
  present(store);
  EXPECT_EQ(asked(ActionKind::forward).stamps[stamp_epoch], 1U);
  present(message(Message::ACK, 250, 0, 0, 0));  // sent before: its time is over
  EXPECT_EQ(node.now, 0U);
}

TEST_F(RccL1, TheWeakVariantKeepsTwoViewsThatAFenceJoins) {
  make(rcc_wo::two_views);
  node.read_view = 5, node.write_view = 9;
  in(S::V);
  line.exp = 6;
  EXPECT_THAT(present(load), ElementsAre("hit"));
  line = {};
  present(load);
  EXPECT_EQ(asked(ActionKind::send).stamps[stamp_time], 5U);
  present(message(Message::DATA, 7, 20));
  EXPECT_EQ(node.read_view, 7U);
  present(store);
  EXPECT_EQ(asked(ActionKind::forward).stamps[stamp_time], 9U);
  present(message(Message::ACK, 21));
  EXPECT_EQ(node.write_view, 21U);
  EXPECT_EQ(node.read_view, 7U);
  EXPECT_EQ(node.now, 0U);
  machine->fence({}, node);
  EXPECT_EQ(node.read_view, 21U);
  EXPECT_EQ(node.write_view, 21U);
}

}  // namespace
}  // namespace syncline::tests
