#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/lib/reference.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// The kernel's constant of the same name.
struct Market {
  float period = 0.25F;
  std::uint32_t steps = 16;
  std::uint32_t rates = 40;
  std::uint32_t options = 15;
  std::array<std::uint32_t, 16> lengths{};
  std::array<float, 16> strikes{};
  std::array<float, 40> volatilities{};
  std::array<float, 40> start{};
};

Market random_market(std::uint64_t seed) {
  base::Random random(seed, "lib.market");
  Market market;
  for (auto& length : market.lengths) length = 1 + random.below(market.rates - market.steps);
  for (auto& strike : market.strikes) strike = static_cast<float>(0.04 + 0.02 * random.unit());
  for (auto& volatility : market.volatilities) volatility = static_cast<float>(0.15 + 0.1 * random.unit());
  for (auto& rate : market.start) rate = static_cast<float>(0.045 + 0.01 * random.unit());
  return market;
}

/// A value and how far single precision may be from it.
struct Bounded {
  double value = 0;
  double error = 0;
};

/// Box and Muller's method on 23 bits each. lg2.approx is off by 2^-22, of its result or absolutely where that is
/// larger, cos.approx by 2^-20.9 (PTX ISA); its argument is rounded twice.
Bounded normal(std::uint32_t first, std::uint32_t second) {
  const double pi = std::acos(-1.0);
  const double uniform = ((first >> 9) + 0.5) * 0x1.0p-23;
  const double squared = -2 * std::log(uniform);
  const double squared_error = std::max(2.0, squared) * (0x1.0p-22 + 4 * f32_roundoff);
  const double radius = std::sqrt(squared);
  const double radius_error = std::min(std::sqrt(squared_error), squared_error / radius) + 2 * radius * f32_roundoff;
  const double turn = ((second >> 9) + 0.5) * 0x1.0p-23 - 0.5;
  return {radius * std::cos(2 * pi * turn), radius_error + radius * (0x1.0p-20 + 3 * pi * f32_roundoff)};
}

/// The value of the portfolio on one path. `relative` follows the relative error of the rates, which a shock's error
/// enters through volatility times the root of the period; what a bond loses is that times the sum of the rates.
Bounded value_of_path(const Market& market, std::uint32_t path, std::uint64_t seed) {
  const double period = market.period;
  std::vector<double> rates(market.start.begin(), market.start.end());
  double relative = 0;
  double discount = 1;
  for (std::uint32_t step = 0; step < market.steps; ++step) {
    discount /= 1 + period * rates[step];
    const auto random =
        philox4x32({path, step, 0, 0}, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    const Bounded shock = normal(random[0], random[1]);
    relative += 0.25 * std::sqrt(period) * shock.error + 0x1.0p-22 + 24 * f32_roundoff;
    double drift = 0;
    for (std::uint32_t i = step + 1; i < market.rates; ++i) {
      const double volatility = market.volatilities[i - step - 1];
      drift += period * volatility * rates[i] / (1 + period * rates[i]);
      rates[i] *= std::exp(period * volatility * drift +
                           volatility * (std::sqrt(period) * shock.value - period * volatility / 2));
    }
  }
  Bounded sum;
  for (std::uint32_t option = 0; option < market.options; ++option) {
    double bond = 1;
    double annuity = 0;
    double growth = 0;
    for (std::uint32_t i = 0; i < market.lengths[option]; ++i) {
      const double accrued = period * rates[market.steps + i];
      bond /= 1 + accrued;
      annuity += period * bond;
      growth += accrued;
    }
    const double bond_error = growth * relative + 4.0 * market.rates * f32_roundoff;
    sum.value += 100 * std::max(0.0, 1 - bond - market.strikes[option] * annuity);
    sum.error += 100 * bond_error * (bond + market.strikes[option] * annuity);
  }
  const double discount_error = market.steps * period * 0.2 * relative + 4.0 * market.steps * f32_roundoff;
  return {sum.value * discount, sum.error + sum.value * (discount_error + 2.0 * market.options * f32_roundoff)};
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Verdict run_lib(const Context& context) {
  const std::uint32_t paths = by_size(context.size, 256U, 6'000U, 60'000U, 24'576U);
  const Market market = random_market(context.seed);

  Program program(context);
  program.set_symbol("market", std::vector<Market>{market});
  const DevicePointer values = program.allocate<float>(paths);
  program.launch("lib", covering(paths, by_size(context.size, 64U, 64U, 64U, 128U)), values, paths, context.seed);

  std::vector<double> expected;
  std::vector<double> bound;
  for (std::uint32_t path = 0; path < paths; ++path) {
    const Bounded value = value_of_path(market, path, context.seed);
    expected.push_back(value.value);
    bound.push_back(value.error);
  }
  return compare_close("value of path", program.download<float>(values, paths), expected, [&](std::size_t path) {
    return Tolerance{bound[path], 0};
  });
}

}  // namespace syncline::workloads
