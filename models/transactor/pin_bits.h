// The bits of a payload on the pins of a module in RTL.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace syncline::models {

/// Fields one behind the other from bit 0 on: of a packed struct in SystemVerilog the last field first.
class PinBits {
 public:
  /// Begins at bit 0 again, to be filled or to be read.
  void rewind() { at_ = 0; }
  /// For a new payload: all bits are 0.
  void clear() {
    words_.assign(words_.size(), 0);
    rewind();
  }

  /// The next `width` bits, 64 at most.
  void put(unsigned width, std::uint64_t value) {
    if (words_.size() * 32 < at_ + width) words_.resize((at_ + width + 31) / 32);
    for (unsigned done = 0; done < width;) {
      const unsigned shift = at_ % 32, part = width - done < 32 - shift ? width - done : 32 - shift;
      const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << part) - 1) << shift;
      std::uint32_t& word = words_[at_ / 32];
      word = (word & ~mask) | (static_cast<std::uint32_t>(value >> done << shift) & mask);
      done += part;
      at_ += part;
    }
  }
  std::uint64_t get(unsigned width) {
    std::uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
      const unsigned shift = at_ % 32, part = width - done < 32 - shift ? width - done : 32 - shift;
      const std::uint32_t word = at_ / 32 < words_.size() ? words_[at_ / 32] : 0;
      value |= (std::uint64_t{word} >> shift & ((std::uint64_t{1} << part) - 1)) << done;
      done += part;
      at_ += part;
    }
    return value;
  }
  void put_bytes(const void* from, unsigned bytes) {
    if (at_ % 32 == 0 && bytes % 4 == 0) {
      words_.resize(std::max(words_.size(), at_ / 32 + bytes / 4));
      std::memcpy(words_.data() + at_ / 32, from, bytes);
      at_ += 8 * bytes;
      return;
    }
    for (unsigned i = 0; i < bytes; ++i) put(8, static_cast<const std::uint8_t*>(from)[i]);
  }
  void get_bytes(void* to, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) static_cast<std::uint8_t*>(to)[i] = static_cast<std::uint8_t>(get(8));
  }

  /// To and from a pin of a Verilated module: a number, or an array of words of 32 bits for more than 64.
  template <class Pin>
  void drive(Pin& pin) const {
    if constexpr (std::is_integral_v<Pin>)
      pin = static_cast<Pin>(number());
    else
      std::memcpy(pin.data(), words_.data(), std::min(sizeof pin, words_.size() * sizeof(std::uint32_t)));
  }
  template <class Pin>
  void sample(const Pin& pin) {
    rewind();
    words_.assign((sizeof pin + 3) / 4, 0);
    if constexpr (std::is_integral_v<Pin>)
      put(8 * sizeof pin, pin);
    else
      std::memcpy(words_.data(), pin.data(), sizeof pin);
    rewind();
  }

 private:
  std::uint64_t number() const {
    return (words_.empty() ? 0 : words_[0]) | (words_.size() < 2 ? 0 : std::uint64_t{words_[1]} << 32);
  }

  std::vector<std::uint32_t> words_;
  std::size_t at_ = 0;
};

}  // namespace syncline::models
