#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {

Result run_bank_conflicts(const Context& context) {
  constexpr std::uint32_t loads = 256;
  Program program(context);
  Result result{{true, "every lane read its word"}, {}};
  for (std::uint32_t stride = 0; stride <= 33; ++stride) {
    const DevicePointer cycles = program.allocate<std::uint64_t>(1);
    const DevicePointer sums = program.allocate<std::uint32_t>(32);
    program.launch("bank_conflicts", {{1, 1, 1}, {32, 1, 1}, 0}, stride, loads, cycles, sums);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t lane = 0; lane < 32; ++lane) expected.push_back(lane * stride % 1024 * loads);
    require(result.verdict, compare_exact("sums at stride " + std::to_string(stride),
                                          program.download<std::uint32_t>(sums, 32), expected));
    result.measurements.push_back(
        {"cycles_per_load", stride, "word", static_cast<double>(program.read<std::uint64_t>(cycles)) / loads, "cycle"});
  }
  return result;
}

}  // namespace syncline::workloads::micro
