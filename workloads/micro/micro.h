// Microbenchmarks: hand-written PTX that measures one property of a machine at a time by its own clock (%clock64).
//
// They say what they measured; what the configuration predicts is compared by those who know the configuration. On the
// functional device, which has no time, the numbers mean nothing, but the verdicts still hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/common/workload.h"

namespace syncline::workloads::micro {

/// One point of a curve.
struct Measurement {
  std::string name;     ///< the curve, for example "latency.ca"
  std::uint64_t at;     ///< where on the curve, for example the working set
  std::string at_unit;  ///< unit of `at`, for example "B"
  double measured;
  std::string unit;  ///< unit of `measured`, for example "cycle"
};

struct Result {
  Verdict verdict;  ///< whether the loads, stores and atomics did what they should while they were timed
  std::vector<Measurement> measurements;
};

struct Microbenchmark {
  std::string_view name;
  std::string_view ptx;  ///< below the workloads folder
  std::string_view description;
  Result (*run)(const Context& context);
};

/// In the order of the table in micro.cpp.
const std::vector<Microbenchmark>& all_microbenchmarks();

/// UserError that names the nearest one when there is none of this name.
const Microbenchmark& find_microbenchmark(std::string_view name);

Result run_atomics(const Context& context);
Result run_bandwidth(const Context& context);
Result run_bank_conflicts(const Context& context);
Result run_barrier(const Context& context);
Result run_divergence(const Context& context);
Result run_fence(const Context& context);
Result run_issue_rate(const Context& context);
Result run_launch(const Context& context);
Result run_pointer_chase(const Context& context);

}  // namespace syncline::workloads::micro
