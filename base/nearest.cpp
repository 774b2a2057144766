#include "base/nearest.h"

#include <algorithm>

namespace syncline::base {
namespace {

constexpr std::size_t longest_name = 256;  // nobody misspells a longer one, and the distance costs its square

// Optimal string alignment distance: Levenshtein plus swaps of neighbours, the most frequent typing error. Anything
// above `limit` stands for a distance that is greater.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::size_t least_before = 0;  // of the row before: a swap reaches over one row
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
      least = std::min(least, current[j]);
    }
    if (std::min(least, least_before) > limit) return limit + 1;
    least_before = least;
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > longest_name) return {};
  // What is no better than the best so far is not looked at to its end.
  std::size_t allowed = std::max<std::size_t>(1, name.size() / 3);
  const std::string* found = nullptr;
  for (const std::string& candidate : candidates) {
    const std::size_t d = distance(name, candidate, allowed);
    if (d > allowed) continue;
    found = &candidate;
    if (d == 0) break;
    allowed = d - 1;
  }
  return found == nullptr ? std::string() : *found;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates, std::size_t limit) {
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) return "; did you mean `" + nearest + "`?";
  if (candidates.empty()) return "";
  std::string text = "; expected one of: ";
  for (std::size_t i = 0; i < candidates.size() && i < limit; ++i) text += (i == 0 ? "" : ", ") + candidates[i];
  if (candidates.size() > limit) text += ", ... (" + std::to_string(candidates.size()) + " in all)";
  return text;
}

}  // namespace syncline::base
