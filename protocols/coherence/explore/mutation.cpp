#include "protocols/coherence/explore/mutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::protocols::explore {
namespace {

ActionCodes without(const ActionCodes& actions, unsigned place) {
  ActionCodes rest;
  for (unsigned i = 0; i < actions.size(); ++i) {
    if (i != place) rest.push_back(actions.begin()[i]);
  }
  return rest;
}

void add_mutants(const TransitionTable& table, bool of_l1, std::vector<Mutant>& mutants) {
  const Vocabulary& words = table.vocabulary();
  std::vector<Row> rows;
  for (const Transition& t : table.transitions()) rows.push_back(t.row);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row original = rows[i];
    const auto add = [&](const std::string& change) {
      std::string name = fmt::format("{} {}: {}", words.machine, row_name(original, words), change);
      mutants.push_back({of_l1, static_cast<std::uint32_t>(i), std::move(name),
                         std::make_shared<const TransitionTable>(words, rows)});
    };
    for (unsigned place = 0; place < original.actions.size(); ++place) {
      rows[i].actions = without(original.actions, place);
      add(fmt::format("without {}", words.actions[original.actions.begin()[place]].name));
    }
    rows[i].actions = original.actions;
    for (std::size_t state = 0; state < words.states.size(); ++state) {
      if (state == original.next) continue;
      rows[i].next = static_cast<Code>(state);
      add(fmt::format("to {}", words.states[state].name));
    }
    rows[i] = original;
  }
}

}  // namespace

std::vector<Mutant> mutants_of(const CoherencePolicy& policy) {
  std::vector<Mutant> mutants;
  add_mutants(*policy.l1_table, true, mutants);
  add_mutants(*policy.home_table, false, mutants);
  return mutants;
}

void run_mutants(const CoherencePolicy& policy, const std::vector<Program>& programs, const CoherenceContext& context,
                 const ExploreOptions& options, MutationReport& report,
                 const std::function<void(const std::string&)>& tell) {
  // Which programs take which row: a mutant is tried on those only, the smallest first.
  struct Tried {
    std::size_t program;
    Report report;
  };
  std::vector<Tried> tried;
  for (std::size_t p = 0; p < programs.size(); ++p) {
    tried.push_back({p, explore(policy, programs[p], context, options)});
    if (tried.back().report.violation)
      throw base::ModelError(fmt::format("policy `{}` itself: program `{}`: {}", policy.name, programs[p].text,
                                         tried.back().report.violation->what));
  }
  std::stable_sort(tried.begin(), tried.end(),
                   [](const Tried& a, const Tried& b) { return a.report.states < b.report.states; });
  ExploreOptions bounded = options;
  for (const Mutant& mutant : mutants_of(policy)) {
    CoherencePolicy changed = policy;
    (mutant.of_l1 ? changed.l1_table : changed.home_table) = mutant.table;
    bool reached = false, killed = false;
    for (const Tried& candidate : tried) {
      if ((mutant.of_l1 ? candidate.report.l1_taken : candidate.report.home_taken)[mutant.row] == 0) continue;
      reached = true;
      // A mutant that never ends is as visible as one that ends wrong.
      bounded.max_states = candidate.report.states * 8 + 10'000;
      const Report found = explore(changed, programs[candidate.program], context, bounded);
      killed = found.violation.has_value() || !found.complete;
      if (killed) break;
    }
    if (!reached) {
      ++report.not_reached;
      continue;
    }
    ++report.mutants;
    report.killed += killed ? 1 : 0;
    if (killed) continue;
    report.survivors.push_back(mutant.description);
    tell("survives: " + mutant.description);
  }
}

}  // namespace syncline::protocols::explore
