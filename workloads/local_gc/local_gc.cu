// target: sm_70
// GC of GPU-LocalTM: colours for the vertices of a graph, one for each thread, which knows no more than its neighbours.
// Whoever has none, or a neighbour's, takes the least that no neighbour has; the second time nobody has to, and the
// transactions only read.
//
// Data: a colour for each vertex, 0: none; a lock for each. Input, for each vertex: `size` neighbours, of which there are
// fewer where the vertex itself stands; so many locks of itself and its neighbours, ascending, and room for `size` + 1.
#include "workloads/common/cta_sections.h"

constexpr u32 rounds = 2;

template <Sections sections>
INLINE void local_gc(u32* data, const u32* input, u32 size) {
  u32* colours = data;
  u32* locks = colours + blockDim.x;
  u32 own = threadIdx.x;
  const u32* neighbours = input + own * (2 * size + 2);
  const u32* to_lock = neighbours + size;
  for (u32 round = 0; round < rounds; ++round) {
    critical_section<sections>(
        locks, constant_word(&to_lock[0]), [&](u32 i) { return constant_word(&to_lock[1 + i]); },
        [&] {
          u32 taken = 1;
          u32 mine = colours[own];
          for (u32 i = 0; i < size; ++i) {
            u32 neighbour = constant_word(&neighbours[i]);
            if (neighbour != own) taken |= 1u << colours[neighbour];
          }
          if ((taken >> mine & 1) != 0) colours[own] = __builtin_ctz(~taken);
        });
  }
}

CTA_KERNELS(local_gc)
