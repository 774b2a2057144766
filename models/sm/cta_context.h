// A CTA slot of an SM.
#pragma once

#include <cstdint>
#include <vector>

#include "base/dim3.h"
#include "isa/exec/cta_barriers.h"
#include "models/sm/cta_sink.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

struct CtaContext {
  const GridLaunch* grid = nullptr;  ///< null: the slot is free
  base::Dim3 index;
  isa::CtaBarriers barriers;
  std::vector<std::uint8_t> shared;
  std::vector<unsigned> slots;                        ///< warp slot of each warp of the CTA
  WarpMask live = 0;                                  ///< warp slots whose warps have not ended
  unsigned accesses = 0;                              ///< memory instructions of its warps that are not performed
  unsigned handed_on = 0;                             ///< of them those that are marked: FencePlan::hand_on
  std::uint64_t registers = 0, shared_allocated = 0;  ///< taken from the SM
};

}  // namespace syncline::models
