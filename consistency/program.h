// A litmus test: a few threads of a few instructions, and a question about how they can end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "consistency/vocabulary.h"

namespace syncline::consistency {

/// A constant, or a register of the thread by its number.
struct Operand {
  std::optional<unsigned> reg;
  Value value = 0;
};

enum class InstructionKind : std::uint8_t {
  load,
  store,
  atomic,
  reduction,
  fence,
  proxy_fence,
  barrier,
  move,
  alu,
  branch
};

/// One instruction; which members mean something depends on the kind.
struct Instruction {
  InstructionKind kind = InstructionKind::move;
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::sys;
  bool is_volatile = false;  ///< written .volatile: relaxed.sys
  bool is_membar = false;    ///< written membar: fence.sc
  unsigned location = 0;
  unsigned address = 0;          ///< generic address that the access goes to: Name::address
  Proxy proxy = Proxy::generic;  ///< of an access, and what a proxy fence is about
  unsigned destination = 0;      ///< register
  Operand a, b;  ///< store, reduction: a; atomic: a, and b for cas (a compare, b new word); branch: a, b
  AtomicOp atomic = AtomicOp::add;
  AluOp alu = AluOp::add;
  Comparison comparison = Comparison::always;
  unsigned target = 0;  ///< branch: index of an instruction, or one behind the last
  /// Barrier: threads of a CTA meet where barrier and instance are equal; the instance tells the executions of a
  /// barrier apart. `count` threads complete it; not said: all that come. One that arrives (bar.arrive) does not wait.
  Operand barrier;
  unsigned instance = 0;
  std::optional<Operand> count;
  bool arrives_only = false;
  base::SourceLocation where;
  std::string text;  ///< as the file has it

  bool branches_back(std::size_t own_index) const { return kind == InstructionKind::branch && target <= own_index; }
};

/// True when the instruction may read or write memory.
bool reads_memory(const Instruction& instruction);
bool writes_memory(const Instruction& instruction);

struct Register {
  std::string name;
  Value initial = 0;
};

struct Thread {
  std::string name;  ///< "P0"
  unsigned cta = 0, gpu = 0;
  std::optional<unsigned> sm;  ///< the SM's number among those of the test; not said: each CTA has its own
  std::vector<Register> registers;
  std::vector<Instruction> instructions;

  bool has_loop() const;
};

struct Location {
  std::string name;
  Value initial = 0;
};

/// What instructions and the condition call a location. Names with the same `address` go to the same generic address,
/// by whichever proxy; aliases of the generic proxy have an address of their own.
struct Name {
  std::string name;
  unsigned location = 0, address = 0;
};

/// What the end of a run shows: a register of a thread, or a location.
struct Observable {
  std::optional<unsigned> thread;  ///< none: memory
  unsigned index = 0;              ///< register of the thread, or location
  friend bool operator==(const Observable& a, const Observable& b) {
    return a.thread == b.thread && a.index == b.index;
  }
};

/// A final state: a value for each of the program's observables, in their order.
using State = std::vector<Value>;

/// A proposition about a final state.
struct Proposition {
  enum class Kind : std::uint8_t { constant, comparison, all_of, any_of, negation };
  struct Term {
    std::optional<unsigned> observable;  ///< index into Program::observables
    Value value = 0;
  };
  Kind kind = Kind::constant;
  bool truth = true;  ///< of a constant
  Comparison comparison = Comparison::eq;
  Term left, right;
  std::vector<Proposition> parts;

  bool holds(const State& state) const;
};

enum class Quantifier : std::uint8_t { exists, not_exists, for_all };

struct Program {
  std::string name, comment, file;
  std::vector<Location> locations;
  std::vector<Name> names;
  std::vector<Thread> threads;
  std::vector<Observable> observables;
  Quantifier quantifier = Quantifier::exists;
  Proposition proposition;
  std::string condition_text;  ///< as the file has it

  std::string name_of(const Observable& observable) const;  ///< "P1:r0", "x"
  std::string show(const State& state) const;               ///< "P1:r0=1 x=2"
  /// True for the end that the test asks about: of exists and ~exists where the proposition holds, of forall where it
  /// does not.
  bool is_witness(const State& state) const;
  unsigned gpus() const;  ///< how many the threads are spread over
  bool has_loop() const;
  bool has_proxies() const;  ///< some access takes another path than the generic one, or by an alias; or fences do
};

/// The test without what orders different locations: its fences do nothing, and what releases or acquires is relaxed.
Program without_order(const Program& program);

}  // namespace syncline::consistency
