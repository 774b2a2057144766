#include "workloads/aes/reference.h"

#include <cstddef>

namespace syncline::workloads::aes {
namespace {

constexpr int rounds = 10;

/// Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
constexpr std::uint8_t multiply(std::uint8_t a, std::uint8_t b) {
  unsigned product = 0;
  for (unsigned factor = a; b != 0; b >>= 1) {
    if (b & 1) product ^= factor;
    factor <<= 1;
    if (factor & 0x100) factor ^= 0x11b;
  }
  return static_cast<std::uint8_t>(product);
}

/// a^254, which is the inverse of a, and 0 for 0.
constexpr std::uint8_t inverse(std::uint8_t a) {
  std::uint8_t result = 1;
  for (int i = 0; i < 254; ++i) result = multiply(result, a);
  return result;
}

constexpr std::uint8_t substitution(std::uint8_t byte) {
  const unsigned b = inverse(byte);
  unsigned result = 0x63;
  for (unsigned shift = 0; shift < 5; ++shift) result ^= (b << shift | b >> (8 - shift)) & 0xff;
  return static_cast<std::uint8_t>(result);
}

std::array<std::uint8_t, 256> substitution_box() {
  std::array<std::uint8_t, 256> box{};
  for (std::size_t i = 0; i < box.size(); ++i) box[i] = substitution(static_cast<std::uint8_t>(i));
  return box;
}

std::uint32_t substitute_word(std::uint32_t word) {
  std::uint32_t result = 0;
  for (int shift = 24; shift >= 0; shift -= 8)
    result = result << 8 | substitute(static_cast<std::uint8_t>(word >> shift));
  return result;
}

void add_round_key(Block& state, const KeySchedule& keys, int round) {
  for (std::size_t i = 0; i < 16; ++i)
    state[i] ^= static_cast<std::uint8_t>(keys[4 * static_cast<std::size_t>(round) + i / 4] >> (24 - 8 * (i % 4)));
}

void substitute_bytes(Block& state) {
  for (auto& byte : state) byte = substitute(byte);
}

/// Row r moves left by r columns; byte i of a block is row i % 4 of column i / 4.
void shift_rows(Block& state) {
  const Block before = state;
  for (std::size_t i = 0; i < 16; ++i) state[i] = before[(i + 4 * (i % 4)) % 16];
}

void mix_columns(Block& state) {
  for (std::size_t column = 0; column < 16; column += 4) {
    const std::array<std::uint8_t, 4> s{state[column], state[column + 1], state[column + 2], state[column + 3]};
    for (std::size_t row = 0; row < 4; ++row)
      state[column + row] = static_cast<std::uint8_t>(multiply(s[row], 2) ^ multiply(s[(row + 1) % 4], 3) ^
                                                      s[(row + 2) % 4] ^ s[(row + 3) % 4]);
  }
}

}  // namespace

std::uint8_t substitute(std::uint8_t byte) {
  static const std::array<std::uint8_t, 256> box = substitution_box();
  return box[byte];
}

KeySchedule expand_key(const Block& key) {
  KeySchedule words{};
  for (std::size_t i = 0; i < 16; ++i) words[i / 4] = words[i / 4] << 8 | key[i];
  std::uint8_t round_constant = 1;
  for (std::size_t i = 4; i < words.size(); ++i) {
    std::uint32_t word = words[i - 1];
    if (i % 4 == 0) {
      word = substitute_word(word << 8 | word >> 24) ^ static_cast<std::uint32_t>(round_constant) << 24;
      round_constant = multiply(round_constant, 2);
    }
    words[i] = words[i - 4] ^ word;
  }
  return words;
}

Block encrypt(const Block& plain, const KeySchedule& keys) {
  Block state = plain;
  add_round_key(state, keys, 0);
  for (int round = 1; round <= rounds; ++round) {
    substitute_bytes(state);
    shift_rows(state);
    if (round != rounds) mix_columns(state);
    add_round_key(state, keys, round);
  }
  return state;
}

}  // namespace syncline::workloads::aes
