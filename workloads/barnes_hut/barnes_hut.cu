// Barnes-Hut n-body simulation with the octree built on the GPU, in the six steps of Burtscher and Pingali (GPU
// Computing Gems, Emerald Edition, chapter 6). Threads insert bodies concurrently and lock one child pointer at a time.
// A leaf holds one body, so the tree is the same whatever the order of insertions; only the numbers of its cells
// differ.
//
// Nobody waits for a CTA that may not be running: an insertion waits for a lock alone, cells are summarized by whoever
// brings the last of their children, and the order of bodies is found by going up. The published algorithm
// polls in both.
#include "workloads/common/cuda_device.h"

#define EMPTY 0xffffffffu
#define LOCKED 0xfffffffeu  // somebody is about to change the pointer
#define MAX_DEPTH 32        // of a cell; bodies that coincide would divide cells for ever

/// What all threads share; the host clears it before each step.
struct Tree {
  u32 extent;    ///< bits of the largest magnitude of a coordinate
  u32 cells;     ///< in use
  u32 overflow;  ///< a body found no cell
};

/// A cell on the way down. Its half width is a power of two and its centre a multiple of one: both are exact.
struct Place {
  u32 cell;
  u32 depth;
  float half;
  float x, y, z;
};

INLINE Place root_of(u32 extent) {
  // The next power of two above the largest coordinate.
  return {0, 0, __builtin_bit_cast(float, (extent & 0x7f800000u) + 0x00800000u), 0, 0, 0};
}
INLINE u32 octant_of(const Place& place, const float4& at) {
  return (at.x >= place.x ? 1u : 0u) | (at.y >= place.y ? 2u : 0u) | (at.z >= place.z ? 4u : 0u);
}
INLINE void descend(Place& place, u32 octant, u32 cell) {
  place.cell = cell;
  ++place.depth;
  place.half *= 0.5f;
  place.x += octant & 1 ? place.half : -place.half;
  place.y += octant & 2 ? place.half : -place.half;
  place.z += octant & 4 ? place.half : -place.half;
}

/// Empties all cells and finds the largest coordinate.
KERNEL bh_prepare(const float4* nodes, u32* children, u32* arrived, Tree* tree, u32 bodies, u32 capacity) {
  __shared__ u32 extent;
  if (threadIdx.x == 0) extent = 0;
  syncthreads();
  for (u32 i = global_thread(); i < 8 * capacity; i += global_threads()) children[i] = EMPTY;
  for (u32 i = global_thread(); i < capacity; i += global_threads()) arrived[i] = 0;
  float largest = 0;
  for (u32 i = global_thread(); i < bodies; i += global_threads()) {
    float4 at = nodes[i];
    largest = maximum(largest, maximum(maximum(absolute(at.x), absolute(at.y)), absolute(at.z)));
  }
  atomic_max(&extent, __builtin_bit_cast(u32, largest));  // of floats that are not negative: the order of their bits
  syncthreads();
  if (threadIdx.x == 0) atomic_max(&tree->extent, extent);
}

/// The chain of new cells that parts `body` from `other`, both in the octant of `slot`; what the slot is to hold.
/// Nobody sees the cells before the slot is written.
INLINE u32 part(const float4* nodes, volatile u32* children, u32* parent, Tree* tree, u32 bodies, u32 capacity,
                Place place, u32 octant, u32 body, u32 other) {
  float4 at = nodes[body];
  float4 rival = nodes[other];
  u32 top = EMPTY;
  u32 link = 0;
  u32 mine, theirs;
  do {
    u32 cell = atomic_add(&tree->cells, 1u);
    if (cell >= capacity || place.depth == MAX_DEPTH) {
      atomic_or(&tree->overflow, 1u);
      if (top == EMPTY) return other;
      children[link] = other;
      return top;
    }
    if (top == EMPTY)
      top = bodies + cell;
    else
      children[link] = bodies + cell;
    parent[cell] = place.cell * 8 + octant;
    descend(place, octant, cell);
    mine = octant_of(place, at);
    theirs = octant_of(place, rival);
    octant = mine;
    link = cell * 8 + mine;
  } while (mine == theirs);
  children[place.cell * 8 + theirs] = other;
  children[link] = body;
  return top;
}

/// Inserts a body per thread. Pointers are numbers: a body's, or `bodies` and a cell's.
///
/// A pointer changes from EMPTY to a body and from a body to a cell, each time by way of LOCKED, and a cell's stays. So
/// what was read may be old, but an old value other than a cell fails to swap, and is read again. The fence before the
/// swap orders it behind the pointers that led here: the cell's first contents, which were fenced before the pointer to
/// it was written, are in place.
KERNEL bh_build(const float4* nodes, volatile u32* children, u32* parent, Tree* tree, u32 bodies, u32 capacity) {
  u32 body = global_thread();
  if (body >= bodies) return;
  float4 at = nodes[body];
  Place place = root_of(tree->extent);
  u32 pending = 1;
  while (pending) {
    u32 octant = octant_of(place, at);
    u32 child = children[place.cell * 8 + octant];
    while (child >= bodies && child < LOCKED) {
      descend(place, octant, child - bodies);
      octant = octant_of(place, at);
      child = children[place.cell * 8 + octant];
    }
    u32* slot = (u32*)children + place.cell * 8 + octant;
    if (child != LOCKED) {
      threadfence();
      if (atomic_compare_and_swap(slot, child, LOCKED) == child) {
        u32 subtree = body;
        if (child != EMPTY) subtree = part(nodes, children, parent, tree, bodies, capacity, place, octant, body, child);
        threadfence();
        *(volatile u32*)slot = subtree;
        pending = 0;
      }
    }
    // The winner has unlocked before the lanes meet here, at the end of the body. Were it sent past the end of the loop
    // instead, it would wait at the stack for lanes that wait for its lock: the assembly hides `pending` from the
    // compiler, which therefore cannot.
    asm volatile("" : "+r"(pending));
  }
}

/// Mass, centre of mass and number of bodies of each cell, from the leaves up: a thread counts the bodies among its
/// cell's children, and the one that brings the last child goes on to the parent. The fences order a child's summary
/// before its arrival and the arrivals before the reading of summaries. Children are added in their order, so sums are
/// the same in every run.
KERNEL bh_summarize(volatile float4* nodes, volatile u32* counts, const u32* children, const u32* parent, u32* arrived,
                    const Tree* tree, u32 bodies) {
  u32 cell = global_thread();
  if (cell >= tree->cells) return;
  u32 ready = 0;
  for (u32 octant = 0; octant < 8; ++octant) {
    u32 child = children[cell * 8 + octant];
    if (child < bodies || child == EMPTY) ++ready;
  }
  if (ready == 0) return;
  while (atomic_add(&arrived[cell], ready) + ready == 8) {
    threadfence();
    u32 count = 0;
    float mass = 0, x = 0, y = 0, z = 0;
    for (u32 octant = 0; octant < 8; ++octant) {
      u32 child = children[cell * 8 + octant];
      if (child == EMPTY) continue;
      count += child < bodies ? 1 : counts[child - bodies];
      float m = nodes[child].w;
      mass += m;
      x = __builtin_fmaf(m, nodes[child].x, x);
      y = __builtin_fmaf(m, nodes[child].y, y);
      z = __builtin_fmaf(m, nodes[child].z, z);
    }
    float scale = reciprocal(mass);
    volatile float4* node = nodes + bodies + cell;
    node->x = x * scale;
    node->y = y * scale;
    node->z = z * scale;
    node->w = mass;
    counts[cell] = count;
    if (cell == 0) return;
    threadfence();
    cell = parent[cell] / 8;
    ready = 1;
  }
}

/// The way through the tree without a stack, by node: where to go on behind a node, and into a cell.
struct alignas(16) Link {
  u32 skip;             ///< the next node that is no descendant; EMPTY behind the last
  u32 enter;            ///< a cell's first child
  float width_squared;  ///< of a cell; 0 of a body
  u32 unused;
};

/// Links, and the bodies in the order of the tree's leaves, so that those of a warp see much the same cells. A cell's
/// bodies come behind all those in the earlier octants of the cells above it.
KERNEL bh_arrange(const u32* counts, const u32* children, const u32* parent, const Tree* tree, Link* links, u32* order,
                  u32 bodies) {
  u32 cell = global_thread();
  if (cell >= tree->cells) return;
  u32 before = 0;
  u32 next = EMPTY;
  float width = 2 * root_of(tree->extent).half;
  for (u32 below = cell; below != 0; below = parent[below] / 8) {
    u32 own = parent[below];
    width *= 0.5f;
    for (u32 octant = 0; octant < 8; ++octant) {
      u32 slot = own / 8 * 8 + octant;
      u32 child = children[slot];
      if (child == EMPTY) continue;
      if (slot < own) before += child < bodies ? 1 : counts[child - bodies];
      if (slot > own && next == EMPTY) next = child;
    }
  }
  if (cell == 0) links[bodies].skip = EMPTY;
  u32 behind = before + counts[cell];
  for (s32 octant = 7; octant >= 0; --octant) {
    u32 child = children[cell * 8 + octant];
    if (child == EMPTY) continue;
    links[child].skip = next;
    next = child;
    if (child < bodies) {
      links[child].width_squared = 0;
      order[--behind] = child;
    } else {
      behind -= counts[child - bodies];
    }
  }
  links[bodies + cell].enter = next;
  links[bodies + cell].width_squared = width * width;
}

/// Whether all lanes pass something other than 0.
INLINE u32 all_lanes(u32 value) {
  u32 all;
  asm volatile("{ .reg .pred mine, all; setp.ne.u32 mine, %1, 0; vote.all.pred all, mine; selp.u32 %0, 1, 0, all; }"
               : "=r"(all)
               : "r"(value));
  return all;
}

/// Acceleration of a body per thread, with a softened potential. A cell counts as one body when its width is not more
/// than theta times its distance, for all bodies of the warp: the lanes stay together, and one access serves them all.
KERNEL bh_force(const float4* nodes, const uint4* links, const u32* order, float4* acceleration, u32 bodies,
                float theta_squared, float softening_squared) {
  if (global_thread() >= bodies) return;
  u32 body = order[global_thread()];
  float4 at = nodes[body];
  float4 sum = {0, 0, 0, 0};
  u32 next = bodies;
  do {
    float4 node = nodes[next];
    uint4 link = links[next];
    float x = node.x - at.x, y = node.y - at.y, z = node.z - at.z;
    float distance_squared = __builtin_fmaf(x, x, __builtin_fmaf(y, y, z * z));
    u32 whole = all_lanes(__builtin_bit_cast(float, link.z) <= theta_squared * distance_squared);
    if (whole) {
      float inverse = fast_rsqrt(distance_squared + softening_squared);
      float pull = node.w * inverse * inverse * inverse;  // nothing from the body itself: its distance is zero
      sum.x = __builtin_fmaf(pull, x, sum.x);
      sum.y = __builtin_fmaf(pull, y, sum.y);
      sum.z = __builtin_fmaf(pull, z, sum.z);
    }
    next = whole ? link.x : link.y;
  } while (next != EMPTY);
  acceleration[body] = sum;
}

/// Velocity first, then position with the new velocity (leapfrog).
KERNEL bh_integrate(float4* nodes, float4* velocity, const float4* acceleration, u32 bodies, float step) {
  u32 body = global_thread();
  if (body >= bodies) return;
  float4 a = acceleration[body], v = velocity[body], at = nodes[body];
  v.x = __builtin_fmaf(a.x, step, v.x);
  v.y = __builtin_fmaf(a.y, step, v.y);
  v.z = __builtin_fmaf(a.z, step, v.z);
  at.x = __builtin_fmaf(v.x, step, at.x);
  at.y = __builtin_fmaf(v.y, step, at.y);
  at.z = __builtin_fmaf(v.z, step, at.z);
  velocity[body] = v;
  nodes[body] = at;
}

/// Inserts a body per thread, as `bh_build` does, by transactions instead of locks: the way down is the same, and a
/// transaction changes a pointer if it still is what was found.
///
/// A body that is found there is parted from the thread's own by a transaction that has a cell for it, one level at a
/// time, so that none stores more than two pointers. Cells are taken before, which an abort does not give back. A cell
/// that is left over, because a rival has parted the bodies meanwhile, is made the child of itself alone, and nobody
/// else's: later kernels find no bodies in it.
///
/// Outside of transactions a pointer to a cell may be seen before the cell's own pointers: what is read there is older,
/// the transaction finds another, and the thread reads again. Pointers to cells stay.
KERNEL bh_build_transactional(const float4* nodes, volatile u32* children, u32* parent, Tree* tree, u32 bodies,
                              u32 capacity) {
  u32 body = global_thread();
  if (body >= bodies) return;
  float4 at = nodes[body];
  float4 rival_at = at;
  Place place = root_of(tree->extent);
  u32 rival = EMPTY;
  u32 spare = EMPTY;
  u32 pending = 1;
  while (pending) {
    u32 octant = octant_of(place, at);
    u32 child = children[place.cell * 8 + octant];
    while (child - bodies < capacity && place.depth < MAX_DEPTH) {
      descend(place, octant, child - bodies);
      octant = octant_of(place, at);
      child = children[place.cell * 8 + octant];
    }
    if (child != EMPTY && (child != rival || spare == EMPTY || place.depth == MAX_DEPTH)) {
      rival = child;
      if (spare == EMPTY) spare = atomic_add(&tree->cells, 1u);
      if (spare >= capacity || place.depth == MAX_DEPTH) {
        atomic_or(&tree->overflow, 1u);
        return;
      }
      rival_at = nodes[rival];
    }
    u32* slot = (u32*)children + place.cell * 8 + octant;
    u32 found;
    transaction([&] {
      found = *slot;
      if (found == child) {
        if (child == EMPTY) {
          *slot = body;
        } else {
          Place below = place;
          descend(below, octant, spare);
          ((u32*)children)[spare * 8 + octant_of(below, rival_at)] = rival;
          *slot = bodies + spare;
        }
      }
    });
    if (found == child) {
      if (child == EMPTY) {
        pending = 0;
      } else {
        parent[spare] = place.cell * 8 + octant;
        descend(place, octant, spare);
        spare = EMPTY;
      }
    }
  }
  if (spare != EMPTY) {
    for (u32 octant = 0; octant < 8; ++octant) children[spare * 8 + octant] = bodies + spare;
    parent[spare] = 0;
  }
}
