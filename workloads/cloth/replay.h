// The check of the cloth's solves: springs may be solved in any order, but there has to be one that explains the
// result.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/common/workload.h"

namespace syncline::workloads::cloth {

/// Position in units of 2^-16, and how many springs have moved the particle in this time step.
struct Particle {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
  std::uint32_t solves = 0;
};
bool operator==(const Particle& a, const Particle& b);

/// Ends with a < b, length at rest in units of 2^-16, and the part of a correction that end a takes (0, 1/2 or 1).
struct Spring {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  float rest = 0;
  float share = 0;
};

/// `Particle::solves` of the two ends when the spring was solved.
struct Tickets {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// Moves the ends of a stretched spring together, and counts the solve at both.
void solve(const Spring& spring, Particle& a, Particle& b);

/// Root of the mean square of the springs' elongation, as a part of their length at rest; springs that are too short
/// count as unstretched.
double stretch(const std::vector<Particle>& particles, const std::vector<Spring>& springs);

/// Repeats all solves on `particles` in an order that `tickets` tells: solve i is of spring i modulo their number, and
/// the solves of a particle have the tickets 0, 1, 2 ... in their order. Fails when two solves found a particle in the
/// same state (an update was lost), when the solves of a spring are out of the order of its thread, and when no order
/// of all solves agrees with those of the particles (the solves were not atomic).
Verdict replay(std::vector<Particle>& particles, const std::vector<Spring>& springs,
               const std::vector<Tickets>& tickets);

}  // namespace syncline::workloads::cloth
