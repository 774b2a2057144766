#include <algorithm>
#include <cmath>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

struct Shape {
  std::uint32_t width, height, channels, outputs;
  std::size_t plane() const { return std::size_t{width} * height; }
};

/// Adds to every sum what one tap gives of one input channel; taps and channels in order make the order of the kernel.
void add_tap(std::vector<float>& sums, std::size_t start, const float* input, const Shape& shape, float tap, int dx,
             int dy) {
  const int width = static_cast<int>(shape.width);
  const int height = static_cast<int>(shape.height);
  for (int y = std::max(0, -dy); y < std::min(height, height - dy); ++y)
    for (int x = std::max(0, -dx); x < std::min(width, width - dx); ++x) {
      float& sum = sums[start + static_cast<std::size_t>(y * width + x)];
      sum = std::fma(tap, input[(y + dy) * width + x + dx], sum);
    }
}

}  // namespace

Verdict run_conv(const Context& context) {
  const Shape shape{by_size(context.size, 28U, 56U, 112U), by_size(context.size, 20U, 56U, 112U),
                    by_size(context.size, 4U, 32U, 64U), by_size(context.size, 8U, 64U, 64U)};
  const auto input = random_reals(context.seed, "conv.input", shape.plane() * shape.channels, -1, 1);
  const auto taps = random_reals(context.seed, "conv.taps", std::size_t{9} * shape.channels * shape.outputs, -1, 1);
  const auto bias = random_reals(context.seed, "conv.bias", shape.outputs, -1, 1);

  Program program(context);
  const DevicePointer device_input = program.upload(input);
  const DevicePointer device_taps = program.upload(taps);
  const DevicePointer device_bias = program.upload(bias);
  const DevicePointer output = program.allocate<float>(shape.plane() * shape.outputs);
  program.launch("conv", {{cta_count(shape.width, 16), cta_count(shape.height, 16), shape.outputs / 4}, {16, 16, 1}, 0},
                 device_input, device_taps, device_bias, output, shape.width, shape.height, shape.channels);

  std::vector<float> expected(shape.plane() * shape.outputs);
  for (std::size_t o = 0; o < shape.outputs; ++o) {
    const auto first = expected.begin() + static_cast<std::ptrdiff_t>(o * shape.plane());
    std::fill_n(first, shape.plane(), bias[o]);
    for (std::size_t c = 0; c < shape.channels; ++c)
      for (int t = 0; t < 9; ++t)
        add_tap(expected, o * shape.plane(), &input[c * shape.plane()], shape,
                taps[(o * shape.channels + c) * 9 + static_cast<std::size_t>(t)], t % 3 - 1, t / 3 - 1);
  }
  for (float& value : expected) value = std::max(value, 0.0F);
  return compare_exact("output", program.download<float>(output, expected.size()), expected);
}

}  // namespace syncline::workloads
