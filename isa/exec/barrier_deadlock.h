// The message for a CTA in which nobody can go on.
#pragma once

#include <string>
#include <vector>

#include "isa/exec/cta_barriers.h"
#include "isa/exec/warp.h"

namespace syncline::isa {

/// "barrier deadlock in CTA (0, 0, 0) of kernel `k`:" and one line per warp: at which barrier it waits or that it
/// ended, with pc, place in the PTX, lanes; paths of diverged warps that wait below it are listed too.
std::string describe_deadlock(const CtaBarriers& barriers, const std::vector<const Warp*>& warps);

}  // namespace syncline::isa
