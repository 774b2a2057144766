// Insertion into a chained hash table. `insert_locked` holds the lock of the bucket while it links its node in front of
// the chain; `insert_lock_free` swaps the head of the chain for its node and starts over when another was faster;
// `insert_transactional` links its node in a transaction. Links are numbers of nodes, counted from 1; 0 ends a chain.
// Node i holds key i.
#include "workloads/common/cuda_device.h"

struct Node {
  u32 key;
  u32 next;
};

/// Knuth's multiplicative hash (The Art of Computer Programming, volume 3, section 6.4). A bucket is a part of the range
/// of its 32 bits: of 2^bits parts, or of any number of them.
struct PowerOfTwo {
  u32 bits;
  INLINE u32 bucket_of(u32 key) const { return key * 2654435769u >> (32 - bits); }
};
struct AnyNumber {
  u32 buckets;
  INLINE u32 bucket_of(u32 key) const { return multiply_high(key * 2654435769u, buckets); }
};

template <class Table>
INLINE void insert_under_locks(const u32* keys, u32 count, Table table, volatile u32* heads, u32* locks,
                               volatile Node* nodes) {
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    u32 key = keys[i];
    u32 bucket = table.bucket_of(key);
    nodes[i].key = key;
    with_lock(&locks[bucket], [&] {
      nodes[i].next = heads[bucket];
      heads[bucket] = i + 1;
    });
  }
}

template <class Table>
INLINE void insert_without_locks(const u32* keys, u32 count, Table table, u32* heads, volatile Node* nodes) {
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    u32 key = keys[i];
    u32 bucket = table.bucket_of(key);
    nodes[i].key = key;
    u32 head = *(volatile u32*)&heads[bucket];
    bool linked = false;
    while (!linked) {
      nodes[i].next = head;
      threadfence();  // whoever finds the node through the head finds its key and its link
      u32 found = atomic_compare_and_swap(&heads[bucket], head, i + 1);
      linked = found == head;
      head = found;
    }
  }
}

template <class Table>
INLINE void insert_in_transactions(const u32* keys, u32 count, Table table, u32* heads, Node* nodes) {
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    u32 key = keys[i];
    u32 bucket = table.bucket_of(key);
    nodes[i].key = key;
    transaction([&] {
      nodes[i].next = heads[bucket];
      heads[bucket] = i + 1;
    });
  }
}

KERNEL insert_locked(const u32* keys, u32 count, u32 bits, volatile u32* heads, u32* locks, volatile Node* nodes) {
  insert_under_locks(keys, count, PowerOfTwo{bits}, heads, locks, nodes);
}
KERNEL insert_locked_any(const u32* keys, u32 count, u32 buckets, volatile u32* heads, u32* locks,
                         volatile Node* nodes) {
  insert_under_locks(keys, count, AnyNumber{buckets}, heads, locks, nodes);
}
KERNEL insert_lock_free(const u32* keys, u32 count, u32 bits, u32* heads, volatile Node* nodes) {
  insert_without_locks(keys, count, PowerOfTwo{bits}, heads, nodes);
}
KERNEL insert_lock_free_any(const u32* keys, u32 count, u32 buckets, u32* heads, volatile Node* nodes) {
  insert_without_locks(keys, count, AnyNumber{buckets}, heads, nodes);
}
KERNEL insert_transactional(const u32* keys, u32 count, u32 bits, u32* heads, Node* nodes) {
  insert_in_transactions(keys, count, PowerOfTwo{bits}, heads, nodes);
}
KERNEL insert_transactional_any(const u32* keys, u32 count, u32 buckets, u32* heads, Node* nodes) {
  insert_in_transactions(keys, count, AnyNumber{buckets}, heads, nodes);
}
