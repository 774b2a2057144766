#include "protocols/coherence/engine/mutant.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest.h"

namespace syncline::protocols {
namespace {

ActionCodes without(const ActionCodes& actions, unsigned place) {
  ActionCodes rest;
  for (unsigned i = 0; i < actions.size(); ++i) {
    if (i != place) rest.push_back(actions.begin()[i]);
  }
  return rest;
}

}  // namespace

std::vector<TableMutant> mutants_of(const TransitionTable& table) {
  std::vector<TableMutant> mutants;
  const Vocabulary& words = table.vocabulary();
  for (const Transition& t : table.transitions()) {
    const auto add = [&](const Row& changed, std::string_view change, std::string_view what) {
      mutants.push_back(
          {t.index, changed, fmt::format("{} {}: {} {}", words.machine, row_name(t.row, words), change, what)});
    };
    Row changed = t.row;
    for (unsigned place = 0; place < t.row.actions.size(); ++place) {
      changed.actions = without(t.row.actions, place);
      add(changed, "without", words.actions[t.row.actions.begin()[place]].name);
    }
    changed.actions = t.row.actions;
    if (t.only_waits() && t.row.actions.size() == 1) continue;
    for (std::size_t state = 0; state < words.states.size(); ++state) {
      if (state == t.row.next) continue;
      changed.next = static_cast<Code>(state);
      add(changed, "to", words.states[state].name);
    }
  }
  return mutants;
}

std::shared_ptr<const TransitionTable> mutated(const TransitionTable& table, const TableMutant& mutant) {
  std::vector<Row> rows;
  for (const Transition& t : table.transitions()) rows.push_back(t.row);
  rows[mutant.row] = mutant.changed;
  return std::make_shared<const TransitionTable>(table.vocabulary(), std::move(rows));
}

std::vector<Mutant> mutants_of(const CoherencePolicy& policy) {
  std::vector<Mutant> mutants;
  for (const RoleMachine& one : policy.roles) {
    for (TableMutant& mutant : mutants_of(*one.table))
      mutants.push_back({one.role, mutant.row, mutant.changed, std::move(mutant.description)});
  }
  return mutants;
}

Mutant mutant_named(const CoherencePolicy& policy, const std::string& name) {
  std::vector<std::string> names;
  for (Mutant& mutant : mutants_of(policy)) {
    if (mutant.description == name) return std::move(mutant);
    names.push_back(std::move(mutant.description));
  }
  throw base::UserError("policy `" + policy.name + "` has no mutant `" + name + "`" + base::suggestion(name, names));
}

CoherencePolicy mutated(const CoherencePolicy& policy, const Mutant& mutant) {
  CoherencePolicy changed = policy;
  std::shared_ptr<const TransitionTable>& table = changed.at(mutant.role).table;
  table = mutated(*table, TableMutant{mutant.row, mutant.changed, mutant.description});
  return changed;
}

}  // namespace syncline::protocols
