#include "isa/exec/reconvergence.h"

#include "base/error.h"
#include "base/nearest.h"
#include "isa/exec/independent_threads.h"
#include "isa/exec/ipdom_stack.h"
#include "isa/exec/thread_frontiers.h"

namespace syncline::isa {

const base::ChoiceTable<std::string>& reconvergence_mechanisms() {
  static const base::ChoiceTable<std::string> table{{"ipdom", "ipdom"}, {"its", "its"}, {"tf_stack", "tf_stack"}};
  return table;
}

std::unique_ptr<Reconvergence> make_reconvergence(const ReconvergenceSpec& spec) {
  if (spec.mechanism == "ipdom") return std::make_unique<IpdomStack>();
  if (spec.mechanism == "its") return std::make_unique<IndependentThreads>(spec.patience);
  if (spec.mechanism == "tf_stack") return std::make_unique<ThreadFrontiers>();
  std::vector<std::string> names;
  for (const auto& [mechanism, value] : reconvergence_mechanisms()) names.emplace_back(mechanism);
  throw base::UserError("unknown reconvergence mechanism `" + spec.mechanism + "`" +
                        base::suggestion(spec.mechanism, names));
}

}  // namespace syncline::isa
