// The formulas of the registry, by the part of the machine that they are about.
#pragma once

#include <vector>

#include "platform/validation/predictions.h"

namespace syncline::platform {

std::vector<Prediction> memory_predictions();  ///< latency, bandwidth, fences
std::vector<Prediction> atomic_predictions();
std::vector<Prediction> sm_predictions();  ///< issue, shared memory, divergence, barriers, launches

}  // namespace syncline::platform
