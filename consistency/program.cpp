#include "consistency/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace syncline::consistency {

bool reads_memory(const Instruction& instruction) {
  return instruction.kind == InstructionKind::load || instruction.kind == InstructionKind::atomic ||
         instruction.kind == InstructionKind::reduction;
}

bool writes_memory(const Instruction& instruction) {
  return instruction.kind == InstructionKind::store || instruction.kind == InstructionKind::atomic ||
         instruction.kind == InstructionKind::reduction;
}

bool Thread::has_loop() const {
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].branches_back(i)) return true;
  }
  return false;
}

bool Proposition::holds(const State& state) const {
  const auto value = [&](const Term& term) { return term.observable ? state.at(*term.observable) : term.value; };
  const auto part_holds = [&](const Proposition& part) { return part.holds(state); };
  switch (kind) {
    case Kind::constant:
      return truth;
    case Kind::comparison:
      return consistency::holds(comparison, value(left), value(right));
    case Kind::all_of:
      return std::all_of(parts.begin(), parts.end(), part_holds);
    case Kind::any_of:
      return std::any_of(parts.begin(), parts.end(), part_holds);
    case Kind::negation:
      return !parts.front().holds(state);
  }
  return false;
}

std::string Program::name_of(const Observable& observable) const {
  if (!observable.thread) return locations.at(observable.index).name;
  const Thread& thread = threads.at(*observable.thread);
  return thread.name + ":" + thread.registers.at(observable.index).name;
}

std::string Program::show(const State& state) const {
  std::string text;
  for (std::size_t i = 0; i < observables.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", name_of(observables[i]), state.at(i));
  return text;
}

bool Program::is_witness(const State& state) const {
  return proposition.holds(state) != (quantifier == Quantifier::for_all);
}

unsigned Program::gpus() const {
  std::set<unsigned> numbers;
  for (const Thread& thread : threads) numbers.insert(thread.gpu);
  return static_cast<unsigned>(numbers.size());
}

bool Program::has_loop() const {
  return std::any_of(threads.begin(), threads.end(), [](const Thread& thread) { return thread.has_loop(); });
}

bool Program::has_proxies() const {
  std::vector<std::optional<unsigned>> address(locations.size());
  for (const Thread& thread : threads) {
    for (const Instruction& i : thread.instructions) {
      if (i.kind == InstructionKind::proxy_fence) return true;
      if (!reads_memory(i) && !writes_memory(i)) continue;
      if (i.proxy != Proxy::generic || address[i.location].value_or(i.address) != i.address) return true;
      address[i.location] = i.address;
    }
  }
  return false;
}

Program without_order(const Program& program) {
  Program left = program;
  for (Thread& thread : left.threads) {
    for (std::size_t n = 0; n < thread.instructions.size(); ++n) {
      Instruction& i = thread.instructions[n];
      if (i.kind == InstructionKind::fence) {
        i.kind = InstructionKind::branch;  // to what follows it
        i.comparison = Comparison::always;
        i.target = static_cast<unsigned>(n + 1);
      } else if (i.semantics != Semantics::weak) {
        i.semantics = Semantics::relaxed;
      }
    }
  }
  return left;
}

}  // namespace syncline::consistency
