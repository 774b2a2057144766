// Video instructions: vectors derived by hand from the semantics of the PTX ISA, and an independent model of the
// scalar and SIMD arithmetic on random operands.
#include <algorithm>

#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

using U = std::uint32_t;
using Wide = std::int64_t;

constexpr Type u = Type::u32, s = Type::s32;

Modifiers video(Type d, Type a, Type b) {
  Modifiers m;
  m.type = d;
  m.source_type = a;
  m.third_type = b;
  return m;
}

/// Mask and permutations of SIMD instructions: lists of elements from the highest on, as the text writes them.
constexpr U permutation(std::initializer_list<U> elements) {
  U bits = 0;
  for (const U element : elements) bits = bits << 3 | element;
  return bits;
}
constexpr U simd_select(U mask, std::initializer_list<U> a, std::initializer_list<U> b) {
  return mask | permutation(a) << 4 | permutation(b) << 16;
}

/// Selectors as the parser numbers them: 0 none, 1..4 .b0 to .b3, 5 and 6 .h0 and .h1.
constexpr U whole = 0, b0 = 1, b1 = 2, b3 = 4, h0 = 5, h1 = 6;
constexpr U select(U d, U a, U b) {
  return d | a << 4 | b << 8;
}

U run(Opcode opcode, const Modifiers& m, U selectors, U a, U b, U c = 0) {
  U found = 0;
  for (const LaneIsa isa : runnable_builds()) {
    const LaneKernel kernel = kernel_table(isa)->find(form_of(opcode, m));
    if (kernel == nullptr) {
      ADD_FAILURE() << "no kernel for " << name(opcode);
      return 0;
    }
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
    args.immediate = selectors;
    kernel(args);
    found = d.v[13];
  }
  return found;
}

Modifiers with_sat(Modifiers m) {
  m.sat = true;
  return m;
}
Modifiers with_second(Modifiers m, AtomicOp op) {
  m.secondary = op;
  return m;
}
Modifiers with_compare(Modifiers m, Compare compare) {
  m.third_type = Type::none;
  m.compare = compare;
  return m;
}
Modifiers with_wrap(Modifiers m, bool wrap) {
  (wrap ? m.wrap : m.clamp) = true;
  return m;
}

TEST(VideoForms, ScalarArithmeticSelectsAndExtendsParts) {
  EXPECT_EQ(run(Opcode::vadd, video(s, u, s), select(whole, b0, h1), 0x123456ff, 0xfffe0000), 253u);  // 255 + -2
  EXPECT_EQ(run(Opcode::vadd, video(s, s, s), select(whole, b0, b3), 0x123456ff, 0x80000000), U(-129));
  EXPECT_EQ(run(Opcode::vsub, video(s, u, u), select(whole, h0, h0), 1, 3), U(-2));
  EXPECT_EQ(run(Opcode::vabsdiff, video(u, s, s), select(whole, b1, b0), 0x8000, 0x7f), 255u);
  EXPECT_EQ(run(Opcode::vmin, video(s, s, u), select(whole, whole, whole), 0xffffffff, 1), 0xffffffffu);
  EXPECT_EQ(run(Opcode::vmax, video(s, u, s), select(whole, whole, whole), 0x7fffffff, 0xffffffff), 0x7fffffffu);
}

TEST(VideoForms, SaturationFollowsTheDestination) {
  EXPECT_EQ(run(Opcode::vadd, with_sat(video(s, s, s)), whole, 0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(run(Opcode::vadd, video(s, s, s), whole, 0x7fffffff, 1), 0x80000000u);
  EXPECT_EQ(run(Opcode::vsub, with_sat(video(u, u, u)), whole, 1, 2), 0u);
  EXPECT_EQ(run(Opcode::vadd, with_sat(video(u, u, u)), select(b1, whole, whole), 200, 100, 0x11223344), 0x1122ff44u);
  EXPECT_EQ(run(Opcode::vadd, video(u, u, u), select(b1, whole, whole), 200, 100, 0x11223344), 0x11222c44u);
  EXPECT_EQ(run(Opcode::vsub, with_sat(video(s, s, s)), select(h1, whole, whole), U(-30000), 30000, 0x11223344),
            0x80003344u);
}

TEST(VideoForms, SecondaryOperations) {
  EXPECT_EQ(run(Opcode::vadd, with_second(video(u, u, u), AtomicOp::add), whole, 1, 2, 40), 43u);
  EXPECT_EQ(run(Opcode::vadd, with_second(video(s, s, s), AtomicOp::min), whole, 1, 2, U(-5)), U(-5));
  EXPECT_EQ(run(Opcode::vadd, with_second(video(u, u, u), AtomicOp::min), whole, 1, 2, U(-5)), 3u);
  EXPECT_EQ(run(Opcode::vabsdiff, with_second(video(s, s, s), AtomicOp::max), whole, 7, 9, U(-5)), 2u);
}

TEST(VideoForms, Shifts) {
  EXPECT_EQ(run(Opcode::vshl, with_wrap(video(u, u, u), true), whole, 3, 33), 6u);
  EXPECT_EQ(run(Opcode::vshl, with_wrap(video(u, u, u), false), whole, 3, 33), 0u);
  EXPECT_EQ(run(Opcode::vshl, with_sat(with_wrap(video(u, u, u), false)), whole, 0xffffffff, 32), 0xffffffffu);
  EXPECT_EQ(run(Opcode::vshl, with_sat(with_wrap(video(s, s, u), false)), whole, 0x80000000, 1), 0x80000000u);
  EXPECT_EQ(run(Opcode::vshr, with_wrap(video(s, s, u), false), whole, 0x80000000, 40), 0xffffffffu);
  EXPECT_EQ(run(Opcode::vshr, with_wrap(video(u, u, u), false), whole, 0x80000000, 40), 0u);
  EXPECT_EQ(run(Opcode::vshr, with_wrap(video(u, u, u), true), select(whole, whole, b0), 0x80000000, 0xffffff84),
            0x08000000u);
}

TEST(VideoForms, MultiplyAdd) {
  EXPECT_EQ(run(Opcode::vmad, video(s, s, s), select(whole, h0, h1), 0xffff, 0x00030000, 10), 7u);  // -1 * 3 + 10
  EXPECT_EQ(run(Opcode::vmad, video(u, u, u), select(whole, b3, b3), 0xff000000, 0x02000000, 1), 511u);
  EXPECT_EQ(run(Opcode::vmad, with_sat(video(s, s, s)), whole, 0x10000, 0x10000, 1), 0x7fffffffu);
}

TEST(VideoForms, SetCompares) {
  EXPECT_EQ(run(Opcode::vset, with_compare(video(s, s, Type::none), Compare::lt), whole, U(-1), 0), 1u);
  EXPECT_EQ(run(Opcode::vset, with_compare(video(u, u, Type::none), Compare::lt), whole, U(-1), 0), 0u);
  EXPECT_EQ(
      run(Opcode::vset, with_second(with_compare(video(u, u, Type::none), Compare::ge), AtomicOp::add), whole, 5, 5, 9),
      10u);
  EXPECT_EQ(run(Opcode::vset4, with_compare(video(u, u, Type::none), Compare::eq), whole, 0x01020304, 0x01990399),
            0x01000100u);
  Modifiers count = with_compare(video(u, u, Type::none), Compare::ne);
  count.accumulate = true;
  EXPECT_EQ(run(Opcode::vset4, count, whole, 0x01020304, 0x01990399, 100), 102u);
}

/// The SIMD opcodes once more, on vectors of elements.
std::vector<Wide> elements(U value, unsigned width, bool is_signed) {
  std::vector<Wide> result;
  for (unsigned shift = 0; shift < 32; shift += width) {
    const Wide raw = value >> shift & ((1u << width) - 1);
    result.push_back(is_signed && raw >= Wide{1} << (width - 1) ? raw - (Wide{1} << width) : raw);
  }
  return result;
}

struct SimdOpcode {
  Opcode two, four;
  Wide (*function)(Wide, Wide);
};
constexpr SimdOpcode simd_opcodes[] = {
    {Opcode::vadd2, Opcode::vadd4, [](Wide a, Wide b) { return a + b; }},
    {Opcode::vsub2, Opcode::vsub4, [](Wide a, Wide b) { return a - b; }},
    {Opcode::vavrg2, Opcode::vavrg4,
     [](Wide a, Wide b) {
       const Wide sum = a + b, magnitude = (std::abs(sum) + 1) / 2;
       return sum < 0 ? -magnitude : magnitude;
     }},
    {Opcode::vabsdiff2, Opcode::vabsdiff4, [](Wide a, Wide b) { return std::abs(a - b); }},
    {Opcode::vmin2, Opcode::vmin4, [](Wide a, Wide b) { return std::min(a, b); }},
    {Opcode::vmax2, Opcode::vmax4, [](Wide a, Wide b) { return std::max(a, b); }},
};

TEST(VideoForms, SimdArithmetic) {
  std::mt19937_64 random(21);
  for (const SimdOpcode& op : simd_opcodes) {
    for (const unsigned width : {16u, 8u}) {
      for (unsigned facts = 0; facts < 8; ++facts) {
        const Type d = (facts & 1) != 0 ? s : u, a = (facts & 2) != 0 ? s : u, b = (facts & 4) != 0 ? s : u;
        for (unsigned round = 0; round < 30; ++round) {
          const U x = any_value<U>(random), y = any_value<U>(random), z = any_value<U>(random);
          const std::vector<Wide> va = elements(x, width, a == s), vb = elements(y, width, b == s);
          U plain = 0, saturated = 0, sum = z;
          for (unsigned n = 0; n < va.size(); ++n) {
            const Wide value = op.function(va[n], vb[n]);
            const Wide low = d == s ? -(Wide{1} << (width - 1)) : 0,
                       high = (Wide{1} << (d == s ? width - 1 : width)) - 1;
            const U field = (1u << width) - 1;
            plain |= (static_cast<U>(value) & field) << n * width;
            saturated |= (static_cast<U>(std::clamp(value, low, high)) & field) << n * width;
            sum += static_cast<U>(value);
          }
          const Opcode opcode = width == 16 ? op.two : op.four;
          Modifiers accumulate = video(d, a, b);
          accumulate.accumulate = true;
          ASSERT_EQ(run(opcode, video(d, a, b), whole, x, y, z), plain)
              << name(opcode) << std::hex << " " << x << " " << y;
          ASSERT_EQ(run(opcode, with_sat(video(d, a, b)), whole, x, y, z), saturated) << name(opcode);
          ASSERT_EQ(run(opcode, accumulate, whole, x, y, z), sum) << name(opcode);
        }
      }
    }
  }
}

TEST(VideoForms, SimdMaskKeepsTheOtherElementsOfC) {
  EXPECT_EQ(run(Opcode::vadd2, video(u, u, u), simd_select(0b10, {1, 0}, {3, 2}), 0x00010001, 0x00020002, 0xaaaabbbb),
            0x0003bbbbu);
  EXPECT_EQ(run(Opcode::vadd4, video(u, u, u), simd_select(0b0001, {3, 2, 1, 0}, {7, 6, 5, 4}), 0x01010101, 0x02020202,
                0xaabbccdd),
            0xaabbcc03u);
}

TEST(VideoForms, SimdPermutationsTakeElementsOfBothSources) {
  // .h03 of {b, a} = {4444 3333 2222 1111}: the low half of the result sees 4444, the high one 1111.
  EXPECT_EQ(run(Opcode::vadd2, video(u, u, u), simd_select(0b11, {0, 3}, {2, 2}), 0x22221111, 0x44443333), 0x44447777u);
  EXPECT_EQ(run(Opcode::vsub4, video(s, u, u), simd_select(0b1111, {7, 0, 6, 1}, {0, 0, 0, 0}), 0x04030201, 0x40302010),
            0x3f002f01u);
  Modifiers sum = video(u, u, u);
  sum.accumulate = true;
  EXPECT_EQ(run(Opcode::vmax4, sum, simd_select(0b1010, {3, 2, 1, 0}, {7, 6, 5, 4}), 0x09010801, 0x02060106, 100),
            100u + 9 + 8);
}

TEST(VideoForms, UndefinedOnesAreNull) {
  Modifiers both = with_sat(video(u, u, u));
  both.accumulate = true;
  EXPECT_EQ(find_lane_kernel(Opcode::vadd4, both), nullptr) << "no saturation of an accumulation";
  EXPECT_EQ(find_lane_kernel(Opcode::vadd, video(u, u, Type::u64)), nullptr);
  EXPECT_EQ(find_lane_kernel(Opcode::vshl, video(u, u, u)), nullptr) << "needs .clamp or .wrap";
}

}  // namespace
}  // namespace syncline::isa::test
