// The masks of a wavefront in transactions on shared memory: table 1 of the paper on GPU-LocalTM, and who goes first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "protocols/transactions/local/wavefront.h"

namespace syncline::tests {
namespace {

using namespace protocols::local;
using base::LaneMask;

/// As the paper writes them: lane 0 is the first of four.
LaneMask mask(const std::string& text) {
  LaneMask lanes = 0;
  for (std::size_t lane = 0; lane < text.size(); ++lane) {
    if (text[lane] == '1') lanes |= base::lane_bit(static_cast<unsigned>(lane));
  }
  return lanes;
}
std::string text(LaneMask lanes) {
  std::string all;
  for (unsigned lane = 0; lane < 4; ++lane) all += base::has_lane(lanes, lane) ? '1' : '0';
  return all;
}
/// EXEC, TCM, TCM_OLD and the mode of a row of table 1.
std::string row(const Wavefront& w) {
  const std::string old = w.tcm_old() ? text(*w.tcm_old()) : "-";
  return text(w.exec()) + " " + text(w.tcm()) + " " + old + (w.mode() == Mode::wavefront_serial ? " WF Serial" : " TX");
}

Opponents lanes_of_own(const std::string& lanes) {
  return {mask(lanes), false, false};
}
const Opponents elsewhere{0, true, false};

Wavefront wavefront(Selection selection = Selection::ascending_single, McmReset reset = McmReset::progress) {
  static LocalTmSpec specs[2][4];
  LocalTmSpec& spec = specs[static_cast<int>(reset)][static_cast<int>(selection)];
  spec.selection = selection;
  spec.mcm_reset = reset;
  return Wavefront(spec);
}

void conflict(Wavefront& w, const std::string& lanes, const Opponents& to) {
  base::for_each_lane(mask(lanes), [&](unsigned lane) { w.conflict(lane, to); });
}
/// An attempt in which all of `lanes` that run lose to `to`; who commits.
std::string attempt(Wavefront& w, const std::string& lanes, const Opponents& to) {
  const LaneMask live = w.begin();
  conflict(w, text(live & mask(lanes)), to);
  return text(w.commit());
}

TEST(LocalWavefront, GoesThroughTable1) {
  Wavefront w = wavefront();
  w.enter(mask("1111"));
  EXPECT_EQ(text(w.begin()), "1111");
  EXPECT_EQ(row(w), "1111 0000 - TX");
  conflict(w, "10", lanes_of_own("01"));
  conflict(w, "01", lanes_of_own("10"));
  EXPECT_EQ(row(w), "1111 1100 - TX");
  EXPECT_EQ(text(w.commit()), "0011");

  EXPECT_EQ(text(w.begin()), "1100");
  EXPECT_EQ(row(w), "1100 0000 1100 TX");
  conflict(w, "10", lanes_of_own("01"));
  conflict(w, "01", lanes_of_own("10"));
  EXPECT_EQ(row(w), "1100 1100 1100 TX");
  EXPECT_EQ(text(w.commit()), "0000");

  EXPECT_EQ(text(w.begin()), "1000");
  EXPECT_EQ(row(w), "1100 0100 1100 WF Serial");
  EXPECT_EQ(text(w.commit()), "1000");

  EXPECT_EQ(text(w.begin()), "0100");
  EXPECT_EQ(row(w), "0100 0000 0100 TX");
  EXPECT_EQ(text(w.commit()), "0100");
  EXPECT_EQ(w.mode(), Mode::none);
}

TEST(LocalWavefront, DescendingSelectionBeginsWithTheHighestLane) {
  Wavefront w = wavefront(Selection::descending_single);
  w.enter(mask("1111"));
  attempt(w, "1100", lanes_of_own("1111"));
  attempt(w, "1100", lanes_of_own("1111"));
  EXPECT_EQ(text(w.begin()), "0100");
}

TEST(LocalWavefront, MultipleSelectionTakesOneLaneOfEachPairInConflict) {
  for (const auto& [selection, first] :
       {std::pair{Selection::ascending_multiple, "1010"}, std::pair{Selection::descending_multiple, "0101"}}) {
    Wavefront w = wavefront(selection);
    w.enter(mask("1111"));
    for (int i = 0; i < 2; ++i) {
      w.begin();
      conflict(w, "1000", lanes_of_own("0100"));
      conflict(w, "0100", lanes_of_own("1000"));
      conflict(w, "0010", lanes_of_own("0001"));
      conflict(w, "0001", lanes_of_own("0010"));
      w.commit();
    }
    EXPECT_EQ(text(w.begin()), first);
    EXPECT_EQ(w.mode(), Mode::wavefront_serial);
  }
}

TEST(LocalWavefront, ConflictsWithOtherWavefrontsTakeNobodyOutOfTheSelection) {
  Wavefront w = wavefront(Selection::ascending_multiple);
  w.enter(mask("1110"));
  attempt(w, "1110", elsewhere);
  attempt(w, "1110", elsewhere);
  EXPECT_EQ(text(w.begin()), "1110");
}

TEST(LocalWavefront, OfReadersThatAreNotKnownTheFirstLaneGoesFirst) {
  Wavefront w = wavefront(Selection::descending_multiple);
  w.enter(mask("1110"));
  attempt(w, "1110", {0, false, true});
  attempt(w, "1110", {0, false, true});
  EXPECT_EQ(text(w.begin()), "0010");
  conflict(w, "0010", {0, false, true});
  EXPECT_EQ(text(w.mcm() & mask("0010")), "0010") << "nobody else ran";
}

TEST(LocalWavefront, WantsToBeAloneWhenSerialisingItDoesNotHelp) {
  Wavefront w = wavefront();
  w.enter(mask("1100"));
  attempt(w, "1100", elsewhere);
  attempt(w, "1100", elsewhere);
  EXPECT_FALSE(w.wants_group());
  EXPECT_EQ(attempt(w, "1000", elsewhere), "0000");
  EXPECT_TRUE(w.wants_group());
  EXPECT_EQ(attempt(w, "", elsewhere), "1000");
  EXPECT_TRUE(w.wants_group()) << "until the last lane has committed";
  EXPECT_EQ(attempt(w, "", elsewhere), "0100");
  EXPECT_FALSE(w.wants_group());
}

TEST(LocalWavefront, ASetOfLanesThatAreInEachOthersWayShrinksUntilOneCommits) {
  for (const McmReset reset : {McmReset::progress, McmReset::restart}) {
    Wavefront w = wavefront(Selection::ascending_multiple, reset);
    w.enter(mask("1110"));
    attempt(w, "1110", elsewhere);
    attempt(w, "1110", elsewhere);
    attempt(w, "1110", elsewhere);
    ASSERT_TRUE(w.wants_group());
    w.begin();  // of all three, the third loses to one that comes before it
    conflict(w, "1100", elsewhere);
    conflict(w, "0010", lanes_of_own("0100"));
    w.commit();
    EXPECT_EQ(text(w.begin()), "1100");
    conflict(w, "1000", elsewhere);
    conflict(w, "0100", lanes_of_own("1000"));
    w.commit();
    EXPECT_EQ(text(w.begin()), reset == McmReset::progress ? "1000" : "1010");
  }
}

TEST(LocalWavefront, GivesUpForAnother) {
  Wavefront w = wavefront();
  w.enter(mask("1110"));
  attempt(w, "1000", lanes_of_own("0100"));
  w.begin();
  EXPECT_EQ(text(w.quiesce()), "1000");
  EXPECT_TRUE(w.waits());
  EXPECT_EQ(text(w.begin()), "1000");
  EXPECT_EQ(row(w), "1000 0000 - TX");
}

TEST(LocalWavefront, GoesOnTogetherOnceSerialisingItHelps) {
  Wavefront w = wavefront();
  w.enter(mask("1110"));
  EXPECT_EQ(attempt(w, "0110", elsewhere), "1000");
  EXPECT_EQ(attempt(w, "0110", elsewhere), "0000");
  EXPECT_EQ(w.mode(), Mode::wavefront_serial);
  EXPECT_EQ(attempt(w, "0010", elsewhere), "0100");
  EXPECT_EQ(w.mode(), Mode::transactional);
}

TEST(LocalWavefront, ForgetsWhoLostInAnEarlierTransaction) {
  Wavefront w = wavefront();
  w.enter(mask("1100"));
  EXPECT_EQ(attempt(w, "0100", elsewhere), "1000");
  EXPECT_EQ(attempt(w, "0000", elsewhere), "0100");
  w.enter(mask("1100"));
  EXPECT_EQ(attempt(w, "0100", elsewhere), "1000");
  EXPECT_EQ(w.mode(), Mode::transactional) << "the same lane has lost once, not twice";
}

TEST(LocalWavefront, RefusesWhatCannotHappen) {
  Wavefront w = wavefront();
  EXPECT_THROW(w.begin(), base::ModelError);
  EXPECT_THROW(w.commit(), base::ModelError);
  w.enter(mask("1000"));
  EXPECT_THROW(w.enter(mask("1000")), base::ModelError);
  w.begin();
  EXPECT_THROW(w.begin(), base::ModelError);
  EXPECT_THROW(w.conflict(1, elsewhere), base::ModelError);
}

TEST(LocalWavefront, SelectsAllWhereEachHasLostToALaneThatHasCommitted) {
  Wavefront w = wavefront(Selection::ascending_multiple);
  w.enter(mask("111"), Mode::group_serial);
  EXPECT_EQ(text(w.begin()), "1110");
  conflict(w, "011", lanes_of_own("1"));
  EXPECT_EQ(text(w.commit()), "1000");
  EXPECT_EQ(text(w.begin()), "0110");
}

TEST(LocalWavefront, BeginsAnewWithAllLanesWhenItHasGivenUp) {
  Wavefront w = wavefront();
  w.enter(mask("11"));
  attempt(w, "11", elsewhere);
  attempt(w, "11", elsewhere);
  EXPECT_EQ(text(w.begin()), "1000") << "serialised";
  EXPECT_EQ(text(w.quiesce()), "1000");
  EXPECT_EQ(w.mode(), Mode::transactional);
  EXPECT_EQ(text(w.begin()), "1100");
}

TEST(LocalWavefront, IsAloneFromTheBeginWhereNothingIsDetected) {
  Wavefront w = wavefront(Selection::descending_single);
  w.enter(mask("0111"), Mode::group_serial);
  EXPECT_TRUE(w.wants_group());
  for (const char* const lane : {"0001", "0010", "0100"}) {
    EXPECT_EQ(text(w.begin()), lane);
    EXPECT_EQ(text(w.commit()), lane);
  }
  EXPECT_FALSE(w.wants_group());
  EXPECT_EQ(w.exec(), 0U);
}

}  // namespace
}  // namespace syncline::tests
