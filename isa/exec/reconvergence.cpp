#include "isa/exec/reconvergence.h"

#include <string>

#include "base/error.h"
#include "base/nearest.h"
#include "isa/exec/ipdom_stack.h"

namespace syncline::isa {

std::vector<std::string> reconvergence_names() {
  return {"ipdom"};
}

std::unique_ptr<Reconvergence> make_reconvergence(std::string_view name) {
  if (name == "ipdom") return std::make_unique<IpdomStack>();
  throw base::UserError("unknown reconvergence mechanism `" + std::string(name) + "`" +
                        base::suggestion(name, reconvergence_names()));
}

}  // namespace syncline::isa
