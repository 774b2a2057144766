// Commit IDs of WarpTM and its variants, of which no more are given out than the rings of commit units have room for.
#include <gtest/gtest.h>

#include "models/transactions/warptm/warptm_shared.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

class CommitIdsOfTransactions : public PlatformFixture {};

TEST_F(CommitIdsOfTransactions, HaveRoomAgainWhenAllUpToThemAreOver) {
  models::WarptmKeys keys;
  keys.machine.ring_entries = 4;
  models::WarptmShared ids("commit_ids", context, keys);
  EXPECT_EQ(ids.take(3), 1U);
  ids.over(3);
  ids.over(2);
  EXPECT_FALSE(ids.may_take(2)) << "a ring that is full of later ones would keep the first one away";
  ids.over(1);
  EXPECT_TRUE(ids.may_take(4));
  EXPECT_FALSE(ids.may_take(5));
  EXPECT_EQ(ids.take(4), 4U);
  EXPECT_FALSE(ids.may_take(1));
}

}  // namespace
}  // namespace syncline::tests
