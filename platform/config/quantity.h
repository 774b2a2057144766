// Numbers with units as text: "48 KiB", "1.4 GHz", "32 B/cycle", "100 ns", "12 cycles", "0x1F".
//
// A number is decimal digits without leading zeros, with an optional fraction and exponent, or 0x and hexadecimal
// digits. A unit may follow, after a space or at once. All scaling is exact: "1.5 KiB" is the integer 1536, "0.1 B" is
// not an integer, and a double is the one nearest to the scaled decimal number. Formatting is the exact inverse.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"

namespace syncline::platform {

/// An integer of any 64-bit type.
struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
  template <class T>
  static Integer of(T value) {
    return value < T{0} ? Integer{true, ~static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) + 1}
                        : Integer{false, static_cast<std::uint64_t>(value)};
  }
  /// The value in a type whose range it is in.
  template <class T>
  T as() const {
    return static_cast<T>(negative ? ~magnitude + 1 : magnitude);
  }
  double as_double() const { return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude); }
  friend bool operator==(Integer a, Integer b) { return a.negative == b.negative && a.magnitude == b.magnitude; }
};

/// The range of an integer type.
struct IntegerRange {
  std::int64_t min = 0;
  std::uint64_t max = 0;
  template <class T>
  static constexpr IntegerRange of() {
    return {static_cast<std::int64_t>(std::numeric_limits<T>::min()),
            static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
  }
};

/// Either a value or what is wrong with the text, as the end of a sentence that begins with the key.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string problem;
  static Parsed ok(T v) { return {std::move(v), {}}; }
  static Parsed bad(std::string why) { return {std::nullopt, std::move(why)}; }
};

Parsed<Integer> parse_integer(std::string_view text, base::Unit unit, IntegerRange range);
Parsed<double> parse_real(std::string_view text, base::Unit unit);
Parsed<bool> parse_bool(std::string_view text);

/// The shortest text that the parser reads back to the same value: 49152 bytes are "48 KiB", 1.4e9 hertz "1400 MHz".
std::string format_integer(Integer value, base::Unit unit);
std::string format_real(double value, base::Unit unit);

/// What the unit measures and how it is written: "a size in B, KiB, MiB, GiB or TiB".
std::string describe_unit(base::Unit unit);
/// The unit's own name in tables: "bytes", "Hz", "cycles", "B/cycle", "s", "bits"; empty for plain numbers.
std::string_view unit_name(base::Unit unit);

}  // namespace syncline::platform
