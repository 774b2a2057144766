// The programs that `syncline check gpudet` explores.
#pragma once

#include <vector>

#include "protocols/coherence/explore/program.h"

namespace syncline::protocols::determinism {

/// The classic litmus shapes, as they are and with fences; races, atomics and barriers within CTAs; CTAs that follow
/// each other.
std::vector<explore::Program> suite();

}  // namespace syncline::protocols::determinism
