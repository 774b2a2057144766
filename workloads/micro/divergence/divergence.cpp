#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {

Result run_divergence(const Context& context) {
  constexpr std::uint32_t threads = 256;
  constexpr std::uint32_t additions = 16;  // that the kernel makes on a path
  constexpr std::uint32_t rounds = 8;
  Program program(context);
  Result result{{true, "every thread took its path once a round"}, {}};
  for (const std::uint32_t shift : {0U, 5U})
    for (std::uint32_t ways = 1; ways <= 32; ways *= 2) {
      if (shift == 5 && ways > threads / 32) break;
      WarpTimes times(program, threads / 32);
      const DevicePointer counts = program.allocate<std::uint32_t>(threads);
      program.launch("divergence", {{1, 1, 1}, {threads, 1, 1}, 0}, ways, shift, rounds, times.pointer(), counts);
      const std::string name = shift == 0 ? "lanes_part" : "warps_part";
      require(result.verdict,
              compare_exact(name + " in " + std::to_string(ways), program.download<std::uint32_t>(counts, threads),
                            std::vector<std::uint32_t>(threads, additions * rounds)));
      result.measurements.push_back({name, ways, "path", times.span() / rounds, "cycle/round"});
    }
  return result;
}

}  // namespace syncline::workloads::micro
