#include "consistency/sc.h"

#include "consistency/coherence_order.h"

namespace syncline::consistency {

void complete_sc(const Execution& execution, bool only_allowed, const std::function<bool(const Completion&)>& visit) {
  const Relation po = execution.po();
  const EventSet barriers = execution.of(Event::Kind::barrier);
  const EventSet others = ~barriers;
  // Nobody leaves a barrier before those have come to it that complete it.
  const Relation meets = execution.known_meets();
  const Relation onward = meets.then(po.restricted(barriers, barriers));  // to where the next wait begins
  const Relation waits = meets | onward.closure().then(meets);
  const Relation met = po.restricted(others, barriers).then(waits).then(po).restricted(others, others);
  const Relation fixed = po | met | execution.rf;
  const EventSet writes = execution.of(Event::Kind::write);
  const Relation pairs = execution.same_location().restricted(writes, writes);

  const auto violated_by = [&](const Relation& co) {
    const Relation fr = from_reads(execution, co);
    AxiomSet violated;
    if (!(fixed | co | fr).acyclic()) violated.insert(Axiom::sequential_consistency);
    if (!(fr.then(co) & execution.rmw).empty()) violated.insert(Axiom::atomicity);
    return violated;
  };
  const auto check = [&](const Relation& co) { return visit({violated_by(co), co}); };
  const auto possible = [&](const Relation& co) { return !only_allowed || violated_by(co).empty(); };
  if (execution.co) {
    check((*execution.co | initial_first(execution)).closure());
  } else {
    for_each_order(initial_first(execution), pairs, check, possible);
  }
}

}  // namespace syncline::consistency
