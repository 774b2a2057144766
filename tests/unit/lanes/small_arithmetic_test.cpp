// Arithmetic on four numbers of 4, 6 or 8 bits against integers of any size: operands are counted in units of 2^-127,
// products in units of 2^-254, and the result is searched among the codes of its format.
#include <boost/multiprecision/cpp_int.hpp>

#include "tests/unit/lanes/small_formats.h"

namespace syncline::isa::test {
namespace {

using boost::multiprecision::cpp_int;
using U = std::uint32_t;

/// A number, exactly; `value` counts units whose size the context knows.
struct Exact {
  bool nan = false, infinite = false, negative = false;
  cpp_int value;  ///< without sign
};
constexpr unsigned operand_scale = 127;

/// What a code without sign counts in units of 2^-127; no format but ue8m0 goes below 2^-16.
template <class F>
cpp_int units(unsigned code) {
  return cpp_int(static_cast<std::uint64_t>(std::ldexp(number<F>(code), 16))) << (operand_scale - 16);
}

template <class F>
Exact decode_small(unsigned code) {
  Exact e;
  e.negative = (code & F::sign) != 0;
  const unsigned magnitude = code & (F::sign - 1);
  const bool ieee = F::type == Type::e5m2x2;
  e.infinite = ieee && magnitude == 0x7c;
  e.nan = !e.infinite && magnitude > F::largest;
  if (!e.nan && !e.infinite) e.value = units<F>(magnitude);
  return e;
}

Exact element(Type type, U bits, unsigned n) {
  const unsigned byte = bits >> (8 * n) & 0xff;
  switch (type) {
    case Type::e4m3x4:
      return decode_small<E4m3>(byte);
    case Type::e5m2x4:
      return decode_small<E5m2>(byte);
    case Type::e2m3x4:
      return decode_small<E2m3>(byte & 0x3f);
    case Type::e3m2x4:
      return decode_small<E3m2>(byte & 0x3f);
    case Type::e2m1x4:
      return decode_small<E2m1>(bits >> (4 * n) & 0xf);
    case Type::e2m1p4x4:
      return decode_small<E2m1>(byte & 0xf);
    default: {
      Exact e;
      e.nan = byte == 0xff;
      e.value = cpp_int(1) << byte;
      return e;
    }
  }
}

Exact product(const Exact& a, const Exact& b) {
  Exact p;
  p.negative = a.negative != b.negative;
  p.infinite = a.infinite || b.infinite;
  const bool zero = (!a.infinite && a.value == 0) || (!b.infinite && b.value == 0);
  p.nan = a.nan || b.nan || (p.infinite && zero);
  p.value = a.value * b.value;
  return p;
}

Exact sum(const Exact& a, const Exact& b) {
  Exact s;
  s.nan = a.nan || b.nan || (a.infinite && b.infinite && a.negative != b.negative);
  s.infinite = a.infinite || b.infinite;
  if (s.infinite) {
    s.negative = a.infinite ? a.negative : b.negative;
    return s;
  }
  const cpp_int total = (a.negative ? -a.value : a.value) + (b.negative ? -b.value : b.value);
  s.negative = total == 0 ? a.negative && b.negative : total < 0;
  s.value = abs(total);
  return s;
}

/// The code of a number in units of 2^-scale.
template <class F>
unsigned code_of(const Exact& e, unsigned scale, bool finite) {
  if (e.nan) return F::nan;
  const unsigned sign = e.negative ? F::sign : 0;
  const unsigned overflow = finite ? F::largest | sign : F::type == Type::e5m2x2 ? 0x7c | sign : F::nan;
  if (e.infinite) return overflow;
  const auto place = [&](unsigned code) { return units<F>(code) << (scale - operand_scale); };
  unsigned below = 0;
  while (below < F::largest && place(below + 1) <= e.value) ++below;
  const cpp_int step =
      below < F::largest ? cpp_int(place(below + 1) - place(below)) : cpp_int(place(below) - place(below - 1));
  const cpp_int twice = 2 * (e.value - place(below));
  const unsigned code = below + (twice > step || (twice == step && below % 2 != 0) ? 1 : 0);
  return code > F::largest ? overflow : code | sign;
}

struct Case {
  Opcode opcode;
  Type result, a, b;
  bool finite;
};

U reference(const Case& k, U a, U b, U c) {
  U bits = 0;
  for (unsigned n = 0; n < 4; ++n) {
    const bool multiplies = k.opcode == Opcode::mul || k.opcode == Opcode::fma;
    const unsigned scale = multiplies ? 2 * operand_scale : operand_scale;
    Exact value = element(k.a, a, n);
    if (multiplies) value = product(value, element(k.b, b, n));
    if (k.opcode != Opcode::mul) {
      Exact term = element(k.result, c, n);
      if (k.opcode == Opcode::sub) term.negative = !term.negative;
      term.value <<= scale - operand_scale;
      value = sum(value, term);
    }
    const unsigned code =
        k.result == Type::e4m3x4 ? code_of<E4m3>(value, scale, k.finite) : code_of<E5m2>(value, scale, k.finite);
    bits |= code << (8 * n);
  }
  return bits;
}

/// A register of a type: .e2m1x4 has 16 bits.
struct Register {
  Lanes<U> wide;
  Lanes<std::uint16_t> narrow;
  const void* data(Type type) const { return type == Type::e2m1x4 ? static_cast<const void*>(&narrow) : &wide; }
};
Register any_register(std::mt19937_64& random) {
  Register r;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    // Of ue8m0 the exponents near 0 are those whose numbers meet others; both kinds are drawn.
    const U bits = any_value<U>(random);
    r.wide.v[lane] = lane % 2 == 0 ? bits : (bits & 0x0f0f0f0fu) + 0x78787878u;
    r.narrow.v[lane] = static_cast<std::uint16_t>(r.wide.v[lane]);
  }
  return r;
}

void expect_case(const Case& k, std::mt19937_64& random) {
  const bool two_factors = k.opcode == Opcode::mul || k.opcode == Opcode::fma;
  Modifiers m = mods(k.result, k.a);
  m.third_type = two_factors ? k.b : Type::none;
  m.satfinite = k.finite;
  const Register a = any_register(random), b = any_register(random), c = any_register(random);
  const U mask = static_cast<U>(random()) | 1u;
  Lanes<U> expected;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    expected.v[lane] = (mask >> lane & 1u) != 0 ? reference(k, a.wide.v[lane], b.wide.v[lane], c.wide.v[lane]) : 7;
  for (const LaneIsa isa : runnable_builds()) {
    const LaneKernel kernel = kernel_table(isa)->find(form_of(k.opcode, m));
    ASSERT_NE(kernel, nullptr) << name(k.opcode) << " " << name(k.result) << " " << name(k.a) << " " << name(k.b);
    Lanes<U> result;
    result.v.fill(7);
    LaneArgs args;
    args.dst = &result;
    args.mask = mask;
    args.src[0] = a.data(k.a);
    args.src[1] = two_factors ? b.data(k.b) : c.data(k.result);
    args.src[2] = two_factors ? c.data(k.result) : nullptr;
    kernel(args);
    ASSERT_EQ(result.v, expected.v) << name(k.opcode) << " " << name(k.result) << " " << name(k.a) << " " << name(k.b)
                                    << (k.finite ? " satfinite " : " ") << build_name(isa);
  }
}

constexpr Type sources[] = {Type::e4m3x4, Type::e5m2x4,   Type::e2m3x4, Type::e3m2x4,
                            Type::e2m1x4, Type::e2m1p4x4, Type::ue8m0x4};

TEST(SmallArithmetic, EveryFormRoundsTheExactValueOnce) {
  std::mt19937_64 random(4711);
  for (const Opcode opcode : {Opcode::add, Opcode::sub, Opcode::mul, Opcode::fma})
    for (const Type result : {Type::e4m3x4, Type::e5m2x4})
      for (const Type a : sources)
        for (const Type b : sources) {
          expect_case({opcode, result, a, b, false}, random);
          expect_case({opcode, result, a, b, true}, random);
          if (HasFatalFailure()) return;
        }
}

TEST(SmallArithmetic, CornersByHand) {
  const auto one = [](Opcode opcode, Type result, Type a, bool finite, U x, U c) {
    Modifiers m = mods(result, a);
    m.satfinite = finite;
    Lanes<U> p, q, d;
    p.v.fill(x);
    q.v.fill(c);
    LaneArgs args;
    args.dst = &d;
    args.mask = ~0u;
    args.src[0] = &p;
    args.src[1] = &q;
    find_lane_kernel(opcode, m)(args);
    return d.v[5];
  };
  // 448 + 16 is a tie that stays, 448 + 18 overflows; 57344 + 4096 is a tie that grows.
  EXPECT_EQ(one(Opcode::add, Type::e4m3x4, Type::e4m3x4, false, 0x7e7e7e7e, 0x59585858), 0x7f7e7e7eu);
  EXPECT_EQ(one(Opcode::add, Type::e4m3x4, Type::e4m3x4, true, 0x7e7e7e7e, 0x59585858), 0x7e7e7e7eu);
  EXPECT_EQ(one(Opcode::sub, Type::e5m2x4, Type::e5m2x4, false, 0xfb7b7bfb, 0x6c6cec6c), 0xfc7a7cfcu);
  // 2^127 + 1 and the NaN of ue8m0; 1 - 1 is +0, -0 + -0 is -0.
  EXPECT_EQ(one(Opcode::add, Type::e5m2x4, Type::ue8m0x4, true, 0xfffe7f00, 0x3c3cbc3c), 0x7f7b003cu);
  EXPECT_EQ(one(Opcode::add, Type::e4m3x4, Type::e4m3x4, false, 0x80808000, 0x80008080), 0x80008000u);
}

}  // namespace
}  // namespace syncline::isa::test
