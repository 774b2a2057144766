#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {

Verdict run_vector_add(const Context& context) {
  const std::uint32_t n = by_size(context.size, 50'003U, 5'000'003U, 16'000'003U);  // four divides none of them
  const std::vector<float> a = random_reals(context.seed, "vector_add.a", n, -100, 100);
  const std::vector<float> b = random_reals(context.seed, "vector_add.b", n, -100, 100);

  Program program(context);
  const DevicePointer device_a = program.upload(a);
  const DevicePointer device_b = program.upload(b);
  const DevicePointer device_c = program.allocate<float>(n);
  program.launch("vector_add", covering((n + 3) / 4, 256), device_a, device_b, device_c, n);

  std::vector<float> expected(n);
  for (std::uint32_t i = 0; i < n; ++i) expected[i] = a[i] + b[i];
  return compare_exact("c", program.download<float>(device_c, n), expected);
}

}  // namespace syncline::workloads
