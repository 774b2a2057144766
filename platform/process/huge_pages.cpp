#include "platform/process/huge_pages.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/round_up.h"

namespace syncline::platform {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t most = std::size_t{4} << 30;    // more than a big machine's state
constexpr std::size_t least = std::size_t{64} << 20;  // less is not worth it

constexpr int mappings_at_most = 65536;      // the library's own value
constexpr int mapping_threshold = 32 << 20;  // its largest: a block below this lies with the others
constexpr int never_trim = -1;

// Sanitizers bring allocators of their own, which would touch what is reserved.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

bool address_space_is_limited() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

void prefer_huge_pages() {
  if (sanitized || address_space_is_limited()) return;
  mallopt(M_TRIM_THRESHOLD, never_trim);
  // One large block, taken from the heap itself rather than from a mapping that would go with it; what is given back
  // then stays, advised.
  mallopt(M_MMAP_MAX, 0);
  for (std::size_t bytes = most; bytes >= least; bytes /= 2) {
    void* block = std::malloc(bytes);
    if (block == nullptr) continue;
    const auto start = base::round_up(reinterpret_cast<std::uintptr_t>(block), huge_page);
    madvise(reinterpret_cast<void*>(start), bytes - huge_page, MADV_HUGEPAGE);
    std::free(block);
    break;
  }
  mallopt(M_MMAP_MAX, mappings_at_most);
  mallopt(M_MMAP_THRESHOLD, mapping_threshold);
}

}  // namespace syncline::platform
