#include "workloads/common/compare.h"
#include "workloads/common/cta_program.h"
#include "workloads/common/inputs.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t rounds = 2, points = 2 * cta_threads, dimensions = 4, range = 1'000;

/// Centres, and behind them sums and numbers of points, after the kernel's rounds.
std::vector<std::uint32_t> expected(const std::uint32_t* input, std::uint32_t clusters) {
  std::vector<std::uint32_t> centres(input + points * dimensions, input + (points + clusters) * dimensions), sums;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    sums.assign(clusters * (dimensions + 1), 0);
    for (std::uint32_t p = 0; p < points; ++p) {
      const std::uint32_t* const x = input + p * dimensions;
      std::uint64_t least = ~std::uint64_t{0};
      std::uint32_t nearest = 0;
      for (std::uint32_t c = 0; c < clusters; ++c) {
        std::uint64_t distance = 0;
        for (std::uint32_t d = 0; d < dimensions; ++d) {
          const std::int64_t difference = std::int64_t{x[d]} - centres[c * dimensions + d];
          distance += static_cast<std::uint64_t>(difference * difference);
        }
        if (distance < least) least = distance, nearest = c;
      }
      for (std::uint32_t d = 0; d < dimensions; ++d) sums[nearest * (dimensions + 1) + d] += x[d];
      ++sums[nearest * (dimensions + 1) + dimensions];
    }
    for (std::uint32_t c = 0; c < clusters; ++c) {
      const std::uint32_t count = sums[c * (dimensions + 1) + dimensions];
      for (std::uint32_t d = 0; d < dimensions && count != 0; ++d)
        centres[c * dimensions + d] = sums[c * (dimensions + 1) + d] / count;
    }
  }
  centres.insert(centres.end(), sums.begin(), sums.end());
  return centres;
}

Verdict run(const Context& context, std::uint32_t clusters) {
  CtaProgram cta{"local_km", clusters * (2 * dimensions + 2), clusters, {}, cta_count(context)};
  const std::uint32_t inputs = (points + clusters) * dimensions;
  cta.input = random_integers<std::uint32_t>(context.seed, "local_km.points", cta.ctas * inputs, range);
  return run_ctas(context, cta, [&](std::uint32_t i, const CtaData& data) {
    std::vector<std::uint32_t> wanted = expected(&cta.input[std::size_t{i} * inputs], clusters);
    wanted.resize(cta.words);  // locks, which are free
    return compare_exact("centres, sums and locks", data.part(0, cta.words), wanted);
  });
}

}  // namespace

Verdict run_local_km_high(const Context& context) {
  return run(context, 4);
}
Verdict run_local_km_low(const Context& context) {
  return run(context, 32);
}

}  // namespace syncline::workloads
