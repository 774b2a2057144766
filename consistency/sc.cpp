#include "consistency/sc.h"

#include "consistency/coherence_order.h"

namespace syncline::consistency {

void complete_sc(const Execution& execution, const std::function<bool(const Completion&)>& visit) {
  const Relation po = execution.po();
  const EventSet barriers = execution.of(Event::Kind::barrier);
  const EventSet others = ~barriers;
  // Nobody leaves a barrier before all have come to it.
  const Relation met =
      po.restricted(others, barriers).then(barrier_pairs(execution)).then(po).restricted(others, others);
  const Relation fixed = po | met | execution.rf;
  const EventSet writes = execution.of(Event::Kind::write);
  const Relation pairs = execution.same_location().restricted(writes, writes);

  const auto check = [&](const Relation& co) {
    const Relation fr = from_reads(execution, co);
    Completion completion;
    completion.co = co;
    if (!(fixed | co | fr).acyclic()) completion.violated.insert(Axiom::sequential_consistency);
    if (!(fr.then(co) & execution.rmw).empty()) completion.violated.insert(Axiom::atomicity);
    return visit(completion);
  };
  if (execution.co) {
    check((*execution.co | initial_first(execution)).closure());
  } else {
    for_each_order(initial_first(execution), pairs, check);
  }
}

}  // namespace syncline::consistency
