#include "platform/stress/row_coverage.h"

namespace syncline::stress {

std::vector<std::uint64_t> rows_taken(const std::vector<const protocols::Machine*>& machines) {
  std::vector<std::uint64_t> taken(machines.front()->taken().size());
  for (const protocols::Machine* machine : machines) {
    for (std::size_t row = 0; row < taken.size(); ++row) taken[row] += machine->taken()[row];
  }
  return taken;
}

std::vector<std::string> rows_not_taken(const protocols::TransitionTable& table,
                                        const std::vector<std::uint64_t>& taken) {
  std::vector<std::string> missing;
  const protocols::Vocabulary& words = table.vocabulary();
  for (const protocols::Transition* t : protocols::rows_taken(table, taken).missing)
    missing.push_back(words.machine + ": " + std::string(words.states[t->row.state].name) + ", " +
                      std::string(words.events[t->row.event].name) + ": " + std::string(t->row.why));
  return missing;
}

std::vector<std::string> rows_not_taken(const std::vector<const protocols::Machine*>& machines) {
  return rows_not_taken(machines.front()->table(), rows_taken(machines));
}

std::vector<const protocols::Machine*> l1_machines(const MemorySystem& system) {
  std::vector<const protocols::Machine*> machines;
  for (const auto& l1 : system.l1s) machines.push_back(&l1->lines().machine());
  return machines;
}

std::vector<const protocols::Machine*> home_machines(const MemorySystem& system) {
  std::vector<const protocols::Machine*> machines;
  for (const auto& slice : system.slices) machines.push_back(&slice->lines().machine());
  return machines;
}

}  // namespace syncline::stress
