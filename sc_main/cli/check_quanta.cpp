#include "sc_main/cli/check_quanta.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "platform/config/configuration.h"
#include "protocols/determinism/explore/explorer.h"
#include "protocols/determinism/explore/suite.h"
#include "sc_main/cli/weak_outcomes.h"

namespace syncline::cli {
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

}  // namespace

const std::vector<std::string>& quanta_policies() {
  static const std::vector<std::string> names{"gpudet"};
  return names;
}

base::ExitStatus check_quanta(const std::string& policy, const std::vector<std::string>& programs,
                              const std::vector<std::string>& overrides, std::uint64_t max_states) {
  // A few instructions a quantum: the programs are short.
  std::vector<std::string> settings{"determinism.gpudet.quantum_size=2"};
  settings.insert(settings.end(), overrides.begin(), overrides.end());
  determinism::ExploreOptions options;
  options.max_states = max_states;
  options.world.spec = platform::parse_configuration<QuantaSpec>("determinism: {}\n", "syncline check", settings)
                           .spec.determinism.gpudet;
  std::vector<explore::Program> explored;
  explored.reserve(programs.size());
  for (const std::string& text : programs) explored.push_back(explore::parse_program(text));
  for (const explore::Program& program : explored) {
    if (program.has(explore::OpKind::flush) || !is_basic(program))
      throw base::UserError("program `" + program.text +
                            "`: a policy of determinism knows `ld`, `st`, `add`, `fence` and `bar`");
  }
  if (explored.empty()) explored = determinism::suite();

  determinism::Report total;
  const auto begin = std::chrono::steady_clock::now();
  for (const explore::Program& program : explored) {
    const bool judged = reads_and_writes(program) <= most_judged;
    options.allowed = judged ? weak_outcomes(program, consistency::Promise::ptx75) : nullptr;
    const determinism::Report report = determinism::explore_quanta(program, options);
    total.states += report.states;
    total.steps += report.steps;
    total.depth = std::max(total.depth, report.depth);
    total.complete = total.complete && report.complete;
    fmt::print("{:44} {:8} states {:9} transitions, depth {:3}{}{}\n", program.text, report.states, report.steps,
               report.depth, report.outcome ? ": " + text_of(*report.outcome, program) : std::string(),
               report.complete ? (judged ? "" : " (only compared)") : " (not finished)");
    if (!report.violation.empty()) {
      fmt::print("VIOLATION: {}\n{}", report.violation, report.trace);
      return base::ExitStatus::not_verified;
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{}: {} programs, {} states, {} transitions, depth {}, {:.1f} s: {}\n", policy, explored.size(),
             total.states, total.steps, total.depth, seconds,
             total.complete ? "every program has one end" : "no violation in what was explored");
  return base::ExitStatus::done;
}

}  // namespace syncline::cli
