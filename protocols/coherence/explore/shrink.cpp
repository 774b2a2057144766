#include "protocols/coherence/explore/shrink.h"

#include <utility>
#include <vector>

namespace syncline::protocols::explore {
namespace {

/// All programs that are one step smaller, the smallest first.
std::vector<Program> smaller(const Program& program) {
  std::vector<Program> all;
  const auto add = [&all](Program less) {
    less.text = text_of(less);
    all.push_back(std::move(less));
  };
  for (std::size_t t = 0; program.threads.size() > 1 && t < program.threads.size(); ++t) {
    Program less = program;
    less.threads.erase(less.threads.begin() + static_cast<std::ptrdiff_t>(t));
    add(std::move(less));
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t i = 0; program.threads[t].ops.size() > 1 && i < program.threads[t].ops.size(); ++i) {
      Program less = program;
      auto& ops = less.threads[t].ops;
      ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
      add(std::move(less));
    }
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t i = 0; i < program.threads[t].ops.size(); ++i) {
      const Op& op = program.threads[t].ops[i];
      if (op.ordering == Ordering::relaxed && op.scope == Scope::gpu) continue;
      Program less = program;
      less.threads[t].ops[i].ordering = Ordering::relaxed;
      less.threads[t].ops[i].scope = Scope::gpu;
      add(std::move(less));
    }
  }
  return all;
}

}  // namespace

Program shrunk(Program program, const std::function<bool(const Program&)>& shows) {
  for (bool again = true; again;) {
    again = false;
    for (Program& less : smaller(program)) {
      if (!shows(less)) continue;
      program = std::move(less);
      again = true;
      break;
    }
  }
  return program;
}

}  // namespace syncline::protocols::explore
