// Which rows of a policy's tables a run has performed.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/caches/memory_system.h"

namespace syncline::tests {

/// Rows that do something and that none of `machines` has performed: "L1: IS, Load: merged".
inline std::vector<std::string> rows_not_taken(const std::vector<const protocols::Machine*>& machines) {
  std::vector<std::string> missing;
  const protocols::TransitionTable& table = machines.front()->table();
  const protocols::Vocabulary& words = table.vocabulary();
  for (const protocols::Transition& t : table.transitions()) {
    if (t.only_waits()) continue;
    std::uint64_t taken = 0;
    for (const protocols::Machine* machine : machines) taken += machine->taken()[t.index];
    if (taken == 0)
      missing.push_back(words.machine + ": " + std::string(words.states[t.row.state].name) + ", " +
                        std::string(words.events[t.row.event].name) + ": " + std::string(t.row.why));
  }
  return missing;
}

inline std::vector<const protocols::Machine*> l1_machines(const MemorySystem& system) {
  std::vector<const protocols::Machine*> machines;
  for (const auto& l1 : system.l1s) machines.push_back(&l1->lines().machine());
  return machines;
}
inline std::vector<const protocols::Machine*> home_machines(const MemorySystem& system) {
  std::vector<const protocols::Machine*> machines;
  for (const auto& slice : system.slices) machines.push_back(&slice->lines().machine());
  return machines;
}

}  // namespace syncline::tests
