// What a user may want to know of the events of a run (docs/how-to-observe.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/ids.h"

namespace syncline::platform {

/// Where the time of memory accesses goes.
struct LatencyQuestions {
  std::string path;                     ///< --latency: all of it as JSON; empty: no file
  std::optional<std::uint64_t> line;    ///< --explain-line: an address; the slowest accesses of its line
  std::optional<std::uint64_t> access;  ///< --explain-access: AccessTime::number
  bool any() const { return !path.empty() || line || access; }
};

/// What happens, and because of what. What is left out is not restricted.
struct TraceQuestions {
  std::string path;                   ///< --trace; empty: no trace
  std::string from, to;               ///< --trace-from, --trace-to: see cycle_of; empty: not given
  std::string sms, kernels;           ///< --trace-sm, from 0; --trace-kernel, from 1: see NumberRanges
  std::optional<std::uint64_t> line;  ///< --trace-line: an address
};

}  // namespace syncline::platform
