// The store buffer of a warp as it lies in memory: a linear log of the data of its stores, and what describes them in
// lines of its own, so that a search reads several descriptions at once (GPUDet, section 4.3: an entry has an address,
// a data field and a byte mask; how they are packed is a choice).
//
// A line of headers begins with the place of the data of its first entry. The masks say where the others' are: each
// behind the one before, or at the start of the next line if it would cross its end. Behind that the line has cells of
// 12 bytes. A header takes one, with a bit for each word, or, when it has only some bytes of a word, two, with a bit
// for each byte. An entry is known by the number of its first cell.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/line_data.h"
#include "protocols/determinism/gpudet/spec.h"

namespace syncline::protocols::gpudet {

/// Describes one entry of the log.
struct LogHeader {
  std::uint64_t chunk = 0;  ///< line address / line size, below 2^40
  std::uint32_t epoch = 0;  ///< of its rank: rounds behind the quantum's first, below 2^23
  base::ByteMask mask;      ///< bytes of the chunk that were stored, at least one
  std::uint64_t place = 0;  ///< of its data: bytes from the first line of data
};

/// Some bytes of a word, and not all.
bool has_partial_word(const base::ByteMask& mask);

/// Addresses of one log: the lines with its headers, and behind them those with its data. There is room for `entries`
/// stores, whatever they write, so that their number alone says when a log is full.
class LogLayout {
 public:
  static constexpr unsigned cell_bytes = 12;
  static constexpr unsigned place_bytes = 8;  ///< in front of the cells of a line

  LogLayout(std::uint64_t base, unsigned line_bytes, std::uint32_t entries, LogData data)
      : base_(base),
        line_(line_bytes),
        cells_per_line_((line_bytes - place_bytes) / cell_bytes),
        entries_(entries),
        data_(data) {}
  static std::uint64_t bytes(unsigned line_bytes, std::uint32_t entries) {
    const LogLayout layout(0, line_bytes, entries, LogData::chunk);
    return (std::uint64_t{layout.most_header_lines()} + entries) * line_bytes;
  }

  std::uint32_t capacity() const { return entries_; }
  unsigned cells_per_line() const { return cells_per_line_; }
  /// That the header of a store takes.
  unsigned cells(const base::ByteMask& mask) const { return has_partial_word(mask) ? most_cells() : 1; }
  /// Where the header of a next entry begins, when those before it take `cells` cells: no header crosses the end of its
  /// line. A cell that this leaves out holds `unused()`.
  std::uint32_t next_entry(std::uint32_t cells, const base::ByteMask& mask) const {
    const std::uint32_t left = cells_per_line_ - cells % cells_per_line_;
    return this->cells(mask) <= left ? cells : cells + left;
  }
  static LogHeader unused() { return {}; }
  /// Lines that hold the first `cells` cells.
  std::uint32_t header_lines(std::uint32_t cells) const { return (cells + cells_per_line_ - 1) / cells_per_line_; }
  std::uint64_t header_line(std::uint32_t number) const { return base_ + std::uint64_t{number} * line_; }
  std::uint32_t header_line_of(std::uint32_t entry) const { return entry / cells_per_line_; }
  /// The bytes of line `number` of headers in a log of `cells` cells.
  base::ByteMask headers(std::uint32_t number, std::uint32_t cells) const {
    return base::ByteMask::range(
        0, place_bytes + std::min(cells_per_line_, cells - number * cells_per_line_) * cell_bytes);
  }
  /// The bytes of its line that an entry writes together with its header.
  base::ByteMask header(std::uint32_t entry, const base::ByteMask& mask) const;
  void encode(const LogHeader& header, std::uint32_t entry, base::LineData& to) const;
  /// Calls `visit(entry, header)` for those of line `number` of headers, of a log of `cells` cells, in order.
  template <class Visit>
  void decode(const base::LineData& from, std::uint32_t number, std::uint32_t cells, Visit visit) const {
    const std::uint32_t first = number * cells_per_line_, end = std::min(cells, first + cells_per_line_);
    std::uint64_t free = first_place(from);
    for (std::uint32_t entry = first; entry < end;) {
      LogHeader header = decode(from, entry);
      if (header.mask.empty()) return;  // unused
      header.place = place(free, header.mask);
      free = this->end(header);
      visit(entry, header);
      entry += this->cells(header.mask);
    }
  }

  /// Of the data of a next entry, when those before it end at `free`.
  std::uint64_t place(std::uint64_t free, const base::ByteMask& mask) const {
    return free % line_ + size(mask) > line_ ? (free / line_ + 1) * line_ : free;
  }
  /// Behind its data.
  std::uint64_t end(const LogHeader& header) const { return header.place + size(header.mask); }
  std::uint64_t data_line(const LogHeader& header) const {
    return base_ + (std::uint64_t{most_header_lines()} + header.place / line_) * line_;
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
  /// Of a header with a bit for each byte.
  unsigned most_cells() const { return (rank_bytes + line_ / 8 + cell_bytes - 1) / cell_bytes; }
  std::uint32_t most_header_lines() const {
    const unsigned fewest = cells_per_line_ / most_cells();  // entries of a line
    return (entries_ + fewest - 1) / fewest;
  }
  /// Where in its line a cell lies.
  unsigned offset(std::uint32_t cell) const { return place_bytes + cell % cells_per_line_ * cell_bytes; }
  std::uint64_t size(const base::ByteMask& mask) const { return data_ == LogData::packed ? mask.count() : line_; }
  bool lies_as_in_chunk(const LogHeader& header) const {
    return data_ == LogData::chunk || header.mask == base::ByteMask::all(line_);
  }
  static std::uint64_t first_place(const base::LineData& line);
  LogHeader decode(const base::LineData& from, std::uint32_t entry) const;  ///< without place
  /// Calls `visit(in the chunk, in the line)` for each byte of the mask.
  template <class Visit>
  void for_each_byte(const LogHeader& header, Visit visit) const;

  static constexpr unsigned rank_bytes = 8;

  std::uint64_t base_;
  unsigned line_, cells_per_line_;
  std::uint32_t entries_;
  LogData data_;
};

}  // namespace syncline::protocols::gpudet
