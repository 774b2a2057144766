// The machine of quanta, explored on small programs.
#pragma once

#include "platform/packages/exploration.h"

namespace syncline::platform::gpudet {

class QuantaExploration final : public Exploration {
 public:
  bool check(const ExplorationRequest& request) const override;
  std::string size() const override;
  std::string graph() const override;
};

}  // namespace syncline::platform::gpudet
