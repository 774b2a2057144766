#include <algorithm>
#include <numeric>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t cta_threads = 256;  // eight warps, as the kernels have it

/// The kernel's result, as it lies in memory.
struct Summary {
  std::int64_t sum = 0;
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  std::int32_t greatest = std::numeric_limits<std::int32_t>::min();
};

Verdict check_integers(Program& program, std::uint64_t seed, std::uint32_t n, std::uint32_t ctas) {
  const std::vector<std::int32_t> values = random_integers<std::int32_t>(seed, "reduction.integers", n);
  const DevicePointer device_values = program.upload(values);
  const DevicePointer result = program.upload(std::vector<Summary>(1));
  program.launch("reduce_integers", {{ctas, 1, 1}, {cta_threads, 1, 1}, 0}, device_values, n, result);

  const Summary got = program.read<Summary>(result);
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return compare_exact<std::int64_t>(
      "sum, minimum, maximum", {got.sum, got.least, got.greatest},
      {std::accumulate(values.begin(), values.end(), std::int64_t{0}), *least, *greatest});
}

Verdict check_floats(Program& program, std::uint64_t seed, std::uint32_t n, std::uint32_t ctas) {
  const std::vector<float> values = random_reals(seed, "reduction.floats", n, 0, 1);
  const DevicePointer device_values = program.upload(values);
  const DevicePointer partial = program.allocate<float>(ctas);
  const DevicePointer result = program.allocate<float>(1);
  program.launch("reduce_floats", {{ctas, 1, 1}, {cta_threads, 1, 1}, 0}, device_values, n, partial, result);

  // All terms are positive, so each level of additions adds one relative rounding: a thread's own terms, twice five
  // shuffles and seven warps, and a thread's share of the partial sums.
  const double levels = static_cast<double>(cta_count(n, ctas * cta_threads) + 24 + cta_count(ctas, cta_threads));
  const double expected = std::accumulate(values.begin(), values.end(), 0.0);
  return compare_close("float sum", program.download<float>(result, 1), {expected}, {0, levels * f32_roundoff});
}

}  // namespace

Verdict run_reduction(const Context& context) {
  const std::uint32_t n = by_size(context.size, 30'001U, 3'000'001U, 30'000'001U);
  const std::uint32_t ctas = by_size(context.size, 10U, 120U, 480U);
  Program program(context);
  const Verdict integers = check_integers(program, context.seed, n, ctas);
  return all_of({integers, check_floats(program, context.seed, n, ctas)});
}

}  // namespace syncline::workloads
