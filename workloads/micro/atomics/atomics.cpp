#include <numeric>

#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {
namespace {

struct Pattern {
  const char* name;
  std::uint32_t stride;  ///< bytes from one thread's counter to the next one's
  std::uint32_t mask;
};

}  // namespace

Result run_atomics(const Context& context) {
  constexpr std::uint32_t threads = 128;
  constexpr std::uint32_t most_ctas = 32;
  constexpr std::uint32_t line = 128;
  constexpr std::uint32_t all = most_ctas * threads * line - 1;
  const std::uint32_t repeats = by_size(context.size, 8U, 64U, 256U);
  const Pattern patterns[] = {
      {".same_address", 0, 0}, {".same_line", 4, line - 1}, {".line_per_warp", 4, all}, {".line_per_lane", line, all}};
  Program program(context);
  Result result{{true, "every count arrived"}, {}};
  for (const char* kernel : {"atom_add", "red_add"})
    for (const Pattern& pattern : patterns)
      for (const std::uint32_t ctas : {1U, 8U, most_ctas}) {
        const std::size_t counters = (std::size_t{all} + 1) / sizeof(std::uint32_t);
        const DevicePointer buffer = program.allocate<std::uint32_t>(counters);
        WarpTimes times(program, ctas * threads / 32);
        program.launch(kernel, {{ctas, 1, 1}, {threads, 1, 1}, 0}, buffer, pattern.stride, pattern.mask, repeats,
                       times.pointer());

        std::vector<std::uint32_t> expected(counters);
        for (std::uint32_t thread = 0; thread < ctas * threads; ++thread)
          expected[(thread * pattern.stride & pattern.mask) / sizeof(std::uint32_t)] += repeats;
        const std::string name = std::string(kernel) + pattern.name;
        require(result.verdict, compare_exact(name, program.download<std::uint32_t>(buffer, counters), expected));
        const double operations = static_cast<double>(ctas) * threads * repeats;
        result.measurements.push_back({name, ctas, "CTA", per_cycle(operations, times.span()), "atomic/cycle"});
      }
  return result;
}

}  // namespace syncline::workloads::micro
