// A warp's side of GETM, step by step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "protocols/transactions/getm/warp_transaction.h"

namespace syncline::tests {
namespace {

using namespace protocols::getm;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Warp : testing::Test {
  using Touch = WarpTransaction::Touch;
  void make() { warp = std::make_unique<WarpTransaction>(spec, 3); }
  /// Answers all requests.
  void answer(const WarpTransaction::Issued& issued, Verdict verdict = Verdict::done, Timestamp seen = 0) {
    for (const Request& request : issued.requests)
      warp->answered({request, verdict, verdict == Verdict::refused ? AbortCause::war : AbortCause::none, seen, {}});
  }
  WarpTransaction::Ended end() {
    return warp->end([](Granule granule) { return static_cast<unsigned>(granule % 2); });
  }

  GetmSpec spec;
  std::unique_ptr<WarpTransaction> warp;
};

TEST_F(Warp, AsksOnceAGranule) {
  make();
  warp->begin(0xf);
  const auto issued = warp->access(Access::store, {{0, 0, 1}, {1, 1, 2}, {2, 8, 3}, {2, 2, 4}, {3, 9, 5}});
  ASSERT_THAT(issued.requests, SizeIs(2));
  EXPECT_EQ(issued.aborted, 0U);
  EXPECT_EQ(issued.requests[0].granule, 0U);
  EXPECT_EQ(issued.requests[0].count, 3) << "lanes 0, 1 and 2";
  EXPECT_EQ(issued.requests[1].count, 2);
  EXPECT_EQ(issued.requests[0].who, 3U);
  EXPECT_EQ(issued.requests[0].at, first_timestamp);
}

TEST_F(Warp, OfLanesInConflictTheFirstGoesOn) {
  make();
  warp->begin(0x7);
  const auto issued = warp->access(Access::store, {{0, 4, 1}, {1, 4, 2}, {2, 5, 3}});
  EXPECT_EQ(issued.aborted, 0b010U);
  ASSERT_THAT(issued.requests, SizeIs(1));
  EXPECT_EQ(issued.requests[0].count, 2);
  EXPECT_EQ(warp->access(Access::load, {{2, 4, 0}}).aborted, 0b100U) << "reads what lane 0 writes";
  EXPECT_EQ(warp->access(Access::store, {{0, 5, 0}}).aborted, 0U) << "lane 2 does not count any more";
}

TEST_F(Warp, ReadersShareAndAWriterAmongThemAborts) {
  make();
  warp->begin(0x3);
  EXPECT_EQ(warp->access(Access::load, {{0, 4}, {1, 4}}).aborted, 0U);
  EXPECT_EQ(warp->access(Access::store, {{1, 4, 1}}).aborted, 0b10U);
  EXPECT_EQ(warp->access(Access::store, {{0, 4, 1}}).aborted, 0U) << "the last that lives never loses";
}

TEST_F(Warp, WordsThatShareAnEntryOfTheOwnershipTableConflict) {
  spec.ownership_entries = 16;
  make();
  warp->begin(0x3);
  EXPECT_EQ(warp->access(Access::store, {{0, 4, 1}, {1, 20, 1}}).aborted, 0b10U);
  spec.ownership_entries = 0;
  make();
  warp->begin(0x3);
  EXPECT_EQ(warp->access(Access::store, {{0, 4, 1}, {1, 20, 1}}).aborted, 0U);
}

TEST_F(Warp, ReadsItsOwnLog) {
  make();
  warp->begin(0x1);
  answer(warp->access(Access::store, {{0, 4, 0x11223344, 0b0011}}));
  EXPECT_THAT(warp->access(Access::load, {{0, 4, 0, 0b0001}}).requests, IsEmpty());
  EXPECT_THAT(warp->access(Access::load, {{0, 4}}).requests, SizeIs(1)) << "two bytes are in memory";
  answer(warp->access(Access::store, {{0, 4, 0xaabbccdd, 0b1010}}));
  const auto logged = warp->logged(0, 4);
  ASSERT_TRUE(logged);
  EXPECT_EQ(logged->value, 0xaa00cc44U);
  EXPECT_EQ(logged->bytes, 0b1011);
  EXPECT_FALSE(warp->logged(0, 5));
}

TEST_F(Warp, SendsWordsOfWhoCommitsAndCountsOfAll) {
  make();
  warp->begin(0x7);
  answer(warp->access(Access::store, {{0, 0, 1}, {1, 1, 2}}));
  answer(warp->access(Access::store, {{0, 8, 3}}));
  answer(warp->access(Access::store, {{0, 2, 4}}));
  answer(warp->access(Access::load, {{1, 80}}), Verdict::refused, 6);
  EXPECT_FALSE(warp->complete());
  warp->finish(0x7);
  ASSERT_TRUE(warp->complete());
  const auto ended = end();
  EXPECT_EQ(ended.committed, 0b101U);
  EXPECT_EQ(ended.aborted, 0b010U);
  EXPECT_EQ(warp->warpts(), 7U) << "behind what it heard of";
  ASSERT_THAT(ended.logs, SizeIs(2));
  const WarpLog& even = ended.logs.at(0);
  ASSERT_THAT(even, SizeIs(2));
  EXPECT_EQ(even[0].writes, 2U) << "of lane 0: two stores to granule 0";
  EXPECT_TRUE(even[0].commits);
  EXPECT_THAT(even[0].words, SizeIs(2));
  EXPECT_EQ(even[1].writes, 1U);
  EXPECT_FALSE(even[1].commits);
  EXPECT_THAT(even[1].words, IsEmpty());
  ASSERT_THAT(ended.logs.at(1), SizeIs(1));
  EXPECT_EQ(ended.logs.at(1)[0].words[0].value, 3U);

  EXPECT_FALSE(warp->may_begin()) << "what it has reserved would be taken for the next attempt's";
  EXPECT_FALSE(warp->acknowledged(3));
  EXPECT_FALSE(warp->may_begin());
  EXPECT_TRUE(warp->acknowledged(3));
  EXPECT_TRUE(warp->may_begin());
  EXPECT_THROW(warp->acknowledged(3), base::ModelError);
}

TEST_F(Warp, AttemptsWithTagsOverlapTheirCommits) {
  spec.attempt_tags = 2;
  make();
  std::vector<Requester> used;
  for (int i = 0; i < 2; ++i) {
    warp->begin(0x1);
    used.push_back(warp->who());
    answer(warp->access(Access::store, {{0, 0, 1}}));
    warp->finish(0x1);
    EXPECT_EQ(end().who, used.back());
  }
  EXPECT_THAT(used, ElementsAre(7, 6));
  EXPECT_FALSE(warp->may_begin()) << "7 is still to be released";
  warp->acknowledged(6);
  EXPECT_FALSE(warp->may_begin());
  warp->acknowledged(7);
  EXPECT_TRUE(warp->may_begin());
}

TEST_F(Warp, ALaneThatIsRefusedWhileMoreIsUnderWayCleansUpAll) {
  make();
  warp->begin(0x1);
  const auto first = warp->access(Access::load, {{0, 0}});
  const auto second = warp->access(Access::store, {{0, 8, 1}});
  answer(first, Verdict::refused, 4);
  EXPECT_EQ(warp->live(), 0U);
  EXPECT_FALSE(warp->complete()) << "the store is under way";
  answer(second);
  ASSERT_TRUE(warp->complete());
  const auto ended = end();
  EXPECT_EQ(ended.aborted, 0x1U);
  EXPECT_EQ(ended.logs.at(1)[0].writes, 1U);
}

TEST_F(Warp, GivesUpForARollover) {
  make();
  warp->begin(0x3);
  const auto issued = warp->access(Access::store, {{0, 0, 1}});
  warp->stop();
  EXPECT_FALSE(warp->stopped());
  EXPECT_THROW(warp->access(Access::load, {{1, 8}}), base::ModelError);
  EXPECT_THROW(warp->restart(), base::ModelError);
  answer(issued, Verdict::done, 9);
  warp->finish(0x3);
  EXPECT_FALSE(warp->complete()) << "nothing ends now";
  ASSERT_TRUE(warp->stopped());
  EXPECT_EQ(warp->restart(), 0x3U);
  EXPECT_EQ(warp->warpts(), first_timestamp);
  EXPECT_TRUE(warp->may_begin());
}

TEST_F(Warp, ItsTimeEndsAtTheLastOne) {
  spec.timestamp_bits = 3;
  make();
  warp->begin(0x1);
  answer(warp->access(Access::load, {{0, 0}}), Verdict::refused, 7);
  end();
  EXPECT_EQ(warp->warpts(), 7U);
}

TEST_F(Warp, ErrorsOfItsHostAreFound) {
  make();
  EXPECT_THROW(warp->begin(0), base::ModelError);
  EXPECT_THROW(end(), base::ModelError);
  warp->begin(0x1);
  EXPECT_THROW(warp->begin(0x1), base::ModelError);
  EXPECT_THROW(warp->answered({{Access::load, 0, 3, 1, 1, 5}, Verdict::done, {}, 0, {}}), base::ModelError);
}

}  // namespace
}  // namespace syncline::tests
