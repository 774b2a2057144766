#include "workloads/micro/micro.h"

#include "base/error.h"
#include "base/nearest.h"

namespace syncline::workloads::micro {

const std::vector<Microbenchmark>& all_microbenchmarks() {
  // clang-format off
  static const std::vector<Microbenchmark> all{
      {"pointer_chase", "micro/pointer_chase/pointer_chase.ptx", "load-to-use latency over the working set", run_pointer_chase},
      {"bandwidth", "micro/bandwidth/bandwidth.ptx", "bytes per cycle of each level, reading and writing", run_bandwidth},
      {"atomics", "micro/atomics/atomics.ptx", "atomic throughput on one address, one line, many lines", run_atomics},
      {"fence", "micro/fence/fence.ptx", "what a fence waits after a number of stores", run_fence},
      {"bank_conflicts", "micro/bank_conflicts/bank_conflicts.ptx", "shared loads over the stride of their lanes", run_bank_conflicts},
      {"divergence", "micro/divergence/divergence.ptx", "paths taken by lanes against paths taken by warps", run_divergence},
      {"barrier", "micro/barrier/barrier.ptx", "CTA barriers over the size of the CTA", run_barrier},
      {"launch", "micro/launch/launch.ptx", "empty launches and empty CTAs", run_launch},
      {"issue_rate", "micro/issue_rate/issue_rate.ptx", "rate and latency of each functional unit over the warps", run_issue_rate},
  };
  // clang-format on
  return all;
}

const Microbenchmark& find_microbenchmark(std::string_view name) {
  std::vector<std::string> names;
  for (const Microbenchmark& benchmark : all_microbenchmarks()) {
    if (benchmark.name == name) return benchmark;
    names.emplace_back(benchmark.name);
  }
  throw base::UserError("unknown microbenchmark `" + std::string(name) + "`" + base::suggestion(name, names));
}

}  // namespace syncline::workloads::micro
