#include "consistency/ptx75.h"

#include <algorithm>

#include "consistency/coherence_order.h"
#include "consistency/proxies.h"

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
Relation strong_pairs(const Execution& execution, const Relation& po, const Relation& same_path) {
  const auto& events = execution.events;
  Relation strong(static_cast<unsigned>(events.size()));
  for (unsigned i = 0; i < events.size(); ++i) {
    for (unsigned j = 0; j < events.size(); ++j) {
      const Event &a = events[i], &b = events[j];
      if (i == j || a.thread == no_thread || b.thread == no_thread) continue;
      if (a.is_memory() && b.is_memory() && !same_path.at(i, j)) continue;
      const bool in_scope = a.is_strong() && b.is_strong() && scope_includes(a, execution.places, b) &&
                            scope_includes(b, execution.places, a);
      if (po.at(i, j) || po.at(j, i) || in_scope) strong.add(i, j);
    }
  }
  return strong;
}

/// First operation of a release pattern to its write.
Relation release_patterns_of(const Execution& execution, const Relation& po, const Relation& same_path) {
  const auto& events = execution.events;
  Relation patterns(static_cast<unsigned>(events.size()));
  for (unsigned first = 0; first < events.size(); ++first) {
    const Event& a = events[first];
    if (!releases(a) || a.kind == Event::Kind::read) continue;
    for (unsigned write = 0; write < events.size(); ++write) {
      const Event& w = events[write];
      if (w.kind != Event::Kind::write || !w.is_strong()) continue;
      const bool is_itself = first == write;
      const bool follows = po.at(first, write) && (a.kind == Event::Kind::fence || same_path.at(first, write));
      if (is_itself || follows) patterns.add(first, write);
    }
  }
  return patterns;
}

/// Read of an acquire pattern to its last operation.
Relation acquire_patterns_of(const Execution& execution, const Relation& po, const Relation& same_path) {
  const auto& events = execution.events;
  Relation patterns(static_cast<unsigned>(events.size()));
  for (unsigned last = 0; last < events.size(); ++last) {
    const Event& b = events[last];
    if (!acquires(b) || b.kind == Event::Kind::write || b.is_reduction) continue;
    for (unsigned read = 0; read < events.size(); ++read) {
      const Event& r = events[read];
      if (r.kind != Event::Kind::read || !r.is_strong() || r.is_reduction) continue;
      const bool precedes = po.at(read, last) && (b.kind == Event::Kind::fence || same_path.at(read, last));
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
      : strong_(relations.frame->morally_strong), before_(relations.base_causality()) {
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

Ptx75Frame::Ptx75Frame(const Execution& execution) : po(execution.po()), same_location(execution.same_location()) {
  const Relation same_path = execution.same_path();
  morally_strong = strong_pairs(execution, po, same_path);
  po_path = po & same_path;
  release_patterns = release_patterns_of(execution, po, same_path);
  acquire_patterns = acquire_patterns_of(execution, po, same_path);
}

Ptx75Relations::Ptx75Relations(const Execution& execution)
    : Ptx75Relations(execution, std::make_shared<const Ptx75Frame>(execution)) {}

Ptx75Relations::Ptx75Relations(const Execution& execution, std::shared_ptr<const Ptx75Frame> the_frame)
    : frame(std::move(the_frame)), observation(observation_order(execution, frame->morally_strong)) {
  const Relation patterns =
      frame->release_patterns.then(observation).then(frame->acquire_patterns) & frame->morally_strong;
  synchronizes = patterns | execution.known_meets();
}

Relation Ptx75Relations::causality(const Execution& execution, const Relation& base) const {
  const Relation preserved = proxy_preserved(execution, base, frame->same_location);
  return preserved | observation.then(preserved);
}

void complete_ptx75(const Execution& execution, const std::shared_ptr<const Ptx75Frame>& frame, bool only_allowed,
                    const std::function<bool(const Completion&)>& visit) {
  const Ptx75Relations relations(execution, frame);
  const Relation& strong = frame->morally_strong;
  const EventSet writes = execution.of(Event::Kind::write);
  const Relation initial = initial_first(execution);
  const Relation strong_writes = strong.restricted(writes, writes);
  const bool from_thin_air = !(execution.rf | execution.dep).acyclic();

  const FenceOrders fence_orders(execution, relations);
  for (const Relation& fences : fence_orders.all()) {
    const Relation base = (frame->po | relations.synchronizes | fences).closure();
    const Relation cause = relations.causality(execution, base);
    const Relation required = (cause & frame->same_location).restricted(writes, writes);
    AxiomSet violated;
    if (from_thin_air) violated.insert(Axiom::no_thin_air);
    if (!fences.then(base).irreflexive()) violated.insert(Axiom::fence_sc);

    if (only_allowed && !violated.empty()) continue;

    const auto violated_by = [&](const Relation& co) {
      AxiomSet all = violated;
      const Relation fr = from_reads(execution, co);
      if (!required.within(co) || !co.irreflexive()) all.insert(Axiom::coherence);
      if (!((strong & fr).then(strong & co) & execution.rmw).empty()) all.insert(Axiom::atomicity);
      if (!((strong & (execution.rf | co | fr)) | frame->po_path).acyclic()) all.insert(Axiom::sc_per_location);
      if (!(execution.rf | fr).then(cause).irreflexive()) all.insert(Axiom::causality);
      return all;
    };
    const auto check = [&](const Relation& co) { return visit({violated_by(co), co}); };
    const auto possible = [&](const Relation& co) { return !only_allowed || violated_by(co).empty(); };
    const Relation ordered = required | initial;
    if (execution.co) {
      const Relation related = strong_writes | required | required.inverse();
      if (!check(((*execution.co & related) | initial).closure())) return;
    } else if (!ordered.acyclic()) {
      if (!check(ordered.closure())) return;
    } else if (!for_each_order(ordered, strong_writes, check, possible)) {
      return;
    }
  }
}

namespace {

/// Two atomics with morally strong accesses that found the same write, which comes before theirs in coherence order.
bool twice_from_one(const Execution& execution, const Relation& strong) {
  bool found = false;
  for (unsigned write = 0; write < execution.events.size(); ++write) {
    for_each_event(execution.rf.successors(write), [&](unsigned a) {
      for_each_event(execution.rf.successors(write), [&](unsigned b) {
        const EventSet after_a = execution.rmw.successors(a), after_b = execution.rmw.successors(b);
        if (a >= b || after_a == 0 || after_b == 0) return;
        const auto wa = static_cast<unsigned>(__builtin_ctzll(after_a));
        const auto wb = static_cast<unsigned>(__builtin_ctzll(after_b));
        const bool first = execution.events[write].thread == no_thread || (strong.at(write, a) && strong.at(write, b));
        found = found || (first && strong.at(a, wb) && strong.at(b, wa) && strong.at(wa, wb));
      });
    });
  }
  return found;
}

}  // namespace

bool breaks_ptx75(const Execution& unfinished, const std::shared_ptr<const Ptx75Frame>& frame) {
  if (!(unfinished.rf | unfinished.dep).acyclic() || twice_from_one(unfinished, frame->morally_strong)) return true;
  const Ptx75Relations relations(unfinished, frame);
  const Relation cause = relations.causality(unfinished, relations.base_causality());
  const EventSet writes = unfinished.of(Event::Kind::write);
  const Relation co = (cause.restricted(writes, writes) | initial_first(unfinished)).closure();
  if (!co.irreflexive()) return true;
  const Relation fr = from_reads(unfinished, co);
  if (!(unfinished.rf | fr).then(cause).irreflexive()) return true;
  const Relation& strong = frame->morally_strong;
  return !((strong & (unfinished.rf | co | fr)) | frame->po_path).acyclic();
}

}  // namespace syncline::consistency
