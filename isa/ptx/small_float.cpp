#include "isa/ptx/small_float.h"

#include <cmath>

namespace syncline::isa {
namespace {

/// `fraction_bits` explicit bits of fraction, exponents from `min_exponent` (of the smallest normal number).
std::uint16_t round_to(double value, int fraction_bits, int min_exponent, std::uint16_t infinity) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7FFF;
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
  int exponent = magnitude == 0 ? min_exponent : std::ilogb(magnitude);
  if (exponent < min_exponent) exponent = min_exponent;
  // In units of the last place; both scalings are exact, and nearbyint's mode is spelt out to not depend on fenv.
  const double units = std::ldexp(magnitude, fraction_bits - exponent);
  if (!(units < 0x1p20)) return static_cast<std::uint16_t>(sign | infinity);
  double whole = std::floor(units);
  const double rest = units - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0)) whole += 1;
  const auto steps = static_cast<std::uint32_t>(whole);
  const std::uint32_t hidden = 1u << fraction_bits;
  // Counting steps from zero in the encoding: a carry out of the fraction moves into the exponent by itself.
  std::uint32_t code = steps;
  if (steps >= hidden) code = (static_cast<std::uint32_t>(exponent - min_exponent) << fraction_bits) + steps;
  if (code > infinity) code = infinity;
  return static_cast<std::uint16_t>(sign | code);
}

}  // namespace

std::uint16_t f16_bits(double value) {
  return round_to(value, 10, -14, 0x7C00);
}
std::uint16_t bf16_bits(double value) {
  return round_to(value, 7, -126, 0x7F80);
}

}  // namespace syncline::isa
