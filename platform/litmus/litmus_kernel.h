// A litmus test as a real PTX kernel.
//
// Each thread of the test is the first lane of a warp. A warp learns from `roles` which thread of which copy it is, and
// then runs the test once a round: it reads its plan, sleeps until the start is as near as the plan says, loads the
// lines that it shall have warm in its L1, touches lines that compete with them, sleeps until its moment has come,
// executes the thread's instructions, and stores its registers.
#pragma once

#include <string>

#include "consistency/program.h"

namespace syncline::platform {

inline constexpr const char* litmus_kernel_name = "litmus";

/// What one thread does in one round, as the kernel reads it: these words, then the address of each location (64 bits).
struct LitmusPlan {
  std::uint32_t delay_ns = 0;  ///< after the round's common start
  std::uint32_t warm = 0;      ///< bit per location: load it before the start
  std::uint32_t touches = 0;   ///< how many of the lines below to load, at most max_touches
  std::uint32_t touch_at = 0;  ///< offset of the first in the scratch memory
  std::uint32_t warm_ns = 0;   ///< before the round's common start: when lines are warmed and touched
  std::uint32_t reserved[3] = {};
};
inline constexpr unsigned litmus_max_touches = 8;
inline constexpr unsigned litmus_max_locations = 32;  ///< bits of LitmusPlan::warm
/// How often a thread goes back in loops before it gives up and goes on behind them: a kernel has to end.
inline constexpr unsigned litmus_max_tries = 256;

/// Sizes that kernel and host agree on.
struct LitmusSizes {
  /// Of the test. Registers: the most that a thread has, and where there are loops one more, how often it went back.
  unsigned threads, locations, registers;
  unsigned tries() const { return registers - 1; }  ///< which that is
  unsigned plan_bytes() const { return (sizeof(LitmusPlan) + 8 * locations + 15) / 16 * 16; }
  unsigned result_bytes() const { return 4 * registers; }
};
LitmusSizes litmus_sizes(const consistency::Program& program);

/// Why a test cannot run on a platform of so many GPUs; empty: it can.
std::string why_not_run(const consistency::Program& program, unsigned gpus);

/// The kernel's source. Its parameters are the pointers roles, plans, results, places, scratch and start, and the
/// 32-bit numbers rounds, period_ns and touch_stride. UserError for a test that cannot
/// run, however many GPUs there are.
std::string litmus_kernel(const consistency::Program& program);

}  // namespace syncline::platform
