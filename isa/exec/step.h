// What one instruction of one warp did, and what its host (an SM or the emulator) has to do about it.
#pragma once

#include <cstdint>

#include "base/lane_mask.h"
#include "isa/exec/op.h"
#include "isa/exec/program.h"

namespace syncline::isa {

enum class StepKind : std::uint8_t {
  done,     ///< nothing to do: registers and pc are updated
  memory,   ///< the MemoryAccess is filled; loads and atomics want Warp::write_back
  barrier,  ///< `barrier`: the warp has passed the instruction; the host holds it until the barrier opens
  fence,    ///< order memory accesses as op's modifiers say
  exited,   ///< `lanes` ended; Warp::finished() tells whether any is left
  sleep,    ///< nanosleep of `sleep_ns`
  trap,
  breakpoint,
  system_call,        ///< `call`: read arguments with Warp::argument, answer with Warp::set_result
  transaction_begin,  ///< `lanes` are in a transaction now, which begins at the warp's next instruction
  transaction_commit  ///< `lanes` wait at the end of theirs; Warp::arrived() says whether others are still to come
};

/// A CTA barrier instruction. `lanes` of the step arrived with it.
struct BarrierRequest {
  std::uint32_t id = 0;
  std::uint32_t threads = 0;  ///< threads expected; 0: all of the CTA
  BarrierMode mode = BarrierMode::sync;
  base::LaneMask predicate = 0;  ///< bar.red: lanes whose predicate is true
  std::uint32_t frame = 0;       ///< call frame that the result goes to
};

struct Step {
  StepKind kind = StepKind::done;
  const Op* op = nullptr;
  std::uint32_t pc = no_pc;
  base::LaneMask active = 0;  ///< lanes on the path
  base::LaneMask lanes = 0;   ///< of them, those that the guard lets execute
  base::LaneMask taken = 0;   ///< branches: lanes that jumped
  bool more = false;          ///< generic access: other lanes go to another space; execute again
  std::uint32_t sleep_ns = 0;
  BarrierRequest barrier;
  SystemCall call = SystemCall::none;
};

}  // namespace syncline::isa
