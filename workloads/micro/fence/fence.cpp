#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {

Result run_fence(const Context& context) {
  constexpr std::uint32_t words_per_line = 32;
  Program program(context);
  Result result{{true, "every store arrived"}, {}};
  for (const char* kernel : {"fence_cta", "fence_gl", "fence_sys"})
    for (const std::uint32_t stores : {0U, 1U, 4U, 16U, 64U}) {
      const DevicePointer buffer = program.allocate<std::uint32_t>(std::size_t{words_per_line} * (stores + 1));
      const DevicePointer cycles = program.allocate<std::uint64_t>(1);
      program.launch(kernel, {{1, 1, 1}, {32, 1, 1}, 0}, buffer, stores, cycles);
      std::vector<std::uint32_t> expected;  // the kernel counts down
      for (std::uint32_t left = stores; left > 0; --left) expected.insert(expected.end(), words_per_line, left);
      require(result.verdict,
              compare_exact(kernel, program.download<std::uint32_t>(buffer, expected.size()), expected));
      result.measurements.push_back(
          {kernel, stores, "store", static_cast<double>(program.read<std::uint64_t>(cycles)), "cycle"});
    }
  return result;
}

}  // namespace syncline::workloads::micro
