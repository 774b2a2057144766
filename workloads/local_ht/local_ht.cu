// target: sm_70
// HT of GPU-LocalTM: a chained hash table in the memory of a CTA. Each thread inserts a key, looks up the one that it has
// inserted before, in a transaction that only reads, and counts what it finds.
//
// Data: heads of `1 << size` buckets; a lock for each; nodes of two words, key and number of the next one, counted from
// 1; a count for each thread. Input: two keys for each thread.
#include "workloads/common/cta_sections.h"

constexpr u32 rounds = 2;

template <Sections sections>
INLINE void local_ht(u32* data, const u32* input, u32 size) {
  u32 buckets = 1u << size;
  u32* heads = data;
  u32* locks = heads + buckets;
  u32* nodes = locks + buckets;
  u32* counts = nodes + 2 * rounds * blockDim.x;
  u32 found = 0;
  for (u32 round = 0; round < rounds; ++round) {
    u32 node = round * blockDim.x + threadIdx.x;
    u32 key = constant_word(&input[node]);
    u32 bucket = key * 2654435769u >> (32 - size);
    critical_section<sections>(&locks[bucket], [&] {
      nodes[2 * node] = key;
      nodes[2 * node + 1] = heads[bucket];
      heads[bucket] = node + 1;
    });
    u32 there = 0;
    critical_section<sections>(&locks[bucket], [&] {
      u32 at = heads[bucket];
      while (at != 0 && nodes[2 * at - 2] != key) at = nodes[2 * at - 1];
      there = at != 0;
    });
    found += there;
  }
  counts[threadIdx.x] = found;
}

CTA_KERNELS(local_ht)
