#include "platform/config/quantity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

namespace syncline::platform {
namespace {

using base::Unit;

constexpr Unit all_units[] = {Unit::none,   Unit::count,   Unit::bytes,           Unit::hertz,
                              Unit::cycles, Unit::seconds, Unit::bytes_per_cycle, Unit::bytes_per_second,
                              Unit::bits,   Unit::ratio};

std::uint64_t whole(std::string_view text, Unit unit) {
  const auto parsed = parse_integer(text, unit, IntegerRange::of<std::uint64_t>());
  EXPECT_TRUE(parsed.value) << text << " " << parsed.problem;
  return parsed.value ? parsed.value->magnitude : 0;
}

double real(std::string_view text, Unit unit) {
  const auto parsed = parse_real(text, unit);
  EXPECT_TRUE(parsed.value) << text << " " << parsed.problem;
  return parsed.value.value_or(0);
}

TEST(Quantity, ReadsUnits) {
  EXPECT_EQ(whole("48 KiB", Unit::bytes), 49152U);
  EXPECT_EQ(whole("48KiB", Unit::bytes), 49152U);
  EXPECT_EQ(whole("1.5 KiB", Unit::bytes), 1536U);
  EXPECT_EQ(whole("2 TiB", Unit::bytes), std::uint64_t{2} << 40);
  EXPECT_EQ(whole("96", Unit::bytes), 96U);
  EXPECT_EQ(whole("1.4 GHz", Unit::hertz), 1400000000U);
  EXPECT_EQ(whole("1400 MHz", Unit::hertz), 1400000000U);
  EXPECT_EQ(whole("32 B/cycle", Unit::bytes_per_cycle), 32U);
  EXPECT_EQ(whole("1 cycle", Unit::cycles), 1U);
  EXPECT_EQ(whole("12 cycles", Unit::cycles), 12U);
  EXPECT_EQ(whole("64 bits", Unit::bits), 64U);
  EXPECT_EQ(whole("5.2 GB/s", Unit::bytes_per_second), 5200000000U);
  EXPECT_EQ(real("100 ns", Unit::seconds), 100e-9);
  EXPECT_EQ(real("1.4 GHz", Unit::hertz), 1.4e9);
  EXPECT_EQ(real("75 %", Unit::ratio), 0.75);
  EXPECT_EQ(real("0.3 KiB", Unit::bytes), 0.3 * 1024);
}

TEST(Quantity, ReadsNumbersOfAllForms) {
  EXPECT_EQ(whole("0", Unit::count), 0U);
  EXPECT_EQ(whole("0x1F", Unit::count), 31U);
  EXPECT_EQ(whole("0x20 KiB", Unit::bytes), 32768U);
  EXPECT_EQ(whole("1e6", Unit::count), 1000000U);
  EXPECT_EQ(whole("2.50e1", Unit::count), 25U);
  EXPECT_EQ(whole("18446744073709551615", Unit::count), ~std::uint64_t{0});
  EXPECT_EQ(real("-1.5e-3", Unit::none), -1.5e-3);
  EXPECT_EQ(real("0.1", Unit::none), 0.1);
  EXPECT_EQ(whole("0.0", Unit::count), 0U);
}

TEST(Quantity, RangeIsThatOfTheType) {
  EXPECT_EQ(parse_integer("-128", Unit::count, IntegerRange::of<std::int8_t>()).value->as<std::int8_t>(), -128);
  EXPECT_EQ(parse_integer("-129", Unit::count, IntegerRange::of<std::int8_t>()).problem,
            "is out of range: `-129` is below -128");
  EXPECT_EQ(parse_integer("256", Unit::count, IntegerRange::of<std::uint8_t>()).problem,
            "is out of range: `256` is above 255");
  EXPECT_EQ(parse_integer("-1", Unit::count, IntegerRange::of<std::uint8_t>()).problem,
            "must not be negative, found `-1`");
  EXPECT_EQ(
      parse_integer("-9223372036854775808", Unit::count, IntegerRange::of<std::int64_t>()).value->as<std::int64_t>(),
      std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_integer("-0", Unit::count, IntegerRange::of<std::uint8_t>()).value->as<std::uint8_t>(), 0);
}

struct BadText {
  Unit unit;
  const char* text;
  const char* problem;
};

TEST(Quantity, SaysWhatIsWrongWithAWholeNumber) {
  const BadText cases[] = {
      {Unit::count, "010", "has leading zeros: `010`; write 10 (or 0x... for a hexadecimal number)"},
      {Unit::count, "00", "has leading zeros: `00`; write 0 (or 0x... for a hexadecimal number)"},
      {Unit::count, "", "expects a number, found ``"},
      {Unit::count, "+5", "expects a number, found `+5`"},
      {Unit::count, "1_000", "expects a number, found `1_000`"},
      {Unit::count, "1,000", "expects a number, found `1,000`"},
      {Unit::count, "5.", "expects a number, found `5.`"},
      {Unit::count, ".5", "expects a number, found `.5`"},
      {Unit::count, "- 5", "expects a number, found `- 5`"},
      {Unit::count, "1 2", "expects a number, found `1 2`"},
      {Unit::count, "yes", "expects a number, found `yes`"},
      {Unit::count, "0x", "takes no unit: found `0x`"},
      {Unit::count, "5 KiB", "takes no unit: found `5 KiB`"},
      {Unit::count, "2.5", "expects a whole number, found `2.5`"},
      {Unit::bytes, "0.3 B", "expects a whole number of bytes, found `0.3 B`"},
      {Unit::bytes, "48 KB",
       "has the unknown unit `KB` in `48 KB`; expects a size in B, KiB, MiB, GiB or TiB; did you mean `KiB`?"},
      {Unit::bytes, "48 kib",
       "has the unknown unit `kib` in `48 kib`; expects a size in B, KiB, MiB, GiB or TiB; did you mean `KiB`?"},
      {Unit::bytes, "48 MHz", "has the unknown unit `MHz` in `48 MHz`; expects a size in B, KiB, MiB, GiB or TiB"},
      {Unit::hertz, "1400", "needs a unit: found `1400`, expects a frequency in Hz, kHz, MHz or GHz"},
      {Unit::seconds, "5", "needs a unit: found `5`, expects a time in ps, ns, us, ms or s"},
      {Unit::bytes_per_second, "5", "needs a unit: found `5`, expects a bandwidth in B/s, kB/s, MB/s or GB/s"},
      {Unit::cycles, "3 ns", "has the unknown unit `ns` in `3 ns`; expects a time in cycles or cycle"},
      {Unit::count, "18446744073709551616", "is out of range: `18446744073709551616` is above 18446744073709551615"},
      {Unit::count, "1e400", "is out of range: `1e400` is above 18446744073709551615"},
      {Unit::count, "1e401", "has too large an exponent: `1e401`"},
      {Unit::count, "1e99999999999", "has too large an exponent: `1e99999999999`"},
      {Unit::count, "0x10000000000000000", "is too large: `0x10000000000000000`"},
  };
  for (const BadText& bad : cases) {
    const auto parsed = parse_integer(bad.text, bad.unit, IntegerRange::of<std::uint64_t>());
    EXPECT_FALSE(parsed.value) << bad.text;
    EXPECT_EQ(parsed.problem, bad.problem);
  }
  EXPECT_EQ(parse_integer(std::string(500, '1'), Unit::count, IntegerRange::of<std::uint64_t>()).problem,
            "has too many digits");
}

TEST(Quantity, SaysWhatIsWrongWithARealNumber) {
  for (const char* text : {".inf", "-.inf", "inf", "nan", ".NaN", "+inf", "infinity"})
    EXPECT_EQ(parse_real(text, Unit::none).problem, "must be a finite number, found `" + std::string(text) + "`");
  EXPECT_EQ(parse_real("1e309", Unit::none).problem, "`1e309` is beyond the range of a double");
  EXPECT_EQ(parse_real("abc", Unit::ratio).problem, "expects a number, or a share in %, found `abc`");
  EXPECT_EQ(parse_real("01.5", Unit::none).problem,
            "has leading zeros: `01.5`; write 1 (or 0x... for a hexadecimal number)");
}

TEST(Quantity, OnlyTrueAndFalseAreBooleans) {
  EXPECT_EQ(parse_bool("true").value, true);
  EXPECT_EQ(parse_bool("false").value, false);
  for (const char* text : {"yes", "on", "True", "TRUE", "y", "1"})
    EXPECT_EQ(parse_bool(text).problem,
              "expects true or false, found `" + std::string(text) + "`; did you mean `true`?");
  for (const char* text : {"no", "off", "False", "n", "0"})
    EXPECT_EQ(parse_bool(text).problem,
              "expects true or false, found `" + std::string(text) + "`; did you mean `false`?");
  EXPECT_EQ(parse_bool("maybe").problem, "expects true or false, found `maybe`");
}

TEST(Quantity, FormatsWithTheLargestUnitThatFits) {
  EXPECT_EQ(format_integer({false, 49152}, Unit::bytes), "48 KiB");
  EXPECT_EQ(format_integer({false, 49153}, Unit::bytes), "49153 B");
  EXPECT_EQ(format_integer({false, 0}, Unit::bytes), "0 B");
  EXPECT_EQ(format_integer({false, 1400000000}, Unit::hertz), "1400 MHz");
  EXPECT_EQ(format_integer({false, 1}, Unit::cycles), "1 cycle");
  EXPECT_EQ(format_integer({false, 2}, Unit::cycles), "2 cycles");
  EXPECT_EQ(format_integer({true, 5}, Unit::count), "-5");
  EXPECT_EQ(format_integer({false, 7}, Unit::seconds), "7 s");
  EXPECT_EQ(format_integer({false, 64}, Unit::bits), "64 bits");
  EXPECT_EQ(format_real(1.4e9, Unit::hertz), "1.4 GHz");
  EXPECT_EQ(format_real(924e6, Unit::hertz), "924 MHz");
  EXPECT_EQ(format_real(1e-7, Unit::seconds), "100 ns");
  EXPECT_EQ(format_real(5.2e9, Unit::bytes_per_second), "5.2 GB/s");
  EXPECT_EQ(format_real(0, Unit::seconds), "0 s");
  EXPECT_EQ(format_real(0.5, Unit::ratio), "0.5");
  EXPECT_EQ(format_real(-1e300, Unit::none), "-1e300");
  EXPECT_EQ(format_real(1.25e-9, Unit::none), "1.25e-9");
  EXPECT_EQ(format_real(0.0625, Unit::none), "0.0625");
  EXPECT_EQ(format_real(1234.5, Unit::none), "1234.5");
}

RC_GTEST_PROP(Quantity, IntegersReadBackAsTheyWereWritten, (std::uint64_t magnitude, std::uint8_t shift)) {
  const std::uint64_t value = (magnitude >> (shift % 64)) << (shift % 50);
  for (const Unit unit : all_units) {
    const std::string text = format_integer({false, value}, unit);
    const auto parsed = parse_integer(text, unit, IntegerRange::of<std::uint64_t>());
    RC_ASSERT(parsed.value.has_value());
    RC_ASSERT(parsed.value->magnitude == value);
  }
}

RC_GTEST_PROP(Quantity, DoublesReadBackBitForBit, (std::uint64_t bits)) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  RC_PRE(std::isfinite(value));
  for (const Unit unit : all_units) {
    const std::string text = format_real(value, unit);
    const auto parsed = parse_real(text, unit);
    RC_ASSERT(parsed.value.has_value());
    RC_ASSERT(std::memcmp(&*parsed.value, &value, sizeof value) == 0);
  }
}

RC_GTEST_PROP(Quantity, AnyTextIsEitherAValueOrAProblem, (const std::string& text)) {
  for (const Unit unit : all_units) {
    const auto integer = parse_integer(text, unit, IntegerRange::of<std::int64_t>());
    RC_ASSERT(integer.value.has_value() == integer.problem.empty());
    const auto real_number = parse_real(text, unit);
    RC_ASSERT(real_number.value.has_value() == real_number.problem.empty());
  }
}

}  // namespace
}  // namespace syncline::platform
