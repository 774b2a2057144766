// States as strings of bytes: what a frontier keeps, and what is hashed.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "protocols/coherence/explore/state.h"
#include "protocols/explore/state_hash.h"

namespace syncline::protocols::explore {

/// Which parts of a State a program uses; the others are at their defaults.
struct Shape {
  unsigned threads, l1s, lines, words, l2s, spending = 0;
  unsigned lanes = max_networks;
  unsigned fence_scopes = 0;  ///< of NodeMeta::fences that are used
  unsigned nodes() const { return max_l1s + l2s; }
};

void encode(const State& state, const Shape& shape, std::string& out);
/// Only what caches and threads do with a machine, without what the machine itself remembers (LineMeta, NodeMeta).
void encode_outside(const State& state, const Shape& shape, std::string& out);
State decode(const std::string& bytes, const Shape& shape);

/// Threads that change places, each with its L1: `to[t]` is where thread t goes.
using Permutation = std::array<std::uint8_t, max_threads>;
/// The permutations under which `program` stays what it is, without the identity. Only threads with an L1 of their own
/// and the same operations change places.
std::vector<Permutation> symmetries(const Program& program);
State permuted(const State& state, const Program& program, const Permutation& to);

}  // namespace syncline::protocols::explore
