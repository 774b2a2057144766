// What lanes do to memory in a transaction, under whichever policy.
#pragma once

#include <cstdint>

namespace syncline::protocols::transactions {

enum class Access : std::uint8_t { load, store };

/// What a lane has read from, or written to, a word of 4 bytes.
struct LoggedWord {
  std::uint64_t word = 0;  ///< byte address / 4
  std::uint32_t value = 0;
  std::uint8_t bytes = 0;  ///< that it has accessed; bit n: byte n of the word
  std::uint8_t lane = 0;

  friend bool operator==(const LoggedWord& a, const LoggedWord& b) {
    return a.word == b.word && a.value == b.value && a.bytes == b.bytes && a.lane == b.lane;
  }
};

/// The bits of a word that are in `bytes`.
constexpr std::uint32_t bits_of(std::uint8_t bytes) {
  std::uint32_t bits = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    if ((bytes >> byte & 1U) != 0) bits |= 0xffU << (8 * byte);
  }
  return bits;
}

/// `later` over what the lane has written to the word before.
constexpr void overwrite(LoggedWord& word, const LoggedWord& later) {
  word.value = (word.value & ~bits_of(later.bytes)) | (later.value & bits_of(later.bytes));
  word.bytes |= later.bytes;
}

}  // namespace syncline::protocols::transactions
