// What the user may choose of a program besides its size and seed: `syncline run PLATFORM NAME --option sync=tx`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::workloads {

/// One of some words, or a whole number.
struct Option {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::string_view> words;  ///< the first is the default; none where a number is asked for
  std::uint32_t least = 0;              ///< of numbers
  std::uint32_t most = 0;
  std::uint32_t usual = 0;  ///< the default of numbers
};

/// As `syncline list workloads` prints it: "sync=locks|tx", "contention=0..100 (25)".
std::string shape(const Option& option);

/// By the names of options, what was chosen of them: words, and numbers in decimal.
using Choices = std::map<std::string, std::string, std::less<>>;

/// Enters "NAME=VALUE" into `choices`. UserError where there is no `=`, or the name was chosen before.
void choose(Choices& choices, std::string_view text);

/// `chosen`, with the defaults of the options that it leaves out. UserError for options that `program` does not have,
/// with the nearest name, and for values that they do not take.
Choices completed(std::string_view program, const std::vector<Option>& options, const Choices& chosen);

}  // namespace syncline::workloads
