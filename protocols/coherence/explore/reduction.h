// Orders of steps that nothing tells apart (partial order reduction; Godefroid, LNCS 1032, 1996): one of them is
// explored. For policies of leases in physical time, under which a replacement depends on its line and the clock alone.
#pragma once

#include <string>
#include <vector>

#include "protocols/coherence/explore/encode.h"
#include "protocols/coherence/explore/world.h"

namespace syncline::protocols::explore {

class Reduction {
 public:
  Reduction(World& world, const Shape& shape);

  /// Whether a replacement may come later: until something happens to the line at that node, nothing else sees it or is
  /// seen by it, for it changes only what the node has of the line, memory's bytes of it, and when it is called. Not
  /// one that is wrong, so that it is found at once.
  /// `bytes`: the state's (encode), which are written where they are wanted and still empty.
  bool may_wait(const State& state, std::string& bytes, unsigned node, unsigned line) const;
  /// Timers of homes that do nothing when they end, now or later, end now.
  void end_idle_timers(State& state) const;

 private:
  World& world_;
  Shape shape_;
  std::vector<bool> idle_;  ///< by state of a home: its timers do nothing
  mutable std::string after_;
};

}  // namespace syncline::protocols::explore
