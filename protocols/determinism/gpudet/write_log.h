// The store buffer of a warp as it lies in memory: a linear log of the data of its stores, and what describes them in
// lines of its own, so that a search reads several descriptions at once (GPUDet, section 4.3: an entry has an address,
// a data field and a byte mask; how they are packed is a choice).
//
// A line of headers begins with the place of the data of its first entry. The masks say where the others' are: each
// behind the one before, or at the start of the next line if it would cross its end.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/line_data.h"
#include "protocols/determinism/gpudet/spec.h"

namespace syncline::protocols::gpudet {

/// Describes one entry of the log.
struct LogHeader {
  std::uint64_t chunk = 0;  ///< line address / line size, below 2^40
  std::uint32_t epoch = 0;  ///< of its rank: rounds behind the quantum's first, below 2^24
  base::ByteMask mask;      ///< bytes of the chunk that were stored
  std::uint64_t place = 0;  ///< of its data: bytes from the first line of data
};

/// Addresses of one log: the lines with its headers, and behind them those with its data. There are `entries` of these,
/// so that the number of stores alone says when a log is full, whatever its form.
class LogLayout {
 public:
  static constexpr unsigned header_bytes = 24;
  static constexpr unsigned place_bytes = 8;  ///< in front of the headers of a line

  LogLayout(std::uint64_t base, unsigned line_bytes, std::uint32_t entries, LogData data)
      : base_(base), line_(line_bytes), entries_(entries), data_(data) {}
  static std::uint64_t bytes(unsigned line_bytes, std::uint32_t entries) {
    const LogLayout layout(0, line_bytes, entries, LogData::chunk);
    return (std::uint64_t{layout.header_lines(entries)} + entries) * line_bytes;
  }

  std::uint32_t capacity() const { return entries_; }
  unsigned headers_per_line() const { return (line_ - place_bytes) / header_bytes; }
  /// Lines that hold the first `count` headers.
  std::uint32_t header_lines(std::uint32_t count) const {
    return (count + headers_per_line() - 1) / headers_per_line();
  }
  std::uint64_t header_line(std::uint32_t number) const { return base_ + std::uint64_t{number} * line_; }
  std::uint32_t header_line_of(std::uint32_t entry) const { return entry / headers_per_line(); }
  /// Where in its line the header of `entry` lies.
  unsigned header_offset(std::uint32_t entry) const { return place_bytes + entry % headers_per_line() * header_bytes; }
  /// The bytes of line `number` of headers in a log of `count` entries.
  base::ByteMask headers(std::uint32_t number, std::uint32_t count) const {
    const std::uint32_t first = number * headers_per_line();
    return base::ByteMask::range(0,
                                 header_offset(first + std::min(headers_per_line(), count - first) - 1) + header_bytes);
  }
  /// The bytes of its line that an entry writes together with its header.
  base::ByteMask header(std::uint32_t entry) const;
  void encode(const LogHeader& header, std::uint32_t entry, base::LineData& to) const;
  /// Calls `visit(entry, header)` for those of line `number` of headers, of a log of `count` entries, in order.
  template <class Visit>
  void decode(const base::LineData& from, std::uint32_t number, std::uint32_t count, Visit visit) const {
    const std::uint32_t first = number * headers_per_line();
    std::uint64_t free = first_place(from);
    for (std::uint32_t entry = first; entry < std::min(count, first + headers_per_line()); ++entry) {
      LogHeader header = decode(from, entry);
      header.place = place(free, header.mask);
      free = end(header);
      visit(entry, header);
    }
  }

  /// Of the data of a next entry, when those before it end at `free`.
  std::uint64_t place(std::uint64_t free, const base::ByteMask& mask) const {
    return free % line_ + size(mask) > line_ ? (free / line_ + 1) * line_ : free;
  }
  /// Behind its data.
  std::uint64_t end(const LogHeader& header) const { return header.place + size(header.mask); }
  std::uint64_t data_line(const LogHeader& header) const {
    return base_ + (std::uint64_t{header_lines(entries_)} + header.place / line_) * line_;
  }
  /// Where in its data line the bytes `of` its chunk are, which its mask names.
  base::ByteMask stored(const LogHeader& header, const base::ByteMask& of) const;
  /// The bytes of its data line that it and the entries before it hold.
  base::ByteMask stored_so_far(const LogHeader& header) const;
  /// From where the bytes of the mask are in the chunk to where they are in the log.
  void pack(const LogHeader& header, const base::LineData& chunk, base::LineData& line) const;
  /// Back, but only the bytes `of` the chunk.
  void unpack(const LogHeader& header, const base::ByteMask& of, const base::LineData& line,
              base::LineData& chunk) const;

 private:
  std::uint64_t size(const base::ByteMask& mask) const { return data_ == LogData::packed ? mask.count() : line_; }
  bool lies_as_in_chunk(const LogHeader& header) const {
    return data_ == LogData::chunk || header.mask == base::ByteMask::all(line_);
  }
  static std::uint64_t first_place(const base::LineData& line);
  LogHeader decode(const base::LineData& from, std::uint32_t entry) const;  ///< without place
  /// Calls `visit(in the chunk, in the line)` for each byte of the mask.
  template <class Visit>
  void for_each_byte(const LogHeader& header, Visit visit) const;

  std::uint64_t base_;
  unsigned line_;
  std::uint32_t entries_;
  LogData data_;
};

}  // namespace syncline::protocols::gpudet
