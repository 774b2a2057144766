// Binary floating-point formats by their definition: decoding by arithmetic, and rounding of an exact long double into
// a format with one nearbyint under the wanted mode. Shares nothing with the kernels.
#pragma once

#include "tests/unit/lanes/float_reference.h"

namespace syncline::isa::test {

struct Format {
  int exponent_bits, fraction_bits;
  std::uint64_t nan;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int lowest_exponent() const { return 1 - bias(); }
};
inline constexpr Format format_f16{5, 10, 0x7fff}, format_bf16{8, 7, 0x7fff}, format_f32{8, 23, 0x7fffffff},
    format_f64{11, 52, 0xfff8000000000000}, format_tf32{8, 10, 0};

inline long double decode(std::uint64_t bits, const Format& f) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << f.fraction_bits) - 1);
  const int exponent = static_cast<int>(bits >> f.fraction_bits & ((std::uint64_t{1} << f.exponent_bits) - 1));
  const bool negative = (bits >> (f.fraction_bits + f.exponent_bits) & 1) != 0;
  long double value;
  if (exponent == (1 << f.exponent_bits) - 1) {
    value =
        fraction == 0 ? std::numeric_limits<long double>::infinity() : std::numeric_limits<long double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<long double>(fraction), f.lowest_exponent() - f.fraction_bits);
  } else {
    value = std::ldexp(static_cast<long double>(fraction | std::uint64_t{1} << f.fraction_bits),
                       exponent - f.bias() - f.fraction_bits);
  }
  return negative ? -value : value;
}

/// The pattern of `exact` rounded into the format.
inline std::uint64_t encode(long double exact, const Format& f, Rounding rounding) {
  if (std::isnan(exact)) return f.nan;
  const std::uint64_t sign = std::signbit(exact) ? std::uint64_t{1} << (f.exponent_bits + f.fraction_bits) : 0;
  const std::uint64_t infinity = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
  if (std::isinf(exact)) return sign | infinity;
  if (exact == 0) return sign;
  const int unit = std::max(std::ilogb(exact), f.lowest_exponent()) - f.fraction_bits;
  volatile long double scaled = std::ldexp(exact, -unit);
  const long double count = std::fabs(
      rounding == Rounding::rna ? std::round(scaled) : under(rounding, [&] { return std::nearbyint(scaled); }));
  // In units of the last place patterns are consecutive: a carry into the next binade, or into infinity, just adds.
  const auto exponent_part = static_cast<std::uint64_t>(unit + f.fraction_bits - f.lowest_exponent());
  const std::uint64_t pattern = (exponent_part << f.fraction_bits) + static_cast<std::uint64_t>(count);
  if (pattern < infinity) return sign | pattern;
  const bool away = rounding == Rounding::rn || rounding == Rounding::rna || rounding == Rounding::none ||
                    (rounding == Rounding::rp && sign == 0) || (rounding == Rounding::rm && sign != 0);
  return sign | (away ? infinity : infinity - 1);
}

template <class Pattern>
Pattern flush_pattern(Pattern bits, const Format& f) {
  const std::uint64_t exponent = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
  const std::uint64_t sign = std::uint64_t{1} << (f.exponent_bits + f.fraction_bits);
  return (bits & exponent) == 0 ? static_cast<Pattern>(bits & sign) : bits;
}

}  // namespace syncline::isa::test
