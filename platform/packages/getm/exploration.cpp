#include "platform/packages/getm/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "platform/config/configuration.h"
#include "protocols/transactions/explore/explorer.h"
#include "protocols/transactions/explore/suite.h"

namespace syncline::platform::getm {
namespace {

namespace transactions = protocols::transactions;
using protocols::explore::Program;
using protocols::getm::GetmSpec;
using protocols::getm::TieRule;

/// The part of a platform's keys that the machines have. Tables have room for all that a small program touches, unless
/// keys say otherwise.
struct MachineSpec {
  struct Transactions {
    GetmSpec getm = transactions::roomy(TieRule::reader_set);
    template <class V>
    void fields(V& v) {
      v.group("getm", getm, "GETM");
    }
  };
  Transactions transactions;
  template <class V>
  void fields(V& v) {
    v.group("transactions", transactions, "transactional memory");
  }
};

struct Total {
  std::size_t programs = 0;
  transactions::Report report;
  void add(const transactions::Report& one) {
    ++programs;
    report.states += one.states;
    report.steps += one.steps;
    report.cut += one.cut;
    report.complete = report.complete && one.complete;
    report.met.add(one.met);
    report.taken.resize(std::max(report.taken.size(), one.taken.size()));
    for (std::size_t row = 0; row < one.taken.size(); ++row) report.taken[row] += one.taken[row];
  }
  std::string text() const {
    const auto rows = std::count_if(report.taken.begin(), report.taken.end(), [](std::uint64_t n) { return n != 0; });
    return fmt::format("{} runs, {} states, {} transitions, {} of {} rows taken", programs, report.states, report.steps,
                       rows, report.taken.size());
  }
};

class Run {
 public:
  Run(std::uint64_t max_states, std::function<void(std::string_view)> print)
      : max_states_(max_states), print_(std::move(print)) {}

  /// False: a violation, which is printed.
  bool explore(const Program& program, const transactions::WorldOptions& world) {
    transactions::ExploreOptions options;
    options.world = world;
    if (max_states_ != 0) options.max_states = max_states_;
    const transactions::Report report = transactions::explore_transactions(program, options);
    total.add(report);
    if (!report.violation) return true;
    if (print_)
      print_(fmt::format("{}\nVIOLATION: {}\n{}", program.text, report.violation->what, report.violation->trace));
    return false;
  }
  Total total;

 private:
  std::uint64_t max_states_;
  std::function<void(std::string_view)> print_;
};

bool explore_shapes(Run& run, TieRule rule) {
  for (const transactions::WorldOptions& world : transactions::worlds(rule)) {
    for (const Program& program : transactions::shapes()) {
      if (!run.explore(program, world)) return false;
    }
  }
  return true;
}

}  // namespace

bool GetmExploration::check(const ExplorationRequest& request) const {
  transactions::WorldOptions world;
  world.spec =
      parse_configuration<MachineSpec>("transactions: {}\n", request.command, request.settings).spec.transactions.getm;
  std::vector<Program> programs;
  for (const std::string& text : request.programs) programs.push_back(protocols::explore::parse_program(text));
  const bool suite = programs.empty();
  if (suite) programs = transactions::all_pairs();
  const auto begin = std::chrono::steady_clock::now();
  Run run(request.max_states, request.print);
  for (const Program& program : programs) {
    const std::uint64_t states = run.total.report.states;
    if (!run.explore(program, world)) return false;
    if (!suite) request.print(fmt::format("{:44} {:8} states\n", program.text, run.total.report.states - states));
  }
  if (suite && !explore_shapes(run, world.spec.tie_rule)) return false;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  request.print(fmt::format("getm: {}, {:.1f} s: {}\n", run.total.text(), seconds,
                            run.total.report.complete ? "all that commits is serializable, and all commit in the end"
                                                      : "no violation in what was explored"));
  return true;
}

std::string GetmExploration::size() const {
  Run run(0, nullptr);
  explore_shapes(run, TieRule::reader_set);
  return run.total.text();
}

}  // namespace syncline::platform::getm
