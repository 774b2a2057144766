// How transactions of a grid are executed, as was decided when it was launched.
#pragma once

#include <optional>

#include "models/sm/cta_sink.h"
#include "protocols/transactions/local/spec.h"

namespace syncline::models {

struct LocalPlan final : GridPlan {
  /// Empty: one lane of a CTA after the other, and nothing is detected.
  std::optional<protocols::local::LocalTmSpec> machine;
};

}  // namespace syncline::models
