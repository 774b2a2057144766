// The smallest part of a program that still shows something.
#pragma once

#include <functional>

#include "protocols/coherence/explore/program.h"

namespace syncline::protocols::explore {

/// `program`, of which `shows` is true, without the threads and operations, the orderings and scopes that it can do
/// without: nothing more can be left out. Asks `shows` of smaller and smaller programs.
Program shrunk(Program program, const std::function<bool(const Program&)>& shows);

}  // namespace syncline::protocols::explore
