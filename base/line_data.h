// Bytes of one cache line and the set of bytes that an access touches.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace syncline::base {

/// Largest cache line of any machine here, in bytes. Smaller lines (32, 64) use the first part.
inline constexpr unsigned max_line_bytes = 128;

/// The bytes of a line. Values travel: every cache, message and DRAM row holds these.
using LineData = std::array<std::uint8_t, max_line_bytes>;

/// A set of bytes of a line.
class ByteMask {
 public:
  constexpr ByteMask() = default;
  static constexpr ByteMask all(unsigned line_bytes) { return range(0, line_bytes); }
  static constexpr ByteMask range(unsigned first, unsigned count) {
    ByteMask m;
    m.set(first, count);
    return m;
  }
  constexpr void set(unsigned first, unsigned count) {
    for (unsigned word = 0; word < 2; ++word) {
      const unsigned low = word * 64;
      const unsigned from = first > low ? first - low : 0;
      const unsigned to = first + count > low ? (first + count - low > 64 ? 64 : first + count - low) : 0;
      if (from < to)
        words_[word] |= (to - from == 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << (to - from)) - 1)) << from;
    }
  }
  constexpr bool test(unsigned byte) const { return (words_[byte / 64] >> (byte % 64)) & 1U; }
  constexpr bool empty() const { return (words_[0] | words_[1]) == 0; }
  constexpr bool contains(const ByteMask& other) const {
    return (other.words_[0] & ~words_[0]) == 0 && (other.words_[1] & ~words_[1]) == 0;
  }
  constexpr bool overlaps(const ByteMask& other) const {
    return ((words_[0] & other.words_[0]) | (words_[1] & other.words_[1])) != 0;
  }
  unsigned count() const {
    return static_cast<unsigned>(__builtin_popcountll(words_[0]) + __builtin_popcountll(words_[1]));
  }
  constexpr ByteMask& operator|=(const ByteMask& o) {
    words_[0] |= o.words_[0];
    words_[1] |= o.words_[1];
    return *this;
  }
  constexpr ByteMask& operator-=(const ByteMask& o) {
    words_[0] &= ~o.words_[0];
    words_[1] &= ~o.words_[1];
    return *this;
  }
  friend constexpr ByteMask operator|(ByteMask a, const ByteMask& b) { return a |= b; }
  friend constexpr ByteMask operator-(ByteMask a, const ByteMask& b) { return a -= b; }
  friend constexpr ByteMask operator&(const ByteMask& a, const ByteMask& b) { return a - (a - b); }
  friend constexpr bool operator==(const ByteMask& a, const ByteMask& b) {
    return a.words_[0] == b.words_[0] && a.words_[1] == b.words_[1];
  }
  friend constexpr bool operator!=(const ByteMask& a, const ByteMask& b) { return !(a == b); }
  constexpr std::uint64_t word(unsigned index) const { return words_[index]; }

  /// Copies the bytes of `from` that are in this set to `to`.
  void merge(LineData& to, const LineData& from) const {
    if (words_[0] == ~std::uint64_t{0} && words_[1] == ~std::uint64_t{0}) {
      to = from;
      return;
    }
    for (unsigned word = 0; word < 2; ++word) {
      std::uint64_t bits = words_[word];
      while (bits != 0) {
        const unsigned byte = word * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
        to[byte] = from[byte];
        bits &= bits - 1;
      }
    }
  }

 private:
  std::uint64_t words_[2]{};
};

}  // namespace syncline::base
