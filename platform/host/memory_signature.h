// The hash that sums up device memory at the end of a run, the same on every device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace syncline::platform {

/// Takes the live allocations in address order: `begin(bytes)` for each, then its contents in pieces of any size.
/// Addresses do not enter, so that equal contents give equal signatures wherever they lie.
class MemorySignature {
 public:
  void begin(std::uint64_t bytes) {
    flush();
    mix(bytes);
  }
  void add(const std::uint8_t* data, std::size_t bytes) {
    while (bytes != 0) {
      if (held_ == 0 && bytes >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data, 8);
        mix(word);
        data += 8;
        bytes -= 8;
        continue;
      }
      word_ |= std::uint64_t{*data++} << (8 * held_++);
      --bytes;
      if (held_ == 8) flush();
    }
  }
  std::uint64_t value() {
    flush();
    return hash_;
  }

 private:
  void flush() {
    if (held_ == 0) return;
    mix(word_);
    word_ = 0;
    held_ = 0;
  }
  void mix(std::uint64_t word) {
    hash_ ^= word;
    hash_ *= 0x9E37'79B9'7F4A'7C15u;
    hash_ ^= hash_ >> 32;
  }
  std::uint64_t hash_ = 0x5379'6E63'6C69'6E65u, word_ = 0;
  unsigned held_ = 0;
};

}  // namespace syncline::platform
