// The queue behind a receiving port: what is recycled lets others pass, but of its own line only what may overtake it.
#include "models/cache/inbox.h"

#include <gtest/gtest.h>

#include "models/transport/message_pool.h"

namespace syncline::tests {
namespace {

class InboxTest : public testing::Test {
 protected:
  void push(std::uint64_t line, base::Cycle at, std::uint16_t source = 0, bool overtakes = false) {
    models::Message& m = pool.get();
    m.line = base::LineAddress(line);
    m.source = models::l1_node(base::SmId(source));
    inbox.push(m, at, overtakes);
  }
  /// Line of the message that is looked at next, and takes it.
  std::uint64_t take() {
    const std::size_t place = inbox.next(0);
    models::Message& m = *inbox.queue(0)[place].message;
    const std::uint64_t line = m.line.value();
    inbox.take(0, place);
    m.payload()->release();
    return line;
  }
  models::MessagePool pool;
  models::Inbox inbox{1, 4};
};

TEST_F(InboxTest, IsAQueueWhileNothingIsRecycled) {
  push(0x100, 5);
  push(0x200, 5);
  push(0x100, 7);
  EXPECT_EQ(inbox.next(0), 0U);
  EXPECT_EQ(take(), 0x100U);
  EXPECT_EQ(take(), 0x200U);
  EXPECT_EQ(take(), 0x100U);
}

TEST_F(InboxTest, WhatIsRecycledLetsOthersPassButNotThoseOfItsLine) {
  push(0x100, 5);
  push(0x100, 6);
  push(0x200, 7);
  inbox.recycle(0, inbox.next(0), 15);
  EXPECT_EQ(take(), 0x200U) << "the second of line 0x100 is older but stands behind the first";
  ASSERT_EQ(inbox.next(0), 0U);
  EXPECT_EQ(inbox.queue(0)[0].at, 15U);
  EXPECT_EQ(take(), 0x100U);
  EXPECT_EQ(inbox.queue(0)[inbox.next(0)].at, 6U);
  EXPECT_EQ(take(), 0x100U);
}

TEST_F(InboxTest, WhatMayOvertakePassesARecycledOneOfItsLineThatAnotherNodeSent) {
  push(0x100, 5, 1);
  push(0x100, 6, 1, true);
  push(0x100, 7, 2, true);
  push(0x100, 8, 2);
  inbox.recycle(0, inbox.next(0), 15);
  ASSERT_EQ(inbox.next(0), 2U) << "the first of those that may overtake has the sender of what was recycled";
  take();
  ASSERT_EQ(inbox.next(0), 0U) << "the last may not overtake";
  take();
  EXPECT_EQ(inbox.next(0), 0U);
}

TEST_F(InboxTest, NothingOvertakesWhatIsNotRecycled) {
  push(0x100, 5, 1);
  push(0x100, 5, 2, true);
  EXPECT_EQ(inbox.next(0), 0U);
}

TEST_F(InboxTest, WhatIsRecycledKeepsItsPlaceInTheFiniteQueue) {
  for (unsigned i = 0; i < 4; ++i) push(0x100 * i, 1);
  for (unsigned i = 0; i < 4; ++i) inbox.recycle(0, inbox.next(0), 10 + i);
  models::Message& one_more = pool.get();
  EXPECT_FALSE(inbox.push(one_more, 2));
  one_more.payload()->release();
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(take(), 0x100U * i) << "in the order in which they were recycled";
}

}  // namespace
}  // namespace syncline::tests
