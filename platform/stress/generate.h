// Random episodes.
#pragma once

#include "base/random.h"
#include "platform/stress/episode.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::stress {

/// The shape of an episode without races. Words of one line have different owners, so lines are shared falsely all the
/// time, and a thread has several accesses under way at once.
struct TrafficSpec {
  unsigned l1s = 3;
  unsigned warps = 3;          ///< of each L1
  unsigned warp_places = 3;    ///< as many as `warps` of any episode of the machine
  unsigned lines = 12;         ///< shared by all
  unsigned private_lines = 2;  ///< of each warp, accessed as local memory
  unsigned in_flight = 4;      ///< accesses of a warp
  unsigned accesses = 150;     ///< of a warp
  unsigned locks = 0;          ///< each guards some words of the shared lines
  std::uint64_t max_pause_ps = 20'000;
  /// One of so many loads says that nobody writes its line, although somebody may; 0: none. Only coherent policies bear
  /// it.
  unsigned read_only_loads = 0;
  unsigned last_uses = 0;  ///< one of so many accesses of private lines is an ld.lu between two stores; 0: none
  unsigned flushes = 0;  ///< before one of so many accesses the L1 is told that a grid begins; 0: only before the first
};
Episode race_free_episode(const TrafficSpec& spec, base::Random& random);

/// The shape of an episode of races: loads, stores and atomics of all threads on few words.
struct RaceSpec {
  unsigned l1s = 3;
  unsigned lines = 3;       ///< at most so many
  unsigned warps = 2;       ///< of each L1, at most
  unsigned accesses = 150;  ///< of all threads together, at most
};
/// Where the promise is weak, accesses have PTX qualifiers, some threads have fences, and a thread has several accesses
/// under way. `stored` counts the stores: each brings a value that no other one does.
Episode racy_episode(const RaceSpec& spec, protocols::Consistency promised, base::Random& random,
                     std::uint32_t& stored);

/// Gives the stores of a racy episode new values of that kind.
void renumber_stores(Episode& episode, std::uint32_t& stored);

}  // namespace syncline::stress
