#include <gmock/gmock.h>

#include "models/block/traced_signal.h"

namespace syncline::models {
namespace {

TracedSignal signal(std::string name) {
  return {"block", "group", std::move(name), 1, [] { return std::uint64_t{0}; }};
}
std::vector<std::string> names(TracedSignals& signals) {
  std::vector<std::string> all;
  for (const TracedSignal& one : signals.all()) all.push_back(one.name);
  return all;
}

TEST(TracedSignals, StandWhereTheirBlocksWereMade) {
  TracedSignals signals;
  int asked = 0;
  const auto two = [&](const std::string& name) {
    ++asked;
    signals.add(signal(name + "0"));
    signals.add(signal(name + "1"));
  };
  signals.add(signal("a"));
  signals.add_when_asked([&] { two("b"); });
  signals.add_when_asked([&] { two("c"); });
  signals.add(signal("d"));
  signals.add_when_asked([&] { two("e"); });
  EXPECT_EQ(asked, 0);
  EXPECT_THAT(names(signals), testing::ElementsAre("a", "b0", "b1", "c0", "c1", "d", "e0", "e1"));
  EXPECT_EQ(asked, 3);
  signals.add(signal("f"));
  signals.add_when_asked([&] { two("g"); });
  EXPECT_THAT(names(signals), testing::ElementsAre("a", "b0", "b1", "c0", "c1", "d", "e0", "e1", "f", "g0", "g1"));
  EXPECT_EQ(asked, 4);
}

}  // namespace
}  // namespace syncline::models
