// The machines of GPU-LocalTM, explored on small programs of transactions.
#pragma once

#include "platform/packages/exploration.h"
#include "protocols/transactions/local/spec.h"

namespace syncline::platform::local {

/// Without programs: every pair of short transactions on two banks, and shapes under all selections, and with
/// signatures in which everything looks alike. With programs: these, in a world as the settings have it.
template <protocols::local::Detection detection>
class LocalExploration final : public Exploration {
 public:
  bool check(const ExplorationRequest& request) const override;
  std::string size() const override;
};

}  // namespace syncline::platform::local
