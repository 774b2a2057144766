// The machines of WarpTM and its variants, explored on small programs of transactions.
#pragma once

#include "platform/packages/exploration.h"
#include "protocols/transactions/warptm/spec.h"

namespace syncline::platform::warptm {

/// Without programs: every pair of short transactions with room in all tables, and shapes in the design's worlds, which
/// lead through the corners of all tables. With programs: these, in a world as the settings have it.
template <protocols::warptm::Design design>
class WarptmExploration final : public Exploration {
 public:
  bool check(const ExplorationRequest& request) const override;
  std::string size() const override;
};

}  // namespace syncline::platform::warptm
