// Bytes of a memory whose pages exist once somebody writes to them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace syncline::models {

/// `capacity` bytes, all zero at first. Addresses and lengths are the caller's to check.
///
/// A page is made of blocks, and only those that hold data take memory of the host. Many pages hold a few lines only,
/// and lie far apart: their blocks stand side by side, so that few pages of the host hold them all. The table of pages
/// takes memory of the host where it was written to: a partition may hold any part of a large address space.
class SparseMemory {
 public:
  static constexpr std::uint64_t page_bytes = 64 * 1024;
  static constexpr std::uint64_t block_bytes = 4 * 1024;
  /// Errors: std::bad_alloc if the host has no room for the table of pages.
  explicit SparseMemory(std::uint64_t capacity);

  std::uint64_t capacity() const { return capacity_; }
  void read(std::uint64_t address, std::uint8_t* to, std::uint64_t bytes) const;
  void write(std::uint64_t address, const std::uint8_t* from, std::uint64_t bytes);
  /// Lets the host fetch the line around `address`, which is about to be read or written.
  void prefetch(std::uint64_t address) const;
  std::size_t pages_in_use() const { return pages_in_use_.size(); }

  /// The block around `address`, allocated; block_bytes long and aligned. It stays where it is as long as the memory
  /// lives.
  std::uint8_t* block(std::uint64_t address);

 private:
  using Page = std::array<std::uint8_t*, page_bytes / block_bytes>;  ///< null: all zero
  /// What is zeros until somebody writes to it comes from the operating system, and not from the heap: that lies in
  /// huge pages, and of these an empty table would take all.
  struct Unmap {
    std::uint64_t bytes;
    void operator()(void* memory) const;
  };
  std::uint8_t* new_block();
  /// Null: not allocated.
  std::uint8_t* find_block(std::uint64_t address) const {
    const Page* const page = pages_.get()[address / page_bytes];
    return page == nullptr ? nullptr : (*page)[address % page_bytes / block_bytes];
  }

  std::uint64_t capacity_;
  std::unique_ptr<Page*, Unmap> pages_;  ///< by the number of the page; null: all zero
  std::vector<std::unique_ptr<Page>> pages_in_use_;
  std::vector<std::unique_ptr<std::uint8_t, Unmap>> stretches_;  ///< of blocks, each as long as all before or the most
  std::uint8_t* next_block_ = nullptr;                           ///< of the last stretch
  std::uint64_t bytes_left_ = 0;                                 ///< there
  std::uint64_t stretch_bytes_ = 0;                              ///< of the last stretch
};

}  // namespace syncline::models
