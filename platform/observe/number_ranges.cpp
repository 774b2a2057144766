#include "platform/observe/number_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace syncline::platform {

NumberRanges::NumberRanges(std::string_view text, std::string_view option) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto fail = [&](const char* expected) {
    const auto found = at == end ? std::string("the end") : fmt::format("`{}`", *at);
    throw base::UserError(fmt::format("{} `{}`, column {}: expected {}, found {}; such a list is 0-3,7", option, text,
                                      at - text.data() + 1, expected, found));
  };
  const auto number = [&] {
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) fail("a number");
    at = rest;
    return value;
  };
  do {
    if (!ranges_.empty()) ++at;  // a comma
    const char* const begin = at;
    Range range{};
    range.first = range.last = number();
    if (at != end && *at == '-') {
      ++at;
      range.last = number();
    }
    if (range.last < range.first) {
      at = begin;
      fail("a range that goes up");
    }
    if (at != end && *at != ',') fail("`,` or `-`");
    ranges_.push_back(range);
  } while (at != end);
}

bool NumberRanges::has(std::uint64_t number) const {
  return all() || std::any_of(ranges_.begin(), ranges_.end(),
                              [number](const Range& range) { return range.first <= number && number <= range.last; });
}

std::uint64_t NumberRanges::greatest() const {
  std::uint64_t greatest = 0;
  for (const Range& range : ranges_) greatest = std::max(greatest, range.last);
  return greatest;
}

}  // namespace syncline::platform
