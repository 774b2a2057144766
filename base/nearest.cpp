#include "base/nearest.h"

#include <algorithm>
#include <limits>

namespace syncline::base {
namespace {

// Optimal string alignment distance: Levenshtein plus swaps of neighbours, the most frequent typing error.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 200;  // of what somebody types; the distance takes time by the square of it
  if (name.size() > longest) return {};
  const std::size_t allowed = std::max<std::size_t>(1, name.size() / 3);
  std::size_t best = std::numeric_limits<std::size_t>::max();
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > name.size() + allowed || name.size() > candidate.size() + allowed) continue;
    const std::size_t d = distance(name, candidate);
    if (d <= allowed && d < best) {
      best = d;
      found = candidate;
    }
  }
  return found;
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
