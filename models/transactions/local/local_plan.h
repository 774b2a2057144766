// How transactions of a grid are executed, as was decided when it was launched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/sm/cta_sink.h"
#include "protocols/transactions/local/spec.h"

namespace syncline::models {

struct LocalPlan final : GridPlan {
  protocols::local::LocalTmSpec machine;
  /// Bytes of shared memory that transactions may write, and of which banks are asked; empty: all.
  struct Part {
    std::uint64_t begin = 0, end = 0;
  };
  std::vector<Part> parts;

  /// Whether an access is of such bytes alone.
  bool has(std::uint64_t address, std::uint64_t bytes) const {
    return parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
             return part.begin <= address && address + bytes <= part.end;
           });
  }
};

}  // namespace syncline::models
