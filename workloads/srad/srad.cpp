#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr double rate = 0.5;

/// Squared coefficient of variation of the image: how strong its speckle is.
double speckle_of(double sum, double sum_of_squares, std::size_t pixels) {
  const double mean = sum / static_cast<double>(pixels);
  return (sum_of_squares / static_cast<double>(pixels) - mean * mean) / (mean * mean);
}

/// One iteration in double precision, pixel by pixel from the equations of the method.
std::vector<double> diffuse(const std::vector<double>& image, std::int64_t width, std::int64_t height) {
  double sum = 0;
  double sum_of_squares = 0;
  for (const double value : image) sum += value, sum_of_squares += value * value;
  const double speckle = speckle_of(sum, sum_of_squares, image.size());
  const auto index = [&](std::int64_t x, std::int64_t y) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(y, 0, height - 1) * width +
                                    std::clamp<std::int64_t>(x, 0, width - 1));
  };
  std::vector<double> coefficient(image.size());
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const double own = image[index(x, y)];
      double squares = 0;
      double laplacian = 0;
      for (const std::size_t other : {index(x, y - 1), index(x, y + 1), index(x - 1, y), index(x + 1, y)}) {
        const double difference = image[other] - own;
        squares += difference * difference;
        laplacian += difference / own;
      }
      const double divisor = 1 + laplacian / 4;
      const double variation = (squares / (own * own) / 2 - laplacian * laplacian / 16) / (divisor * divisor);
      const double raw = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
      coefficient[index(x, y)] = std::clamp(raw, 0.0, 1.0);
    }
  std::vector<double> after(image.size());
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const std::size_t here = index(x, y);
      const double own = image[here];
      const double divergence = coefficient[here] * (image[index(x, y - 1)] - own + image[index(x - 1, y)] - own) +
                                coefficient[index(x, y + 1)] * (image[index(x, y + 1)] - own) +
                                coefficient[index(x + 1, y)] * (image[index(x + 1, y)] - own);
      after[here] = own + rate / 4 * divergence;
    }
  return after;
}

}  // namespace

Verdict run_srad(const Context& context) {
  const std::uint32_t width = by_size(context.size, 70U, 250U, 800U, 502U);
  const std::uint32_t height = by_size(context.size, 50U, 200U, 600U, 458U);
  const std::uint32_t iterations = by_size(context.size, 2U, 4U, 5U, 4U);
  const std::uint32_t pixels = width * height;
  const std::uint32_t ctas = by_size(context.size, 4U, 30U, 60U, 96U);
  const std::vector<float> start = random_reals(context.seed, "srad.image", pixels, 0.4, 1);

  Program program(context);
  const DevicePointer image = program.upload(start);
  const DevicePointer differences = program.allocate<float>(std::size_t{4} * pixels);
  const DevicePointer coefficients = program.allocate<float>(pixels);
  const DevicePointer partial = program.allocate<float>(std::size_t{2} * ctas);
  const Launch per_pixel{{cta_count(width, 16), cta_count(height, 16), 1}, {16, 16, 1}, 0};
  std::vector<double> expected(start.begin(), start.end());
  for (std::uint32_t i = 0; i < iterations; ++i) {
    program.launch("srad_statistics", {{ctas, 1, 1}, {256, 1, 1}, 0}, image, pixels, partial);
    const std::vector<float> sums = program.download<float>(partial, std::size_t{2} * ctas);
    double sum = 0;
    double sum_of_squares = 0;
    for (std::uint32_t cta = 0; cta < ctas; ++cta) sum += sums[2 * cta], sum_of_squares += sums[2 * cta + 1];
    const auto speckle = static_cast<float>(speckle_of(sum, sum_of_squares, pixels));
    program.launch("srad_coefficients", per_pixel, image, differences, coefficients, width, height, speckle);
    program.launch("srad_update", per_pixel, image, differences, coefficients, width, height, static_cast<float>(rate));
    expected = diffuse(expected, width, height);
  }

  // A coefficient divides some tens of roundings by the speckle, here about 1/16; the update takes an eighth of it
  // times differences of at most 0.6. So some tens of roundings of pixels about 1, every iteration.
  return compare_close("image", program.download<float>(image, pixels), expected, {iterations * 64 * f32_roundoff, 0});
}

}  // namespace syncline::workloads
