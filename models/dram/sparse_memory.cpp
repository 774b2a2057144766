#include "models/dram/sparse_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace syncline::models {
namespace {

constexpr std::uint64_t first_stretch = 16 * SparseMemory::block_bytes;
constexpr std::uint64_t huge_page = 2 * 1024 * 1024;  // of the host
constexpr std::uint64_t host_line = 64, most_expected = 128;

}  // namespace

// A large table of zeros from calloc is the operating system's page of zeros until somebody writes to it.
SparseMemory::SparseMemory(std::uint64_t capacity)
    : capacity_(capacity),
      pages_(static_cast<Page**>(std::calloc((capacity + page_bytes - 1) / page_bytes, sizeof(Page*)))) {
  if (pages_ == nullptr) throw std::bad_alloc();
}

std::uint8_t* SparseMemory::new_block() {
  if (bytes_left_ == 0) {
    stretch_bytes_ = std::clamp(2 * stretch_bytes_, first_stretch, huge_page);
    stretches_.emplace_back(static_cast<std::uint8_t*>(std::aligned_alloc(stretch_bytes_, stretch_bytes_)));
    if (stretches_.back() == nullptr) throw std::bad_alloc();
    next_block_ = stretches_.back().get();
    bytes_left_ = stretch_bytes_;
    // Only a wish: a host without huge pages is slower.
    if (stretch_bytes_ == huge_page) (void)madvise(next_block_, huge_page, MADV_HUGEPAGE);
  }
  std::uint8_t* const block = next_block_;
  next_block_ += block_bytes;
  bytes_left_ -= block_bytes;
  std::memset(block, 0, block_bytes);
  return block;
}

std::uint8_t* SparseMemory::block(std::uint64_t address) {
  Page*& page = pages_.get()[address / page_bytes];
  if (page == nullptr) {
    std::unique_ptr<Page, Free> fresh(static_cast<Page*>(std::calloc(1, sizeof(Page))));
    if (fresh == nullptr) throw std::bad_alloc();
    page = fresh.get();
    pages_in_use_.push_back(std::move(fresh));
  }
  std::uint8_t*& block = (*page)[address % page_bytes / block_bytes];
  if (block == nullptr) block = new_block();
  return block;
}

void SparseMemory::prefetch(std::uint64_t address) const {
  const std::uint8_t* const block = find_block(address);
  if (block == nullptr) return;
  const std::uint64_t offset = address % block_bytes;
  for (std::uint64_t at = 0; at < most_expected && offset + at < block_bytes; at += host_line)
    __builtin_prefetch(block + offset + at);
}

void SparseMemory::read(std::uint64_t address, std::uint8_t* to, std::uint64_t bytes) const {
  while (bytes != 0) {
    const std::uint64_t offset = address % block_bytes;
    const std::uint64_t part = std::min(bytes, block_bytes - offset);
    if (const std::uint8_t* const block = find_block(address); block != nullptr) {
      std::memcpy(to, block + offset, part);
    } else {
      std::memset(to, 0, part);
    }
    address += part;
    to += part;
    bytes -= part;
  }
}

void SparseMemory::write(std::uint64_t address, const std::uint8_t* from, std::uint64_t bytes) {
  while (bytes != 0) {
    const std::uint64_t offset = address % block_bytes;
    const std::uint64_t part = std::min(bytes, block_bytes - offset);
    std::memcpy(block(address) + offset, from, part);
    address += part;
    from += part;
    bytes -= part;
  }
}

}  // namespace syncline::models
