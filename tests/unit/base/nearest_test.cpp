#include "base/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace syncline::base {
namespace {

/// The distance as its definition says it, without any shortcut.
std::size_t plain_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      d[i][j] = i == 0 ? j : j == 0 ? i : d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      if (i > 0 && j > 0) d[i][j] = std::min({d[i][j], d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string plain_nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::string found;
  for (const std::string& candidate : candidates)
    if (const std::size_t d = plain_distance(name, candidate); d < best) {
      best = d;
      found = candidate;
    }
  return found;
}

TEST(NearestName, FindsSwapsInsertionsAndReplacements) {
  EXPECT_EQ(nearest_name("leese", {"line", "lease", "gpu"}), "lease");
  EXPECT_EQ(nearest_name("bnaks", {"banks", "bank"}), "banks");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("xyzzy", {"banks", "lease"}), "");
  EXPECT_EQ(nearest_name("XYZZY", {"banks", "lease"}), "");
}

TEST(NearestName, LooksBeyondCapitals) {
  EXPECT_EQ(nearest_name("GTO", {"lrr", "gto"}), "gto");
  EXPECT_EQ(nearest_name("SHEDULER", {"Units", "Scheduler"}), "Scheduler");
  EXPECT_EQ(nearest_name("Gto", {"GTO", "gto"}), "gto");
}

TEST(NearestName, IsTheFirstOfTheNearest) {
  EXPECT_EQ(nearest_name("ab", {"abc", "ac", "ab", "ba"}), "ab");
  EXPECT_EQ(nearest_name("ab", {"xyz", "ba", "ac"}), "ba");
  std::mt19937 random(1);
  const auto word = [&] {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) text += static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int n = 0; n < 2000; ++n) {
    std::vector<std::string> candidates;
    for (int c = 0; c < 5; ++c) candidates.push_back(word());
    const std::string name = word();
    EXPECT_EQ(nearest_name(name, candidates), plain_nearest(name, candidates)) << name;
  }
}

// A name of a file that is no text of ours may be the whole file.
TEST(NearestName, OfEndlessNamesIsNotLookedFor) {
  const std::string endless(std::size_t{1} << 22, 'a'), other(std::size_t{1} << 22, 'b');
  EXPECT_EQ(nearest_name(endless, {other, "lease"}), "");
  EXPECT_EQ(nearest_name("lease", {other, "leese"}), "leese");
  EXPECT_EQ(nearest_name(std::string(256, 'a'), {std::string(255, 'a')}), std::string(255, 'a'));
}

TEST(Suggestion, ListsWhatExistsWhenNothingIsNear) {
  EXPECT_EQ(suggestion("leese", {"lease"}), "; did you mean `lease`?");
  EXPECT_EQ(suggestion("q", {"alpha", "beta", "gamma"}, 2), "; expected one of: alpha, beta, ... (3 in all)");
}

}  // namespace
}  // namespace syncline::base
