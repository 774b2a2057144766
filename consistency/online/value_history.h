// Which bytes each version of a line has, as far as it is remembered: what an observer holds against what is read.
//
// Of each line the newest bytes are kept, and of the last writes, of whichever lines, what they have overwritten. A
// byte that nobody has written yet is known from its first reader on, who saw what memory held at the beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "base/line_data.h"
#include "consistency/online/line_record.h"

namespace syncline::consistency {

/// What a comparison came to.
struct ValueVerdict {
  enum class Kind : std::uint8_t {
    agrees,    ///< every byte is that of the version, or was not known and is from now on
    differs,   ///< `byte`, the first one, is `found` and not `expected`
    forgotten  ///< a write behind the version is no longer remembered; nothing was compared
  };
  Kind kind = Kind::agrees;
  unsigned byte = 0;
  std::uint8_t expected = 0, found = 0;
};

/// Holds the bytes among `mask` of `found` against those of `expected`.
ValueVerdict compare(const base::ByteMask& mask, const base::LineData& expected, const base::LineData& found);

class ValueHistory {
 public:
  /// `window`: writes, over all lines, of which is remembered what they have overwritten.
  explicit ValueHistory(std::size_t window) : window_(window) {}

  /// The bytes among `mask` of `bytes` become those of the line. Returns the version that this makes: how many writes
  /// there have been to the line, as OnlineChecker counts them.
  LineVersion write(std::uint64_t line, const base::ByteMask& mask, const base::LineData& bytes);
  /// Somebody says that the line has these bytes at `version` (one that it has not had yet is `forgotten`). A byte that
  /// was neither written by then nor read between the writes around that version is learnt; it had this value from the
  /// beginning.
  ValueVerdict check(std::uint64_t line, LineVersion version, const base::ByteMask& mask, const base::LineData& bytes);

  LineVersion version_of(std::uint64_t line) const;
  /// Writes of which is remembered what they have overwritten.
  std::size_t remembered() const { return overwritten_.size(); }
  /// Lines that were written or read.
  std::size_t lines() const { return lines_.size(); }

 private:
  struct Overwritten {
    base::ByteMask mask;   ///< of the write
    base::ByteMask known;  ///< bytes of `mask` of which `bytes` tells what they were
    base::LineData bytes;
  };
  struct Line {
    LineVersion version = 0;
    base::ByteMask known;
    base::LineData bytes{};
    /// Numbers of the last writes, ascending; that of the newest version is the last one.
    std::vector<std::uint64_t> writes;
    std::size_t tidy = 16;  ///< size of `writes` at which it is worth looking for what is forgotten
  };

  static ValueVerdict check_or_learn(const base::ByteMask& mask, const base::LineData& found, base::ByteMask& known,
                                     base::LineData& bytes);
  void forget(Line& line) const;

  std::size_t window_;
  std::uint64_t first_ = 0;  ///< number of the first write in `overwritten_`; they are counted over all lines
  std::deque<Overwritten> overwritten_;
  std::unordered_map<std::uint64_t, Line> lines_;
};

}  // namespace syncline::consistency
