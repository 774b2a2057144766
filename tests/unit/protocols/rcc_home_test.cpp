// The home of `rcc` against Ren's figure 3.5, cell by cell, the predictors, the rule that covers evicted lines, and the
// rollover.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/protocols/rcc_side.h"

namespace syncline::tests {
namespace {

using namespace rcc_side;
using testing::ElementsAre;
using testing::IsEmpty;

class RccHome : public testing::Test, protected Side<HomeState, HomeEvent> {
 protected:
  using S = HomeState;
  RccHome() { make(); }
  void make() { machine = make_home(home_table(spec), spec, 2); }
  std::uint64_t version_in(ActionKind kind) const { return asked(kind).stamps[stamp_time]; }
  RccSpec spec;
};

TEST_F(RccHome, AReadExtendsTheLease) {
  in(S::V);
  line.ver = 10, line.exp = 12, line.lease = 8;
  EXPECT_THAT(present(message(Message::GETS, 30)), ElementsAre("end_wait", "extend_lease", "send_DATA"));
  EXPECT_EQ(line.exp, 38U);  // max(12, 10 + 8, 30 + 8)
  EXPECT_EQ(asked(ActionKind::answer).stamps[stamp_exp], 38U);
  EXPECT_EQ(version_in(ActionKind::answer), 10U);
  present(message(Message::GETS, 0));
  EXPECT_EQ(line.exp, 38U);
}

TEST_F(RccHome, ACopyThatIsNewerThanTheVersionIsRenewed) {
  in(S::V);
  line.ver = 10, line.exp = 12, line.lease = 8;
  EXPECT_THAT(present(message(Message::GETS, 13, 11)),
              ElementsAre("end_wait", "grow_lease", "extend_lease", "send_RENEW"));
  EXPECT_EQ(line.exp, 29U);
  EXPECT_EQ(line.lease, 16U);
  EXPECT_THAT(present(message(Message::GETS, 13, 10)), ElementsAre("end_wait", "extend_lease", "send_DATA"));
}

TEST_F(RccHome, CountsCopiesWhoseLeaseIsOverAndThoseThatAreStillCurrent) {
  const auto counts = [this] {
    std::vector<std::uint64_t> all;
    for (const Tally& tally : machine->tallies()) all.push_back(tally.count);
    return all;
  };
  ASSERT_THAT(counts(), ElementsAre(0U, 0U));
  in(S::V);
  line.ver = 20, line.exp = 30, line.lease = 8;
  present(message(Message::GETS, 25));  // no copy
  EXPECT_THAT(counts(), ElementsAre(0U, 0U));
  present(message(Message::GETS, 25, 28));  // the lease lasts: a load that goes around the L1
  EXPECT_THAT(counts(), ElementsAre(0U, 0U));
  present(message(Message::GETS, 40, 28));  // over, and not written since
  EXPECT_THAT(counts(), ElementsAre(1U, 1U));
  present(message(Message::GETS, 40, 15));  // over, and written since
  EXPECT_THAT(counts(), ElementsAre(2U, 1U));
  present(message(Message::GETS, 40, 28, 0, 1));  // of another epoch: nothing is known of it
  EXPECT_THAT(counts(), ElementsAre(2U, 1U));
  spec.renew = false;
  make();
  present(message(Message::GETS, 40, 28));  // counted whether or not it is renewed
  EXPECT_THAT(counts(), ElementsAre(1U, 1U));
}

TEST_F(RccHome, AWriteIsBehindAllLeases) {
  in(S::V);
  line.ver = 10, line.exp = 40, line.lease = 64;
  EXPECT_THAT(present(message(Message::WRITE, 5)),
              ElementsAre("end_wait", "set_version", "shrink_lease", "write", "send_ACK"));
  EXPECT_EQ(line.ver, 41U);
  EXPECT_EQ(version_in(ActionKind::answer), 41U);
  EXPECT_EQ(line.lease, 8U);
  present(message(Message::WRITE, 5));
  EXPECT_EQ(line.ver, 41U);  // unobserved stores share a version
  present(message(Message::ATOMIC, 99));
  EXPECT_EQ(line.ver, 99U);
}

TEST_F(RccHome, AnEvictionIsCoveredBehindItsLeases) {
  in(S::V);
  line.ver = 10, line.exp = 40;
  EXPECT_THAT(present(from(Stimulus::Source::replacement)), ElementsAre("cover", "drop"));
  EXPECT_EQ(node.mnow, 41U);
  spec.mnow_rule = RccMnowRule::thesis;
  make();
  node = {}, line = {};
  in(S::V);
  line.ver = 10, line.exp = 40;
  Stimulus dirty = from(Stimulus::Source::replacement);
  dirty.dirty = true;
  EXPECT_THAT(present(dirty), ElementsAre("cover", "write_back", "drop"));
  EXPECT_EQ(node.mnow, 40U);
}

/// Message passing through an evicted line, protocols of figure 3.5: with the thesis' rule the store of the data shares
/// its time with the end of a living lease, so a reader that has seen the flag may still hit the old data.
TEST_F(RccHome, TheThesisRuleLetsAWriteShareTheTimeOfALivingLease) {
  for (const RccMnowRule rule : {RccMnowRule::thesis, RccMnowRule::plus1}) {
    spec.mnow_rule = rule;
    make();
    node = {}, line = {};
    in(S::V);
    line.lease = 2;
    present(message(Message::GETS, 0));  // an L1 may read until this
    const std::uint64_t lease = asked(ActionKind::answer).stamps[stamp_exp];
    present(from(Stimulus::Source::replacement));
    line = {};
    present(message(Message::WRITE, 0));
    if (rule == RccMnowRule::thesis)
      EXPECT_EQ(version_in(ActionKind::answer), lease);
    else
      EXPECT_GT(version_in(ActionKind::answer), lease);
  }
}

TEST_F(RccHome, AMissRemembersTheLatestReaderAndWriter) {
  node.mnow = 20;
  EXPECT_THAT(present(message(Message::GETS, 25, 0, 0)), testing::Contains("note_reader"));
  EXPECT_EQ(state(), S::IV);
  present(message(Message::GETS, 22, 0, 1));
  EXPECT_THAT(present(message(Message::WRITE, 30, 0, 2)),
              ElementsAre("shrink_lease", "note_writer", "write", "send_ACK"));
  EXPECT_EQ(version_in(ActionKind::answer), 30U);  // max(lastwr, mnow): known before the line is here
  EXPECT_THAT(present(message(Message::WRITE, 3, 0, 1)),
              ElementsAre("await", "park"));  // an older load of this SM waits
  EXPECT_THAT(present(message(Message::ATOMIC, 3, 0, 2)), ElementsAre("stall"));
  present(from(Stimulus::Source::memory_data));
  EXPECT_EQ(state(), S::V);
  EXPECT_EQ(line.ver, 30U);
  EXPECT_EQ(line.exp, 38U);  // max(ver, lastrd) + lease
  EXPECT_EQ(line.last_read + line.last_write, 0U);
}

TEST_F(RccHome, AnAtomicThatMissesGetsTheTimeOfFigure35) {
  node.mnow = 20;
  present(message(Message::ATOMIC, 4));
  EXPECT_EQ(state(), S::IAV);
  EXPECT_THAT(present(message(Message::GETS, 0)), ElementsAre("stall"));
  present(from(Stimulus::Source::memory_data));
  EXPECT_EQ(line.exp, 20U);
  EXPECT_THAT(present(message(Message::ATOMIC, 4)), ElementsAre("end_wait", "write", "send_ATOMIC_DATA"));
  EXPECT_EQ(version_in(ActionKind::answer), 20U);  // max(lastwr, mnow)
  present(message(Message::ATOMIC, 4));
  EXPECT_EQ(version_in(ActionKind::answer), 21U);
}

TEST_F(RccHome, ALineThatIsWaitedForStaysUntilAllWhoWaitedAreServed) {
  present(message(Message::GETS, 0, 0, 1));
  present(message(Message::WRITE, 0, 0, 1));
  present(from(Stimulus::Source::memory_data));
  EXPECT_THAT(present(from(Stimulus::Source::replacement)), ElementsAre("stall"));
  present(message(Message::GETS, 0, 0, 1));
  EXPECT_THAT(present(from(Stimulus::Source::replacement)), ElementsAre("stall"));
  present(message(Message::WRITE, 0, 0, 1));
  EXPECT_THAT(present(from(Stimulus::Source::replacement)), ElementsAre("cover", "drop"));
}

TEST_F(RccHome, PredictorsDifferInWhatLengthensALease) {
  const auto lease_after = [this](RccPredictor predictor, bool renewed) {
    spec.predictor = predictor;
    make();
    node = {}, line = {};
    in(S::V);
    present(message(Message::WRITE, 5));
    line.ver = 5;
    present(message(Message::GETS, 6, renewed ? 6 : 0));
    return line.lease;
  };
  EXPECT_EQ(lease_after(RccPredictor::text, false), 8U);
  EXPECT_EQ(lease_after(RccPredictor::text, true), 16U);
  EXPECT_EQ(lease_after(RccPredictor::released, false), 16U);
  EXPECT_EQ(lease_after(RccPredictor::released, true), 16U);
  EXPECT_EQ(lease_after(RccPredictor::fixed, true), 64U);
  spec.predictor = RccPredictor::text;
  make();
  line = {};
  present(message(Message::GETS, 0));
  EXPECT_EQ(line.lease, 2048U);  // nobody is known to write it
  spec.lease_first = RccLease::shortest;
  make();
  line = {};
  present(message(Message::GETS, 0));
  EXPECT_EQ(line.lease, 8U);
}

TEST_F(RccHome, WithoutRenewalTheBytesAlwaysTravel) {
  spec.renew = false;
  make();
  in(S::V);
  line.ver = 10, line.lease = 8;
  EXPECT_THAT(present(message(Message::GETS, 13, 11)),
              ElementsAre("end_wait", "grow_lease", "extend_lease", "send_DATA"));
}

TEST_F(RccHome, AThreadsOwnMemoryHasNoTime) {
  in(S::V);
  line.exp = 40;
  Stimulus own = message(Message::WRITE, 5);
  own.stamps[stamp_alone] = 1;
  EXPECT_THAT(present(own), ElementsAre("end_wait", "write", "send_ACK"));
  EXPECT_EQ(line.ver, 0U);
  EXPECT_EQ(version_in(ActionKind::answer), 0U);
  EXPECT_EQ(asked(ActionKind::answer).stamps[stamp_alone], 1U);
}

class RccRollover : public RccHome {
 protected:
  RccRollover() {
    spec.timestamp_bits = 8;
    make();
    in(S::V);
    line.ver = 240, line.lease = 8, line.exp = 0;
    node.mnow = 200;
  }
  Stimulus from_home(Message kind, unsigned origin, unsigned self) {
    Stimulus s = message(kind, 0, 0, origin);
    s.node = static_cast<std::uint16_t>(self);
    return s;
  }
};

TEST_F(RccRollover, LeasesFitIntoATimestamp) {
  EXPECT_EQ(spec.longest(), 32U);
  EXPECT_EQ(spec.shortest(), 8U);
  EXPECT_EQ(spec.horizon(), 255U);
}

TEST_F(RccRollover, ALeaseThatDoesNotFitBeginsIt) {
  EXPECT_THAT(present(message(Message::GETS, 0, 0)),
              ElementsAre("lead", "begin_epoch", "flush_lines", "send_STALL", "stall"));
  EXPECT_EQ(node.phase, static_cast<std::uint8_t>(Phase::leading));
  EXPECT_EQ(node.mnow, 0U);
  EXPECT_EQ(node.epoch, 1U);
  EXPECT_THAT(present(message(Message::GETS, 0)), ElementsAre("stall"));
  EXPECT_THAT(present(from(Stimulus::Source::flush)), ElementsAre("forget_times"));
  EXPECT_EQ(line.ver, 0U);
}

TEST_F(RccRollover, AWriteThatHasNoTimeLeftBeginsItInEveryState) {
  for (const S s : {S::I, S::V, S::IV}) {
    node = {};
    in(s);
    EXPECT_THAT(present(message(Message::WRITE, 256)), testing::Contains("send_STALL"));
  }
  node = {};
  in(S::V);
  EXPECT_THAT(present(message(Message::WRITE, 255)), testing::Contains("send_ACK"));
}

TEST_F(RccRollover, TheLeaderFlushesTheL1sAndResumesWhenAllHaveAnswered) {
  present(message(Message::GETS, 0, 0));
  line = {};
  EXPECT_THAT(present(from_home(Message::STALL, 3, 3)), ElementsAre("send_FLUSH", "expect_acks"));
  EXPECT_EQ(asked(ActionKind::send).nodes.size(), 2U);
  EXPECT_THAT(present(message(Message::FLUSH_ACK)), ElementsAre("count_ack"));
  EXPECT_EQ(node.phase, static_cast<std::uint8_t>(Phase::leading));
  EXPECT_THAT(present(message(Message::FLUSH_ACK)), ElementsAre("count_ack", "work", "send_RESUME"));
  EXPECT_EQ(node.phase, static_cast<std::uint8_t>(Phase::working));
  EXPECT_THAT(present(from_home(Message::RESUME, 3, 3)), IsEmpty());
}

TEST_F(RccRollover, TheOthersStallUntilTheyAreTold) {
  line = {};
  EXPECT_THAT(present(from_home(Message::STALL, 0, 3)),
              ElementsAre("follow", "begin_epoch", "flush_lines", "pass_STALL"));
  EXPECT_EQ(asked(ActionKind::pass_on).requester, 0U);
  EXPECT_EQ(node.epoch, 1U);
  EXPECT_THAT(present(message(Message::WRITE)), ElementsAre("stall"));
  EXPECT_THAT(present(from_home(Message::RESUME, 0, 3)), ElementsAre("work", "pass_RESUME"));
  EXPECT_THAT(present(message(Message::WRITE)), testing::Contains("send_ACK"));
}

TEST_F(RccRollover, OfTwoThatBeginTheLowerNumberWins) {
  present(message(Message::GETS, 0, 0));
  line = {};
  EXPECT_THAT(present(from_home(Message::STALL, 3, 1)), IsEmpty());
  EXPECT_EQ(node.phase, static_cast<std::uint8_t>(Phase::leading));
  EXPECT_THAT(present(from_home(Message::STALL, 0, 1)), ElementsAre("follow", "pass_STALL"));
  EXPECT_EQ(node.phase, static_cast<std::uint8_t>(Phase::stalled));
  EXPECT_EQ(node.epoch, 1U);  // it had begun the epoch already
}

TEST_F(RccRollover, TimesOfAnEpochThatIsOverCountAsNone) {
  node.epoch = 1;
  line.ver = 3, line.exp = 0;
  EXPECT_THAT(present(message(Message::GETS, 250, 249, 0, 0)), ElementsAre("end_wait", "extend_lease", "send_DATA"));
  EXPECT_EQ(line.exp, 11U);
  present(message(Message::WRITE, 250, 0, 0, 0));
  EXPECT_EQ(line.ver, 12U);
  EXPECT_EQ(asked(ActionKind::answer).stamps[stamp_epoch], 1U);
}

}  // namespace
}  // namespace syncline::tests
