#include "platform/timed/streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace syncline::platform {
namespace {

using base::GridId;
using ::testing::ElementsAre;

struct StreamsTest : ::testing::Test {
  std::vector<std::uint32_t> started;
  Streams streams{[this](GridId grid) { started.push_back(grid.value()); }};
};

TEST_F(StreamsTest, LaunchesOfOneStreamWaitForEachOther) {
  streams.push(StreamHandle::default_stream, GridId(1));
  streams.push(StreamHandle::default_stream, GridId(2));
  EXPECT_THAT(started, ElementsAre(1));
  streams.ended(GridId(1));
  EXPECT_THAT(started, ElementsAre(1, 2));
  EXPECT_FALSE(streams.all_idle());
  streams.ended(GridId(2));
  EXPECT_TRUE(streams.all_idle());
}

TEST_F(StreamsTest, StreamsRunSideBySide) {
  const StreamHandle other = streams.create();
  streams.push(StreamHandle::default_stream, GridId(1));
  streams.push(other, GridId(2));
  EXPECT_THAT(started, ElementsAre(1, 2));
  streams.ended(GridId(2));
  EXPECT_TRUE(streams.idle(other));
  EXPECT_FALSE(streams.idle(StreamHandle::default_stream));
}

TEST_F(StreamsTest, MistakesAreTold) {
  try {
    streams.check(StreamHandle{3});
    FAIL() << "accepted";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("stream handle 3 is not one of the 1 streams"));
  }
  EXPECT_THROW(streams.ended(GridId(9)), base::ModelError);
}

}  // namespace
}  // namespace syncline::platform
