#include "consistency/execution.h"

#include "base/error.h"

namespace syncline::consistency {
namespace {

Relation grown(const Relation& relation, unsigned size) {
  return Relation(size) | relation;
}

}  // namespace

unsigned Execution::add(const Event& event) {
  if (events.size() == Relation::capacity)
    throw base::UserError("an execution of the litmus test has more than " + std::to_string(Relation::capacity) +
                          " events, initial writes included; expected a smaller test");
  events.push_back(event);
  const auto size = static_cast<unsigned>(events.size());
  rf = grown(rf, size);
  rmw = grown(rmw, size);
  dep = grown(dep, size);
  if (co) co = grown(*co, size);
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

EventSet Execution::of(Event::Kind kind) const {
  EventSet set = 0;
  for (unsigned i = 0; i < events.size(); ++i) {
    if (events[i].kind == kind) set |= event_bit(i);
  }
  return set;
}

}  // namespace syncline::consistency
