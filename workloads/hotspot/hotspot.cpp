#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// The kernel's argument of the same name.
struct Weights {
  float across = 0.11F;
  float along = 0.09F;
  float air = 0.002F;
  float power = 0.5F;
  float ambient = 300;
};

/// One time step in double precision.
std::vector<double> step(const std::vector<double>& temperature, const std::vector<float>& power, std::int64_t width,
                         std::int64_t height, const Weights& weights) {
  std::vector<double> after(temperature.size());
  const auto at = [&](std::int64_t x, std::int64_t y) {
    x = std::clamp<std::int64_t>(x, 0, width - 1);
    y = std::clamp<std::int64_t>(y, 0, height - 1);
    return temperature[static_cast<std::size_t>(y * width + x)];
  };
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const auto i = static_cast<std::size_t>(y * width + x);
      after[i] = at(x, y) + weights.across * (at(x - 1, y) - 2 * at(x, y) + at(x + 1, y)) +
                 weights.along * (at(x, y - 1) - 2 * at(x, y) + at(x, y + 1)) +
                 weights.air * (static_cast<double>(weights.ambient) - at(x, y)) +
                 static_cast<double>(weights.power) * power[i];
    }
  return after;
}

}  // namespace

Verdict run_hotspot(const Context& context) {
  constexpr std::int32_t steps_per_launch = 2;
  constexpr std::uint32_t inner = 16 - 2 * steps_per_launch;
  const std::int32_t width = by_size(context.size, 60, 350, 1000, 512);
  const std::int32_t height = by_size(context.size, 50, 300, 900, 512);
  const std::uint32_t launches = by_size(context.size, 2U, 2U, 3U, 1U);
  const std::size_t fields = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const std::vector<float> start = random_reals(context.seed, "hotspot.temperature", fields, 320, 340);
  const std::vector<float> power = random_reals(context.seed, "hotspot.power", fields, 0, 2);
  const Weights weights;

  Program program(context);
  DevicePointer before = program.upload(start);
  DevicePointer after = program.allocate<float>(fields);
  const DevicePointer device_power = program.upload(power);
  const Launch launch{
      {cta_count(static_cast<std::uint64_t>(width), inner), cta_count(static_cast<std::uint64_t>(height), inner), 1},
      {16, 16, 1},
      0};
  std::vector<double> expected(start.begin(), start.end());
  for (std::uint32_t i = 0; i < launches; ++i) {
    program.launch("hotspot", launch, before, device_power, after, width, height, steps_per_launch, weights);
    std::swap(before, after);
    for (std::int32_t s = 0; s < steps_per_launch; ++s) expected = step(expected, power, width, height, weights);
  }

  // A step averages, so errors do not grow; it adds a few roundings of temperatures below 512.
  const double absolute = launches * steps_per_launch * 4 * f32_roundoff * 512;
  return compare_close("temperature", program.download<float>(before, fields), expected, {absolute, 0});
}

}  // namespace syncline::workloads
