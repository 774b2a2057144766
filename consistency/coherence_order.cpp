#include "consistency/coherence_order.h"

namespace syncline::consistency {

Relation initial_first(const Execution& execution) {
  Relation order(static_cast<unsigned>(execution.events.size()));
  const EventSet writes = execution.of(Event::Kind::write);
  for_each_event(writes, [&](unsigned first) {
    if (execution.events[first].thread != no_thread) return;
    for_each_event(writes, [&](unsigned other) {
      if (execution.events[other].location == execution.events[first].location && other != first)
        order.add(first, other);
    });
  });
  return order;
}

bool for_each_order(const Relation& co, const Relation& pairs, const std::function<bool(const Relation&)>& visit,
                    const std::function<bool(const Relation&)>& possible) {
  const Relation order = co.closure();
  if (!order.irreflexive() || (possible && !possible(order))) return true;
  const Relation open = pairs - order - order.inverse();
  for (unsigned a = 0; a < open.size(); ++a) {
    const EventSet others = open.successors(a) & ~event_bit(a);
    if (others == 0) continue;
    const auto b = static_cast<unsigned>(__builtin_ctzll(others));
    Relation forward = order, backward = order;
    forward.add(a, b);
    backward.add(b, a);
    return for_each_order(forward, pairs, visit, possible) && for_each_order(backward, pairs, visit, possible);
  }
  return visit(order);
}

Relation from_reads(const Execution& execution, const Relation& co) {
  Relation fr = execution.rf.inverse().then(co);
  for (unsigned i = 0; i < fr.size(); ++i) fr.remove(i, i);
  return fr;
}

}  // namespace syncline::consistency
