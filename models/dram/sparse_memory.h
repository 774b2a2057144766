// Bytes of a memory whose pages exist once somebody writes to them.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace syncline::models {

/// `capacity` bytes, all zero at first. Addresses and lengths are the caller's to check.
class SparseMemory {
 public:
  static constexpr std::uint64_t page_bytes = 64 * 1024;
  explicit SparseMemory(std::uint64_t capacity)
      : capacity_(capacity), pages_((capacity + page_bytes - 1) / page_bytes) {}

  std::uint64_t capacity() const { return capacity_; }
  void read(std::uint64_t address, std::uint8_t* to, std::uint64_t bytes) const;
  void write(std::uint64_t address, const std::uint8_t* from, std::uint64_t bytes);
  std::size_t pages_in_use() const { return in_use_; }

  /// The page around `address`, allocated; page_bytes long and aligned. It stays where it is as long as the memory
  /// lives.
  std::uint8_t* page(std::uint64_t address);

 private:
  using Page = std::array<std::uint8_t, page_bytes>;
  struct Free {
    void operator()(Page* page) const { std::free(page); }
  };
  std::uint64_t capacity_;
  std::vector<std::unique_ptr<Page, Free>> pages_;
  std::size_t in_use_ = 0;
};

}  // namespace syncline::models
