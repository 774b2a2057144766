#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {

Verdict run_bitonic_sort(const Context& context) {
  constexpr std::uint32_t tile = 512;
  const std::uint32_t n = by_size(context.size, 1U << 11, 1U << 15, 1U << 18);
  std::vector<std::uint64_t> keys = random_integers<std::uint64_t>(context.seed, "bitonic_sort.keys", n);

  Program program(context);
  const DevicePointer device_keys = program.upload(keys);
  const Launch launch = covering(n / 2, tile / 2);
  program.launch("bitonic_tile", launch, device_keys, 2U, tile);
  for (std::uint32_t merge = 2 * tile; merge <= n; merge *= 2) {
    for (std::uint32_t distance = merge / 2; distance >= tile; distance /= 2)
      program.launch("bitonic_step", launch, device_keys, merge, distance);
    program.launch("bitonic_tile", launch, device_keys, merge, merge);
  }

  std::sort(keys.begin(), keys.end());
  return compare_exact("keys", program.download<std::uint64_t>(device_keys, n), keys);
}

}  // namespace syncline::workloads
