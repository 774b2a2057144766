#include "platform/packages/local/exploration.h"

#include "platform/packages/explored_programs.h"
#include "protocols/transactions/explore/suite.h"

namespace syncline::platform::local {
namespace {

namespace transactions = protocols::transactions;
using protocols::explore::Program;
using protocols::local::Detection;
using protocols::local::LocalTmSpec;
using Run = ExploredPrograms<transactions::LocalWorldOptions, transactions::LocalReport>;

struct Keys {
  static constexpr const char *name = "local", *meaning = "transactional memory in shared memory";
  static LocalTmSpec machine() { return {}; }
};

bool explore_shapes(Run& run, Detection detection) {
  for (const transactions::LocalCase& one : transactions::local_worlds()) {
    if (one.world.spec.detection != detection) continue;
    for (const Program& program : transactions::local_shapes()) {
      if (!run.explore(program, one.world)) return false;
    }
  }
  return true;
}

}  // namespace

template <Detection detection>
bool LocalExploration<detection>::check(const ExplorationRequest& request) const {
  transactions::LocalWorldOptions world;
  world.spec = machine_of<Keys>(request);
  world.spec.detection = detection;
  world.spec.banks = transactions::local_banks;
  Run run(request.max_states, request.print);
  return run.check(request, base::name_in(protocols::local::detections(), detection), world,
                   [&run] { return explore_shapes(run, detection); });
}

template <Detection detection>
std::string LocalExploration<detection>::size() const {
  Run run(0, nullptr);
  explore_shapes(run, detection);
  return run.text();
}

template class LocalExploration<Detection::prw_sig>;
template class LocalExploration<Detection::swo_sig>;
template class LocalExploration<Detection::dcd>;
template class LocalExploration<Detection::smdcd>;

}  // namespace syncline::platform::local
