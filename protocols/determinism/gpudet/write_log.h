// The store buffer of a warp as it lies in memory: a linear log of chunks, and what describes them in lines of its own,
// so that a search reads several descriptions at once (GPUDet, section 4.3: an entry has an address, a data field and a
// byte mask; how they are packed is a choice).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/line_data.h"

namespace syncline::protocols::gpudet {

/// Describes one chunk of the log.
struct LogHeader {
  std::uint64_t chunk = 0;  ///< line address / line size, below 2^40
  std::uint32_t epoch = 0;  ///< of its rank: rounds behind the quantum's first, below 2^24
  base::ByteMask mask;      ///< bytes that the chunk holds
};

/// Addresses of one log: `entries` data lines, and in front of them the lines with their headers.
class LogLayout {
 public:
  static constexpr unsigned header_bytes = 24;

  LogLayout(std::uint64_t base, unsigned line_bytes, std::uint32_t entries)
      : base_(base), line_(line_bytes), entries_(entries) {}
  static std::uint64_t bytes(unsigned line_bytes, std::uint32_t entries) {
    const LogLayout layout(0, line_bytes, entries);
    return (std::uint64_t{layout.header_lines(entries)} + entries) * line_bytes;
  }

  std::uint32_t capacity() const { return entries_; }
  unsigned headers_per_line() const { return line_ / header_bytes; }
  /// Lines that hold the first `count` headers.
  std::uint32_t header_lines(std::uint32_t count) const {
    return (count + headers_per_line() - 1) / headers_per_line();
  }
  std::uint64_t header_line(std::uint32_t number) const { return base_ + std::uint64_t{number} * line_; }
  std::uint32_t header_line_of(std::uint32_t entry) const { return entry / headers_per_line(); }
  std::uint64_t data_line(std::uint32_t entry) const {
    return base_ + (std::uint64_t{header_lines(entries_)} + entry) * line_;
  }
  /// Where in its line the header of `entry` lies.
  unsigned header_offset(std::uint32_t entry) const { return entry % headers_per_line() * header_bytes; }
  /// The bytes of the headers in line `number` of a log of `count` entries.
  base::ByteMask headers(std::uint32_t number, std::uint32_t count) const {
    return base::ByteMask::range(0, std::min(headers_per_line(), count - number * headers_per_line()) * header_bytes);
  }

  void encode(const LogHeader& header, std::uint32_t entry, base::LineData& to) const;
  LogHeader decode(const base::LineData& from, std::uint32_t entry) const;

 private:
  std::uint64_t base_;
  unsigned line_;
  std::uint32_t entries_;
};

}  // namespace syncline::protocols::gpudet
