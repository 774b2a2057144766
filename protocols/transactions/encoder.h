// Writes states of machines as bytes, to tell them apart.
#pragma once

#include <cstdint>
#include <string>

namespace syncline::protocols::transactions {

class Encoder {
 public:
  explicit Encoder(std::string& to) : to_(to) {}
  void put(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) to_.push_back(static_cast<char>(number | 0x80U));
    to_.push_back(static_cast<char>(number));
  }

 private:
  std::string& to_;
};

}  // namespace syncline::protocols::transactions
