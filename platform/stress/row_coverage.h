// Which rows of a policy's tables a run has performed.
#pragma once

#include <string>
#include <vector>

#include "platform/stress/memory_system.h"

namespace syncline::stress {

/// The machines of all caches that play a role.
std::vector<const protocols::Machine*> machines(const MemorySystem& system, const protocols::Role& role);

/// How often they have performed each row.
protocols::RowCounts rows_taken(const MemorySystem& system);

/// Rows that do something and that were never taken: "L1: IS, Load: merged".
std::vector<std::string> rows_not_taken(const protocols::TransitionTable& table,
                                        const std::vector<std::uint64_t>& taken);
/// Of machines on one table.
std::vector<std::string> rows_not_taken(const std::vector<const protocols::Machine*>& machines);

}  // namespace syncline::stress
