#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {

Result run_launch(const Context& context) {
  constexpr std::uint32_t launches = 16;
  Program program(context);
  Result result{{true, "every CTA ran"}, {}};
  for (const std::uint32_t ctas : {1U, 16U, 256U}) {
    const DevicePointer count = program.allocate<std::uint32_t>(1);
    context.device.synchronize();
    const std::uint64_t before = context.device.totals().cycles;
    for (std::uint32_t i = 0; i < launches; ++i) program.launch("launch", {{ctas, 1, 1}, {32, 1, 1}, 0}, count);
    context.device.synchronize();
    const auto cycles = static_cast<double>(context.device.totals().cycles - before);
    require(result.verdict,
            compare_exact<std::uint32_t>("CTAs that ran", {program.read<std::uint32_t>(count)}, {ctas * launches}));
    result.measurements.push_back({"cycles_per_launch", ctas, "CTA", cycles / launches, "cycle"});
  }
  return result;
}

}  // namespace syncline::workloads::micro
