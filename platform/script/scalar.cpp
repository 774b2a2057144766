#include "platform/script/scalar.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "isa/ptx/small_float.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {
namespace {

template <class T>
ScalarValue value_of(T value, ScalarType type) {
  static_assert(sizeof value <= 8);
  ScalarValue scalar;
  scalar.type = type;
  std::memcpy(scalar.bytes.data(), &value, sizeof value);
  return scalar;
}

template <class T>
T load(const std::uint8_t* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// Exact: every f16 is a double.
double f16_value(std::uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10U) & 0x1F;
  const int fraction = bits & 0x3FF;
  if (exponent == 0x1F)
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 0x400, exponent - 25);
}

Parsed<ScalarValue> parse_floating(std::string_view text, ScalarType type) {
  using Result = Parsed<ScalarValue>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return Result::ok(scalar_of(infinity, type));
  if (text == "-inf") return Result::ok(scalar_of(-infinity, type));
  if (text == "nan") return Result::ok(scalar_of(std::numeric_limits<double>::quiet_NaN(), type));
  const auto parsed = parse_real(text, base::Unit::none);
  if (!parsed.value) return Result::bad(parsed.problem);
  ScalarValue value = scalar_of(*parsed.value, type);
  // Decimal text to f32 in one rounding, not by way of double.
  if (type == ScalarType::f32) {
    float once = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), once);
    if (error == std::errc() && end == text.data() + text.size()) value = value_of(once, type);
  }
  if (!std::isfinite(real_at(value.bytes.data(), type)))
    return Result::bad(fmt::format("{} is beyond the range of {}", quoted_for_message(text), name_of(type)));
  return Result::ok(value);
}

}  // namespace

const base::ChoiceTable<ScalarType>& scalar_types() {
  static const base::ChoiceTable<ScalarType> table{
      {"u8", ScalarType::u8},   {"u16", ScalarType::u16}, {"u32", ScalarType::u32}, {"u64", ScalarType::u64},
      {"i8", ScalarType::i8},   {"i16", ScalarType::i16}, {"i32", ScalarType::i32}, {"i64", ScalarType::i64},
      {"f16", ScalarType::f16}, {"f32", ScalarType::f32}, {"f64", ScalarType::f64}};
  return table;
}

std::vector<std::string> scalar_type_names() {
  std::vector<std::string> names;
  for (const auto& row : scalar_types()) names.emplace_back(row.first);
  return names;
}

std::string_view name_of(ScalarType type) {
  return base::name_in(scalar_types(), type);
}

unsigned bytes_of(ScalarType type) {
  switch (type) {
    case ScalarType::u8:
    case ScalarType::i8:
      return 1;
    case ScalarType::u16:
    case ScalarType::i16:
    case ScalarType::f16:
      return 2;
    case ScalarType::u32:
    case ScalarType::i32:
    case ScalarType::f32:
      return 4;
    case ScalarType::u64:
    case ScalarType::i64:
    case ScalarType::f64:
      break;
  }
  return 8;
}

IntegerRange range_of(ScalarType type) {
  const unsigned bits = 8 * bytes_of(type);
  if (!is_signed(type)) return {0, ~std::uint64_t{0} >> (64 - bits)};
  const std::uint64_t max = ~std::uint64_t{0} >> (65 - bits);
  return {-static_cast<std::int64_t>(max) - 1, max};
}

Parsed<ScalarValue> parse_scalar(std::string_view text, ScalarType type) {
  using Result = Parsed<ScalarValue>;
  if (is_floating(type)) return parse_floating(text, type);
  const auto parsed = parse_integer(text, base::Unit::none, range_of(type));
  return parsed.value ? Result::ok(scalar_of(*parsed.value, type)) : Result::bad(parsed.problem);
}

ScalarValue scalar_of(double value, ScalarType type) {
  if (type == ScalarType::f16) return value_of(isa::f16_bits(value), type);
  if (type == ScalarType::f32) return value_of(static_cast<float>(value), type);
  return value_of(value, type);
}

ScalarValue scalar_of(Integer value, ScalarType type) {
  return value_of(value.as<std::uint64_t>(), type);
}

double real_at(const std::uint8_t* bytes, ScalarType type) {
  if (type == ScalarType::f16) return f16_value(load<std::uint16_t>(bytes));
  if (type == ScalarType::f32) return static_cast<double>(load<float>(bytes));
  return load<double>(bytes);
}

Integer integer_at(const std::uint8_t* bytes, ScalarType type) {
  switch (type) {
    case ScalarType::u8:
      return Integer::of(load<std::uint8_t>(bytes));
    case ScalarType::u16:
      return Integer::of(load<std::uint16_t>(bytes));
    case ScalarType::u32:
      return Integer::of(load<std::uint32_t>(bytes));
    case ScalarType::i8:
      return Integer::of(load<std::int8_t>(bytes));
    case ScalarType::i16:
      return Integer::of(load<std::int16_t>(bytes));
    case ScalarType::i32:
      return Integer::of(load<std::int32_t>(bytes));
    case ScalarType::i64:
      return Integer::of(load<std::int64_t>(bytes));
    default:
      return Integer::of(load<std::uint64_t>(bytes));
  }
}

std::string text_at(const std::uint8_t* bytes, ScalarType type) {
  if (!is_floating(type)) return format_integer(integer_at(bytes, type), base::Unit::none);
  const double value = real_at(bytes, type);
  if (type == ScalarType::f64 || !std::isfinite(value)) return fmt::format("{}", value);
  return fmt::format("{}", static_cast<float>(value));
}

}  // namespace syncline::platform
