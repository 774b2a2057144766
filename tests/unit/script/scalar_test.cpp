#include "platform/script/scalar.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

#include "platform/script/compare.h"

namespace syncline::platform {
namespace {

std::string read_back(const char* text, ScalarType type) {
  const auto parsed = parse_scalar(text, type);
  return parsed.value ? text_at(parsed.value->bytes.data(), type) : parsed.problem;
}

TEST(Scalar, ReadsEveryType) {
  EXPECT_EQ(read_back("255", ScalarType::u8), "255");
  EXPECT_EQ(read_back("65535", ScalarType::u16), "65535");
  EXPECT_EQ(read_back("0xffffffff", ScalarType::u32), "4294967295");
  EXPECT_EQ(read_back("18446744073709551615", ScalarType::u64), "18446744073709551615");
  EXPECT_EQ(read_back("-128", ScalarType::i8), "-128");
  EXPECT_EQ(read_back("-32768", ScalarType::i16), "-32768");
  EXPECT_EQ(read_back("-2147483648", ScalarType::i32), "-2147483648");
  EXPECT_EQ(read_back("-9223372036854775808", ScalarType::i64), "-9223372036854775808");
  EXPECT_EQ(read_back("65504", ScalarType::f16), "65504");
  EXPECT_EQ(read_back("1.5", ScalarType::f32), "1.5");
  EXPECT_EQ(read_back("-2.5e-300", ScalarType::f64), "-2.5e-300");
  EXPECT_EQ(read_back("inf", ScalarType::f32), "inf");
  EXPECT_EQ(read_back("-inf", ScalarType::f16), "-inf");
  EXPECT_EQ(read_back("nan", ScalarType::f16), "nan");
}

TEST(Scalar, BytesAreLittleEndian) {
  EXPECT_EQ(parse_scalar("0x0102", ScalarType::u16).value.value().exact(), (std::vector<std::uint8_t>{2, 1}));
  EXPECT_EQ(parse_scalar("-2", ScalarType::i32).value.value().exact(),
            (std::vector<std::uint8_t>{0xFE, 0xFF, 0xFF, 0xFF}));
  EXPECT_EQ(parse_scalar("1", ScalarType::f32).value.value().exact(), (std::vector<std::uint8_t>{0, 0, 0x80, 0x3F}));
  EXPECT_EQ(parse_scalar("1", ScalarType::f16).value.value().exact(), (std::vector<std::uint8_t>{0, 0x3C}));
}

TEST(Scalar, SaysWhatIsWrong) {
  EXPECT_EQ(read_back("256", ScalarType::u8), "is out of range: `256` is above 255");
  EXPECT_EQ(read_back("-1", ScalarType::u64), "must not be negative, found `-1`");
  EXPECT_EQ(read_back("-129", ScalarType::i8), "is out of range: `-129` is below -128");
  EXPECT_EQ(read_back("1.5", ScalarType::i32), "expects a whole number, found `1.5`");
  EXPECT_EQ(read_back("65520", ScalarType::f16), "`65520` is beyond the range of f16");
  EXPECT_EQ(read_back("1e39", ScalarType::f32), "`1e39` is beyond the range of f32");
  EXPECT_EQ(read_back("1e309", ScalarType::f64), "`1e309` is beyond the range of a double");
  EXPECT_EQ(read_back("x", ScalarType::f32), "expects a number, found `x`");
  EXPECT_EQ(read_back("5 KiB", ScalarType::u32), "takes no unit: found `5 KiB`");
}

TEST(Scalar, F32IsRoundedOnce) {
  // Just above the middle between 1 and its successor; as a double it is that middle, which rounds to even: to 1.
  const auto value = parse_scalar("1.00000005960464477540", ScalarType::f32).value.value();
  EXPECT_EQ(real_at(value.bytes.data(), ScalarType::f32), static_cast<double>(std::nextafter(1.0F, 2.0F)));
}

TEST(Scalar, F16HasAllItsKindsOfValues) {
  const auto value = [](std::uint16_t bits) {
    std::uint8_t bytes[2];
    std::memcpy(bytes, &bits, 2);
    return real_at(bytes, ScalarType::f16);
  };
  EXPECT_EQ(value(0x3C00), 1.0);
  EXPECT_EQ(value(0x0001), 0x1p-24);
  EXPECT_EQ(value(0x03FF), 0x1.ff8p-15);
  EXPECT_EQ(value(0x0400), 0x1p-14);
  EXPECT_EQ(value(0xFBFF), -65504.0);
  EXPECT_EQ(value(0x7C00), INFINITY);
  EXPECT_TRUE(std::isnan(value(0x7E00)));
  EXPECT_TRUE(std::signbit(value(0x8000)));
}

RC_GTEST_PROP(Scalar, EveryElementReadsBackFromItsText, (std::uint64_t bits)) {
  for (const auto& row : scalar_types()) {
    std::vector<std::uint8_t> bytes(8);
    std::memcpy(bytes.data(), &bits, 8);
    bytes.resize(bytes_of(row.second));
    const auto parsed = parse_scalar(text_at(bytes.data(), row.second), row.second);
    const bool is_nan = is_floating(row.second) && std::isnan(real_at(bytes.data(), row.second));
    if (!is_nan || parsed.value) RC_ASSERT(parsed.value.has_value());
    if (!is_nan) RC_ASSERT(parsed.value->exact() == bytes);
  }
}

Comparison compare_values(ScalarType type, const char* found, const char* expected, Tolerance tolerance = {}) {
  return compare(parse_scalar(found, type).value.value().exact(), parse_scalar(expected, type).value.value().exact(),
                 type, tolerance);
}

TEST(Compare, ToleranceIsAbsolutePlusRelative) {
  EXPECT_EQ(compare_values(ScalarType::f32, "1", "1").differences, 0U);
  EXPECT_EQ(compare_values(ScalarType::f32, "1.5", "1").differences, 1U);
  EXPECT_EQ(compare_values(ScalarType::f32, "1.5", "1", {0.5, 0}).differences, 0U);
  EXPECT_EQ(compare_values(ScalarType::f32, "1.5", "1", {0.25, 0.25}).differences, 0U);
  EXPECT_EQ(compare_values(ScalarType::f32, "1.75", "1", {0.25, 0.25}).differences, 1U);
  EXPECT_EQ(compare_values(ScalarType::f64, "-0", "0").differences, 0U);
  EXPECT_EQ(compare_values(ScalarType::f64, "nan", "nan").differences, 0U);
  EXPECT_EQ(compare_values(ScalarType::f64, "nan", "1", {1e300, 0}).differences, 1U);
  EXPECT_EQ(compare_values(ScalarType::f64, "inf", "1", {1e300, 1}).differences, 1U);
  EXPECT_EQ(compare_values(ScalarType::f64, "1", "inf", {1e300, 1}).differences, 1U);
}

TEST(Compare, IntegersAreNotRounded) {
  EXPECT_EQ(compare_values(ScalarType::u64, "18446744073709551615", "18446744073709551614").differences, 1U);
  EXPECT_EQ(compare_values(ScalarType::i64, "-9223372036854775808", "9223372036854775807", {1, 0}).differences, 1U);
  EXPECT_EQ(compare_values(ScalarType::i32, "-1", "1", {2, 0}).differences, 0U);
  EXPECT_EQ(compare_values(ScalarType::i32, "-1", "1", {1.5, 0}).differences, 1U);
}

TEST(Compare, NamesTheFirstDifference) {
  const Comparison comparison = compare({1, 2, 3, 4}, {1, 9, 3, 9}, ScalarType::u8, {});
  EXPECT_EQ(comparison.text(), "2 of 4 elements differ; first at index 1: found 2, expected 9");
  EXPECT_EQ(compare({1}, {1}, ScalarType::u8, {}).text(), "1 element as expected");
  EXPECT_EQ(compare({1, 1}, {1, 1}, ScalarType::u8, {}).text(), "2 elements as expected");
}

}  // namespace
}  // namespace syncline::platform
