#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {
namespace {

constexpr std::uint32_t instructions = 16;  // of a round

/// What a register holds after it was the target of `count` of the unit's instructions.
struct Unit {
  const char* name;
  std::uint32_t (*value)(std::uint32_t count);
};

std::uint32_t counted(std::uint32_t count) {
  return count;
}
std::uint32_t unchanged(std::uint32_t) {
  return 1;
}
std::uint32_t tripled(std::uint32_t count) {
  std::uint32_t value = 1;
  for (std::uint32_t i = 0; i < count; ++i) value *= 3;
  return value;
}

}  // namespace

Result run_issue_rate(const Context& context) {
  constexpr std::uint32_t rounds = 16;
  const Unit units[] = {
      {"add_s32", counted}, {"mul_s32", tripled}, {"fma_f32", counted}, {"fma_f64", counted}, {"rsqrt_f32", unchanged}};
  Program program(context);
  Result result{{true, "every unit computed its value"}, {}};
  for (const Unit& unit : units)
    for (const std::uint32_t registers : {8U, 1U})
      for (std::uint32_t warps = 1; warps <= 32; warps *= 2) {
        if (registers == 1 && warps > 1) break;  // latency needs one warp
        const std::string kernel = (registers == 1 ? "chain_" : "rate_") + std::string(unit.name);
        const std::uint32_t threads = 32 * warps;
        WarpTimes times(program, warps);
        const DevicePointer values = program.allocate<std::uint32_t>(threads);
        program.launch(kernel, {{1, 1, 1}, {threads, 1, 1}, 0}, rounds, times.pointer(), values);
        require(result.verdict,
                compare_exact(kernel, program.download<std::uint32_t>(values, threads),
                              std::vector<std::uint32_t>(threads, unit.value(rounds * instructions / registers))));
        const double issued = static_cast<double>(rounds) * instructions * warps;
        if (registers == 1)
          result.measurements.push_back({kernel, warps, "warp", times.span() / issued, "cycle"});
        else
          result.measurements.push_back(
              {kernel, warps, "warp", per_cycle(issued, times.span()), "warp instruction/cycle"});
      }
  return result;
}

}  // namespace syncline::workloads::micro
