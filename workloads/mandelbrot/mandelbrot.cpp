#include "workloads/common/compare.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// Steps of z = z^2 + c before |z| exceeds 2. Single precision with one rounding per operation, as the kernel has it.
std::uint32_t escape_time(float c_real, float c_imaginary, std::uint32_t limit) {
  float real = 0;
  float imaginary = 0;
  for (std::uint32_t count = 0; count < limit; ++count) {
    const float real_squared = real * real;
    const float imaginary_squared = imaginary * imaginary;
    if (real_squared + imaginary_squared > 4.0F) return count;
    const float product = real * imaginary;
    imaginary = 2 * product + c_imaginary;
    real = real_squared - imaginary_squared + c_real;
  }
  return limit;
}

}  // namespace

Verdict run_mandelbrot(const Context& context) {
  const std::uint32_t width = by_size(context.size, 44U, 180U, 600U);
  const std::uint32_t height = by_size(context.size, 32U, 130U, 440U);
  constexpr std::uint32_t limit = 256;
  const float left = -2.0F;
  const float top = -1.15F;
  const float step = 3.0F / static_cast<float>(width);

  Program program(context);
  const DevicePointer counts = program.allocate<std::uint32_t>(std::size_t{width} * height);
  const Launch launch{{cta_count(width, 16), cta_count(height, 8), 1}, {16, 8, 1}, 0};
  program.launch("mandelbrot", launch, counts, width, height, left, top, step, limit);

  std::vector<std::uint32_t> expected;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      expected.push_back(escape_time(left + static_cast<float>(x) * step, top + static_cast<float>(y) * step, limit));
  return compare_exact("counts", program.download<std::uint32_t>(counts, expected.size()), expected);
}

}  // namespace syncline::workloads
