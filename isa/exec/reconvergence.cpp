#include "isa/exec/reconvergence.h"

#include "base/error.h"
#include "base/nearest.h"
#include "isa/exec/ipdom_stack.h"

namespace syncline::isa {

const base::ChoiceTable<std::string>& reconvergence_mechanisms() {
  static const base::ChoiceTable<std::string> table{{"ipdom", "ipdom"}};
  return table;
}

std::unique_ptr<Reconvergence> make_reconvergence(std::string_view name) {
  if (name == "ipdom") return std::make_unique<IpdomStack>();
  std::vector<std::string> names;
  for (const auto& [mechanism, value] : reconvergence_mechanisms()) names.emplace_back(mechanism);
  throw base::UserError("unknown reconvergence mechanism `" + std::string(name) + "`" + base::suggestion(name, names));
}

}  // namespace syncline::isa
