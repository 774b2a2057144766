// Support of candidate sets of items in records, the inner loop of mining by levels (Agrawal and Srikant, "Fast
// Algorithms for Mining Association Rules", VLDB 1994). A thread goes through the candidates with its record and adds
// the record to each one that it contains: one to the count, and what the record is worth to the value. Both belong
// together; few candidates are shared by all threads. `count_transactional` adds in a transaction, `count` holds the
// candidate's lock.
#include "workloads/common/cuda_device.h"

/// Sets of items are sets of bits.
struct alignas(16) Record {
  u64 items;
  u32 value;
  u32 unused;
};
struct alignas(8) Support {
  u32 records;
  u32 value;
};

/// Calls `update(candidate)` for each candidate that the record contains. Lanes of a warp go through the candidates
/// together, or begin `apart`: then they seldom update the same one at a time.
template <class Update>
INLINE void for_contained(u64 items, const u64* candidates, u32 count, u32 apart, Update update) {
  u32 candidate = apart ? lane_id() % count : 0;
#pragma nounroll
  for (u32 i = 0; i < count; ++i) {
    u64 wanted = candidates[candidate];
    if ((items & wanted) == wanted) update(candidate);
    if (++candidate == count) candidate = 0;
  }
}

KERNEL count(const Record* records, u32 record_count, const u64* candidates, u32 candidate_count,
             volatile Support* supports, u32* locks, u32 apart) {
  if (global_thread() >= record_count) return;
  Record record = records[global_thread()];
  for_contained(record.items, candidates, candidate_count, apart, [&](u32 candidate) {
    with_lock(&locks[candidate], [&] {
      supports[candidate].records = supports[candidate].records + 1;
      supports[candidate].value = supports[candidate].value + record.value;
    });
  });
}

KERNEL count_transactional(const Record* records, u32 record_count, const u64* candidates, u32 candidate_count,
                           Support* supports, u32 apart) {
  if (global_thread() >= record_count) return;
  Record record = records[global_thread()];
  for_contained(record.items, candidates, candidate_count, apart, [&](u32 candidate) {
    transaction([&] {
      supports[candidate].records += 1;
      supports[candidate].value += record.value;
    });
  });
}
