// The smallest package: a name. What a new policy adds to the tree is this folder and a line in
// platform/packages/list.h.
#include "platform/packages/package.h"

namespace syncline::platform {
namespace {

class Empty final : public Package {
 public:
  std::string_view name() const override { return "empty"; }
  std::string_view summary() const override { return "nothing but a name"; }
};

}  // namespace

const Package& transactions_empty() {
  static const Empty package;
  return package;
}

}  // namespace syncline::platform
