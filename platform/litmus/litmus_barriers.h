// The barriers of a litmus test as barriers of a CTA of the machine.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "consistency/program.h"

namespace syncline::platform {

inline constexpr unsigned barriers_of_a_cta = 16;
/// Where threads wait for each other at the end of a round.
inline constexpr unsigned barrier_of_rounds = barriers_of_a_cta - 1;

struct LitmusBarriers {
  struct Use {
    consistency::Value number = 0;  ///< of the barrier, as the test has it
    unsigned barrier = 0;           ///< of the CTA
    unsigned threads = 0;           ///< that meet
  };
  /// By thread and instruction: what can be its barrier, which may come from a register.
  std::map<std::pair<unsigned, unsigned>, std::vector<Use>> uses;
  /// By thread: how many of its CTA begin a round together. Who arrives at a barrier does not wait, and were it a round
  /// ahead it would arrive twice. 0: nobody arrives.
  std::vector<unsigned> together;
  /// Why a machine cannot run them: with the place of an instruction. Empty: it can.
  std::string obstacle;
};

/// Who meets where is found by enumeration of the test's executions: a barrier that the machine shall run is complete
/// in all of them, with as many threads each time.
LitmusBarriers plan_barriers(const consistency::Program& program);

}  // namespace syncline::platform
