#include "consistency/paths.h"

#include "consistency/refusal.h"

namespace syncline::consistency {
namespace {

constexpr std::size_t max_paths = 20'000;
/// A loop that decides on nothing that is read needs no bound, but some never end.
constexpr unsigned max_idle_rounds = 4'096;

class Walker {
 public:
  Walker(const Program& program, unsigned thread, unsigned unroll)
      : program_(program), thread_(program.threads[thread]), number_(thread), unroll_(unroll) {}

  Paths all() {
    Walk walk;
    for (const Register& r : thread_.registers) walk.path.registers.push_back(walk.path.terms.constant(r.initial));
    walk.rounds.resize(thread_.instructions.size());
    run(0, std::move(walk));
    return std::move(paths_);
  }

 private:
  struct Rounds {
    unsigned counted = 0, idle = 0;
    std::size_t decisions = 0;  ///< when the branch was last taken
  };
  struct Walk {
    Path path;
    std::uint64_t control = 0;   ///< the reads that branches so far depended on
    std::vector<Rounds> rounds;  ///< of each branch that goes back
  };

  static Terms::Id term(Walk& walk, const Operand& operand) {
    return operand.reg ? walk.path.registers[*operand.reg] : walk.path.terms.constant(operand.value);
  }

  Event event(const Instruction& instruction, Event::Kind kind) const {
    Event e;
    e.kind = kind;
    e.thread = number_;
    e.location = instruction.location;
    e.address = instruction.address;
    e.proxy = instruction.proxy;
    e.semantics = instruction.semantics;
    e.scope = instruction.scope;
    e.instance = instruction.instance;
    e.arrives_only = instruction.arrives_only;
    return e;
  }

  /// Returns the step; the walk ends when the step does not fit any more.
  Path::Step* add(Walk& walk, const Event& e, std::uint64_t depends_on, std::size_t instruction) {
    if (walk.path.steps.size() == Relation::capacity) {
      if (!thread_.has_loop()) refuse("a thread of the test has more events than an execution can hold");
      paths_.are_bounded = true;
      return nullptr;
    }
    Path::Step step;
    step.event = e;
    step.depends_on = depends_on | walk.control;
    step.event.instruction = static_cast<unsigned>(instruction);
    walk.path.steps.push_back(step);
    return &walk.path.steps.back();
  }

  [[noreturn]] void refuse(const std::string& message) const {
    throw Refusal({program_.file}, message + "; expected a smaller test", "too large");
  }

  void run(std::size_t at, Walk walk) {
    Terms& terms = walk.path.terms;
    while (at < thread_.instructions.size()) {
      const Instruction& i = thread_.instructions[at];
      switch (i.kind) {
        case InstructionKind::load:
        case InstructionKind::atomic:
        case InstructionKind::reduction:
          if (i.atomic == AtomicOp::cas && i.kind == InstructionKind::atomic) {
            Walk fails = walk;
            if (compare_and_swap(at, fails, false)) run(at + 1, std::move(fails));
            if (!compare_and_swap(at, walk, true)) return;
          } else if (!read(at, walk)) {
            return;
          }
          break;
        case InstructionKind::store: {
          const Terms::Id value = term(walk, i.a);
          Path::Step* const step = add(walk, event(i, Event::Kind::write), terms.reads(value), at);
          if (step == nullptr) return;
          step->value = value;
          break;
        }
        case InstructionKind::fence:
        case InstructionKind::proxy_fence:
          if (add(walk, event(i, i.kind == InstructionKind::fence ? Event::Kind::fence : Event::Kind::proxy_fence), 0,
                  at) == nullptr)
            return;
          break;
        case InstructionKind::barrier:
          if (!barrier(at, walk)) return;
          break;
        case InstructionKind::move:
          walk.path.registers[i.destination] = term(walk, i.a);
          break;
        case InstructionKind::alu: {
          const Terms::Id a = term(walk, i.a), b = term(walk, i.b);
          walk.path.registers[i.destination] = terms.result(i.alu, a, b);
          break;
        }
        case InstructionKind::branch: {
          const auto taken = decided(walk, i);
          if (!taken) {
            fork(at, std::move(walk));
            return;
          }
          if (!go(at, *taken, walk)) return;
          continue;
        }
      }
      ++at;
    }
    if (paths_.all.size() == max_paths)
      refuse(thread_.name + " can go more than " + std::to_string(max_paths) + " ways");
    paths_.all.push_back(std::move(walk.path));
  }

  /// Whether a branch is taken, when that depends on no read.
  static std::optional<bool> decided(Walk& walk, const Instruction& i) {
    const Terms::Id left = term(walk, i.a), right = term(walk, i.b);
    const Terms& terms = walk.path.terms;
    if (i.comparison != Comparison::always && !(terms.is_constant(left) && terms.is_constant(right)))
      return std::nullopt;
    return holds(i.comparison, terms.constant_value(left), terms.constant_value(right));
  }

  void fork(std::size_t at, Walk walk) {
    const Instruction& i = thread_.instructions[at];
    const Terms::Id left = term(walk, i.a), right = term(walk, i.b);
    walk.control |= walk.path.terms.reads(left) | walk.path.terms.reads(right);
    for (const bool taken : {false, true}) {
      Walk next = walk;
      next.path.conditions.push_back({i.comparison, left, right, taken});
      std::size_t to = at;
      if (go(to, taken, next)) run(to, std::move(next));
    }
  }

  /// Moves `at` to where a branch leads; false when the walk has gone round too often.
  bool go(std::size_t& at, bool taken, Walk& walk) {
    const Instruction& i = thread_.instructions[at];
    if (taken && i.branches_back(at)) {
      Rounds& rounds = walk.rounds[at];
      const bool decides = walk.path.conditions.size() != rounds.decisions;
      rounds.decisions = walk.path.conditions.size();
      unsigned& count = decides ? rounds.counted : rounds.idle;
      if (++count > (decides ? unroll_ : max_idle_rounds)) {
        paths_.are_bounded = true;
        return false;
      }
    }
    at = taken ? i.target : at + 1;
    return true;
  }

  bool barrier(std::size_t at, Walk& walk) {
    const Instruction& i = thread_.instructions[at];
    const Terms::Id number = term(walk, i.barrier);
    std::optional<Terms::Id> count;
    if (i.count) count = term(walk, *i.count);
    Path::Step* const step = add(walk, event(i, Event::Kind::barrier), 0, at);
    if (step == nullptr) return false;
    step->value = number;
    step->count = count;
    return true;
  }

  /// Adds the read of a load or an atomic; the term of what it brings.
  std::optional<Terms::Id> add_read(std::size_t at, Walk& walk) {
    const Instruction& i = thread_.instructions[at];
    Event r = event(i, Event::Kind::read);
    r.is_reduction = i.kind == InstructionKind::reduction;
    if (i.kind != InstructionKind::load) {
      // The read of an atomic takes the acquire, its write the release.
      if (i.semantics == Semantics::release) r.semantics = Semantics::relaxed;
      if (i.semantics == Semantics::acq_rel) r.semantics = Semantics::acquire;
    }
    if (add(walk, r, 0, at) == nullptr) return std::nullopt;
    return walk.path.terms.read(static_cast<unsigned>(walk.path.steps.size()) - 1);
  }

  bool read(std::size_t at, Walk& walk) {
    const Instruction& i = thread_.instructions[at];
    const auto old = add_read(at, walk);
    if (!old) return false;
    if (i.kind != InstructionKind::load &&
        !add_write(at, walk, walk.path.terms.result(i.atomic, *old, term(walk, i.a)), 0))
      return false;
    if (i.kind != InstructionKind::reduction) walk.path.registers[i.destination] = *old;
    return true;
  }

  bool compare_and_swap(std::size_t at, Walk& walk, bool succeeds) {
    const Instruction& i = thread_.instructions[at];
    const Terms::Id compare = term(walk, i.a), word = term(walk, i.b);
    const auto old = add_read(at, walk);
    if (!old) return false;
    walk.path.conditions.push_back({Comparison::eq, *old, compare, succeeds});
    const Terms& terms = walk.path.terms;
    if (succeeds && !add_write(at, walk, word, terms.reads(*old) | terms.reads(compare))) return false;
    walk.path.registers[i.destination] = *old;
    return true;
  }

  bool add_write(std::size_t at, Walk& walk, Terms::Id value, std::uint64_t depends_on) {
    const Instruction& i = thread_.instructions[at];
    Event w = event(i, Event::Kind::write);
    if (i.semantics == Semantics::acquire) w.semantics = Semantics::relaxed;
    if (i.semantics == Semantics::acq_rel) w.semantics = Semantics::release;
    Path::Step* const step = add(walk, w, depends_on | walk.path.terms.reads(value), at);
    if (step == nullptr) return false;
    step->value = value;
    step->completes_atomic = true;
    return true;
  }

  const Program& program_;
  const Thread& thread_;
  const unsigned number_, unroll_;
  Paths paths_;
};

}  // namespace

Paths paths_of(const Program& program, unsigned thread, unsigned unroll) {
  return Walker(program, thread, unroll).all();
}

}  // namespace syncline::consistency
