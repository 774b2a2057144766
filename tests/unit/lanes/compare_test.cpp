// setp and set: all comparisons, ordered and unordered, with predicate operands.
#include "tests/unit/lanes/float_reference.h"

namespace syncline::isa::test {
namespace {

/// Truth of a comparison from the outcome of an IEEE comparison: less, equal, greater or unordered.
enum class Outcome { less, equal, greater, unordered };

bool expected_truth(Compare compare, Outcome o) {
  switch (compare) {
    case Compare::eq:
      return o == Outcome::equal;
    case Compare::ne:
      return o == Outcome::less || o == Outcome::greater;
    case Compare::lt:
    case Compare::lo:
      return o == Outcome::less;
    case Compare::le:
    case Compare::ls:
      return o == Outcome::less || o == Outcome::equal;
    case Compare::gt:
    case Compare::hi:
      return o == Outcome::greater;
    case Compare::ge:
    case Compare::hs:
      return o == Outcome::greater || o == Outcome::equal;
    case Compare::equ:
      return o == Outcome::equal || o == Outcome::unordered;
    case Compare::neu:
      return o != Outcome::equal;
    case Compare::ltu:
      return o == Outcome::less || o == Outcome::unordered;
    case Compare::leu:
      return o != Outcome::greater;
    case Compare::gtu:
      return o == Outcome::greater || o == Outcome::unordered;
    case Compare::geu:
      return o != Outcome::less;
    case Compare::num:
      return o != Outcome::unordered;
    case Compare::nan:
      return o == Outcome::unordered;
    case Compare::none:
      break;
  }
  return false;
}

template <class T>
Outcome compare_plain(T a, T b, bool) {
  return a < b ? Outcome::less : a > b ? Outcome::greater : a == b ? Outcome::equal : Outcome::unordered;
}
template <class T>
Outcome compare_float(T a, T b, bool ftz) {
  return compare_plain(in(a, ftz), in(b, ftz), false);
}

/// Decodes by arithmetic: sign, exponent and fraction of a 16-bit format.
double half_value(std::uint16_t h, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = h >> fraction_bits & ((1 << exponent_bits) - 1);
  const int fraction = h & ((1 << fraction_bits) - 1);
  double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                   : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  if (exponent == (1 << exponent_bits) - 1) magnitude = fraction == 0 ? INFINITY : NAN;
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}
template <int ExponentBits>
Outcome compare_half(std::uint16_t a, std::uint16_t b, bool ftz) {
  const auto value = [&](std::uint16_t h) {
    const double v = half_value(h, ExponentBits);
    return ftz && std::fabs(v) < 0x1p-14 ? std::copysign(0.0, v) : v;
  };
  return compare_plain(value(a), value(b), false);
}

bool apply(BoolOp op, bool a, bool b) {
  switch (op) {
    case BoolOp::and_:
      return a && b;
    case BoolOp::or_:
      return a || b;
    case BoolOp::xor_:
      return a != b;
    case BoolOp::none:
      break;
  }
  return a;
}

constexpr Compare equality[] = {Compare::eq, Compare::ne};
constexpr Compare ordering[] = {Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge};
constexpr Compare unsigned_spelling[] = {Compare::lo, Compare::ls, Compare::hi, Compare::hs};
constexpr Compare all_float[] = {Compare::eq,  Compare::ne,  Compare::lt,  Compare::le,  Compare::gt,
                                 Compare::ge,  Compare::equ, Compare::neu, Compare::ltu, Compare::leu,
                                 Compare::gtu, Compare::geu, Compare::num, Compare::nan};

/// Destination of set: what true looks like.
struct SetResult {
  Type type;
  std::uint32_t truth;
};
constexpr SetResult set_results[] = {{Type::u32, 0xffffffff}, {Type::s32, 0xffffffff}, {Type::f32, 0x3f800000},
                                     {Type::u16, 0xffff},     {Type::s16, 0xffff},     {Type::f16, 0x3c00},
                                     {Type::bf16, 0x3f80}};

template <class T>
void expect_compare(Type type, Compare compare, bool ftz, Outcome (*outcome)(T, T, bool)) {
  for (const LaneIsa isa : runnable_builds()) {
    std::mt19937_64 random(99);
    for (const BoolOp op : {BoolOp::none, BoolOp::and_, BoolOp::or_, BoolOp::xor_}) {
      Modifiers m = mods(type);
      m.compare = compare;
      m.bool_op = op;
      m.ftz = ftz;
      const LaneKernel setp = kernel_table(isa)->find(form_of(Opcode::setp, m));
      ASSERT_NE(setp, nullptr) << name(type) << " " << name(compare);
      for (unsigned round = 0; round < 12; ++round) {
        Source<T> a, b;
        Source<bool> c;
        a.fill(random);
        b.fill(random);
        c.fill(random);
        for (unsigned lane = 0; lane < kernel_lanes; lane += 5) b.lanes.v[lane] = a.lanes.v[lane];
        const auto mask = static_cast<std::uint32_t>(random());
        std::uint32_t p = 0x5a5a5a5a, q = 0x3c3c3c3c;
        LaneArgs args;
        args.dst = &p;
        args.dst2 = round % 2 == 0 ? &q : nullptr;
        args.src[0] = a.data();
        args.src[1] = b.data();
        args.src[2] = op == BoolOp::none ? nullptr : c.data();
        args.mask = mask;
        setp(args);
        std::uint32_t truths = 0;
        for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
          const bool truth = expected_truth(compare, outcome(a.at(lane), b.at(lane), ftz));
          const bool expected_p = apply(op, truth, c.at(lane)), expected_q = apply(op, !truth, c.at(lane));
          truths |= static_cast<std::uint32_t>(expected_p) << lane;
          const bool on = (mask >> lane & 1) != 0;
          ASSERT_EQ((p >> lane & 1) != 0, on ? expected_p : (0x5a5a5a5au >> lane & 1) != 0)
              << name(type) << " " << name(compare) << " " << build_name(isa) << std::hex << " "
              << pattern_of(a.at(lane)) << " " << pattern_of(b.at(lane));
          if (round % 2 == 0) {
            ASSERT_EQ((q >> lane & 1) != 0, on ? expected_q : (0x3c3c3c3cu >> lane & 1) != 0);
          }
        }
        const SetResult& result = set_results[round % std::size(set_results)];
        Modifiers s = m;
        s.type = result.type;
        s.source_type = type;
        const LaneKernel set = kernel_table(isa)->find(form_of(Opcode::set, s));
        ASSERT_NE(set, nullptr) << name(result.type) << " " << name(type) << " " << name(compare);
        Lanes<std::uint32_t> d;
        args.dst = d.v.data();
        args.mask = 0xffffffffu;
        set(args);
        for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
          std::uint32_t found = d.v[lane];
          if (type_bytes(result.type) == 2) found = d.v[lane / 2] >> 16 * (lane % 2) & 0xffff;
          ASSERT_EQ(found, (truths >> lane & 1) != 0 ? result.truth : 0u) << name(result.type) << " " << name(type);
        }
      }
    }
  }
}

template <class T>
void expect_integer(Type type) {
  for (const Compare c : ordering) expect_compare<T>(type, c, false, compare_plain<T>);
  if (std::is_signed_v<T>) return;
  for (const Compare c : unsigned_spelling) expect_compare<T>(type, c, false, compare_plain<T>);
}
template <class T>
void expect_bits(Type type) {
  for (const Compare c : equality) expect_compare<T>(type, c, false, compare_plain<T>);
}

TEST(CompareForms, Integers) {
  expect_integer<std::uint16_t>(Type::u16);
  expect_integer<std::int16_t>(Type::s16);
  expect_integer<std::uint32_t>(Type::u32);
  expect_integer<std::int32_t>(Type::s32);
  expect_integer<std::uint64_t>(Type::u64);
  expect_integer<std::int64_t>(Type::s64);
  expect_bits<std::uint16_t>(Type::b16);
  expect_bits<std::uint32_t>(Type::b32);
  expect_bits<std::uint64_t>(Type::b64);
}

TEST(CompareForms, Floats) {
  for (const Compare c : all_float) {
    expect_compare<float>(Type::f32, c, false, compare_float<float>);
    expect_compare<float>(Type::f32, c, true, compare_float<float>);
    expect_compare<double>(Type::f64, c, false, compare_float<double>);
    expect_compare<std::uint16_t>(Type::f16, c, false, compare_half<5>);
    expect_compare<std::uint16_t>(Type::f16, c, true, compare_half<5>);
    expect_compare<std::uint16_t>(Type::bf16, c, false, compare_half<8>);
  }
}

template <int ExponentBits>
void expect_packed(Type type, bool ftz) {
  for (const Compare compare : all_float) {
    for (const LaneIsa isa : runnable_builds()) {
      Modifiers m = mods(type, Type::none);
      m.compare = compare;
      m.ftz = ftz;
      m.bool_op = BoolOp::and_;
      const LaneKernel setp = kernel_table(isa)->find(form_of(Opcode::setp, m));
      m.source_type = type;
      const LaneKernel set = kernel_table(isa)->find(form_of(Opcode::set, m));
      m.type = compare == Compare::lt ? Type::s32 : Type::u32;
      const LaneKernel set_bits = kernel_table(isa)->find(form_of(Opcode::set, m));
      ASSERT_NE(setp, nullptr);
      ASSERT_NE(set, nullptr);
      ASSERT_NE(set_bits, nullptr);
      std::mt19937_64 random(4);
      for (unsigned round = 0; round < 12; ++round) {
        Source<std::uint16_t> a[2], b[2];
        Source<std::uint32_t> x, y, d, bits;
        Source<bool> c;
        c.fill(random);
        for (unsigned half = 0; half < 2; ++half) {
          a[half].fill(random);
          b[half].fill(random);
        }
        for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
          x.lanes.v[lane] = static_cast<std::uint32_t>(a[1].at(lane)) << 16 | a[0].at(lane);
          y.lanes.v[lane] = static_cast<std::uint32_t>(b[1].at(lane)) << 16 | b[0].at(lane);
        }
        std::uint32_t p[2] = {0, 0};
        LaneArgs args;
        args.dst = &p[0];
        args.dst2 = &p[1];
        args.src[0] = x.data();
        args.src[1] = y.data();
        args.src[2] = c.data();
        args.mask = 0xffffffffu;
        setp(args);
        args.dst = d.lanes.v.data();
        set(args);
        args.dst = bits.lanes.v.data();
        set_bits(args);
        const std::uint32_t one = ExponentBits == 5 ? 0x3c00 : 0x3f80;
        for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
          for (unsigned half = 0; half < 2; ++half) {
            const Outcome outcome = compare_half<ExponentBits>(a[half].at(lane), b[half].at(lane), ftz);
            const bool truth = expected_truth(compare, outcome) && c.at(lane);
            ASSERT_EQ((p[half] >> lane & 1) != 0, truth) << name(compare);
            ASSERT_EQ(d.at(lane) >> 16 * half & 0xffff, truth ? one : 0u) << name(compare);
            ASSERT_EQ(bits.at(lane) >> 16 * half & 0xffff, truth ? 0xffffu : 0u) << name(compare);
          }
        }
      }
    }
  }
}

TEST(CompareForms, Pairs) {
  expect_packed<5>(Type::f16x2, false);
  expect_packed<5>(Type::f16x2, true);
  expect_packed<8>(Type::bf16x2, false);
}

TEST(CompareForms, UndefinedOnesAreNull) {
  Modifiers m = mods(Type::b32);
  m.compare = Compare::lt;
  EXPECT_EQ(find_lane_kernel(Opcode::setp, m), nullptr) << "bits have no order";
  m.type = Type::s32;
  m.compare = Compare::lo;
  EXPECT_EQ(find_lane_kernel(Opcode::setp, m), nullptr) << "lo is for unsigned numbers";
  m.compare = Compare::ltu;
  EXPECT_EQ(find_lane_kernel(Opcode::setp, m), nullptr) << "integers are always ordered";
  m.type = Type::f64;
  m.compare = Compare::lt;
  m.ftz = true;
  EXPECT_EQ(find_lane_kernel(Opcode::setp, m), nullptr) << "f64 has no .ftz";
  EXPECT_EQ(find_lane_kernel(Opcode::bra, mods(Type::none)), nullptr);
}

}  // namespace
}  // namespace syncline::isa::test
