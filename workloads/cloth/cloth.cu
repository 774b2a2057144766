// Cloth of particles and springs in fixed point, after Brownsword's "Cloth in OpenCL" (GDC 2009): `integrate` moves the
// particles, `solve` pulls the ends of stretched springs together, `write_back` makes the vertices that would be drawn.
// In `solve` CTAs read and write each other's particles while the grid runs; a spring holds the locks of its two ends.
//
// Jooybar's thesis (sections 5.1, 6.3.1) has two versions: in CL a thread has a block of neighbouring elements; in
// CLopt elements are dealt to the threads in turn, so that lanes of a warp access neighbours. That is the argument
// `dealt`.
#include "workloads/common/cuda_device.h"

/// Position in units of 2^-16, and how many springs have moved the particle in this time step.
struct alignas(16) Particle {
  s32 x, y, z;
  u32 solves;
};
/// Ends with a < b, length at rest, and the part of a correction that end a takes.
struct alignas(16) Spring {
  u32 a, b;
  float rest;
  float share;
};
struct Vector {
  s32 x, y, z;
};
INLINE Particle load_volatile(const Particle* from) {
  Particle p;
  asm volatile("{ .reg .b64 at; cvta.to.global.u64 at, %4; ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [at]; }"
               : "=r"(p.x), "=r"(p.y), "=r"(p.z), "=r"(p.solves)
               : "l"(from)
               : "memory");
  return p;
}
INLINE void store_volatile(Particle* to, const Particle& p) {
  asm volatile("{ .reg .b64 at; cvta.to.global.u64 at, %0; st.volatile.global.v4.u32 [at], {%1, %2, %3, %4}; }" ::"l"(to), "r"(p.x), "r"(p.y), "r"(p.z),
               "r"(p.solves)
               : "memory");
}
/// The counts `Particle::solves` that a solve found at its ends: they tell the order of the solves.
struct alignas(8) Tickets {
  u32 a, b;
};

/// Elements first, first + step, ... below end.
struct Work {
  u32 first, step, end;
};
INLINE Work work_of_thread(u32 count, u32 dealt) {
  if (dealt) return {global_thread(), global_threads(), count};
  u32 most = (count + global_threads() - 1) / global_threads();
  u32 first = smaller(most * global_thread(), count);
  return {first, 1, smaller(first + most, count)};
}

/// Verlet's method with damping: velocity is what the last time step moved.
KERNEL integrate(Particle* particles, Particle* earlier, const u32* pinned, Vector acceleration, u32 count, u32 dealt) {
  Work work = work_of_thread(count, dealt);
  for (u32 i = work.first; i < work.end; i += work.step) {
    Particle now = particles[i];
    Particle before = earlier[i];
    now.solves = 0;
    earlier[i] = now;
    if (!pinned[i]) {
      s32 x = now.x - before.x;
      s32 y = now.y - before.y;
      s32 z = now.z - before.z;
      now.x += x - (x >> 6) + acceleration.x;
      now.y += y - (y >> 6) + acceleration.y;
      now.z += z - (z >> 6) + acceleration.z;
    }
    particles[i] = now;
  }
}

/// One solve, at the ends a and b; `found` becomes the counts that it finds there. No operation is fused, so that a CPU can repeat it bit
/// for bit.
template <class End>
INLINE void solve_spring(End* a, End* b, Tickets& found, const Spring& spring) {
  s32 ax = a->x, ay = a->y, az = a->z;
  s32 bx = b->x, by = b->y, bz = b->z;
  found.a = a->solves;
  found.b = b->solves;
  float x = (float)(bx - ax);
  float y = (float)(by - ay);
  float z = (float)(bz - az);
  float length = square_root(add_rn(add_rn(multiply_rn(x, x), multiply_rn(y, y)), multiply_rn(z, z)));
  if (length > spring.rest) {
    float pull = multiply_rn(add_rn(length, -spring.rest), reciprocal(length));
    float pull_a = multiply_rn(pull, spring.share);
    float pull_b = multiply_rn(pull, add_rn(1, -spring.share));
    a->x = ax + (s32)multiply_rn(x, pull_a);
    a->y = ay + (s32)multiply_rn(y, pull_a);
    a->z = az + (s32)multiply_rn(z, pull_a);
    b->x = bx - (s32)multiply_rn(x, pull_b);
    b->y = by - (s32)multiply_rn(y, pull_b);
    b->z = bz - (s32)multiply_rn(z, pull_b);
  }
  a->solves = found.a + 1;
  b->solves = found.b + 1;
}

/// Calls solve_it(i, element of the tickets) `rounds` times for every spring i of the thread.
template <class Solve>
INLINE void for_springs(u32 count, u32 rounds, u32 dealt, Solve solve_it) {
  Work work = work_of_thread(count, dealt);
  for (u32 round = 0; round < rounds; ++round)
    for (u32 i = work.first; i < work.end; i += work.step) solve_it(i, round * count + i);
}

KERNEL solve(volatile Particle* particles, const Spring* springs, u32* locks, Tickets* tickets, u32 count, u32 rounds,
             u32 dealt) {
  Work work = work_of_thread(count, dealt);
  for (u32 round = 0; round < rounds; ++round)
    for (u32 i = work.first; i < work.end; i += work.step) {
      Spring spring = springs[i];
      volatile Particle* a = &particles[spring.a];
      volatile Particle* b = &particles[spring.b];
      Tickets found;
      with_locks(&locks[spring.a], &locks[spring.b], [&] { solve_spring(a, b, found, spring); });
      tickets[round * count + i] = found;
    }
}

KERNEL write_back(const Particle* particles, float4* vertices, u32 count, u32 dealt) {
  Work work = work_of_thread(count, dealt);
  for (u32 i = work.first; i < work.end; i += work.step) {
    Particle now = particles[i];
    vertices[i] = {(float)now.x * 0x1p-16f, (float)now.y * 0x1p-16f, (float)now.z * 0x1p-16f, 1};
  }
}

/// CL: all of a spring's work is a transaction, what it shares with nobody as well.
KERNEL solve_transactional(Particle* particles, const Spring* springs, Tickets* tickets, u32 count, u32 rounds,
                           u32 dealt) {
  for_springs(count, rounds, dealt, [&](u32 i, u32 ticket) {
    transaction([&] {
      Spring spring = springs[i];
      solve_spring(&particles[spring.a], &particles[spring.b], tickets[ticket], spring);
    });
  });
}

// CLto: of a solve only the particles are in the transaction, which are read and written by one access each.

KERNEL solve_small(Particle* particles, const Spring* springs, u32* locks, Tickets* tickets, u32 count, u32 rounds,
                   u32 dealt) {
  for_springs(count, rounds, dealt, [&](u32 i, u32 ticket) {
    Spring spring = springs[i];
    Tickets found;
    with_locks(&locks[spring.a], &locks[spring.b], [&] {
      Particle a = load_volatile(&particles[spring.a]);
      Particle b = load_volatile(&particles[spring.b]);
      solve_spring(&a, &b, found, spring);
      store_volatile(&particles[spring.a], a);
      store_volatile(&particles[spring.b], b);
    });
    tickets[ticket] = found;
  });
}

KERNEL solve_small_transactional(Particle* particles, const Spring* springs, Tickets* tickets, u32 count, u32 rounds,
                                 u32 dealt) {
  for_springs(count, rounds, dealt, [&](u32 i, u32 ticket) {
    Spring spring = springs[i];
    Tickets found;
    transaction([&] {
      Particle a = particles[spring.a];
      Particle b = particles[spring.b];
      solve_spring(&a, &b, found, spring);
      particles[spring.a] = a;
      particles[spring.b] = b;
    });
    tickets[ticket] = found;
  });
}
