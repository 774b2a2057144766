// Where lanes that stand at different places of a function meet again, for mechanisms that look for it between
// branches.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/exec/op.h"

namespace syncline::isa {

class Program;

/// Nearest common post-dominators, as branches have them (isa/cfg: immediate_post_dominators), of any two places.
class MeetingPoints {
 public:
  MeetingPoints() = default;
  explicit MeetingPoints(const Program& program);

  /// The first pc to which lanes at `a` and at `b`, of one function, come whichever way they take, unless they end:
  /// `a` itself where those at `b` come by. no_pc: they may end without having met.
  std::uint32_t of(std::uint32_t a, std::uint32_t b) const;

 private:
  std::uint32_t next(std::uint32_t pc) const { return next_[block_[pc]]; }
  std::vector<std::uint32_t> block_;  ///< per pc; those of different functions have different numbers
  std::vector<std::uint32_t> next_;   ///< per block: the pc where its lanes meet that have parted at its end
};

}  // namespace syncline::isa
