#include "platform/config/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/nearest.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {
namespace {

using base::Unit;
using boost::multiprecision::cpp_int;

// One way to write a unit: the number is scaled by 10^decimal * 2^binary.
struct Suffix {
  std::string_view name;
  int decimal;
  unsigned binary;
};

struct UnitRow {
  Unit unit;
  std::string_view name;
  std::string_view noun;
  bool required;                 // a bare number would be ambiguous
  std::vector<Suffix> suffixes;  // in ascending order; the first of equal scale is the one that is written
};

const UnitRow& row_of(Unit unit) {
  static const std::vector<UnitRow> rows{
      {Unit::none, "", "a number", false, {}},
      {Unit::count, "", "a number", false, {}},
      {Unit::bytes,
       "bytes",
       "a size",
       false,
       {{"B", 0, 0}, {"KiB", 0, 10}, {"MiB", 0, 20}, {"GiB", 0, 30}, {"TiB", 0, 40}}},
      {Unit::hertz, "Hz", "a frequency", true, {{"Hz", 0, 0}, {"kHz", 3, 0}, {"MHz", 6, 0}, {"GHz", 9, 0}}},
      {Unit::cycles, "cycles", "a time", false, {{"cycles", 0, 0}, {"cycle", 0, 0}}},
      {Unit::bytes_per_cycle, "B/cycle", "a bandwidth", false, {{"B/cycle", 0, 0}}},
      {Unit::bytes_per_second,
       "B/s",
       "a bandwidth",
       true,
       {{"B/s", 0, 0}, {"kB/s", 3, 0}, {"MB/s", 6, 0}, {"GB/s", 9, 0}}},
      {Unit::seconds, "s", "a time", true, {{"ps", -12, 0}, {"ns", -9, 0}, {"us", -6, 0}, {"ms", -3, 0}, {"s", 0, 0}}},
      {Unit::bits, "bits", "a width", false, {{"bits", 0, 0}, {"bit", 0, 0}}},
      {Unit::ratio, "", "a number", false, {{"%", -2, 0}}},
  };
  return *std::find_if(rows.begin(), rows.end(), [unit](const UnitRow& row) { return row.unit == unit; });
}

// A decimal number with its unit: sign * digits * 10^exponent * 2^binary.
struct Decimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;
  unsigned binary = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Cuts the longest prefix of characters of one kind.
template <class Predicate>
std::string_view cut(std::string_view& rest, Predicate predicate) {
  const auto end = std::find_if_not(rest.begin(), rest.end(), predicate);
  const auto length = static_cast<std::size_t>(end - rest.begin());
  const std::string_view head = rest.substr(0, length);
  rest.remove_prefix(length);
  return head;
}

constexpr int largest_exponent = 400;

std::string not_a_number(std::string_view text, Unit unit) {
  return "expects " + describe_unit(unit) + ", found " + quoted_for_message(text);
}

// Reads the number at the start of `rest`; returns what is wrong with it.
std::string cut_number(std::string_view whole, std::string_view& rest, Unit unit, Decimal& out) {
  if (!rest.empty() && rest[0] == '-') {
    out.negative = true;
    rest.remove_prefix(1);
  }
  if (rest.size() > 2 && rest[0] == '0' && rest[1] == 'x' && is_hex_digit(rest[2])) {
    rest.remove_prefix(2);
    const std::string_view hex = cut(rest, is_hex_digit);
    if (hex.size() > 16) return "is too large: " + quoted_for_message(whole);
    out.digits = cpp_int("0x" + std::string(hex)).str();
    return "";
  }
  const std::string_view integer = cut(rest, is_digit);
  if (integer.empty()) return not_a_number(whole, unit);
  if (integer.size() > largest_exponent) return "has too many digits";
  if (integer.size() > 1 && integer[0] == '0')
    return fmt::format(
        "has leading zeros: {}; write {} (or 0x... for a hexadecimal number)", quoted_for_message(whole),
        cpp_int(std::string(integer.substr(std::min(integer.find_first_not_of('0'), integer.size() - 1)))).str());
  out.digits = integer;
  if (rest.size() > 1 && rest[0] == '.' && is_digit(rest[1])) {
    rest.remove_prefix(1);
    const std::string_view fraction = cut(rest, is_digit);
    out.digits += fraction;
    out.exponent = -static_cast<int>(std::min<std::size_t>(fraction.size(), 10000));
  }
  if (out.digits.size() > largest_exponent) return "has too many digits";
  const std::size_t sign = rest.size() > 1 && (rest[1] == '-' || rest[1] == '+') ? 2 : 1;
  if (rest.size() > sign && (rest[0] == 'e' || rest[0] == 'E') && is_digit(rest[sign])) {
    const bool negative = rest[1] == '-';
    rest.remove_prefix(sign);
    const std::string_view exponent = cut(rest, is_digit);
    int value = largest_exponent + 1;
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    if (value > largest_exponent) return "has too large an exponent: " + quoted_for_message(whole);
    out.exponent += negative ? -value : value;
  }
  return "";
}

// Lower case without the binary prefix's i: "KB", "kib" and "kb" were all meant to be "KiB".
std::string skeleton(std::string_view unit) {
  std::string out;
  for (const char c : unit) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower != 'i') out += lower;
  }
  return out;
}

// Reads a number and its unit; returns what is wrong with it.
std::string parse_decimal(std::string_view text, Unit unit, Decimal& out) {
  const UnitRow& row = row_of(unit);
  std::string_view rest = text;
  if (std::string problem = cut_number(text, rest, unit, out); !problem.empty()) return problem;
  cut(rest, [](char c) { return c == ' '; });
  if (rest.empty())
    return row.required
               ? fmt::format("needs a unit: found {}, expects {}", quoted_for_message(text), describe_unit(unit))
               : "";
  // "1_000", "1,000", "5.", "1 2": the number goes wrong, not its unit.
  const char next = rest[0];
  if (is_digit(next) || next == '_' || next == ',' || next == '.' || next == '+' || next == '-' || next == '\'')
    return not_a_number(text, unit);
  for (const Suffix& suffix : row.suffixes) {
    if (suffix.name != rest) continue;
    out.exponent += suffix.decimal;
    out.binary = suffix.binary;
    return "";
  }
  std::vector<std::string> names;
  for (const Suffix& suffix : row.suffixes) names.emplace_back(suffix.name);
  if (names.empty()) return fmt::format("takes no unit: found {}", quoted_for_message(text));
  std::string nearest = base::nearest_name(rest, names);
  for (const std::string& name : names)
    if (skeleton(name) == skeleton(rest)) nearest = name;
  return fmt::format("has the unknown unit {} in {}; expects {}{}", quoted_for_message(rest), quoted_for_message(text),
                     describe_unit(unit), nearest.empty() ? "" : "; did you mean `" + nearest + "`?");
}

cpp_int power_of_ten(int exponent) {
  return boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(exponent));
}

}  // namespace

Parsed<Integer> parse_integer(std::string_view text, Unit unit, IntegerRange range) {
  using Result = Parsed<Integer>;
  Decimal number;
  if (std::string problem = parse_decimal(text, unit, number); !problem.empty()) return Result::bad(std::move(problem));
  // cpp_int takes a leading zero for octal.
  const std::size_t first = std::min(number.digits.find_first_not_of('0'), number.digits.size() - 1);
  cpp_int value(number.digits.substr(first));
  value <<= number.binary;
  if (number.exponent >= 0) {
    value *= power_of_ten(number.exponent);
  } else {
    const cpp_int divisor = power_of_ten(-number.exponent);
    if (value % divisor != 0)
      return Result::bad(fmt::format("expects a whole number{}, found {}",
                                     unit_name(unit).empty() ? "" : fmt::format(" of {}", unit_name(unit)),
                                     quoted_for_message(text)));
    value /= divisor;
  }
  const cpp_int limit = number.negative ? -cpp_int(range.min) : cpp_int(range.max);
  if (value > limit) {
    if (number.negative && range.min == 0)
      return Result::bad("must not be negative, found " + quoted_for_message(text));
    return Result::bad(
        fmt::format("is out of range: {} is {} {}", quoted_for_message(text), number.negative ? "below" : "above",
                    format_integer(number.negative ? Integer::of(range.min) : Integer::of(range.max), unit)));
  }
  const auto magnitude = static_cast<std::uint64_t>(value);
  return Result::ok({number.negative && magnitude != 0, magnitude});
}

Parsed<double> parse_real(std::string_view text, Unit unit) {
  using Result = Parsed<double>;
  std::string_view bare = text;
  if (!bare.empty() && (bare[0] == '-' || bare[0] == '+' || bare[0] == '.')) bare.remove_prefix(1);
  if (!bare.empty() && bare[0] == '.') bare.remove_prefix(1);
  for (std::string_view name : {"inf", "Inf", "INF", "infinity", "nan", "NaN", "NAN"})
    if (bare == name) return Result::bad("must be a finite number, found " + quoted_for_message(text));
  Decimal number;
  if (std::string problem = parse_decimal(text, unit, number); !problem.empty()) return Result::bad(std::move(problem));
  const std::string scaled = fmt::format("{}{}e{}", number.negative ? "-" : "", number.digits, number.exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(scaled.data(), scaled.data() + scaled.size(), value);
  value = std::ldexp(value, static_cast<int>(number.binary));
  if (error != std::errc() || end != scaled.data() + scaled.size() || !std::isfinite(value))
    return Result::bad(quoted_for_message(text) + " is beyond the range of a double");
  return Result::ok(value);
}

Parsed<bool> parse_bool(std::string_view text) {
  using Result = Parsed<bool>;
  if (text == "true") return Result::ok(true);
  if (text == "false") return Result::ok(false);
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  std::string hint;
  if (lower == "yes" || lower == "on" || lower == "y" || lower == "true" || lower == "1")
    hint = "; did you mean `true`?";
  if (lower == "no" || lower == "off" || lower == "n" || lower == "false" || lower == "0")
    hint = "; did you mean `false`?";
  return Result::bad("expects true or false, found " + quoted_for_message(text) + hint);
}

std::string format_integer(Integer value, Unit unit) {
  const std::string sign = value.negative ? "-" : "";
  if (unit == Unit::cycles && value.magnitude == 1) return sign + "1 cycle";
  std::string text = fmt::format("{}{}", sign, value.magnitude);
  for (const Suffix& suffix : row_of(unit).suffixes) {
    if (suffix.decimal < 0) continue;
    std::uint64_t scale = std::uint64_t{1} << suffix.binary;
    for (int i = 0; i < suffix.decimal; ++i) scale *= 10;
    if (scale == 1 && text.find(' ') == std::string::npos) text += fmt::format(" {}", suffix.name);
    if (scale > 1 && value.magnitude != 0 && value.magnitude % scale == 0)
      text = fmt::format("{}{} {}", sign, value.magnitude / scale, suffix.name);
  }
  return text;
}

std::string format_real(double value, Unit unit) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value), std::chars_format::scientific);
  // The shortest digits that read back to the same double, "d.ddde+xx"; units only shift the decimal point.
  const std::string_view shortest(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t e = shortest.find('e');
  std::string digits(shortest.substr(0, 1));
  if (e > 2) digits += shortest.substr(2, e - 2);
  const int magnitude = std::stoi(std::string(shortest.substr(e + 1)));

  const Suffix* suffix = nullptr;
  if (unit != Unit::ratio) {
    for (const Suffix& candidate : row_of(unit).suffixes) {
      if (candidate.binary != 0 || (suffix != nullptr && candidate.decimal == suffix->decimal)) continue;
      if (suffix == nullptr || (value == 0 ? candidate.decimal <= 0 : magnitude >= candidate.decimal))
        suffix = &candidate;
    }
  }
  const std::string sign = std::signbit(value) ? "-" : "";
  const std::string unit_text = suffix == nullptr ? "" : fmt::format(" {}", suffix->name);
  // Digits before the decimal point.
  const int before = magnitude + 1 - (suffix == nullptr ? 0 : suffix->decimal);
  const int count = static_cast<int>(digits.size());
  if (before > 18 || before < -6) {
    const std::string fraction = count > 1 ? "." + digits.substr(1) : "";
    return fmt::format("{}{}{}e{}{}", sign, digits[0], fraction, before - 1, unit_text);
  }
  if (before <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-before), '0') + digits + unit_text;
  if (before >= count) return sign + digits + std::string(static_cast<std::size_t>(before - count), '0') + unit_text;
  return sign + digits.insert(static_cast<std::size_t>(before), ".") + unit_text;
}

std::string describe_unit(Unit unit) {
  const UnitRow& row = row_of(unit);
  std::string text(row.noun);
  for (std::size_t i = 0; i < row.suffixes.size(); ++i) {
    text += i == 0 ? " in " : i + 1 == row.suffixes.size() ? " or " : ", ";
    text += row.suffixes[i].name;
  }
  return unit == Unit::ratio ? "a number, or a share in %" : text;
}

std::string_view unit_name(Unit unit) {
  return row_of(unit).name;
}

}  // namespace syncline::platform
