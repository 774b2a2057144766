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

void* map(std::uint64_t bytes) {
  void* const zeros = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (zeros == MAP_FAILED) throw std::bad_alloc();
  return zeros;
}

/// That begins where a huge page does: of twice as much, what lies before and behind is given back.
void* map_huge_page() {
  auto* const all = static_cast<std::uint8_t*>(map(2 * huge_page));
  const std::uint64_t before = (huge_page - reinterpret_cast<std::uintptr_t>(all) % huge_page) % huge_page;
  if (before != 0) munmap(all, before);
  munmap(all + before + huge_page, huge_page - before);
  // Only a wish: a host without huge pages is slower.
  (void)madvise(all + before, huge_page, MADV_HUGEPAGE);
  return all + before;
}

}  // namespace

void SparseMemory::Unmap::operator()(void* memory) const {
  munmap(memory, bytes);
}

SparseMemory::SparseMemory(std::uint64_t capacity)
    : capacity_(capacity), pages_(nullptr, Unmap{(capacity / page_bytes + 1) * sizeof(Page*)}) {
  pages_.reset(static_cast<Page**>(map(pages_.get_deleter().bytes)));
}

std::uint8_t* SparseMemory::new_block() {
  if (bytes_left_ == 0) {
    stretch_bytes_ = std::clamp(2 * stretch_bytes_, first_stretch, huge_page);
    void* const memory = stretch_bytes_ == huge_page ? map_huge_page() : map(stretch_bytes_);
    next_block_ = static_cast<std::uint8_t*>(memory);
    std::unique_ptr<std::uint8_t, Unmap> stretch(next_block_, Unmap{stretch_bytes_});
    stretches_.push_back(std::move(stretch));
    bytes_left_ = stretch_bytes_;
  }
  std::uint8_t* const block = next_block_;
  next_block_ += block_bytes;
  bytes_left_ -= block_bytes;
  return block;
}

std::uint8_t* SparseMemory::block(std::uint64_t address) {
  Page*& page = pages_.get()[address / page_bytes];
  if (page == nullptr) {
    pages_in_use_.push_back(std::make_unique<Page>());
    page = pages_in_use_.back().get();
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
