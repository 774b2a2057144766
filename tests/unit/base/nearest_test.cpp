#include "base/nearest.h"

#include <gtest/gtest.h>

namespace syncline::base {
namespace {

TEST(NearestName, FindsSwapsInsertionsAndReplacements) {
  EXPECT_EQ(nearest_name("leese", {"line", "lease", "gpu"}), "lease");
  EXPECT_EQ(nearest_name("bnaks", {"banks", "bank"}), "banks");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("xyzzy", {"banks", "lease"}), "");
}

TEST(NearestName, DoesNotSearchForWhatNobodyTypes) {
  const std::string long_name(200, 'n');
  EXPECT_EQ(nearest_name(long_name, {long_name.substr(1)}), long_name.substr(1));
  EXPECT_EQ(nearest_name(long_name + 'n', {long_name}), "");
  EXPECT_EQ(nearest_name("lease", {std::string(10'000'000, 'l'), "leas"}), "leas");
}

TEST(Suggestion, ListsWhatExistsWhenNothingIsNear) {
  EXPECT_EQ(suggestion("leese", {"lease"}), "; did you mean `lease`?");
  EXPECT_EQ(suggestion("q", {"alpha", "beta", "gamma"}, 2), "; expected one of: alpha, beta, ... (3 in all)");
}

}  // namespace
}  // namespace syncline::base
