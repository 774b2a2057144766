// The registry of message families: every family of the library, a line each, and those that a program adds.
#pragma once

#include <vector>

#include "models/transport/message_family.h"

namespace syncline::models {

/// Those of the library, and behind them what was added.
const std::vector<const MessageFamily*>& message_families();

/// Adds a family of the caller's, which outlives all that happens, before a platform is made: every network counts it,
/// and it is listed and compared as the others. Who speaks it says so (Package::families, GpuOptions::families).
/// ModelError where the family or one of its traffic names is there already.
void add_message_family(const MessageFamily& family);

}  // namespace syncline::models
