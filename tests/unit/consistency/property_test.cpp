// Random small tests: what must hold of the models whatever the program is.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "consistency/coherence_order.h"
#include "consistency/enumerate.h"
#include "tests/unit/consistency/interleavings.h"

namespace syncline::consistency {
namespace {

constexpr unsigned locations = 2;

Scope any_scope() {
  return *rc::gen::element(Scope::cta, Scope::gpu, Scope::sys);
}

Instruction any_instruction(unsigned& reg) {
  Instruction i;
  i.kind = *rc::gen::element(InstructionKind::load, InstructionKind::load, InstructionKind::store,
                             InstructionKind::store, InstructionKind::atomic, InstructionKind::fence);
  i.location = *rc::gen::inRange(0U, locations);
  i.scope = any_scope();
  i.a.value = *rc::gen::inRange(1, 3);
  switch (i.kind) {
    case InstructionKind::load:
      i.semantics = *rc::gen::element(Semantics::weak, Semantics::relaxed, Semantics::acquire);
      i.destination = reg++;
      break;
    case InstructionKind::store:
      i.semantics = *rc::gen::element(Semantics::weak, Semantics::relaxed, Semantics::release);
      if (reg != 0 && *rc::gen::arbitrary<bool>()) i.a.reg = reg - 1;
      break;
    case InstructionKind::atomic:
      i.semantics = *rc::gen::element(Semantics::relaxed, Semantics::acquire, Semantics::release, Semantics::acq_rel);
      i.atomic = *rc::gen::element(AtomicOp::add, AtomicOp::exch, AtomicOp::cas);
      i.b.value = 2;
      i.destination = reg++;
      break;
    default:
      i.semantics = *rc::gen::element(Semantics::acq_rel, Semantics::sc);
      break;
  }
  return i;
}

Program any_program() {
  Program p;
  p.name = p.file = "random";
  for (unsigned l = 0; l < locations; ++l) p.locations.push_back({std::string(1, static_cast<char>('x' + l)), 0});
  const unsigned threads = *rc::gen::inRange(1U, 4U);
  for (unsigned t = 0; t < threads; ++t) {
    Thread thread;
    thread.name = "P" + std::to_string(t);
    thread.cta = *rc::gen::inRange(0U, 2U);
    unsigned reg = 0;
    const unsigned length = *rc::gen::inRange(1U, threads == 3 ? 3U : 4U);
    for (unsigned n = 0; n < length; ++n) thread.instructions.push_back(any_instruction(reg));
    for (unsigned r = 0; r < reg; ++r) {
      thread.registers.push_back({"r" + std::to_string(r), 0});
      p.observables.push_back({t, r});
    }
    p.threads.push_back(std::move(thread));
  }
  for (unsigned l = 0; l < locations; ++l) p.observables.push_back({std::nullopt, l});
  return p;
}

std::set<State> allowed(const Outcomes& outcomes, Model model) {
  std::set<State> states;
  for (const auto& [state, judgement] : outcomes.states()) {
    if (judgement.allowed(model)) states.insert(state);
  }
  return states;
}

bool within(const std::set<State>& inner, const std::set<State>& outer) {
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

TEST(Properties, TheAxiomsOfScAllowWhatInterleavingsShow) {
  EXPECT_TRUE(rc::check([] {
    const Program program = any_program();
    RC_ASSERT(allowed(enumerate(program), Model::sc) == interleaved_outcomes(program));
  }));
}

TEST(Properties, WhatScAllowsPtxAllows) {
  EXPECT_TRUE(rc::check([] {
    const Outcomes outcomes = enumerate(any_program());
    RC_ASSERT(within(allowed(outcomes, Model::sc), allowed(outcomes, Model::ptx75)));
  }));
}

/// Every total order of the writes to each location, as they come.
void for_each_total_order(const Execution& e, const std::function<void(const Relation&)>& visit) {
  const EventSet writes = e.of(Event::Kind::write);
  for_each_order(initial_first(e), e.same_location().restricted(writes, writes), [&](const Relation& co) {
    visit(co);
    return true;
  });
}

TEST(Properties, AnExecutionIsAllowedExactlyWhenSomeCoherenceOrderIs) {
  EXPECT_TRUE(rc::check([] {
    CandidateOptions all;
    all.only_plausible = false;
    for_each_candidate(any_program(), all, [](const Candidate& candidate) {
      const Execution& e = candidate.execution;
      for (const Model model : {Model::sc, Model::ptx75}) {
        bool some = false;
        for_each_total_order(e, [&](const Relation& co) {
          Execution known = e;
          known.co = co;
          some = some || judge(known, model).allowed();
        });
        RC_ASSERT(judge(e, model).allowed() == some);
      }
    });
  }));
}

TEST(Properties, TheStatesOfAllowedExecutionsAreAllowedStates) {
  EXPECT_TRUE(rc::check([] {
    const Program program = any_program();
    const Outcomes outcomes = enumerate(program);
    std::set<State> reached;
    for_each_candidate(program, {}, [&](const Candidate& candidate) {
      const Execution& e = candidate.execution;
      const auto& registers = candidate.registers;
      const Verdict verdict = judge(e, Model::ptx75);
      if (!verdict.allowed()) return;
      State state;
      for (const Observable& o : program.observables) {
        if (o.thread) {
          state.push_back(registers[*o.thread][o.index]);
        } else {
          const EventSet last = last_writes(e, verdict.co, o.index);
          RC_ASSERT(last != 0U);
          state.push_back(e.events[static_cast<unsigned>(__builtin_ctzll(last))].value);
        }
      }
      reached.insert(state);
    });
    RC_ASSERT(within(reached, allowed(outcomes, Model::ptx75)));
  }));
}

TEST(Properties, AStrongerAccessAllowsNothingMore) {
  EXPECT_TRUE(rc::check([] {
    const Program weak = any_program();
    Program strong = weak;
    Thread& thread = strong.threads[*rc::gen::inRange<std::size_t>(0, strong.threads.size())];
    Instruction& i = thread.instructions[*rc::gen::inRange<std::size_t>(0, thread.instructions.size())];
    i.scope = Scope::sys;
    if (i.kind == InstructionKind::load) i.semantics = Semantics::acquire;
    if (i.kind == InstructionKind::store) i.semantics = Semantics::release;
    if (i.kind == InstructionKind::atomic) i.semantics = Semantics::acq_rel;
    if (i.kind == InstructionKind::fence) i.semantics = Semantics::sc;
    RC_ASSERT(within(allowed(enumerate(strong), Model::ptx75), allowed(enumerate(weak), Model::ptx75)));
  }));
}

TEST(Properties, FencesBetweenAllStrongAccessesGiveSequentialConsistency) {
  EXPECT_TRUE(rc::check([] {
    Program program = any_program();
    for (Thread& thread : program.threads) {
      std::vector<Instruction> fenced;
      for (Instruction i : thread.instructions) {
        if (i.semantics == Semantics::weak) i.semantics = Semantics::relaxed;
        i.scope = Scope::gpu;
        Instruction fence;
        fence.kind = InstructionKind::fence;
        fence.semantics = Semantics::sc;
        fence.scope = Scope::gpu;
        if (!fenced.empty() && i.kind != InstructionKind::fence) fenced.push_back(fence);
        fenced.push_back(i);
      }
      if (fenced.size() > 4) fenced.resize(4);
      thread.instructions = fenced;
    }
    const Outcomes outcomes = enumerate(program);
    RC_ASSERT(allowed(outcomes, Model::ptx75) == allowed(outcomes, Model::sc));
  }));
}

}  // namespace
}  // namespace syncline::consistency
