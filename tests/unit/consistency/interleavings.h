// Sequential consistency as Lamport says it: one instruction of one thread after the other, on one memory. It shares no
// code with the axioms.
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "consistency/program.h"

namespace syncline::consistency {

class Interleaver {
 public:
  explicit Interleaver(const Program& program) : program_(program) {}

  std::set<State> run() {
    Machine machine;
    for (const Location& l : program_.locations) machine.memory.push_back(l.initial);
    for (const Thread& t : program_.threads) {
      machine.next.push_back(0);
      machine.registers.emplace_back();
      for (const Register& r : t.registers) machine.registers.back().push_back(r.initial);
    }
    explore(machine);
    return std::move(states_);
  }

 private:
  struct Machine {
    std::vector<std::size_t> next;
    std::vector<std::vector<Value>> registers;
    std::vector<Value> memory;
    friend bool operator<(const Machine& a, const Machine& b) {
      return std::tie(a.next, a.registers, a.memory) < std::tie(b.next, b.registers, b.memory);
    }
  };

  void explore(const Machine& machine) {
    if (!seen_.insert(machine).second) return;
    bool ended = true;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (machine.next[t] >= program_.threads[t].instructions.size()) continue;
      ended = false;
      Machine after = machine;
      step(after, t);
      explore(after);
    }
    if (!ended) return;
    State state;
    for (const Observable& o : program_.observables)
      state.push_back(o.thread ? machine.registers[*o.thread][o.index] : machine.memory[o.index]);
    states_.insert(state);
  }

  void step(Machine& machine, std::size_t thread) const {
    const Instruction& i = program_.threads[thread].instructions[machine.next[thread]++];
    std::vector<Value>& r = machine.registers[thread];
    const auto value = [&](const Operand& o) { return o.reg ? r[*o.reg] : o.value; };
    Value& word = machine.memory[i.location];
    const Value old = word;
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
      default:  // a fence does nothing here; the random programs have nothing else
        break;
    }
  }

  const Program& program_;
  std::set<Machine> seen_;
  std::set<State> states_;
};

inline std::set<State> interleaved_outcomes(const Program& program) {
  return Interleaver(program).run();
}

}  // namespace syncline::consistency
