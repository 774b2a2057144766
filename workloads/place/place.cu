// Placement by simulated annealing as in VPR (Betz and Rose, FPL 1997): blocks of a netlist on a grid, moves that swap
// two cells' contents, cost by the bounding boxes of nets, acceptance by the change of cost and the temperature. Here
// many workers move blocks of the one placement at once.
//
// A worker is eight threads in `anneal` and a warp in `anneal_by_warps`: one proposes and decides, each evaluates one net
// of the two blocks, or two pins of it. Before anything is read for good, the worker holds the locks of both cells and of
// all nets of their blocks. A block moves only under the locks of its nets, so the change of cost is exact, and the sum
// of all changes is the change of the placement's cost. A lock that somebody else holds ends the attempt: nobody waits,
// within a warp or between CTAs.
#include "workloads/common/cuda_device.h"

#define NONE 0xffffffffu
#define WORKER 8      // threads
#define WORKERS 4     // per CTA
#define BLOCK_NETS 4  // at most, of a block
#define NET_PINS 8    // at most, of a net

/// How much more wire than its box's half perimeter a net of so many pins needs, in 64ths (Cheng, ICCAD 1994).
__constant__ s32 crossing[NET_PINS + 1] = {0, 0, 64, 64, 69, 74, 78, 82, 86};

struct Netlist {
  const u32* nets_of;  ///< BLOCK_NETS a block; NONE where there are fewer
  const u32* pins_of;  ///< NET_PINS blocks a net, likewise
  u32 blocks;
};

/// Shared by all CTAs.
struct Placement {
  volatile u32* cell_of;   ///< of a block
  volatile u32* block_in;  ///< a cell, or NONE
  u32* cell_locks;
  u32* net_locks;
  u32 width, height;
};

struct Totals {
  s32 cost;  ///< in 64ths of a cell's width
  u32 accepted;
  u32 rejected;
  u32 given_up;  ///< a lock was held, or there was nothing to swap
};

struct Schedule {
  u32 attempts;               ///< of each worker
  u32 range;                  ///< farthest distance of a move along an axis
  float inverse_temperature;  ///< per unit of cost
  u32 seed;
};

/// What the threads of a worker tell each other.
struct Move {
  u32 block, other;  ///< the other one may be NONE
  u32 from, to;
  u32 valid;
  u32 conflict;
  s32 change;
};

INLINE u32 next_random(u32& state) {  // Marsaglia's xorshift
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
/// `at` moved by up to `range` either way, kept inside.
INLINE u32 nearby(u32 at, u32 range, u32 extent, u32& random) {
  s32 moved = (s32)at + (s32)(next_random(random) % (2 * range + 1)) - (s32)range;
  return (u32)larger(0, smaller(moved, (s32)extent - 1));
}

/// Takes a lock that is free. The fences keep what the lock protects between taking and giving back.
INLINE bool claim(u32* lock) {
  if (atomic_exchange(lock, 1u) != 0) return false;
  threadfence();
  return true;
}
INLINE void give_back(u32* lock) {
  threadfence();
  *(volatile u32*)lock = 0;
}

/// A move whose cells are locked, or none.
INLINE bool propose(Move& move, const Netlist& netlist, const Placement& placement, u32 range, u32& random) {
  move.conflict = 0;
  move.change = 0;
  u32 block = next_random(random) % netlist.blocks;
  u32 from = placement.cell_of[block];
  u32 width = placement.width;
  u32 x = nearby(from % width, range, width, random);
  u32 to = nearby(from / width, range, placement.height, random) * width + x;
  if (from == to || !claim(&placement.cell_locks[from])) return false;
  if (claim(&placement.cell_locks[to])) {
    if (placement.block_in[from] == block) {  // it may have moved before the lock was taken
      move.block = block;
      move.other = placement.block_in[to];
      move.from = from;
      move.to = to;
      return true;
    }
    give_back(&placement.cell_locks[to]);
  }
  give_back(&placement.cell_locks[from]);
  return false;
}

/// The net that a thread of the worker looks after: one of the block's, or one of the other block's alone.
INLINE u32 share_of(const Move& move, const Netlist& netlist, u32 member) {
  if (member < BLOCK_NETS) return netlist.nets_of[move.block * BLOCK_NETS + member];
  if (move.other == NONE) return NONE;
  u32 net = netlist.nets_of[move.other * BLOCK_NETS + member - BLOCK_NETS];
  for (u32 i = 0; i < BLOCK_NETS; ++i)
    if (netlist.nets_of[move.block * BLOCK_NETS + i] == net) return NONE;
  return net;
}

struct Box {
  s32 left, right, bottom, top;
};
INLINE Box empty_box() {
  return {0x7fffffff, -1, 0x7fffffff, -1};
}
INLINE void extend(Box& box, u32 cell, u32 width) {
  s32 x = (s32)(cell % width), y = (s32)(cell / width);
  box.left = smaller(box.left, x);
  box.right = larger(box.right, x);
  box.bottom = smaller(box.bottom, y);
  box.top = larger(box.top, y);
}
INLINE s32 half_perimeter(const Box& box) {
  return box.right - box.left + box.top - box.bottom;
}

/// By how much the move changes the net's cost.
INLINE s32 change_of(u32 net, const Move& move, const Netlist& netlist, const Placement& placement) {
  Box before = empty_box();
  Box after = before;
  u32 pin = 0;
  for (; pin < NET_PINS; ++pin) {
    u32 block = netlist.pins_of[net * NET_PINS + pin];
    if (block == NONE) break;
    u32 cell = placement.cell_of[block];
    extend(before, cell, placement.width);
    extend(after, block == move.block ? move.to : block == move.other ? move.from : cell, placement.width);
  }
  return crossing[pin] * (half_perimeter(after) - half_perimeter(before));
}

/// Whether to make a move that changes the cost so much.
INLINE bool accepts(s32 change, float inverse_temperature, u32& random) {
  float downhill = (float)change * -inverse_temperature;
  float chance = (float)(next_random(random) >> 8) * 0x1p-24f;
  return change <= 0 || chance < fast_exp(downhill);
}
INLINE void make(const Move& move, const Placement& placement) {
  placement.cell_of[move.block] = move.to;
  placement.block_in[move.to] = move.block;
  placement.block_in[move.from] = move.other;
  if (move.other != NONE) placement.cell_of[move.other] = move.from;
}

KERNEL anneal(Netlist netlist, Placement placement, Totals* totals, Schedule schedule) {
  __shared__ Move moves[WORKERS];
  u32 member = threadIdx.x % WORKER;
  Move& move = moves[threadIdx.x / WORKER];
  u32 random = (schedule.seed + global_thread()) * 0x9e3779b1u | 1;
  u32 accepted = 0, rejected = 0, given_up = 0;
  for (u32 i = 0; i < 4; ++i) next_random(random);  // neighbours' seeds are alike
  for (u32 attempt = 0; attempt < schedule.attempts; ++attempt) {
    if (member == 0) move.valid = propose(move, netlist, placement, schedule.range, random);
    syncthreads();
    u32 net = move.valid ? share_of(move, netlist, member) : NONE;
    u32 locked = 0;
    if (net != NONE) {
      locked = claim(&placement.net_locks[net]);
      if (!locked) move.conflict = 1;
    }
    syncthreads();
    if (net != NONE && !move.conflict) atomic_add(&move.change, change_of(net, move, netlist, placement));
    syncthreads();
    if (member == 0) {
      if (!move.valid || move.conflict) {
        ++given_up;
      } else {
        if (accepts(move.change, schedule.inverse_temperature, random)) {
          make(move, placement);
          atomic_add(&totals->cost, move.change);
          ++accepted;
        } else {
          ++rejected;
        }
      }
      threadfence();  // the new places, before the barrier behind which other threads unlock
    }
    syncthreads();
    if (locked) give_back(&placement.net_locks[net]);
    if (member == 0 && move.valid) {
      give_back(&placement.cell_locks[move.from]);
      give_back(&placement.cell_locks[move.to]);
    }
  }
  if (member == 0) {
    atomic_add(&totals->accepted, accepted);
    atomic_add(&totals->rejected, rejected);
    atomic_add(&totals->given_up, given_up);
  }
}

#define MOVE_NETS (2 * BLOCK_NETS)
#define NET_LANES (32 / MOVE_NETS)  // of a warp that look after a net together
#define CTA_WORKERS 8               // at most, of a CTA of `anneal_by_warps`

/// A net of a move while the lanes that look after it put their pins together.
struct NetBoxes {
  Box before, after;
  u32 pins;
};
INLINE void extend_together(Box& box, u32 cell, u32 width) {
  s32 x = (s32)(cell % width), y = (s32)(cell / width);
  atomic_min(&box.left, x);
  atomic_max(&box.right, x);
  atomic_min(&box.bottom, y);
  atomic_max(&box.top, y);
}

/// A worker of 32 threads, a warp, and no barrier between workers: those of a CTA go their own ways. A barrier has
/// `group` threads, 32 or a warp's if that is more.
KERNEL anneal_by_warps(Netlist netlist, Placement placement, Totals* totals, Schedule schedule, u32 group) {
  __shared__ Move moves[CTA_WORKERS];
  __shared__ NetBoxes boxes[CTA_WORKERS][MOVE_NETS];
  u32 lane = threadIdx.x % 32;
  u32 part = lane % NET_LANES;
  u32 barrier = threadIdx.x / group;
  Move& move = moves[threadIdx.x / 32];
  NetBoxes& net_boxes = boxes[threadIdx.x / 32][lane / NET_LANES];
  u32 random = (schedule.seed + global_thread()) * 0x9e3779b1u | 1;
  s32 cost = 0;
  u32 accepted = 0, rejected = 0;
  for (u32 i = 0; i < 4; ++i) next_random(random);  // neighbours' seeds are alike
  for (u32 attempt = 0; attempt < schedule.attempts; ++attempt) {
    if (lane == 0) move.valid = propose(move, netlist, placement, schedule.range, random);
    syncthreads(barrier, group);
    u32 net = move.valid ? share_of(move, netlist, lane / NET_LANES) : NONE;
    u32 locked = 0;
    if (net != NONE && part == 0) {
      locked = claim(&placement.net_locks[net]);
      if (!locked) move.conflict = 1;
      net_boxes = {empty_box(), empty_box(), 0};
    }
    syncthreads(barrier, group);
    bool weighed = net != NONE && !move.conflict;
    if (weighed)
      for (u32 pin = part; pin < NET_PINS; pin += NET_LANES) {
        u32 block = netlist.pins_of[net * NET_PINS + pin];
        if (block == NONE) break;
        u32 cell = placement.cell_of[block];
        extend_together(net_boxes.before, cell, placement.width);
        extend_together(net_boxes.after, block == move.block ? move.to : block == move.other ? move.from : cell,
                        placement.width);
        atomic_add(&net_boxes.pins, 1u);
      }
    syncthreads(barrier, group);
    if (weighed && part == 0)
      atomic_add(&move.change,
                 crossing[net_boxes.pins] * (half_perimeter(net_boxes.after) - half_perimeter(net_boxes.before)));
    syncthreads(barrier, group);
    if (lane == 0 && move.valid && !move.conflict) {
      if (accepts(move.change, schedule.inverse_temperature, random)) {
        make(move, placement);
        cost += move.change;
        ++accepted;
      } else {
        ++rejected;
      }
      threadfence();  // the new places, before the barrier behind which other threads unlock
    }
    syncthreads(barrier, group);
    if (locked) give_back(&placement.net_locks[net]);
    if (lane == 0 && move.valid) {
      give_back(&placement.cell_locks[move.from]);
      give_back(&placement.cell_locks[move.to]);
    }
  }
  if (lane == 0) {
    atomic_add(&totals->cost, cost);
    atomic_add(&totals->accepted, accepted);
    atomic_add(&totals->rejected, rejected);
    atomic_add(&totals->given_up, schedule.attempts - accepted - rejected);
  }
}
