#include "models/dram/sparse_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace syncline::models {

std::uint8_t* SparseMemory::page(std::uint64_t address) {
  auto& page = pages_[address / page_bytes];
  if (page == nullptr) {
    // Zeros that the system provides once they are touched: many pages hold a few lines.
    page.reset(static_cast<Page*>(std::calloc(1, sizeof(Page))));
    if (page == nullptr) throw std::bad_alloc();
    ++in_use_;
  }
  return page->data();
}

void SparseMemory::read(std::uint64_t address, std::uint8_t* to, std::uint64_t bytes) const {
  while (bytes != 0) {
    const std::uint64_t offset = address % page_bytes;
    const std::uint64_t part = std::min(bytes, page_bytes - offset);
    if (const auto& page = pages_[address / page_bytes]; page != nullptr) {
      std::memcpy(to, page->data() + offset, part);
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
    const std::uint64_t offset = address % page_bytes;
    const std::uint64_t part = std::min(bytes, page_bytes - offset);
    std::memcpy(page(address) + offset, from, part);
    address += part;
    from += part;
    bytes -= part;
  }
}

}  // namespace syncline::models
