// Random programs for the model checker, beside its suite: the shapes that nobody thought of.
//
// A program mixes what the suite has apart: one to three threads on L1s of their own or shared ones, one or two lines,
// two words of a line, loads that join others, atomics, a flush, fences, acquires and releases of each scope, a
// thread's own memory. It is small enough to be explored whole in most cases; a line is written by somebody and touched
// by somebody else, as far as it has room for that.
#pragma once

#include <cstdint>

#include "protocols/coherence/explore/program.h"

namespace syncline::protocols::explore {

/// One seed gives one sequence of programs, on every host. Holds no state: each program has a stream of its own.
class RandomPrograms {
 public:
  /// With `fences`, what orders accesses is as frequent as under weak ordering; without, seldom. With `places`, threads
  /// stand on several modules, many accesses are weak, and scopes of the system are frequent.
  RandomPrograms(std::uint64_t seed, bool fences, bool places = false)
      : seed_(seed), fences_(fences), places_(places) {}

  /// The `number`-th program.
  Program at(std::uint64_t number) const;

  /// Accesses of a program, where an atomic counts as two; what has no location is not counted.
  static constexpr unsigned most_accesses = 7;
  static constexpr unsigned most_threads = 3;

 private:
  std::uint64_t seed_;
  bool fences_, places_;
};

}  // namespace syncline::protocols::explore
