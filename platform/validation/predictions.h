// What a configuration predicts for the microbenchmarks: a small formula per curve, from the meaning of the keys alone.
//
// A prediction is never fitted to a measurement. Where the machine differs, the ledger (platform/validation/ledger.h)
// holds the difference and its reason. The formulas are those of the policy `none` of coherence, whose messages are a
// header with the touched bytes or a line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "platform/spec/platform_spec.h"

namespace syncline::platform {

struct Prediction {
  std::string_view curve;                                       ///< name of the measurements, for example "latency.ca"
  double (*value)(const PlatformSpec& spec, std::uint64_t at);  ///< in the unit in which the curve is measured
  std::string_view derivation;
};

/// The registry: one row per curve.
const std::vector<Prediction>& predictions();

/// The row of `curve`. ModelError when there is none: a measurement that nobody predicts validates nothing.
const Prediction& find_prediction(std::string_view curve);

}  // namespace syncline::platform
