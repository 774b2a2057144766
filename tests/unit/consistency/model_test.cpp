// Executions made by hand, and the axiom that each breaks.
#include "consistency/model.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "consistency/ptx75.h"

namespace syncline::consistency {
namespace {

constexpr unsigned x = 0, y = 1;

/// Two locations that begin at 0, and threads that are each a CTA.
struct Builder {
  Execution execution;
  unsigned initial_x, initial_y;

  explicit Builder(unsigned threads, bool one_cta = false) {
    for (unsigned t = 0; t < threads; ++t) execution.places.push_back({one_cta ? 0 : t, 0});
    initial_x = write(no_thread, x, 0);
    initial_y = write(no_thread, y, 0);
  }
  unsigned write(unsigned thread, unsigned location, Value value, Semantics semantics = Semantics::weak,
                 Scope scope = Scope::gpu) {
    return add(Event::Kind::write, thread, location, value, semantics, scope);
  }
  unsigned read(unsigned thread, unsigned from, Semantics semantics = Semantics::weak, Scope scope = Scope::gpu) {
    const Event source = execution.events[from];
    const unsigned event = add(Event::Kind::read, thread, source.location, source.value, semantics, scope);
    execution.rf.add(from, event);
    return event;
  }
  unsigned fence(unsigned thread, Semantics semantics, Scope scope = Scope::gpu) {
    return add(Event::Kind::fence, thread, 0, 0, semantics, scope);
  }
  unsigned add(Event::Kind kind, unsigned thread, unsigned location, Value value, Semantics semantics, Scope scope) {
    Event e;
    e.kind = kind;
    e.thread = thread;
    e.location = location;
    e.value = value;
    e.semantics = semantics;
    e.scope = scope;
    return execution.add(e);
  }
};

AxiomSet only(Axiom axiom) {
  AxiomSet set;
  set.insert(axiom);
  return set;
}

Builder message_passing(Semantics store, Semantics load) {
  Builder b(2);
  b.write(0, x, 1);
  const unsigned flag = b.write(0, y, 1, store);
  b.read(1, flag, load);
  b.read(1, b.initial_x);
  return b;
}

TEST(Ptx75, CausalityForbidsMessagePassing) {
  EXPECT_EQ(judge(message_passing(Semantics::release, Semantics::acquire).execution, Model::ptx75).violated,
            only(Axiom::causality));
  EXPECT_TRUE(judge(message_passing(Semantics::relaxed, Semantics::acquire).execution, Model::ptx75).allowed());
  EXPECT_TRUE(judge(message_passing(Semantics::release, Semantics::relaxed).execution, Model::ptx75).allowed());
}

TEST(Sc, ForbidsMessagePassingWithoutAnyOrder) {
  EXPECT_EQ(judge(message_passing(Semantics::weak, Semantics::weak).execution, Model::sc).violated,
            only(Axiom::sequential_consistency));
}

TEST(Ptx75, NoThinAirForbidsSelfSatisfyingValues) {
  Builder b(2);
  Event e;
  e.thread = 0;
  e.kind = Event::Kind::read;
  e.location = x;
  e.value = 1;
  const unsigned read_x = b.execution.add(e);
  const unsigned write_y = b.write(0, y, 1);
  const unsigned read_y = b.read(1, write_y);
  const unsigned write_x = b.write(1, x, 1);
  b.execution.rf.add(write_x, read_x);
  EXPECT_TRUE(judge(b.execution, Model::ptx75).allowed()) << "load buffering without dependencies";
  b.execution.dep.add(read_x, write_y);
  b.execution.dep.add(read_y, write_x);
  EXPECT_EQ(judge(b.execution, Model::ptx75).violated, only(Axiom::no_thin_air));
}

Builder increment(Semantics semantics) {
  Builder b(2);
  const unsigned read = b.read(0, b.initial_x, Semantics::relaxed);
  const unsigned written = b.write(0, x, 1, Semantics::relaxed);
  b.execution.rmw.add(read, written);
  const unsigned store = b.write(1, x, 4, semantics);
  Relation co(static_cast<unsigned>(b.execution.events.size()));
  co.add(store, written);
  b.execution.co = co;
  return b;
}

TEST(Ptx75, AtomicityForbidsAStoreBetweenReadAndWrite) {
  EXPECT_EQ(judge(increment(Semantics::relaxed).execution, Model::ptx75).violated, only(Axiom::atomicity));
  EXPECT_TRUE(judge(increment(Semantics::weak).execution, Model::ptx75).allowed())
      << "a weak store races: it is not ordered with the atomic";
  EXPECT_TRUE(judge(increment(Semantics::weak).execution, Model::sc).violated.contains(Axiom::atomicity));
}

TEST(Ptx75, CoherenceFollowsCausality) {
  Builder b(1);
  const unsigned first = b.write(0, x, 1), second = b.write(0, x, 2);
  EXPECT_TRUE(judge(b.execution, Model::ptx75).co.at(first, second));
  Relation co(static_cast<unsigned>(b.execution.events.size()));
  co.add(second, first);
  b.execution.co = co;
  EXPECT_TRUE(judge(b.execution, Model::ptx75).violated.contains(Axiom::coherence));
  EXPECT_TRUE(judge(b.execution, Model::sc).violated.contains(Axiom::sequential_consistency));
}

TEST(Ptx75, StrongReadsOfOneLocationAreInOrder) {
  Builder b(2);
  const unsigned written = b.write(0, x, 1, Semantics::relaxed);
  b.read(1, written, Semantics::relaxed);
  b.read(1, b.initial_x, Semantics::relaxed);
  const Verdict verdict = judge(b.execution, Model::ptx75);
  EXPECT_TRUE(verdict.violated.contains(Axiom::sc_per_location));
  EXPECT_TRUE(verdict.violated.contains(Axiom::causality)) << "7.5's observation order gives the same";
}

Builder store_buffering(Scope scope) {
  Builder b(2);
  b.write(0, x, 1);
  b.fence(0, Semantics::sc, scope);
  b.read(0, b.initial_y);
  b.write(1, y, 1);
  b.fence(1, Semantics::sc, scope);
  b.read(1, b.initial_x);
  return b;
}

TEST(Ptx75, FencesOfOneScopeAreOrdered) {
  EXPECT_EQ(judge(store_buffering(Scope::gpu).execution, Model::ptx75).violated, only(Axiom::causality))
      << "whichever fence comes first, one of the reads contradicts it";
  EXPECT_TRUE(judge(store_buffering(Scope::cta).execution, Model::ptx75).allowed());
}

TEST(Ptx75, FenceScCannotContradictCausality) {
  // Each thread reads what the other releases behind its fence: base causality order has a cycle through both fences.
  Builder b(2);
  Event e;
  e.kind = Event::Kind::read;
  e.thread = 0;
  e.location = x;
  e.value = 1;
  e.semantics = Semantics::relaxed;
  e.scope = Scope::gpu;
  const unsigned read_x = b.execution.add(e);
  b.fence(0, Semantics::sc);
  const unsigned write_y = b.write(0, y, 1, Semantics::relaxed);
  b.read(1, write_y, Semantics::relaxed);
  b.fence(1, Semantics::sc);
  const unsigned write_x = b.write(1, x, 1, Semantics::relaxed);
  b.execution.rf.add(write_x, read_x);
  const Verdict verdict = judge(b.execution, Model::ptx75);
  EXPECT_TRUE(verdict.violated.contains(Axiom::fence_sc));
  EXPECT_TRUE(verdict.violated.contains(Axiom::causality));
}

TEST(Ptx75, MoralStrengthNeedsBothScopes) {
  Builder b(2);
  const unsigned wide = b.write(0, x, 1, Semantics::relaxed, Scope::gpu);
  const unsigned narrow = b.write(1, x, 2, Semantics::relaxed, Scope::cta);
  const unsigned weak = b.write(1, x, 3);
  const unsigned other = b.write(0, y, 1, Semantics::relaxed, Scope::sys);
  const Relation strong = Ptx75Relations(b.execution).frame->morally_strong;
  EXPECT_FALSE(strong.at(wide, narrow));
  EXPECT_FALSE(strong.at(wide, weak));
  EXPECT_TRUE(strong.at(narrow, weak)) << "program order";
  EXPECT_FALSE(strong.at(other, wide)) << "another location";
  b.execution.places[1].cta = 0;
  EXPECT_TRUE(Ptx75Relations(b.execution).frame->morally_strong.at(wide, narrow));
}

TEST(Ptx75, AReductionMakesNoAcquirePattern) {
  const auto with = [](bool is_reduction) {
    Builder b(2);
    b.write(0, x, 1);
    const unsigned flag = b.write(0, y, 1, Semantics::release);
    const unsigned read = b.read(1, flag, Semantics::relaxed);
    b.execution.events[read].is_reduction = is_reduction;
    b.execution.rmw.add(read, b.write(1, y, 2, Semantics::relaxed));
    b.fence(1, Semantics::acq_rel);
    b.read(1, b.initial_x);
    return judge(b.execution, Model::ptx75).allowed();
  };
  EXPECT_FALSE(with(false));
  EXPECT_TRUE(with(true));
}

TEST(LastWrites, OfRacingWritesEachMayStay) {
  Builder b(2);
  const unsigned one = b.write(0, x, 1), two = b.write(1, x, 2);
  EXPECT_EQ(last_writes(b.execution, judge(b.execution, Model::ptx75).co, x), event_bit(one) | event_bit(two));
  const EventSet sc = last_writes(b.execution, judge(b.execution, Model::sc).co, x);
  EXPECT_EQ(__builtin_popcountll(sc), 1);
}

TEST(Execution, RefusesWhatDoesNotFitTheMatrices) {
  Builder b(1);
  for (unsigned i = 2; i < Relation::capacity; ++i) b.write(0, x, 1);
  EXPECT_THROW(b.write(0, x, 1), base::UserError);
}

TEST(AxiomNames, AreThoseOfTheIsa) {
  EXPECT_EQ(name(Axiom::fence_sc), "Fence-SC");
  EXPECT_EQ(name(Axiom::sc_per_location), "SC-per-Location");
}

}  // namespace
}  // namespace syncline::consistency
