// Judges a log of DRAM commands by the distances of a spec. Shares no code with the controller: it compares every pair
// of commands that a rule speaks of, in the whole log.
#pragma once

#include <string>
#include <vector>

#include "models/dram/dram_command.h"
#include "models/dram/dram_spec.h"

namespace syncline::tests {

/// Every broken rule, one line each (at most `limit`).
std::vector<std::string> broken_dram_rules(const models::DramSpec& spec, std::vector<models::DramCommand> log,
                                           std::size_t limit = 10);

}  // namespace syncline::tests
