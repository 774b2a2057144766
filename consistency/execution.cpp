#include "consistency/execution.h"

#include "consistency/refusal.h"

namespace syncline::consistency {
namespace {

Relation grown(const Relation& relation, unsigned size) {
  return Relation(size) | relation;
}

}  // namespace

unsigned Execution::add(const Event& event) {
  if (events.size() == Relation::capacity)
    throw Refusal({},
                  "an execution of the litmus test has more than " + std::to_string(Relation::capacity) +
                      " events, initial writes included; expected a smaller test",
                  "too large");
  events.push_back(event);
  const auto size = static_cast<unsigned>(events.size());
  rf = grown(rf, size);
  rmw = grown(rmw, size);
  dep = grown(dep, size);
  if (co) co = grown(*co, size);
  if (meets) meets = grown(*meets, size);
  return size - 1;
}

Relation Execution::po() const {
  Relation po(static_cast<unsigned>(events.size()));
  for (unsigned i = 0; i < events.size(); ++i) {
    for (unsigned j = i + 1; j < events.size(); ++j) {
      if (events[i].thread == events[j].thread && events[i].thread != no_thread) po.add(i, j);
    }
  }
  return po;
}

Relation Execution::same_location() const {
  Relation same(static_cast<unsigned>(events.size()));
  for (unsigned i = 0; i < events.size(); ++i) {
    for (unsigned j = 0; j < events.size(); ++j) {
      if (events[i].is_memory() && events[j].is_memory() && events[i].location == events[j].location) same.add(i, j);
    }
  }
  return same;
}

Relation Execution::same_path() const {
  Relation same = same_location();
  for (unsigned i = 0; i < events.size(); ++i) {
    for_each_event(same.successors(i), [&](unsigned j) {
      // The initial write is there by every path.
      const bool initial = events[i].thread == no_thread || events[j].thread == no_thread;
      if (!initial && (events[i].address != events[j].address || events[i].proxy != events[j].proxy)) same.remove(i, j);
    });
  }
  return same;
}

EventSet Execution::of(Event::Kind kind) const {
  EventSet set = 0;
  for (unsigned i = 0; i < events.size(); ++i) {
    if (events[i].kind == kind) set |= event_bit(i);
  }
  return set;
}

}  // namespace syncline::consistency
