#include "platform/packages/warptm/exploration.h"

#include "platform/packages/explored_programs.h"
#include "protocols/transactions/explore/suite.h"

namespace syncline::platform::warptm {
namespace {

namespace transactions = protocols::transactions;
using protocols::explore::Program;
using protocols::warptm::Design;
using protocols::warptm::WarptmSpec;
using Run = ExploredPrograms<transactions::WarptmWorldOptions, transactions::WarptmReport>;

constexpr const char* name_of(Design design) {
  switch (design) {
    case Design::kilotm:
      return "kilotm";
    case Design::warptm:
      return "warptm";
    case Design::warptm_el:
      return "warptm_el";
    case Design::eapg:
      return "eapg";
  }
  return "";
}

/// Tables have room for all that a small program touches.
template <Design design>
struct Keys {
  static constexpr const char *name = name_of(design), *meaning = "transactions that are validated when they end";
  static WarptmSpec machine() { return transactions::roomy(design); }
};

bool explore_shapes(Run& run, Design design) {
  for (const transactions::WarptmCase& one : transactions::warptm_worlds()) {
    if (one.design != design) continue;
    for (const Program& program : transactions::value_shapes()) {
      if (!run.explore(program, one.world)) return false;
    }
  }
  return true;
}

}  // namespace

template <Design design>
bool WarptmExploration<design>::check(const ExplorationRequest& request) const {
  transactions::WarptmWorldOptions world;
  world.spec = machine_of<Keys<design>>(request);
  Run run(request.max_states, request.print);
  return run.check(request, name_of(design), world, [&run] { return explore_shapes(run, design); });
}

/// Of the world with room in all tables: the others take a while.
template <Design design>
std::string WarptmExploration<design>::size() const {
  Run run(0, nullptr);
  transactions::WarptmWorldOptions world;
  world.spec = transactions::roomy(design);
  for (const Program& program : transactions::value_shapes()) run.explore(program, world);
  return run.text();
}

template class WarptmExploration<Design::kilotm>;
template class WarptmExploration<Design::warptm>;
template class WarptmExploration<Design::warptm_el>;
template class WarptmExploration<Design::eapg>;

}  // namespace syncline::platform::warptm
