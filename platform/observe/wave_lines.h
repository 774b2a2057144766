// Signals of chosen lines of memory: what each cache has of them, and which message about them is under way.
#pragma once

#include <cstdint>
#include <vector>

#include "models/block/block.h"

namespace syncline::platform {

/// Adds to `context.signals`, in the group "lines", for every line that one of `addresses` is in: of each cache its
/// state there, by the policy's name, and of each crossbar the message about it (Crossbar::message_about). Lines have
/// `line_bytes`, a power of two; UserError for an address that is not below `memory_end`. Before simulation starts.
void add_line_signals(models::PlatformContext& context, const std::vector<std::uint64_t>& addresses,
                      unsigned line_bytes, std::uint64_t memory_end);

}  // namespace syncline::platform
