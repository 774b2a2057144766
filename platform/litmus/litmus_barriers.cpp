#include "platform/litmus/litmus_barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "consistency/candidates.h"
#include "consistency/refusal.h"

namespace syncline::platform {
namespace {

using consistency::Event;
using consistency::Instruction;
using consistency::InstructionKind;
using consistency::Program;
using consistency::Value;

class Planner {
 public:
  explicit Planner(const Program& program) : program_(program) {}

  LitmusBarriers plan() {
    if (!has_barriers() || stands_among_loops()) return std::move(plan_);
    try {
      const auto limits = consistency::for_each_candidate(program_, {}, [this](const consistency::Candidate& c) {
        if (plan_.obstacle.empty()) note(c.execution);
      });
      if (limits.stuck && plan_.obstacle.empty()) plan_.obstacle = "a thread may wait at a barrier for ever";
    } catch (const consistency::Refusal& refusal) {
      plan_.obstacle = refusal.what();
    }
    if (plan_.obstacle.empty()) number();
    keep_together();
    return std::move(plan_);
  }

 private:
  bool has_barriers() const {
    return std::any_of(program_.threads.begin(), program_.threads.end(), [](const consistency::Thread& thread) {
      return std::any_of(thread.instructions.begin(), thread.instructions.end(),
                         [](const Instruction& i) { return i.kind == InstructionKind::barrier; });
    });
  }

  void stop(const Instruction& i, const std::string& why) {
    plan_.obstacle = fmt::format("{}: `{}`: {}", i.where.str(), i.text, why);
  }

  /// How often a machine goes round a loop is not known before, and who gives up a loop may go a way that no execution
  /// goes.
  bool stands_among_loops() {
    if (!program_.has_loop()) return false;
    for (const consistency::Thread& thread : program_.threads) {
      const auto& instructions = thread.instructions;
      for (std::size_t n = 0; n < instructions.size(); ++n) {
        if (instructions[n].kind != InstructionKind::barrier) continue;
        for (std::size_t b = 0; b < instructions.size(); ++b) {
          const bool back = instructions[b].branches_back(b);
          const std::size_t from = back ? instructions[b].target : b, to = back ? b : instructions[b].target;
          if (instructions[b].kind != InstructionKind::branch || n < from || n >= to) continue;
          stop(instructions[n], back ? "a barrier in a loop" : "a branch jumps over a barrier, in a test with loops");
          return true;
        }
      }
    }
    return false;
  }

  void note(const consistency::Execution& execution) {
    std::map<std::tuple<unsigned, unsigned, Value, unsigned, unsigned>, std::vector<unsigned>> meetings;
    std::map<std::tuple<unsigned, Value, unsigned>, unsigned> times;
    for (unsigned e = 0; e < execution.events.size(); ++e) {
      const Event& b = execution.events[e];
      if (b.kind != Event::Kind::barrier) continue;
      const consistency::Place& at = execution.places[b.thread];
      const unsigned time = times[{b.thread, b.barrier, b.instance}]++;
      meetings[{at.gpu, at.cta, b.barrier, b.instance, time}].push_back(e);
    }
    for (const auto& [key, events] : meetings) {
      for (const unsigned e : events) {
        const Event& b = execution.events[e];
        const Instruction& i = program_.threads[b.thread].instructions[b.instruction];
        const auto threads = static_cast<unsigned>(events.size());
        if (b.count && *b.count != static_cast<Value>(threads)) {
          const bool more = static_cast<Value>(threads) > *b.count;
          stop(i, fmt::format("{} threads come to it and it counts {}{}", threads, *b.count,
                              more ? "; on a machine the last ones wait for its next execution" : ""));
          return;
        }
        const auto [known, is_new] = threads_.emplace(std::make_tuple(b.thread, b.instruction, b.barrier), threads);
        if (!is_new && known->second != threads) {
          stop(i, fmt::format("it does not count, and {} or {} threads meet there", std::min(known->second, threads),
                              std::max(known->second, threads)));
          return;
        }
      }
    }
  }

  void number() {
    std::map<std::tuple<unsigned, unsigned, Value, unsigned>, unsigned> numbers;  // GPU, CTA, number, instance
    std::map<std::pair<unsigned, unsigned>, unsigned> used;                       // by GPU and CTA
    for (const auto& [use, threads] : threads_) {
      const auto& [t, n, value] = use;
      const consistency::Thread& thread = program_.threads[t];
      const Instruction& i = thread.instructions[n];
      const auto [at, is_new] = numbers.emplace(std::make_tuple(thread.gpu, thread.cta, value, i.instance), 0);
      if (is_new) at->second = used[{thread.gpu, thread.cta}]++;
      if (at->second >= barrier_of_rounds)
        return stop(i, fmt::format("a CTA of the test has more than {} barriers", barrier_of_rounds));
      plan_.uses[{t, n}].push_back({value, at->second, threads});
    }
  }

  void keep_together() {
    plan_.together.assign(program_.threads.size(), 0);
    for (const consistency::Thread& thread : program_.threads) {
      const bool arrives = std::any_of(thread.instructions.begin(), thread.instructions.end(),
                                       [](const Instruction& i) { return i.arrives_only; });
      if (!arrives) continue;
      const auto of_its_cta = [&](const consistency::Thread& other) {
        return other.cta == thread.cta && other.gpu == thread.gpu;
      };
      const auto all = std::count_if(program_.threads.begin(), program_.threads.end(), of_its_cta);
      for (std::size_t t = 0; t < program_.threads.size(); ++t) {
        if (of_its_cta(program_.threads[t])) plan_.together[t] = static_cast<unsigned>(all);
      }
    }
  }

  const Program& program_;
  LitmusBarriers plan_;
  std::map<std::tuple<unsigned, unsigned, Value>, unsigned> threads_;  ///< by thread, instruction and number: that meet
};

}  // namespace

LitmusBarriers plan_barriers(const Program& program) {
  return Planner(program).plan();
}

}  // namespace syncline::platform
