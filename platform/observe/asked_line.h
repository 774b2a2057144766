// A line of memory that a user asks about by an address in it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace syncline::platform {

/// Remembers of the lines that there are the one that lies nearest, for who has to be told that nothing met it.
class AskedLine {
 public:
  AskedLine(std::uint64_t address, unsigned line_bytes) : line_(address / line_bytes * line_bytes) {}

  std::uint64_t address() const { return line_; }  ///< of its first byte
  /// Whether `line` is it.
  bool meets(std::uint64_t line) {
    if (!nearest_ || distance(line) < distance(*nearest_)) nearest_ = line;
    return line == line_;
  }
  bool was_met() const { return nearest_ == line_; }
  /// "; the nearest that `what` is at 0x...", or nothing where there was no line at all.
  std::string nearest(std::string_view what) const {
    return nearest_ ? fmt::format("; the nearest that {} is at {:#x}", what, *nearest_) : std::string();
  }

 private:
  std::uint64_t distance(std::uint64_t other) const { return other < line_ ? line_ - other : other - line_; }

  std::uint64_t line_;
  std::optional<std::uint64_t> nearest_;
};

}  // namespace syncline::platform
