// A table of texts whose columns are as wide as they must be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace syncline::platform {

/// The first column stands at the left, the others at the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> titles) { rows_.push_back(std::move(titles)); }
  /// As many cells as there are titles.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// In at most six characters: 0 to 99999, then 123.4k, 1.234M, 12.34G ... (powers of 1000).
std::string short_number(std::uint64_t value);
/// Of a hundred, with one digit behind the point; nothing is "0", less than that "<0.1"; "-" without a whole.
std::string percent(double part, double whole);
/// Of `count` values, with one digit behind the point, or as a short_number; "-" without any.
std::string mean(double sum, std::uint64_t count);
/// At most `most` characters of a name; "~" stands for the rest.
std::string short_name(const std::string& name, std::size_t most);
/// The words in lines of at most `width` characters, each with its end.
std::string wrapped(const std::string& words, std::size_t width);

}  // namespace syncline::platform
