// Dynamic load balancing by work stealing: an octree partition of particles whose tasks no one can foresee. Each CTA
// owns a deque of tasks (Cederman and Tsigas, Graphics Hardware 2008, section 3.4, after Arora, Blumofe and Plaxton,
// SPAA 1998): the owner pushes and pops at the tail, others steal at the head. The fences that the published GPU code
// lacks on a weakly ordered machine are those of Alglave et al., ASPLOS 2015, section 3.2.2.
//
// A CTA that finds no task looks elsewhere; its own deque is empty then, so it may leave at any time without a loss. No
// CTA depends on another one to be running.
#include "workloads/common/cuda_device.h"

#define LEAF 24       // particles that are not divided further
#define MAX_DEPTH 16  // bits of a coordinate
#define CAPACITY 128  // of a deque: at most 7 siblings wait on each level, and 8 on the last one
#define TOP_BITS 8  // of the head; the bits above count how often the deque was empty, so that no old head comes again

/// Particles `begin` to `begin + count` - 1 of the buffer of `depth`'s parity, a cube of the given depth.
struct Task {
  u32 begin;
  u32 count;
  u32 depth;
};

/// Everything in it is shared by all CTAs, therefore volatile or accessed by atomics.
struct Deque {
  u32 head;           ///< what thieves take next
  volatile u32 tail;  ///< behind the task that was pushed last
  u32 steals;         ///< successful ones, by others
  u32 unused;
  volatile Task tasks[CAPACITY];
};

struct Leaf {
  u32 x, y, z;  ///< the cube's place in units of its width
  u32 depth;
  u32 count;
  u32 checksum;  ///< sum over mix(number of a particle)
};

/// Counts for all CTAs; `remaining` particles are in no leaf yet.
struct Progress {
  u32 remaining;
  u32 leaves;
  u32 tasks;
};

/// Particle: x, y, z, number.
typedef volatile uint4 Particle;

/// Murmur3's finalizer (Appleby): every bit of the argument changes half of the result's.
INLINE u32 mix(u32 x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}
INLINE u32 top_of(u32 head) {
  return head & ((1u << TOP_BITS) - 1);
}
INLINE u32 volatile_load(u32* p) {
  return *(volatile u32*)p;
}
INLINE Task load_task(const volatile Task& task) {
  return {task.begin, task.count, task.depth};
}

/// By the owner. The task is in place before anybody can see that there is one more.
INLINE void push(Deque& deque, const Task& task) {
  u32 tail = deque.tail;
  volatile Task& slot = deque.tasks[tail];
  slot.begin = task.begin;
  slot.count = task.count;
  slot.depth = task.depth;
  threadfence();
  deque.tail = tail + 1;
}

/// By the owner. Only for the last task does it compete with thieves.
INLINE bool pop(Deque& deque, Task& task) {
  u32 tail = deque.tail;
  if (tail == 0) return false;
  --tail;
  deque.tail = tail;
  threadfence();  // thieves see the shorter deque before the head is read
  u32 head = volatile_load(&deque.head);
  task = load_task(deque.tasks[tail]);
  if (tail > top_of(head)) return true;
  deque.tail = 0;
  threadfence();  // nobody finds the new head with the old tail
  u32 fresh = ((head >> TOP_BITS) + 1) << TOP_BITS;
  if (tail == top_of(head) && atomic_compare_and_swap(&deque.head, head, fresh) == head) return true;
  atomic_exchange(&deque.head, fresh);  // the last task was stolen
  return false;
}

/// By another CTA.
INLINE bool steal(Deque& deque, Task& task) {
  u32 head = volatile_load(&deque.head);
  threadfence();  // a tail at least as new as the head
  if (deque.tail <= top_of(head)) return false;
  threadfence();  // a task at least as new as the tail
  task = load_task(deque.tasks[top_of(head)]);
  threadfence();  // it is read before it is taken
  if (atomic_compare_and_swap(&deque.head, head, head + 1) != head) return false;
  atomic_add(&deque.steals, 1u);
  return true;
}

INLINE uint4 load_particle(const Particle& p) {
  return {p.x, p.y, p.z, p.w};
}
INLINE u32 octant_of(const uint4& p, u32 depth) {
  u32 bit = MAX_DEPTH - 1 - depth;
  return (p.x >> bit & 1) | (p.y >> bit & 1) << 1 | (p.z >> bit & 1) << 2;
}

/// Divides cubes until no task is left, or until `patience` looks at other deques in a row found none.
KERNEL partition(Particle* even, Particle* odd, Deque* deques, Leaf* leaves, Progress* progress, u32 patience,
                 u32 seed) {
  __shared__ Task task;
  __shared__ u32 found;
  __shared__ u32 counts[8];
  __shared__ u32 checksum;
  Deque& own = deques[blockIdx.x];
  u32 random = mix(seed + blockIdx.x) | 1;
  u32 idle = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      Task next;
      u32 got = pop(own, next);
      if (!got && gridDim.x > 1) {
        random ^= random << 13;  // Marsaglia's xorshift
        random ^= random >> 17;
        random ^= random << 5;
        u32 victim = random % (gridDim.x - 1);
        got = steal(deques[victim + (victim >= blockIdx.x)], next);
      }
      if (got) {
        task = next;
        threadfence();  // the particles are at least as new as the task
      }
      found = got;
      idle = got ? 0 : idle + 1;
      if (!got && (idle > patience || volatile_load(&progress->remaining) == 0)) found = 2;
    }
    if (threadIdx.x < 8) counts[threadIdx.x] = 0;
    if (threadIdx.x == 8) checksum = 0;
    syncthreads();
    if (found == 2) return;
    if (found == 1) {
      u32 end = task.begin + task.count;
      Particle* from = task.depth % 2 ? odd : even;
      if (task.count <= LEAF || task.depth == MAX_DEPTH) {
        for (u32 i = task.begin + threadIdx.x; i < end; i += blockDim.x) atomic_add(&checksum, mix(from[i].w));
        syncthreads();
        if (threadIdx.x == 0) {
          u32 shift = MAX_DEPTH - task.depth;
          Particle& any = from[task.begin];
          leaves[atomic_add(&progress->leaves, 1u)] = {any.x >> shift, any.y >> shift, any.z >> shift,
                                                       task.depth,     task.count,     checksum};
          atomic_add(&progress->tasks, 1u);
          atomic_add(&progress->remaining, 0u - task.count);
        }
      } else {
        Particle* to = task.depth % 2 ? even : odd;
        for (u32 i = task.begin + threadIdx.x; i < end; i += blockDim.x)
          atomic_add(&counts[octant_of(load_particle(from[i]), task.depth)], 1u);
        syncthreads();
        if (threadIdx.x == 0) {
          u32 first = task.begin;
          for (u32 octant = 0; octant < 8; ++octant) {
            u32 count = counts[octant];
            counts[octant] = first;
            first += count;
          }
        }
        syncthreads();
        for (u32 i = task.begin + threadIdx.x; i < end; i += blockDim.x) {
          uint4 p = load_particle(from[i]);
          Particle& place = to[atomic_add(&counts[octant_of(p, task.depth)], 1u)];
          place.x = p.x;
          place.y = p.y;
          place.z = p.z;
          place.w = p.w;
        }
        threadfence();  // each thread's particles, before the barrier; the owner's fence is in push
        syncthreads();
        if (threadIdx.x == 0) {
          atomic_add(&progress->tasks, 1u);
          u32 first = task.begin;
          for (u32 octant = 0; octant < 8; ++octant) {
            u32 behind = counts[octant];
            if (behind != first) push(own, {first, behind - first, task.depth + 1});
            first = behind;
          }
        }
      }
    }
    syncthreads();
  }
}
