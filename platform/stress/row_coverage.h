// Which rows of a policy's tables a run has performed.
#pragma once

#include <string>
#include <vector>

#include "platform/stress/memory_system.h"

namespace syncline::stress {

/// How often the machines, all on one table, have performed each row, by Transition::index.
std::vector<std::uint64_t> rows_taken(const std::vector<const protocols::Machine*>& machines);

/// Rows that do something and that were never taken: "L1: IS, Load: merged".
std::vector<std::string> rows_not_taken(const protocols::TransitionTable& table,
                                        const std::vector<std::uint64_t>& taken);
std::vector<std::string> rows_not_taken(const std::vector<const protocols::Machine*>& machines);

std::vector<const protocols::Machine*> l1_machines(const MemorySystem& system);
std::vector<const protocols::Machine*> home_machines(const MemorySystem& system);

}  // namespace syncline::stress
