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

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

/// The place of the nearest one; that behind the last: none is near.
std::size_t nearest_place(std::string_view name, const std::vector<std::string>& candidates) {
  // What is no better than the best so far is not looked at to its end.
  std::size_t allowed = std::max<std::size_t>(1, name.size() / 3);
  std::size_t found = candidates.size();
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    const std::size_t d = distance(name, candidates[n], allowed);
    if (d > allowed) continue;
    found = n;
    if (d == 0) break;
    allowed = d - 1;
  }
  return found;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > longest_name) return {};
  std::size_t place = nearest_place(name, candidates);
  if (place == candidates.size()) {  // `GTO` is no typing error in each of its letters
    std::vector<std::string> lower;
    for (const std::string& candidate : candidates) lower.push_back(lower_case(candidate));
    place = nearest_place(lower_case(name), lower);
  }
  return place == candidates.size() ? std::string() : candidates[place];
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
