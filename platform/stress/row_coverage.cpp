#include "platform/stress/row_coverage.h"

namespace syncline::stress {

namespace {

void add_rows(std::vector<std::uint64_t>& taken, const std::vector<const protocols::Machine*>& machines) {
  for (const protocols::Machine* machine : machines) {
    for (std::size_t row = 0; row < taken.size(); ++row) taken[row] += machine->taken()[row];
  }
}

}  // namespace

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
  std::vector<std::uint64_t> taken(machines.front()->taken().size());
  add_rows(taken, machines);
  return rows_not_taken(machines.front()->table(), taken);
}

std::vector<const protocols::Machine*> machines(const MemorySystem& system, const protocols::Role& role) {
  std::vector<const protocols::Machine*> found;
  const auto add = [&, table = system.policy.table(role).get()](const models::CoherentLines& lines) {
    for (const auto& machine : lines.machines()) {
      if (&machine->table() == table) found.push_back(machine.get());
    }
  };
  for (const auto& l1 : system.l1s) add(l1->lines());
  for (const auto& slice : system.slices) add(slice->lines());
  return found;
}

protocols::RowCounts rows_taken(const MemorySystem& system) {
  protocols::RowCounts counts = system.policy.no_rows();
  for (std::size_t place = 0; place < counts.size(); ++place)
    add_rows(counts[place], machines(system, system.policy.roles[place].role));
  return counts;
}

}  // namespace syncline::stress
