#include <cstring>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// Bytes whose lower values are more frequent (the minimum of two draws), so that bins are contended unevenly.
std::vector<std::uint8_t> skewed_bytes(std::uint64_t seed, std::size_t count) {
  base::Random random(seed, "histogram.bytes");
  std::vector<std::uint8_t> bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(std::min(random.below(256), random.below(256)));
  return bytes;
}

}  // namespace

Verdict run_histogram(const Context& context) {
  const std::uint32_t words = by_size(context.size, 10'000U, 600'000U, 6'000'000U);
  const std::uint32_t ctas = by_size(context.size, 10U, 60U, 240U);
  const std::vector<std::uint8_t> bytes = skewed_bytes(context.seed, std::size_t{words} * 4);
  std::vector<std::uint32_t> expected(256);
  for (const std::uint8_t byte : bytes) ++expected[byte];

  Program program(context);
  const DevicePointer device_bytes = program.upload(bytes);
  const DevicePointer by_shared = program.allocate<std::uint32_t>(256);
  const DevicePointer by_global = program.allocate<std::uint32_t>(256);
  const Launch launch{{ctas, 1, 1}, {256, 1, 1}, 0};
  program.launch("histogram_shared", launch, device_bytes, words, by_shared);
  program.launch("histogram_global", launch, device_bytes, words, by_global);
  return all_of({compare_exact("bins by shared atomics", program.download<std::uint32_t>(by_shared, 256), expected),
                 compare_exact("bins by global atomics", program.download<std::uint32_t>(by_global, 256), expected)});
}

}  // namespace syncline::workloads
