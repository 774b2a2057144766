// What a program costs on a policy: the least and the most of each kind of message, and of reads and writes of memory,
// that any of its runs needs, and which events ever have to wait. A protocol that is right but wasteful shows here: a
// load that misses where it should hit, a line that is fetched twice, a request that waits where it should be merged.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "protocols/coherence/explore/explorer.h"

namespace syncline::protocols::explore {

struct Costs {
  /// By message kind, then reads and writes of memory: least and most over all runs.
  std::vector<std::pair<std::uint8_t, std::uint8_t>> spent;
  /// By place in CoherencePolicy::roles and event: whether a row that only waits was met.
  std::vector<std::vector<bool>> waits;
  friend bool operator==(const Costs& a, const Costs& b) { return a.spent == b.spent && a.waits == b.waits; }
  friend bool operator!=(const Costs& a, const Costs& b) { return !(a == b); }
};

/// Of the runs in which no cache replaces a line. The policy's machines must pass `explore` under the same options.
Costs costs_of(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
               const ExploreOptions& options);
/// "GETS 1, DATA 1, memory read 1; waits: home Store"
std::string text_of(const Costs& costs, const CoherencePolicy& policy);

}  // namespace syncline::protocols::explore
