// Random small tests: what must hold of the models whatever the program is.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "consistency/coherence_order.h"
#include "consistency/enumerate.h"
#include "consistency/refusal.h"
#include "tests/unit/consistency/interleavings.h"

namespace syncline::consistency {
namespace {

constexpr unsigned locations = 2;

/// RapidCheck's own ranges are narrow at first; programs this small need no such care.
template <class T>
T between(T least, T end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, end));
}

Scope any_scope() {
  return *rc::gen::element(Scope::cta, Scope::gpu, Scope::sys);
}

Instruction any_instruction(unsigned& reg) {
  Instruction i;
  i.kind = *rc::gen::element(InstructionKind::load, InstructionKind::load, InstructionKind::store,
                             InstructionKind::store, InstructionKind::atomic, InstructionKind::fence);
  i.location = between(0U, locations);
  i.scope = any_scope();
  i.a.value = between(1, 3);
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

/// Two barriers of a CTA, one of which counts.
Instruction any_barrier() {
  Instruction i;
  i.kind = InstructionKind::barrier;
  i.barrier.value = between(0, 2);
  if (i.barrier.value == 1) i.count = Operand{std::nullopt, 2};
  i.arrives_only = between(0, 3) == 0;
  return i;
}

/// Accesses get proxies and second addresses, and proxy fences come between them.
void add_proxies(Program& program) {
  for (Thread& thread : program.threads) {
    for (Instruction& i : thread.instructions) {
      if (i.kind == InstructionKind::fence && *rc::gen::arbitrary<bool>()) {
        i.kind = InstructionKind::proxy_fence;
        i.proxy = *rc::gen::element(Proxy::surface, Proxy::texture, Proxy::alias);
        i.semantics = Semantics::weak;
      } else if (reads_memory(i) || writes_memory(i)) {
        i.proxy = *rc::gen::element(Proxy::generic, Proxy::generic, Proxy::surface);
        i.address = between(0U, 2U);
      }
    }
  }
}

/// Some threads wait at barriers.
void add_barriers(Program& program) {
  for (Thread& thread : program.threads) {
    thread.cta = *rc::gen::element(0U, 0U, 0U, 1U);
    for (Instruction& i : thread.instructions) {
      if (!reads_memory(i) && *rc::gen::arbitrary<bool>()) i = any_barrier();
    }
  }
}

/// A thread's last load is repeated until it brings, or does not bring, a value.
void add_loops(Program& program) {
  for (Thread& thread : program.threads) {
    for (std::size_t n = thread.instructions.size(); n-- > 0;) {
      const Instruction& load = thread.instructions[n];
      if (load.kind != InstructionKind::load && load.kind != InstructionKind::atomic) continue;
      Instruction again;
      again.kind = InstructionKind::branch;
      again.comparison = *rc::gen::element(Comparison::eq, Comparison::ne);
      again.a.reg = load.destination;
      again.b.value = between(0, 3);
      again.target = static_cast<unsigned>(n);
      thread.instructions.push_back(again);
      break;
    }
  }
}

Program any_program() {
  Program p;
  p.name = p.file = "random";
  for (unsigned l = 0; l < locations; ++l) p.locations.push_back({std::string(1, static_cast<char>('x' + l)), 0});
  const unsigned threads = between(1U, 4U);
  for (unsigned t = 0; t < threads; ++t) {
    Thread thread;
    thread.name = "P" + std::to_string(t);
    thread.cta = between(0U, 2U);
    unsigned reg = 0;
    const unsigned length = between(1U, threads == 3 ? 3U : 4U);
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

/// What nobody judges is not compared.
Outcomes judged(const Program& program, unsigned unroll = 1) {
  try {
    return enumerate(program, unroll);
  } catch (const Refusal&) {
    RC_DISCARD("too large, or a counted barrier that is not always complete");
  }
}

TEST(Properties, BarriersAreWhatInterleavingsShow) {
  unsigned ends = 0, none = 0;
  EXPECT_TRUE(rc::check([&] {
    Program program = any_program();
    add_barriers(program);
    const Outcomes outcomes = judged(program);
    RC_ASSERT(allowed(outcomes, Model::sc) == interleaved_outcomes(program));
    ++(outcomes.states().empty() ? none : ends);
  }));
  EXPECT_GT(ends, 20U);
  EXPECT_GT(none, 0U) << "no program waits for ever";
}

TEST(Properties, LoopsAreWhatInterleavingsShow) {
  EXPECT_TRUE(rc::check([] {
    Program program = any_program();
    add_loops(program);
    const unsigned unroll = between(0U, 3U);
    RC_ASSERT(allowed(judged(program, unroll), Model::sc) == interleaved_outcomes(program, unroll));
  }));
}

TEST(Properties, ProxiesChangeNothingOfSc) {
  EXPECT_TRUE(rc::check([] {
    Program program = any_program();
    add_proxies(program);
    RC_ASSERT(allowed(judged(program), Model::sc) == interleaved_outcomes(program));
  }));
}

/// The models, of all candidates one by one.
std::set<State> allowed_one_by_one(const Program& program, Model model) {
  std::set<State> states;
  CandidateOptions all;
  all.only_plausible = false;
  for_each_candidate(program, all, [&](const Candidate& candidate) {
    for_each_completion(candidate.execution, model, [&](const Completion& completion) {
      if (!completion.violated.empty()) return true;
      std::vector<State> ends{{}};
      for (const Observable& o : program.observables) {
        std::vector<State> longer;
        for (const State& end : ends) {
          if (o.thread) {
            longer.push_back(end);
            longer.back().push_back(candidate.registers[*o.thread][o.index]);
            continue;
          }
          for_each_event(last_writes(candidate.execution, completion.co, o.index), [&](unsigned w) {
            longer.push_back(end);
            longer.back().push_back(candidate.execution.events[w].value);
          });
        }
        ends = longer;
      }
      states.insert(ends.begin(), ends.end());
      return true;
    });
  });
  return states;
}

TEST(Properties, WhatIsLeftOutEarlyIsForbidden) {
  EXPECT_TRUE(rc::check([] {
    Program program = any_program();
    switch (between(0, 3)) {
      case 0:
        add_proxies(program);
        break;
      case 1:
        add_barriers(program);
        break;
      default:
        break;
    }
    const Outcomes outcomes = judged(program);
    for (const Model model : {Model::sc, Model::ptx75})
      RC_ASSERT(allowed(outcomes, model) == allowed_one_by_one(program, model));
  }));
}

TEST(Properties, WhatScAllowsPtxAllows) {
  EXPECT_TRUE(rc::check([] {
    Program program = any_program();
    switch (between(0, 4)) {
      case 0:
        add_proxies(program);
        break;
      case 1:
        add_barriers(program);
        break;
      case 2:
        add_loops(program);
        break;
      default:
        break;
    }
    const Outcomes outcomes = judged(program);
    RC_ASSERT(within(allowed(outcomes, Model::sc), allowed(outcomes, Model::ptx75)));
  }));
}

/// A state that is not allowed is so for a reason: what is broken, or that nothing brings these values.
TEST(Properties, EveryForbiddenStateHasAReason) {
  EXPECT_TRUE(rc::check([] {
    const Program program = any_program();
    const Outcomes outcomes = enumerate(program);
    State state;
    for (std::size_t o = 0; o < program.observables.size(); ++o) state.push_back(between(0, 3));
    if (outcomes.of(state).ptx75) return;
    const Reason reason = outcomes.why_forbidden(state);
    RC_ASSERT(reason.kind == Reason::Kind::axioms);
    RC_ASSERT(!reason.axioms.empty());
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
    Thread& thread = strong.threads[between<std::size_t>(0, strong.threads.size())];
    Instruction& i = thread.instructions[between<std::size_t>(0, thread.instructions.size())];
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
