// Segmentation of an image by a minimum cut, after Vineet and Narayanan's CudaCuts (CVPRW 2008): push-relabel on the
// grid of pixels. Each pixel has an edge from the source (object) or to the sink (background), and edges to its four
// neighbours. All that the source gives lies on the pixels as excess from the beginning; a phase finds each pixel's
// distance to the sink through edges with room, and moves excess towards the sink until none moves. What never gets
// there is on the object's side.
//
// Pushes of one launch change the excess of pixels that others push from and to at the same time. A push is a
// transaction in `push_transactional`, and holds the locks of its pixels in `push`.
#include "workloads/common/cuda_device.h"

#define FAR 0x40000000u  // no way to the sink
#define TO_SINK 4        // the directions before it: left, right, up, down; d ^ 1 is opposite to d

struct Grid {
  u32 width, height;
};

/// A thread's pixel; the grid's threads may reach beyond the image.
struct Pixel {
  u32 index;
  u32 inside;
};
INLINE Pixel pixel_of_thread(Grid grid) {
  u32 x = blockIdx.x * blockDim.x + threadIdx.x;
  u32 y = blockIdx.y * blockDim.y + threadIdx.y;
  return {y * grid.width + x, x < grid.width && y < grid.height};
}
/// Edges that would leave the image have no room, so that nobody goes there.
INLINE u32 neighbour(Grid grid, u32 pixel, u32 direction) {
  u32 step = direction < 2 ? 1 : grid.width;
  return direction & 1 ? pixel + step : pixel - step;
}
INLINE u32 edge(Grid grid, u32 pixel, u32 direction) {
  return direction * grid.width * grid.height + pixel;
}

/// Tells the host that something happened to a thread of the CTA.
INLINE void report(u32* flag, u32 happened) {
  if (syncthreads_or(happened) && threadIdx.x == 0 && threadIdx.y == 0) atomic_or(flag, 1u);
}

/// Distances to the sink, one edge farther than `before` knows them.
KERNEL measure(const s32* room, const s32* to_sink, const u32* before, u32* after, u32* changed, Grid grid) {
  Pixel pixel = pixel_of_thread(grid);
  u32 differs = 0;
  if (pixel.inside) {
    u32 nearest = to_sink[pixel.index] > 0 ? 1 : FAR;
    for (u32 d = 0; d < TO_SINK; ++d)
      if (room[edge(grid, pixel.index, d)] > 0)
        nearest = smaller(nearest, before[neighbour(grid, pixel.index, d)] + 1);
    after[pixel.index] = nearest;
    differs = nearest != before[pixel.index];
  }
  report(changed, differs);
}

/// The directions in which each pixel's excess may move: a set of bits. What is found here stays possible while the
/// pushes run, because only the pixel itself uses up the room of its edges that lead towards the sink.
KERNEL choose(const s32* excess, const s32* room, const s32* to_sink, const u32* distance, u32* directions, u32* any,
              Grid grid) {
  Pixel pixel = pixel_of_thread(grid);
  u32 found = 0;
  if (pixel.inside) {
    u32 own = distance[pixel.index];
    if (excess[pixel.index] > 0 && own < FAR) {
      for (u32 d = 0; d < TO_SINK; ++d)
        if (room[edge(grid, pixel.index, d)] > 0 && distance[neighbour(grid, pixel.index, d)] + 1 == own)
          found |= 1u << d;
      if (to_sink[pixel.index] > 0) found |= 1u << TO_SINK;
    }
    directions[pixel.index] = found;
  }
  report(any, found);
}

/// Moves what an edge has room for. `Word`: s32, volatile where locks protect it.
template <class Word>
INLINE void push_along(Word* excess, Word* room, u32 from, u32 to, u32 forth, u32 back) {
  s32 there = room[forth];
  s32 have = excess[from];
  s32 moved = smaller(have, there);
  if (moved <= 0) return;
  excess[from] = have - moved;
  room[forth] = there - moved;
  room[back] = room[back] + moved;
  excess[to] = excess[to] + moved;
}
template <class Word>
INLINE void push_to_sink(Word* excess, Word* to_sink, u32 from) {
  s32 there = to_sink[from];
  s32 have = excess[from];
  s32 moved = smaller(have, there);
  if (moved <= 0) return;
  excess[from] = have - moved;
  to_sink[from] = there - moved;
}

KERNEL push(volatile s32* excess, volatile s32* room, volatile s32* to_sink, const u32* directions, u32* locks,
            Grid grid) {
  Pixel pixel = pixel_of_thread(grid);
  if (!pixel.inside) return;
  u32 from = pixel.index;
  u32 chosen = directions[from];
  if (chosen >> TO_SINK) with_lock(&locks[from], [&] { push_to_sink(excess, to_sink, from); });
#pragma nounroll
  for (u32 d = 0; d < TO_SINK; ++d) {
    if (!(chosen >> d & 1)) continue;
    u32 to = neighbour(grid, from, d);
    with_locks(&locks[smaller(from, to)], &locks[larger(from, to)],
               [&] { push_along(excess, room, from, to, edge(grid, from, d), edge(grid, to, d ^ 1)); });
  }
}

KERNEL push_transactional(s32* excess, s32* room, s32* to_sink, const u32* directions, Grid grid) {
  Pixel pixel = pixel_of_thread(grid);
  if (!pixel.inside) return;
  u32 from = pixel.index;
  u32 chosen = directions[from];
  if (chosen >> TO_SINK) transaction([&] { push_to_sink(excess, to_sink, from); });
#pragma nounroll
  for (u32 d = 0; d < TO_SINK; ++d) {
    if (!(chosen >> d & 1)) continue;
    u32 to = neighbour(grid, from, d);
    transaction([&] { push_along(excess, room, from, to, edge(grid, from, d), edge(grid, to, d ^ 1)); });
  }
}
