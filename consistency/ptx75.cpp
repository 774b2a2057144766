#include "consistency/ptx75.h"

#include <algorithm>

#include "consistency/coherence_order.h"

namespace syncline::consistency {
namespace {

bool releases(const Event& e) {
  return e.semantics == Semantics::release || e.semantics == Semantics::acq_rel || e.semantics == Semantics::sc;
}
bool acquires(const Event& e) {
  return e.semantics == Semantics::acquire || e.semantics == Semantics::acq_rel || e.semantics == Semantics::sc;
}

bool scope_includes(const Event& e, const std::vector<Place>& places, const Event& other) {
  const Place &mine = places[e.thread], &its = places[other.thread];
  switch (e.scope) {
    case Scope::cta:
      return mine.gpu == its.gpu && mine.cta == its.cta;
    case Scope::gpu:
      return mine.gpu == its.gpu;
    case Scope::sys:
      return true;
  }
  return false;
}

/// PTX ISA, "Morally Strong Operations".
Relation morally_strong(const Execution& execution, const Relation& po) {
  const auto& events = execution.events;
  Relation strong(static_cast<unsigned>(events.size()));
  for (unsigned i = 0; i < events.size(); ++i) {
    for (unsigned j = 0; j < events.size(); ++j) {
      const Event &a = events[i], &b = events[j];
      if (i == j || a.thread == no_thread || b.thread == no_thread) continue;
      if (a.is_memory() && b.is_memory() && a.location != b.location) continue;
      const bool in_scope = a.is_strong() && b.is_strong() && scope_includes(a, execution.places, b) &&
                            scope_includes(b, execution.places, a);
      if (po.at(i, j) || po.at(j, i) || in_scope) strong.add(i, j);
    }
  }
  return strong;
}

/// First operation of a release pattern to its write.
Relation release_patterns(const Execution& execution, const Relation& po) {
  const auto& events = execution.events;
  Relation patterns(static_cast<unsigned>(events.size()));
  for (unsigned first = 0; first < events.size(); ++first) {
    const Event& a = events[first];
    if (!releases(a) || a.kind == Event::Kind::read) continue;
    for (unsigned write = 0; write < events.size(); ++write) {
      const Event& w = events[write];
      if (w.kind != Event::Kind::write || !w.is_strong()) continue;
      const bool is_itself = first == write;
      const bool follows = po.at(first, write) && (a.kind == Event::Kind::fence || a.location == w.location);
      if (is_itself || follows) patterns.add(first, write);
    }
  }
  return patterns;
}

/// Read of an acquire pattern to its last operation.
Relation acquire_patterns(const Execution& execution, const Relation& po) {
  const auto& events = execution.events;
  Relation patterns(static_cast<unsigned>(events.size()));
  for (unsigned last = 0; last < events.size(); ++last) {
    const Event& b = events[last];
    if (!acquires(b) || b.kind == Event::Kind::write || b.is_reduction) continue;
    for (unsigned read = 0; read < events.size(); ++read) {
      const Event& r = events[read];
      if (r.kind != Event::Kind::read || !r.is_strong() || r.is_reduction) continue;
      const bool precedes = po.at(read, last) && (b.kind == Event::Kind::fence || b.location == r.location);
      if (read == last || precedes) patterns.add(read, last);
    }
  }
  return patterns;
}

Relation observation_order(const Execution& execution, const Relation& strong) {
  const Relation step = strong & execution.rf;
  Relation observation = step;
  for (;;) {
    const Relation longer = observation | observation.then(execution.rmw).then(observation);
    if (longer == observation) return observation;
    observation = longer;
  }
}

/// Every Fence-SC order that can matter: total orders of the fence.sc, which are followed by base causality order where
/// that has no cycle; of them the pairs that are morally strong.
class FenceOrders {
 public:
  FenceOrders(const Execution& execution, const Ptx75Relations& relations)
      : strong_(relations.morally_strong), before_(relations.base_causality()) {
    for_each_event(execution.of(Event::Kind::fence), [&](unsigned fence) {
      if (execution.events[fence].semantics == Semantics::sc) left_ |= event_bit(fence);
    });
    extend(left_, Relation(strong_.size()));
  }
  const std::vector<Relation>& all() const { return orders_; }

 private:
  void extend(EventSet left, const Relation& order) {
    if (left == 0) {
      if (std::find(orders_.begin(), orders_.end(), order) == orders_.end()) orders_.push_back(order);
      return;
    }
    EventSet first = 0;
    for_each_event(left, [&](unsigned fence) {
      const EventSet rest = left & ~event_bit(fence);
      bool free = true;
      for_each_event(rest, [&](unsigned other) { free = free && !before_.at(other, fence); });
      if (free) first |= event_bit(fence);
    });
    if (first == 0) first = left & (~left + 1);  // a cycle: any order contradicts it
    for_each_event(first, [&](unsigned fence) {
      const EventSet rest = left & ~event_bit(fence);
      Relation longer = order;
      for_each_event(rest, [&](unsigned other) {
        if (strong_.at(fence, other)) longer.add(fence, other);
      });
      extend(rest, longer);
    });
  }

  const Relation& strong_;
  Relation before_;
  EventSet left_ = 0;
  std::vector<Relation> orders_;
};

}  // namespace

Ptx75Relations::Ptx75Relations(const Execution& execution)
    : po(execution.po()),
      same_location(execution.same_location()),
      morally_strong(consistency::morally_strong(execution, po)),
      observation(observation_order(execution, morally_strong)) {
  const Relation patterns =
      release_patterns(execution, po).then(observation).then(acquire_patterns(execution, po)) & morally_strong;
  synchronizes = patterns | barrier_pairs(execution);
}

Relation Ptx75Relations::causality(const Relation& base) const {
  const Relation preserved = base & same_location;
  return preserved | observation.then(preserved);
}

void complete_ptx75(const Execution& execution, const std::function<bool(const Completion&)>& visit) {
  const Ptx75Relations relations(execution);
  const Relation& strong = relations.morally_strong;
  const EventSet writes = execution.of(Event::Kind::write);
  const Relation initial = initial_first(execution);
  const Relation strong_writes = strong.restricted(writes, writes);
  const Relation po_location = relations.po & relations.same_location;
  const bool from_thin_air = !(execution.rf | execution.dep).acyclic();

  const FenceOrders fence_orders(execution, relations);
  for (const Relation& fences : fence_orders.all()) {
    const Relation base = (relations.po | relations.synchronizes | fences).closure();
    const Relation cause = relations.causality(base);
    const Relation required = (cause & relations.same_location).restricted(writes, writes);
    AxiomSet violated;
    if (from_thin_air) violated.insert(Axiom::no_thin_air);
    if (!fences.then(base).irreflexive()) violated.insert(Axiom::fence_sc);

    const auto check = [&](const Relation& co) {
      Completion completion{violated, co};
      const Relation fr = from_reads(execution, co);
      if (!required.within(co) || !co.irreflexive()) completion.violated.insert(Axiom::coherence);
      if (!((strong & fr).then(strong & co) & execution.rmw).empty()) completion.violated.insert(Axiom::atomicity);
      if (!((strong & (execution.rf | co | fr)) | po_location).acyclic())
        completion.violated.insert(Axiom::sc_per_location);
      if (!(execution.rf | fr).then(cause).irreflexive()) completion.violated.insert(Axiom::causality);
      return visit(completion);
    };
    const Relation ordered = required | initial;
    if (execution.co) {
      const Relation related = strong_writes | required | required.inverse();
      if (!check(((*execution.co & related) | initial).closure())) return;
    } else if (!ordered.acyclic()) {
      if (!check(ordered.closure())) return;
    } else if (!for_each_order(ordered, strong_writes, check)) {
      return;
    }
  }
}

}  // namespace syncline::consistency
