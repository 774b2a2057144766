#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {

Result run_barrier(const Context& context) {
  constexpr std::uint32_t barriers = 64;
  Program program(context);
  Result result{{true, "every thread passed every barrier"}, {}};
  for (std::uint32_t threads = 32; threads <= 1024; threads *= 2) {
    WarpTimes times(program, threads / 32);
    const DevicePointer passed = program.allocate<std::uint32_t>(threads);
    program.launch("barrier", {{1, 1, 1}, {threads, 1, 1}, 0}, barriers, times.pointer(), passed);
    require(result.verdict, compare_exact("barriers passed", program.download<std::uint32_t>(passed, threads),
                                          std::vector<std::uint32_t>(threads, barriers)));
    result.measurements.push_back({"cycles_per_barrier", threads, "thread", times.span() / barriers, "cycle"});
  }
  return result;
}

}  // namespace syncline::workloads::micro
