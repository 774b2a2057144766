// cvt.pack, bit by bit as the ISA writes its semantics.
#include <algorithm>

#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

using U = std::uint32_t;
using S = std::int32_t;

template <unsigned Size, bool Signed>
S converted(S value) {
  const S low = Signed ? -(1 << (Size - 1)) : 0, high = Signed ? (1 << (Size - 1)) - 1 : (1 << Size) - 1;
  return std::clamp(value, low, high);
}
template <unsigned Size, bool Signed, bool Onto>
U packed(S a, S b, U c) {
  const U ta = static_cast<U>(converted<Size, Signed>(a)), tb = static_cast<U>(converted<Size, Signed>(b));
  U d = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const U bit = i < Size ? tb >> i & 1 : i < 2 * Size ? ta >> (i - Size) & 1 : Onto ? c >> (i - 2 * Size) & 1 : 0;
    d |= bit << i;
  }
  return d;
}
template <unsigned Size, bool Signed>
U alone(S a, S b) {
  return packed<Size, Signed, false>(a, b, 0);
}

Modifiers form(Type type, Type c = Type::none) {
  Modifiers m = mods(type, Type::s32);
  m.third_type = c;
  m.pack = m.sat = true;
  return m;
}

TEST(Pack, EveryWidth) {
  expect_form(Opcode::cvt, form(Type::s16), alone<16, true>, 200);
  expect_form(Opcode::cvt, form(Type::u16), alone<16, false>, 200);
  expect_form(Opcode::cvt, form(Type::s8, Type::b32), packed<8, true, true>, 200);
  expect_form(Opcode::cvt, form(Type::u8, Type::b32), packed<8, false, true>, 200);
  expect_form(Opcode::cvt, form(Type::s4, Type::b32), packed<4, true, true>, 200);
  expect_form(Opcode::cvt, form(Type::u4, Type::b32), packed<4, false, true>, 200);
  expect_form(Opcode::cvt, form(Type::s2, Type::b32), packed<2, true, true>, 200);
  expect_form(Opcode::cvt, form(Type::u2, Type::b32), packed<2, false, true>, 200);
}

TEST(Pack, HandDerived) {
  EXPECT_EQ((packed<8, false, true>(300, -1, 0xabcd1234)), 0x1234ff00u);
  EXPECT_EQ((packed<2, true, true>(-9, 9, 0xf)), 0xf9u);
  EXPECT_EQ((alone<16, true>(-40000, 40000)), 0x80007fffu);
}

TEST(Pack, OrdinaryConversionIsAnotherForm) {
  Modifiers plain = mods(Type::u16, Type::s32);
  plain.sat = true;
  EXPECT_NE(find_lane_kernel(Opcode::cvt, plain), find_lane_kernel(Opcode::cvt, form(Type::u16)));
  EXPECT_EQ(find_lane_kernel(Opcode::cvt, form(Type::u32)), nullptr);
}

}  // namespace
}  // namespace syncline::isa::test
