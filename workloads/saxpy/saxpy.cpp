#include <cmath>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {

Verdict run_saxpy(const Context& context) {
  const std::uint32_t n = by_size(context.size, 20'000U, 2'000'000U, 20'000'000U);
  const float a = 1.25F;
  const std::vector<float> x = random_reals(context.seed, "saxpy.x", n, -1, 1);
  const std::vector<float> y = random_reals(context.seed, "saxpy.y", n, -1, 1);

  Program program(context);
  const DevicePointer device_x = program.upload(x);
  const DevicePointer device_y = program.upload(y);
  program.launch("saxpy", covering(n / 4, 256), n, a, device_x, device_y);

  // One rounding per element: the fused result is the only right one.
  std::vector<float> expected(n);
  for (std::uint32_t i = 0; i < n; ++i) expected[i] = std::fma(a, x[i], y[i]);
  return compare_exact("y", program.download<float>(device_y, n), expected);
}

}  // namespace syncline::workloads
