#include "isa/exec/emulator/flat_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <string>

#include "base/error.h"

namespace syncline::isa {

FlatMemory::FlatMemory(std::uint64_t bytes) : bytes_(bytes) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    throw base::UserError("this computer gives no address space for " + std::to_string(bytes) +
                          " bytes of device addresses (8 GiB, more for a `host.memory` of more than 4 GiB)");
  base_ = static_cast<std::uint8_t*>(at);
}

FlatMemory::~FlatMemory() {
  munmap(base_, bytes_);
}

void FlatMemory::clear(std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t page = 65536;
  const std::uint64_t first = (address + page - 1) / page * page, last = (address + bytes) / page * page;
  if (first >= last) {
    std::memset(host(address), 0, bytes);
    return;
  }
  std::memset(host(address), 0, first - address);
  if (madvise(host(first), last - first, MADV_DONTNEED) != 0) std::memset(host(first), 0, last - first);
  std::memset(host(last), 0, address + bytes - last);
}

}  // namespace syncline::isa
