// The element types of buffers and kernel arguments, and constants of them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "platform/config/quantity.h"

namespace syncline::platform {

enum class ScalarType : std::uint8_t { u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64 };

/// By name, in the order in which messages list them.
const base::ChoiceTable<ScalarType>& scalar_types();
std::vector<std::string> scalar_type_names();
std::string_view name_of(ScalarType type);
unsigned bytes_of(ScalarType type);
constexpr bool is_floating(ScalarType type) {
  return type >= ScalarType::f16;
}
constexpr bool is_signed(ScalarType type) {
  return type >= ScalarType::i8;
}

/// A constant: its bytes in device order (little-endian), the first `bytes_of(type)` of eight.
struct ScalarValue {
  ScalarType type = ScalarType::u8;
  std::array<std::uint8_t, 8> bytes{};
  std::vector<std::uint8_t> exact() const { return {bytes.begin(), bytes.begin() + bytes_of(type)}; }
};

/// Reads a constant: a whole number in the range of the type, or a real number, `inf`, `-inf` or `nan`. A real number
/// becomes the nearest value of the type.
Parsed<ScalarValue> parse_scalar(std::string_view text, ScalarType type);

/// The nearest value of a floating type.
ScalarValue scalar_of(double value, ScalarType floating_type);
/// A value of an integer type, in whose range it is.
ScalarValue scalar_of(Integer value, ScalarType integer_type);
IntegerRange range_of(ScalarType integer_type);

/// Reading back one element of a buffer.
double real_at(const std::uint8_t* bytes, ScalarType floating_type);
Integer integer_at(const std::uint8_t* bytes, ScalarType integer_type);
/// The element as text, as `parse_scalar` reads it.
std::string text_at(const std::uint8_t* bytes, ScalarType type);

}  // namespace syncline::platform
