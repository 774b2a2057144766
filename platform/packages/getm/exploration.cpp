#include "platform/packages/getm/exploration.h"

#include "platform/packages/explored_programs.h"
#include "protocols/transactions/explore/suite.h"

namespace syncline::platform::getm {
namespace {

namespace transactions = protocols::transactions;
using protocols::explore::Program;
using protocols::getm::GetmSpec;
using protocols::getm::TieRule;

/// Tables have room for all that a small program touches, and attempts begin at the times of their warps.
struct Keys {
  static constexpr const char *name = "getm", *meaning = "GETM";
  static GetmSpec machine() { return transactions::roomy(TieRule::reader_set); }
};

using Run = ExploredPrograms<transactions::WorldOptions, transactions::Report>;

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
  world.spec = machine_of<Keys>(request);
  Run run(request.max_states, request.print);
  return run.check(request, "getm", world, [&] { return explore_shapes(run, world.spec.tie_rule); });
}

std::string GetmExploration::size() const {
  Run run(0, nullptr);
  explore_shapes(run, TieRule::reader_set);
  return run.text();
}

}  // namespace syncline::platform::getm
