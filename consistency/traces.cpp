#include "consistency/traces.h"

#include <algorithm>

namespace syncline::consistency {
namespace {

constexpr std::size_t max_traces = 20'000;

class Tracer {
 public:
  Tracer(const Program& program, unsigned thread, const Domains& domains)
      : program_(program), thread_(program.threads[thread]), number_(thread), domains_(domains) {}

  std::vector<Trace> all() {
    State state;
    for (const Register& r : thread_.registers) state.trace.registers.push_back(r.initial);
    state.origin.resize(thread_.registers.size());
    run(0, std::move(state));
    return std::move(traces_);
  }

 private:
  struct State {
    Trace trace;
    std::vector<std::uint64_t> origin;  ///< by register: the reads that its value comes from
    std::uint64_t control = 0;          ///< the reads that branches so far depended on
  };

  Value value(const State& state, const Operand& operand) const {
    return operand.reg ? state.trace.registers[*operand.reg] : operand.value;
  }
  static std::uint64_t origin(const State& state, const Operand& operand) {
    return operand.reg ? state.origin[*operand.reg] : 0;
  }

  Event event(const Instruction& instruction, Event::Kind kind) const {
    Event e;
    e.kind = kind;
    e.thread = number_;
    e.location = instruction.location;
    e.semantics = instruction.semantics;
    e.scope = instruction.scope;
    e.barrier = instruction.barrier;
    e.instance = instruction.instance;
    return e;
  }

  /// Returns the step's bit.
  static std::uint64_t add(State& state, const Event& e, std::uint64_t depends_on, bool completes_atomic = false) {
    state.trace.steps.push_back({e, completes_atomic, depends_on | state.control});
    if (state.trace.steps.size() > Relation::capacity)
      throw base::UserError("a thread of the litmus test has more events than an execution can hold");
    return std::uint64_t{1} << (state.trace.steps.size() - 1);
  }

  static void set(State& state, unsigned reg, Value value, std::uint64_t origin) {
    state.trace.registers[reg] = value;
    state.origin[reg] = origin;
  }

  void run(std::size_t at, State state) {
    for (; at < thread_.instructions.size(); ++at) {
      const Instruction& i = thread_.instructions[at];
      switch (i.kind) {
        case InstructionKind::load:
        case InstructionKind::atomic:
        case InstructionKind::reduction:
          for (const Value v : domains_[i.location]) {
            State next = state;
            read(i, v, next);
            run(at + 1, std::move(next));
          }
          return;
        case InstructionKind::store: {
          Event e = event(i, Event::Kind::write);
          e.value = value(state, i.a);
          add(state, e, origin(state, i.a));
          break;
        }
        case InstructionKind::fence:
          add(state, event(i, Event::Kind::fence), 0);
          break;
        case InstructionKind::barrier:
          add(state, event(i, Event::Kind::barrier), 0);
          break;
        case InstructionKind::move:
          set(state, i.destination, value(state, i.a), origin(state, i.a));
          break;
        case InstructionKind::alu:
          set(state, i.destination, applied(i.alu, value(state, i.a), value(state, i.b)),
              origin(state, i.a) | origin(state, i.b));
          break;
        case InstructionKind::branch:
          state.control |= origin(state, i.a) | origin(state, i.b);
          if (holds(i.comparison, value(state, i.a), value(state, i.b))) at = i.target - std::size_t{1};
          break;
      }
    }
    if (traces_.size() == max_traces)
      throw base::UserError(program_.file + ": error: " + thread_.name + " can run in more than " +
                            std::to_string(max_traces) + " ways; expected a smaller test");
    traces_.push_back(std::move(state.trace));
  }

  /// A load, or an atomic with its write.
  void read(const Instruction& i, Value v, State& state) const {
    Event r = event(i, Event::Kind::read);
    r.value = v;
    r.is_reduction = i.kind == InstructionKind::reduction;
    if (i.kind != InstructionKind::load) {
      // The read of an atomic takes the acquire, its write the release.
      if (i.semantics == Semantics::release) r.semantics = Semantics::relaxed;
      if (i.semantics == Semantics::acq_rel) r.semantics = Semantics::acquire;
    }
    const std::uint64_t bit = add(state, r, 0);
    if (i.kind != InstructionKind::load) write_atomic(i, v, bit, state);
    if (i.kind != InstructionKind::reduction) set(state, i.destination, v, bit);
  }

  void write_atomic(const Instruction& i, Value old, std::uint64_t bit, State& state) const {
    const bool is_cas = i.atomic == AtomicOp::cas;
    if (is_cas && old != value(state, i.a)) return;  // nothing is written
    Event w = event(i, Event::Kind::write);
    w.value = is_cas ? value(state, i.b) : applied(i.atomic, old, value(state, i.a), 0);
    if (i.semantics == Semantics::acquire) w.semantics = Semantics::relaxed;
    if (i.semantics == Semantics::acq_rel) w.semantics = Semantics::release;
    const std::uint64_t from_read = i.atomic == AtomicOp::exch ? 0 : bit;
    add(state, w, from_read | origin(state, i.a) | origin(state, i.b), true);
  }

  const Program& program_;
  const Thread& thread_;
  const unsigned number_;
  const Domains& domains_;
  std::vector<Trace> traces_;
};

}  // namespace

std::vector<Trace> traces_of(const Program& program, unsigned thread, const Domains& domains) {
  return Tracer(program, thread, domains).all();
}

Domains value_domains(const Program& program) {
  Domains domains;
  for (const Location& location : program.locations) domains.push_back({location.initial});
  std::size_t writes = 0;
  for (const Thread& thread : program.threads)
    writes +=
        static_cast<std::size_t>(std::count_if(thread.instructions.begin(), thread.instructions.end(), writes_memory));
  for (std::size_t step = 0; step < writes; ++step) {
    Domains grown = domains;
    for (unsigned t = 0; t < program.threads.size(); ++t) {
      for (const Trace& trace : traces_of(program, t, domains)) {
        for (const Trace::Step& s : trace.steps) {
          if (s.event.kind == Event::Kind::write) grown[s.event.location].insert(s.event.value);
        }
      }
    }
    if (grown == domains) break;
    domains = std::move(grown);
  }
  return domains;
}

}  // namespace syncline::consistency
