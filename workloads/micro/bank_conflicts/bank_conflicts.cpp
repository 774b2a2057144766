#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {

Result run_bank_conflicts(const Context& context) {
  constexpr std::uint32_t loads = 64;
  constexpr std::uint32_t warps = 16;
  constexpr std::uint32_t threads = 32 * warps;
  Program program(context);
  Result result{{true, "every lane read its word"}, {}};
  for (std::uint32_t stride = 0; stride <= 33; ++stride) {
    WarpTimes times(program, warps);
    const DevicePointer sums = program.allocate<std::uint32_t>(threads);
    program.launch("bank_conflicts", {{1, 1, 1}, {threads, 1, 1}, 0}, stride, loads, times.pointer(), sums);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t thread = 0; thread < threads; ++thread) expected.push_back(thread % 32 * stride % 1024 * loads);
    require(result.verdict, compare_exact("sums at stride " + std::to_string(stride),
                                          program.download<std::uint32_t>(sums, threads), expected));
    result.measurements.push_back({"cycles_per_load", stride, "word", times.span() / (loads * warps), "cycle"});
  }
  return result;
}

}  // namespace syncline::workloads::micro
