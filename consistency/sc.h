// Sequential consistency: one total order of all operations explains the execution.
#pragma once

#include <functional>

#include "consistency/model.h"

namespace syncline::consistency {

/// for_each_completion of Model::sc: every total order of the writes to each location; or only those that break
/// nothing.
void complete_sc(const Execution& execution, bool only_allowed, const std::function<bool(const Completion&)>& visit);

}  // namespace syncline::consistency
