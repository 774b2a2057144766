// When the registers of one warp are there: the hazards between its instructions (RAW and WAW).
//
// Issue is in order and operands are read at issue, so WAR cannot happen. Instead of a set of busy registers the board
// keeps, for each register, the cycle from which it can be used: the time at which an instruction can issue is then
// known at once, and a warp that waits for arithmetic needs no event in between. Registers that wait for memory hold
// base::never until the reply comes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "isa/exec/op.h"

namespace syncline::models {

class Scoreboard {
 public:
  /// A warp starts: all of `registers` numbers (RegisterUse::ids) are ready.
  void reset(std::size_t registers) {
    ready_at_.assign(registers, 0);
    last_ = 0;
    pending_ = 0;
  }

  /// First cycle at which `op` finds all that it reads and writes; base::never when it waits for memory.
  base::Cycle ready(const isa::Op& op) const {
    if (op.drains) return pending_ != 0 ? base::never : last_;
    base::Cycle at = 0;
    const unsigned count = op.registers.reads + op.registers.writes;
    for (unsigned i = 0; i < count; ++i) at = std::max(at, ready_at_[op.registers.ids[i]]);
    return at;
  }

  /// The registers that `op` writes are there from `cycle` on.
  void write(const isa::Op& op, base::Cycle cycle) {
    for (unsigned i = op.registers.reads; i < unsigned{op.registers.reads} + op.registers.writes; ++i)
      ready_at_[op.registers.ids[i]] = cycle;
    last_ = std::max(last_, cycle);
  }

  /// `op` waits for memory: its registers are there when `arrived` says so.
  void wait(const isa::Op& op) {
    for (unsigned i = op.registers.reads; i < unsigned{op.registers.reads} + op.registers.writes; ++i)
      ready_at_[op.registers.ids[i]] = base::never;
    ++pending_;
  }
  void arrived(const isa::Op& op, base::Cycle cycle) {
    --pending_;
    write(op, cycle);
  }

  /// Memory instructions whose registers are still awaited.
  unsigned pending() const { return pending_; }

 private:
  std::vector<base::Cycle> ready_at_;
  base::Cycle last_ = 0;  ///< when the last register written by anything but memory is there
  unsigned pending_ = 0;
};

}  // namespace syncline::models
