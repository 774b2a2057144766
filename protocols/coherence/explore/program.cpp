#include "protocols/coherence/explore/program.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace syncline::protocols::explore {

bool Op::is_basic() const {
  return manner == Manner::plain && atomic == AtomicKind::add && ordering == Ordering::relaxed && scope == Scope::gpu;
}

bool operator==(const Op& a, const Op& b) {
  const auto all = [](const Op& op) {
    return std::tie(op.kind, op.line, op.word, op.value, op.manner, op.atomic, op.compare, op.ordering, op.scope);
  };
  return all(a) == all(b);
}

unsigned Program::l1s() const {
  unsigned count = 0;
  for (const Thread& thread : threads) count = std::max(count, thread.l1 + 1U);
  return count;
}

unsigned Program::lines() const {
  unsigned count = 1;
  for (const Thread& thread : threads) {
    for (const Op& op : thread.ops) count = std::max(count, op.line + 1U);
  }
  return count;
}

unsigned Program::words() const {
  unsigned count = 1;
  for (const Thread& thread : threads) {
    for (const Op& op : thread.ops) count = std::max(count, op.word + 1U);
  }
  return count;
}

bool Program::is_private(unsigned line) const {
  return std::any_of(threads.begin(), threads.end(), [line](const Thread& thread) {
    return std::any_of(thread.ops.begin(), thread.ops.end(), [line](const Op& op) {
      return op.has_location() && op.line == line && op.manner == Manner::is_private;
    });
  });
}

bool Program::has(OpKind kind) const {
  return std::any_of(threads.begin(), threads.end(), [kind](const Thread& thread) {
    return std::any_of(thread.ops.begin(), thread.ops.end(), [kind](const Op& op) { return op.kind == kind; });
  });
}

Program placed(Program program, const ModuleGrid& grid) {
  for (Thread& thread : program.threads) {
    if (thread.is_placed) return program;  // then all are
    const unsigned module = thread.l1 % grid.modules();
    thread.is_placed = true;
    thread.gpu = static_cast<std::uint8_t>(grid.gpu_of(module));
    thread.module = static_cast<std::uint8_t>(module % grid.modules_of_gpu);
  }
  program.text = text_of(program);
  return program;
}

namespace {
std::set<Outcome> outcomes_of(const Program& program, bool blocks) {
  struct Point {
    std::array<std::uint8_t, max_threads> next{};
    std::array<std::vector<std::uint8_t>, max_threads> results;
    decltype(Outcome::memory) memory{};
    bool operator<(const Point& other) const {
      return std::tie(next, results, memory) < std::tie(other.next, other.results, other.memory);
    }
  };
  std::set<Outcome> outcomes;
  std::set<Point> seen;
  const std::function<void(const Point&)> visit = [&](const Point& point) {
    if (!seen.insert(point).second) return;
    bool finished = true;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      if (point.next[t] == program.threads[t].ops.size()) continue;
      finished = false;
      const std::vector<Op>& ops = program.threads[t].ops;
      Point after = point;
      bool more = true;
      while (more) {
        const Op& op = ops[after.next[t]++];
        std::uint8_t& cell = after.memory[op.line][op.word];
        if (op.reads()) after.results[t].push_back(cell);
        if (op.writes()) cell = op.written(cell);
        more = blocks && op.kind != OpKind::fence && after.next[t] < ops.size();
      }
      visit(after);
    }
    if (!finished) return;
    Outcome outcome;
    for (const auto& results : point.results)
      outcome.results.insert(outcome.results.end(), results.begin(), results.end());
    outcome.memory = point.memory;
    outcomes.insert(std::move(outcome));
  };
  visit({});
  return outcomes;
}
}  // namespace

std::set<Outcome> sc_outcomes(const Program& program) {
  return outcomes_of(program, false);
}

std::set<Outcome> serial_outcomes(const Program& program) {
  return outcomes_of(program, true);
}

}  // namespace syncline::protocols::explore
