// vmad and the selectors of SIMD video instructions against the pseudo code of the ISA, on random forms and operands.
#include <rapidcheck.h>

#include <algorithm>

#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

using U = std::uint32_t;
using Wide = std::int64_t;
__extension__ typedef __int128 Huge;

U run(Opcode opcode, const Modifiers& m, U immediate, U a, U b, U c) {
  U found = 0;
  bool first = true;
  for (const LaneIsa isa : runnable_builds()) {
    const LaneKernel kernel = kernel_table(isa)->find(form_of(opcode, m));
    RC_ASSERT(kernel != nullptr);
    Lanes<U> x, y, z, d;
    x.v.fill(a);
    y.v.fill(b);
    z.v.fill(c);
    LaneArgs args;
    args.dst = d.v.data();
    args.src[0] = x.v.data();
    args.src[1] = y.v.data();
    args.src[2] = z.v.data();
    args.mask = 0xffffffffu;
    args.immediate = immediate;
    kernel(args);
    RC_ASSERT(first || found == d.v[21]);
    found = d.v[21];
    first = false;
  }
  return found;
}

rc::Gen<U> word() {
  const auto& special = special_patterns(4);
  const std::vector<U> patterns(special.begin(), special.end());
  return rc::gen::oneOf(rc::gen::elementOf(patterns), rc::gen::arbitrary<U>());
}

Type any_word_type() {
  return *rc::gen::element(Type::u32, Type::s32);
}

/// partSelectSignExtend of the ISA: 0 the whole register, 1 to 4 a byte, 5 and 6 a half.
Wide part(U value, U selector, Type type) {
  const unsigned width = selector == 0 ? 32 : selector < 5 ? 8 : 16;
  const unsigned shift = selector == 0 ? 0 : selector < 5 ? 8 * (selector - 1) : 16 * (selector - 5);
  const Wide raw = static_cast<Wide>(std::uint64_t{value} >> shift & ((std::uint64_t{1} << width) - 1));
  return type == Type::s32 && (raw >> (width - 1)) != 0 ? raw - (Wide{1} << width) : raw;
}

struct Multiply {
  Type a, b;
  bool minus_product, minus_c, plus_one, sat;
  unsigned scale;
};

U reference(const Multiply& m, Wide ta, Wide tb, U c) {
  const bool is_signed = m.a == Type::s32 || m.b == Type::s32 || m.minus_product || m.minus_c;
  Huge tmp = static_cast<Huge>(ta) * tb;
  int lsb = 0;
  if (m.plus_one) {
    lsb = 1;
  } else if (m.minus_product) {
    tmp = ~tmp;
    lsb = 1;
  } else if (m.minus_c) {
    c = ~c;
    lsb = 1;
  }
  tmp += (is_signed ? static_cast<Huge>(static_cast<std::int32_t>(c)) : static_cast<Huge>(c)) + lsb;
  tmp >>= m.scale;
  if (m.sat) {
    const Huge low = is_signed ? static_cast<Huge>(std::numeric_limits<std::int32_t>::min()) : 0;
    const Huge high = is_signed ? static_cast<Huge>(std::numeric_limits<std::int32_t>::max())
                                : static_cast<Huge>(std::numeric_limits<U>::max());
    tmp = tmp < low ? low : tmp > high ? high : tmp;
  }
  return static_cast<U>(static_cast<std::uint64_t>(tmp));
}

TEST(VideoSelection, MultiplyAddInEveryForm) {
  EXPECT_TRUE(rc::check([] {
    Multiply form{any_word_type(),
                  any_word_type(),
                  false,
                  false,
                  false,
                  *rc::gen::arbitrary<bool>(),
                  *rc::gen::element(0u, 7u, 15u)};
    const int sign = *rc::gen::inRange(0, 4);
    form.minus_product = sign == 1;
    form.minus_c = sign == 2;
    form.plus_one = sign == 3;
    Modifiers m = mods(any_word_type(), form.a);
    m.third_type = form.b;
    m.sat = form.sat;
    m.plus_one = form.plus_one;
    m.scale = static_cast<std::uint8_t>(form.scale);
    const U select_a = *rc::gen::inRange(0u, 7u), select_b = *rc::gen::inRange(0u, 7u);
    const U a = *word(), b = *word(), c = *word();
    const U immediate =
        select_a << 4 | select_b << 8 | (form.minus_product ? 1u << 12 : 0) | (form.minus_c ? 1u << 13 : 0);
    RC_ASSERT(run(Opcode::vmad, m, immediate, a, b, c) ==
              reference(form, part(a, select_a, form.a), part(b, select_b, form.b), c));
  }));
}

TEST(VideoSelection, MultiplyAddByHand) {
  Modifiers m = mods(Type::s32, Type::u32);
  m.third_type = Type::u32;
  constexpr U minus_product = 1u << 12, minus_c = 1u << 13;
  EXPECT_EQ(run(Opcode::vmad, m, minus_product, 3, 4, 20), 8u);
  EXPECT_EQ(run(Opcode::vmad, m, minus_c, 3, 4, 20), static_cast<U>(-8));
  m.sat = true;
  EXPECT_EQ(run(Opcode::vmad, m, minus_product, 0xffffffff, 0xffffffff, 0), 0x80000000u);
  m.sat = false;
  m.plus_one = true;
  EXPECT_EQ(run(Opcode::vmad, m, 0, 3, 4, 20), 33u);
  m.scale = 7;
  EXPECT_EQ(run(Opcode::vmad, m, 0, 0xffffffff, 0xffffffff, 0), 0xfc000000u);  // (2^64 - 2^33 + 2) >> 7
}

struct Simd {
  Opcode two, four;
  Wide (*function)(Wide, Wide);
};
const Simd simd[] = {
    {Opcode::vadd2, Opcode::vadd4, [](Wide a, Wide b) { return a + b; }},
    {Opcode::vsub2, Opcode::vsub4, [](Wide a, Wide b) { return a - b; }},
    {Opcode::vabsdiff2, Opcode::vabsdiff4, [](Wide a, Wide b) { return a < b ? b - a : a - b; }},
    {Opcode::vmin2, Opcode::vmin4, [](Wide a, Wide b) { return std::min(a, b); }},
    {Opcode::vmax2, Opcode::vmax4, [](Wide a, Wide b) { return std::max(a, b); }},
    {Opcode::vavrg2, Opcode::vavrg4,
     [](Wide a, Wide b) { return a + b >= 0 ? (a + b + 1) / 2 : -((-a - b) / 2 + (-a - b) % 2); }},
    {Opcode::vset2, Opcode::vset4, [](Wide a, Wide b) { return Wide{a <= b}; }},
};

TEST(VideoSelection, SimdElementsFromAnywhere) {
  EXPECT_TRUE(rc::check([] {
    const Simd& op = simd[*rc::gen::inRange<std::size_t>(0, std::size(simd))];
    const bool bytes = *rc::gen::arbitrary<bool>(), compares = op.two == Opcode::vset2;
    const unsigned width = bytes ? 8 : 16, count = 32 / width;
    const Type d = compares ? Type::u32 : any_word_type(), ta = any_word_type(), tb = any_word_type();
    const bool accumulate = *rc::gen::arbitrary<bool>();
    const bool sat = !accumulate && !compares && *rc::gen::arbitrary<bool>();
    Modifiers m = compares ? mods(ta, tb) : mods(d, ta);
    if (!compares) m.third_type = tb;
    if (compares) m.compare = Compare::le;
    m.sat = sat;
    m.accumulate = accumulate;

    const U a = *word(), b = *word(), c = *word();
    const U mask = *rc::gen::inRange(1u, 1u << count);
    std::vector<Wide> sources;
    U selection = mask, result = c;
    for (unsigned n = 0; n < count; ++n) {
      const unsigned from_a = *rc::gen::inRange(0u, 2 * count), from_b = *rc::gen::inRange(0u, 2 * count);
      selection |= from_a << (4 + 3 * n) | from_b << (16 + 3 * n);
      const auto element = [&](unsigned at, Type type) {
        return part(at < count ? a : b, (bytes ? 1 : 5) + at % count, type);
      };
      Wide value = op.function(element(from_a, ta), element(from_b, tb));
      if ((mask >> n & 1) == 0) continue;
      if (accumulate) {
        result += static_cast<U>(value);
        continue;
      }
      const Wide low = d == Type::s32 ? -(Wide{1} << (width - 1)) : 0;
      const Wide high = (Wide{1} << (d == Type::s32 ? width - 1 : width)) - 1;
      if (sat) value = std::clamp(value, low, high);
      const U ones = ((1u << width) - 1) << (n * width);
      result = (result & ~ones) | (static_cast<U>(value) << (n * width) & ones);
    }
    RC_ASSERT(run(bytes ? op.four : op.two, m, selection, a, b, c) == result);
  }));
}

}  // namespace
}  // namespace syncline::isa::test
