// Sequential consistency as Lamport says it: one instruction of one thread after the other, on one memory. It shares no
// code with the axioms. Barriers are counters of who has come, and a loop goes back at most `unroll` times.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "consistency/program.h"

namespace syncline::consistency {

class Interleaver {
 public:
  explicit Interleaver(const Program& program, unsigned unroll = 0) : program_(program), unroll_(unroll) {}

  std::set<State> run() {
    Machine machine;
    for (const Location& l : program_.locations) machine.memory.push_back(l.initial);
    for (const Thread& t : program_.threads) {
      machine.next.push_back(0);
      machine.waits.push_back(false);
      machine.rounds.emplace_back(t.instructions.size(), 0U);
      machine.registers.emplace_back();
      for (const Register& r : t.registers) machine.registers.back().push_back(r.initial);
    }
    explore(machine);
    return std::move(states_);
  }

 private:
  using Meeting = std::tuple<unsigned, Value, unsigned, unsigned>;  // CTA, barrier, instance, which time

  struct Machine {
    std::vector<std::size_t> next;
    std::vector<bool> waits;  // at the barrier that is next
    std::vector<std::vector<unsigned>> rounds;
    std::vector<std::vector<Value>> registers;
    std::vector<Value> memory;
    std::map<Meeting, unsigned> come;  // how many
    friend bool operator<(const Machine& a, const Machine& b) {
      return std::tie(a.next, a.waits, a.rounds, a.registers, a.memory, a.come) <
             std::tie(b.next, b.waits, b.rounds, b.registers, b.memory, b.come);
    }
  };

  void explore(const Machine& machine) {
    if (!seen_.insert(machine).second) return;
    bool ended = true;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (machine.next[t] >= program_.threads[t].instructions.size()) continue;
      ended = false;
      Machine after = machine;
      if (step(after, t)) explore(after);
    }
    if (!ended) return;
    State state;
    for (const Observable& o : program_.observables)
      state.push_back(o.thread ? machine.registers[*o.thread][o.index] : machine.memory[o.index]);
    states_.insert(state);
  }

  /// How often a thread comes to the barrier of an instruction before that; there are no loops where barriers are.
  Meeting meeting(std::size_t thread, const Instruction& barrier) const {
    unsigned time = 0;
    for (const Instruction& i : program_.threads[thread].instructions) {
      if (&i == &barrier) break;
      time += comes_to(i, barrier) ? 1 : 0;
    }
    return {program_.threads[thread].cta, barrier.barrier.value, barrier.instance, time};
  }
  static bool comes_to(const Instruction& i, const Instruction& barrier) {
    return i.kind == InstructionKind::barrier && i.barrier.value == barrier.barrier.value &&
           i.instance == barrier.instance;
  }
  unsigned expected(std::size_t thread, const Instruction& barrier) const {
    if (barrier.count) return static_cast<unsigned>(barrier.count->value);
    unsigned all = 0;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      for (const Instruction& i : program_.threads[t].instructions)
        all += comes_to(i, barrier) && meeting(t, i) == meeting(thread, barrier) ? 1 : 0;
    }
    return all;
  }

  /// False when the thread cannot go on.
  bool step(Machine& machine, std::size_t thread) const {
    const std::size_t at = machine.next[thread];
    const Instruction& i = program_.threads[thread].instructions[at];
    std::vector<Value>& r = machine.registers[thread];
    const auto value = [&](const Operand& o) { return o.reg ? r[*o.reg] : o.value; };
    Value& word = machine.memory[i.location];
    const Value old = word;
    if (i.kind == InstructionKind::barrier) {
      const Meeting here = meeting(thread, i);
      if (!machine.waits[thread]) {
        ++machine.come[here];
        if (i.arrives_only) ++machine.next[thread];
        machine.waits[thread] = !i.arrives_only;
        return true;
      }
      if (machine.come[here] < expected(thread, i)) return false;
      machine.waits[thread] = false;
    }
    ++machine.next[thread];
    switch (i.kind) {
      case InstructionKind::load:
        r[i.destination] = old;
        break;
      case InstructionKind::store:
        word = value(i.a);
        break;
      case InstructionKind::atomic:
        word =
            i.atomic == AtomicOp::cas ? (old == value(i.a) ? value(i.b) : old) : applied(i.atomic, old, value(i.a), 0);
        r[i.destination] = old;
        break;
      case InstructionKind::reduction:
        word = applied(i.atomic, old, value(i.a), 0);
        break;
      case InstructionKind::branch:
        if (!holds(i.comparison, value(i.a), value(i.b))) break;
        machine.next[thread] = i.target;
        return !i.branches_back(at) || ++machine.rounds[thread][at] <= unroll_;
      default:  // a fence does nothing here; the random programs have nothing else
        break;
    }
    return true;
  }

  const Program& program_;
  const unsigned unroll_;
  std::set<Machine> seen_;
  std::set<State> states_;
};

inline std::set<State> interleaved_outcomes(const Program& program, unsigned unroll = 0) {
  return Interleaver(program, unroll).run();
}

}  // namespace syncline::consistency
