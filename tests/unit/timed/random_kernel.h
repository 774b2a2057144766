// Kernels in which everything races that may: drawn from a seed.
#pragma once

#include <cstdint>
#include <string>

namespace syncline::tests {

/// PTX of `.visible .entry k(.param .u64 data, .param .u64 far, .param .u64 out)`, for CTAs of four warps. A thread
/// draws where it goes next from what it has read so far, so that one read out of order changes all that follows. Loads
/// are used at once, later, or behind a barrier; warps meet all together or two by two, or pass by; some are late.
/// `shared`: they race in shared memory, too. `data`: 256 bytes; `far`: 64 KiB that nobody writes; `out`: a word a
/// thread.
std::string random_kernel(std::uint64_t seed, bool shared);

}  // namespace syncline::tests
