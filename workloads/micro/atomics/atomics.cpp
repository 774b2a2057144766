#include <numeric>

#include "workloads/common/compare.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {
namespace {

struct Pattern {
  std::string name;
  std::uint32_t stride;  ///< bytes from one thread's counter to the next one's
  std::uint32_t mask;
};

constexpr std::uint32_t threads = 128;
constexpr std::uint32_t most_ctas = 32;
constexpr std::uint32_t line = 128;
constexpr std::uint32_t all = most_ctas * threads * line - 1;

/// Operations per cycle of `ctas` CTAs.
double throughput(Program& program, const std::string& kernel, const Pattern& pattern, std::uint32_t ctas,
                  std::uint32_t repeats, Verdict& verdict) {
  const std::size_t counters = (std::size_t{all} + 1) / sizeof(std::uint32_t);
  const DevicePointer buffer = program.allocate<std::uint32_t>(counters);
  WarpTimes times(program, ctas * threads / 32);
  program.launch(kernel, {{ctas, 1, 1}, {threads, 1, 1}, 0}, buffer, pattern.stride, pattern.mask, repeats,
                 times.pointer());

  std::vector<std::uint32_t> expected(counters);
  for (std::uint32_t thread = 0; thread < ctas * threads; ++thread)
    expected[(thread * pattern.stride & pattern.mask) / sizeof(std::uint32_t)] += repeats;
  require(verdict, compare_exact(kernel + pattern.name, program.download<std::uint32_t>(buffer, counters), expected));
  return per_cycle(static_cast<double>(ctas) * threads * repeats, times.span());
}

}  // namespace

Result run_atomics(const Context& context) {
  const std::uint32_t repeats = by_size(context.size, 8U, 64U, 256U);
  const Pattern patterns[] = {
      {".same_address", 0, 0}, {".same_line", 4, line - 1}, {".line_per_warp", 4, all}, {".line_per_lane", line, all}};
  Program program(context);
  Result result{{true, "every count arrived"}, {}};
  for (const std::string kernel : {"atom_add", "red_add"}) {
    const auto measure = [&](const Pattern& pattern, std::uint32_t ctas) {
      return throughput(program, kernel, pattern, ctas, repeats, result.verdict);
    };
    for (const Pattern& pattern : patterns)
      for (const std::uint32_t ctas : {1U, 8U, most_ctas})
        result.measurements.push_back({kernel + pattern.name, ctas, "CTA", measure(pattern, ctas), "atomic/cycle"});
    // Contention within a warp: so many of its lanes share an address.
    for (std::uint32_t lanes = 1; lanes <= 32; lanes *= 2)
      result.measurements.push_back({kernel + ".contention", lanes, "lane",
                                     measure({".contention", 4, line / lanes - 1}, most_ctas), "atomic/cycle"});
  }
  return result;
}

}  // namespace syncline::workloads::micro
