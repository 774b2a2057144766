// AES-128 on the CPU, written from FIPS 197 over single bytes: no tables, the S-box is computed from its definition.
#pragma once

#include <array>
#include <cstdint>

namespace syncline::workloads::aes {

using Block = std::array<std::uint8_t, 16>;
/// The 44 words of KeyExpansion() (FIPS 197, section 5.2); the first byte of a word is its most significant one.
using KeySchedule = std::array<std::uint32_t, 44>;

/// The S-box entry of a byte: inverse in GF(2^8), then the affine transformation (section 5.1.1).
std::uint8_t substitute(std::uint8_t byte);
KeySchedule expand_key(const Block& key);
/// Cipher() of section 5.1.
Block encrypt(const Block& plain, const KeySchedule& keys);

}  // namespace syncline::workloads::aes
