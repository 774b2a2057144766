#include "consistency/model.h"

#include "base/error.h"
#include "consistency/meetings.h"
#include "consistency/ptx75.h"
#include "consistency/sc.h"

namespace syncline::consistency {

const base::ChoiceTable<Model>& model_names() {
  static const base::ChoiceTable<Model> table{{"sc", Model::sc}, {"ptx75", Model::ptx75}};
  return table;
}

std::string_view name(Axiom axiom) {
  constexpr std::string_view names[] = {
      "Coherence", "Fence-SC", "Atomicity", "No-Thin-Air", "SC-per-Location", "Causality", "Sequential-Consistency"};
  static_assert(std::size(names) == static_cast<std::size_t>(Axiom::count_));
  return names[static_cast<std::size_t>(axiom)];
}

std::vector<Axiom> AxiomSet::members() const {
  std::vector<Axiom> members;
  for (unsigned i = 0; i < static_cast<unsigned>(Axiom::count_); ++i) {
    if (contains(static_cast<Axiom>(i))) members.push_back(static_cast<Axiom>(i));
  }
  return members;
}

void for_each_completion(const Execution& execution, Model model, const std::function<bool(const Completion&)>& visit) {
  if (!execution.meets && execution.of(Event::Kind::barrier) != 0) {
    bool goes_on = true;
    const auto done = [&](const Relation& meets) {
      if (!goes_on) return;
      Execution known = execution;
      known.meets = meets;
      for_each_completion(known, model, [&](const Completion& completion) { return goes_on = visit(completion); });
    };
    for_each_meeting(execution, {}, {done, [](const Relation&, EventSet) {}});
    return;
  }
  if (model == Model::sc) {
    complete_sc(execution, false, visit);
  } else {
    complete_ptx75(execution, std::make_shared<const Ptx75Frame>(execution), false, visit);
  }
}

Verdict judge(const Execution& execution, Model model) {
  std::optional<Verdict> best;
  for_each_completion(execution, model, [&](const Completion& completion) {
    if (!best || completion.violated.size() < best->violated.size()) best = Verdict{completion.violated, completion.co};
    return !best->allowed();
  });
  if (!best) throw base::UserError("a barrier of the execution is never complete");
  return *best;
}

EventSet last_writes(const Execution& execution, const Relation& co, unsigned location) {
  EventSet writes = 0;
  for_each_event(execution.of(Event::Kind::write), [&](unsigned w) {
    if (execution.events[w].location == location) writes |= event_bit(w);
  });
  EventSet last = 0;
  for_each_event(writes, [&](unsigned w) {
    if ((co.successors(w) & writes) == 0) last |= event_bit(w);
  });
  return last;
}

}  // namespace syncline::consistency
