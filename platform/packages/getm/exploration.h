// GETM's machines, explored on small programs of transactions.
#pragma once

#include "platform/packages/exploration.h"

namespace syncline::platform::getm {

/// Without programs: every pair of short transactions on roomy tables, and shapes in worlds that lead through the
/// corners of all tables. With programs: these, in a world as the settings have it.
class GetmExploration final : public Exploration {
 public:
  bool check(const ExplorationRequest& request) const override;
  std::string size() const override;
};

}  // namespace syncline::platform::getm
