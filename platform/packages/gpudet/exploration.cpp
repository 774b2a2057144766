#include "platform/packages/gpudet/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/litmus/weak_outcomes.h"
#include "protocols/determinism/explore/explorer.h"
#include "protocols/determinism/explore/suite.h"

namespace syncline::platform::gpudet {
namespace {

namespace determinism = protocols::determinism;
namespace explore = protocols::explore;

/// The part of a platform's keys that the policy has.
struct QuantaSpec {
  struct Determinism {
    protocols::gpudet::GpudetSpec gpudet;
    template <class V>
    void fields(V& v) {
      v.group("gpudet", gpudet, "GPUDet");
    }
  };
  Determinism determinism;
  template <class V>
  void fields(V& v) {
    v.group("determinism", determinism, "deterministic execution");
  }
};

/// Ends of programs with more reads and writes are compared with each other, but not judged by the memory model: to
/// enumerate all that it allows takes minutes.
constexpr std::size_t most_judged = 7;

std::size_t reads_and_writes(const explore::Program& program) {
  std::size_t count = 0;
  for (const explore::Thread& thread : program.threads) {
    for (const explore::Op& op : thread.ops)
      count += op.kind == explore::OpKind::atomic ? 2 : op.has_location() ? 1 : 0;
  }
  return count;
}

bool is_basic(const explore::Program& program) {
  for (const explore::Thread& thread : program.threads) {
    for (const explore::Op& op : thread.ops) {
      if (!op.is_basic()) return false;
    }
  }
  return true;
}

determinism::ExploreOptions options_of(const std::vector<std::string>& settings, const std::string& command) {
  // A few instructions a quantum: the programs are short.
  std::vector<std::string> all{"determinism.gpudet.quantum_size=2"};
  all.insert(all.end(), settings.begin(), settings.end());
  determinism::ExploreOptions options;
  options.world.spec = parse_configuration<QuantaSpec>("determinism: {}\n", command, all).spec.determinism.gpudet;
  return options;
}

std::vector<explore::Program> programs_of(const std::vector<std::string>& texts) {
  std::vector<explore::Program> programs;
  programs.reserve(texts.size());
  for (const std::string& text : texts) programs.push_back(explore::parse_program(text));
  for (const explore::Program& program : programs) {
    if (program.has(explore::OpKind::flush) || !is_basic(program))
      throw base::UserError("program `" + program.text +
                            "`: a policy of determinism knows `ld`, `st`, `add`, `fence` and `bar`");
  }
  return programs.empty() ? determinism::suite() : programs;
}

void add(determinism::Report& total, const determinism::Report& report) {
  total.states += report.states;
  total.steps += report.steps;
  total.depth = std::max(total.depth, report.depth);
  total.complete = total.complete && report.complete;
  for (std::size_t from = 0; from < determinism::modes; ++from) {
    for (std::size_t to = 0; to < determinism::modes; ++to) total.changes[from][to] += report.changes[from][to];
  }
}

/// Of the whole suite, with the defaults; ends are compared with each other only.
determinism::Report explored_suite(std::size_t& programs) {
  determinism::Report total;
  const determinism::ExploreOptions options = options_of({}, "suite");
  const std::vector<explore::Program> suite = determinism::suite();
  programs = suite.size();
  for (const explore::Program& program : suite) {
    const determinism::Report report = determinism::explore_quanta(program, options);
    if (!report.violation.empty()) throw base::ModelError(program.text + ": " + report.violation);
    add(total, report);
  }
  return total;
}

std::string sizes(std::size_t programs, const determinism::Report& total) {
  return fmt::format("{} programs, {} states, {} transitions, depth {}", programs, total.states, total.steps,
                     total.depth);
}

}  // namespace

bool QuantaExploration::check(const ExplorationRequest& request) const {
  determinism::ExploreOptions options = options_of(request.settings, request.command);
  options.max_states = request.max_states;
  const std::vector<explore::Program> explored = programs_of(request.programs);
  determinism::Report total;
  const auto begin = std::chrono::steady_clock::now();
  for (const explore::Program& program : explored) {
    const bool judged = reads_and_writes(program) <= most_judged;
    options.allowed = judged ? weak_outcomes(program, consistency::Promise::ptx75) : nullptr;
    const determinism::Report report = determinism::explore_quanta(program, options);
    add(total, report);
    request.print(fmt::format("{:44} {:8} states {:9} transitions, depth {:3}{}{}\n", program.text, report.states,
                              report.steps, report.depth,
                              report.outcome ? ": " + text_of(*report.outcome, program) : std::string(),
                              report.complete ? (judged ? "" : " (only compared)") : " (not finished)"));
    if (!report.violation.empty()) {
      request.print(fmt::format("VIOLATION: {}\n{}", report.violation, report.trace));
      return false;
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  request.print(fmt::format("gpudet: {}, {:.1f} s: {}\n", sizes(explored.size(), total), seconds,
                            total.complete ? "every program has one end" : "no violation in what was explored"));
  return true;
}

std::string QuantaExploration::size() const {
  std::size_t programs = 0;
  const determinism::Report total = explored_suite(programs);
  return sizes(programs, total);
}

std::string QuantaExploration::graph() const {
  using protocols::gpudet::Mode;
  std::size_t programs = 0;
  const determinism::Report total = explored_suite(programs);
  std::string text =
      fmt::format("digraph \"gpudet\" {{\n  label=\"modes of a quantum, as explored: {}\";\n", sizes(programs, total));
  for (std::size_t from = 0; from < determinism::modes; ++from) {
    for (std::size_t to = 0; to < determinism::modes; ++to) {
      if (total.changes[from][to] == 0) continue;
      text += fmt::format("  \"{}\" -> \"{}\" [label=\"{} transitions\"];\n",
                          protocols::gpudet::name(static_cast<Mode>(from)),
                          protocols::gpudet::name(static_cast<Mode>(to)), total.changes[from][to]);
    }
  }
  return text + "}\n";
}

}  // namespace syncline::platform::gpudet
