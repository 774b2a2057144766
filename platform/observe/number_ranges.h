// Sets of numbers as options of a command name them: "0-3,7".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::platform {

class NumberRanges {
 public:
  /// All numbers.
  NumberRanges() = default;
  /// UserError where `text` is not numbers and ranges with commas between, which names `option` and the column.
  NumberRanges(std::string_view text, std::string_view option);

  bool all() const { return ranges_.empty(); }
  bool has(std::uint64_t number) const;
  /// The greatest number that is named; 0 for all numbers.
  std::uint64_t greatest() const;

 private:
  struct Range {
    std::uint64_t first, last;
  };
  std::vector<Range> ranges_;
};

}  // namespace syncline::platform
