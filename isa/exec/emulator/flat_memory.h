// Device memory as one stretch of host memory: device address = offset. Pages come into being when they are touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncline::isa {

class FlatMemory {
 public:
  /// Reserves room for device addresses below `bytes`. Throws base::UserError when the host refuses.
  explicit FlatMemory(std::uint64_t bytes = default_bytes);
  ~FlatMemory();
  FlatMemory(const FlatMemory&) = delete;
  FlatMemory& operator=(const FlatMemory&) = delete;

  std::uint8_t* host(std::uint64_t address) { return base_ + address; }
  const std::uint8_t* host(std::uint64_t address) const { return base_ + address; }
  std::uint64_t bytes() const { return bytes_; }
  /// Makes a range read as zero again and gives its whole pages back.
  void clear(std::uint64_t address, std::uint64_t bytes);

  static constexpr std::uint64_t default_bytes = std::uint64_t{1} << 36;

 private:
  std::uint8_t* base_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace syncline::isa
