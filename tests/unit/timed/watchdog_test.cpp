#include "platform/timed/watchdog.h"

#include <gtest/gtest.h>

namespace syncline::platform {
namespace {

class Waiting : public models::Block {
 public:
  using Block::Block;
  std::vector<std::string> describe_waiting() const override { return {"waits"}; }
};

TEST(Watchdog, NamesWhoWaitsInTheOrderOfNames) {
  models::Scheduler scheduler("scheduler");
  models::MessagePool messages;
  base::StatisticsRegistry statistics;
  models::PlatformContext context{scheduler, messages, statistics};
  const Waiting second("b", context), first("a", context), third("c", context);
  EXPECT_EQ(Watchdog::who_waits(context), "\n  a: waits\n  b: waits\n  c: waits");
}

}  // namespace
}  // namespace syncline::platform
