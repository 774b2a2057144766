// Logic, shifts, bit fields and moves against bit-by-bit references that follow the pseudocode of the PTX ISA.
#include <algorithm>

#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

using U = std::uint32_t;
using S = std::int32_t;
using U64 = std::uint64_t;

template <class T>
bool bit(T value, unsigned n) {
  return n < 8 * sizeof(T) && (static_cast<std::make_unsigned_t<T>>(value) >> n & 1u) != 0;
}
template <class T, class F>
T from_bits(F f) {
  std::make_unsigned_t<T> result = 0;
  for (unsigned n = 0; n < 8 * sizeof(T); ++n) {
    if (f(n)) result = static_cast<std::make_unsigned_t<T>>(result | std::make_unsigned_t<T>(1) << n);
  }
  return static_cast<T>(result);
}

template <class T>
void expect_logic(Type type) {
  expect_form(
      Opcode::and_, mods(type),
      +[](T a, T b) { return from_bits<T>([&](unsigned n) { return bit(a, n) && bit(b, n); }); });
  expect_form(
      Opcode::or_, mods(type),
      +[](T a, T b) { return from_bits<T>([&](unsigned n) { return bit(a, n) || bit(b, n); }); });
  expect_form(
      Opcode::xor_, mods(type),
      +[](T a, T b) { return from_bits<T>([&](unsigned n) { return bit(a, n) != bit(b, n); }); });
  expect_form(
      Opcode::not_, mods(type), +[](T a) { return from_bits<T>([&](unsigned n) { return !bit(a, n); }); });
  expect_form(
      Opcode::cnot, mods(type), +[](T a) { return static_cast<T>(a == 0); });
  expect_form(
      Opcode::shl, mods(type),
      +[](T a, U b) { return from_bits<T>([&](unsigned n) { return n >= b && bit(a, n - b); }); });
}
template <class T>
void expect_shr(Type type) {
  expect_form(
      Opcode::shr, mods(type), +[](T a, U b) {
        constexpr unsigned top = 8 * sizeof(T) - 1;
        const bool fill = std::is_signed_v<T> && bit(a, top);
        return from_bits<T>([&](unsigned n) { return U64{n} + b > top ? fill : bit(a, n + b); });
      });
}

TEST(BitForms, LogicAndShifts) {
  expect_logic<std::uint16_t>(Type::b16);
  expect_logic<U>(Type::b32);
  expect_logic<U64>(Type::b64);
  expect_shr<std::uint16_t>(Type::b16);
  expect_shr<std::uint16_t>(Type::u16);
  expect_shr<std::int16_t>(Type::s16);
  expect_shr<U>(Type::b32);
  expect_shr<U>(Type::u32);
  expect_shr<S>(Type::s32);
  expect_shr<U64>(Type::b64);
  expect_shr<U64>(Type::u64);
  expect_shr<std::int64_t>(Type::s64);
}

TEST(BitForms, FunnelShifts) {
  const auto form = [](bool left, bool wrap) {
    Modifiers m = mods(Type::b32);
    (left ? m.left : m.right) = true;
    (wrap ? m.wrap : m.clamp) = true;
    return m;
  };
  static constexpr auto pair_bit = [](U a, U b, unsigned n) { return n < 32 ? bit(a, n) : bit(b, n - 32); };
  expect_form(
      Opcode::shf, form(true, true),
      +[](U a, U b, U c) { return from_bits<U>([&](unsigned n) { return pair_bit(a, b, 32 + n - c % 32); }); });
  expect_form(
      Opcode::shf, form(true, false), +[](U a, U b, U c) {
        return from_bits<U>([&](unsigned n) { return pair_bit(a, b, 32 + n - std::min(c, 32u)); });
      });
  expect_form(
      Opcode::shf, form(false, true),
      +[](U a, U b, U c) { return from_bits<U>([&](unsigned n) { return pair_bit(a, b, n + c % 32); }); });
  expect_form(
      Opcode::shf, form(false, false),
      +[](U a, U b, U c) { return from_bits<U>([&](unsigned n) { return pair_bit(a, b, n + std::min(c, 32u)); }); });
}

template <class T>
T reference_bfe(T a, U b, U c) {
  constexpr unsigned msb = 8 * sizeof(T) - 1;
  const unsigned pos = b & 0xff, len = c & 0xff;
  const bool sbit = std::is_signed_v<T> && len != 0 && bit(a, std::min(pos + len - 1, msb));
  return from_bits<T>([&](unsigned i) { return i < len && pos + i <= msb ? bit(a, pos + i) : sbit; });
}
template <class T>
T reference_bfi(T a, T b, U c, U d) {
  constexpr unsigned msb = 8 * sizeof(T) - 1;
  const unsigned pos = c & 0xff, len = d & 0xff;
  return from_bits<T>([&](unsigned i) { return i >= pos && i - pos < len && i <= msb ? bit(a, i - pos) : bit(b, i); });
}
template <class T>
U reference_bfind(T a) {
  constexpr int msb = 8 * sizeof(T) - 1;
  const bool sign = std::is_signed_v<T> && a < 0;
  for (int i = msb; i >= 0; --i) {
    if (bit(a, static_cast<unsigned>(i)) != sign) return static_cast<U>(i);
  }
  return 0xffffffff;
}
template <class T>
U reference_bfind_shift(T a) {
  const U found = reference_bfind(a);
  return found == 0xffffffff ? found : static_cast<U>(8 * sizeof(T) - 1) - found;
}

template <class T>
void expect_fields(Type type) {
  expect_form(Opcode::bfe, mods(type), reference_bfe<T>, 150);
  expect_form(Opcode::bfind, mods(type), reference_bfind<T>);
  Modifiers shift = mods(type);
  shift.shift_amount = true;
  expect_form(Opcode::bfind, shift, reference_bfind_shift<T>);
}
template <class T>
void expect_bit_counts(Type type) {
  expect_form(Opcode::bfi, mods(type), reference_bfi<T>, 150);
  expect_form(
      Opcode::popc, mods(type), +[](T a) {
        U count = 0;
        for (unsigned n = 0; n < 8 * sizeof(T); ++n) count += bit(a, n);
        return count;
      });
  expect_form(
      Opcode::clz, mods(type), +[](T a) {
        U count = 0;
        while (count < 8 * sizeof(T) && !bit(a, static_cast<unsigned>(8 * sizeof(T) - 1 - count))) ++count;
        return count;
      });
  expect_form(
      Opcode::brev, mods(type), +[](T a) {
        return from_bits<T>([&](unsigned n) { return bit(a, static_cast<unsigned>(8 * sizeof(T) - 1 - n)); });
      });
}

TEST(BitForms, Fields) {
  expect_fields<U>(Type::u32);
  expect_fields<S>(Type::s32);
  expect_fields<U64>(Type::u64);
  expect_fields<std::int64_t>(Type::s64);
  expect_bit_counts<U>(Type::b32);
  expect_bit_counts<U64>(Type::b64);
}

TEST(BitForms, FindNthSetBit) {
  expect_form(
      Opcode::fns, mods(Type::b32),
      +[](U mask, U base, S offset) {
        std::vector<U> set;
        if (base > 31) return 0xffffffffu;
        if (offset == 0) return bit(mask, base) ? base : 0xffffffffu;
        for (U n = 0; n < 32; ++n) {
          if (bit(mask, n) && (offset > 0 ? n >= base : n <= base)) set.push_back(n);
        }
        if (offset < 0) std::reverse(set.begin(), set.end());
        const std::int64_t wanted = offset > 0 ? offset : -std::int64_t{offset};
        return wanted <= static_cast<std::int64_t>(set.size()) ? set[static_cast<std::size_t>(wanted - 1)]
                                                               : 0xffffffffu;
      },
      200);
}

TEST(BitForms, MasksAndExtensions) {
  Modifiers clamp = mods(Type::b32), wrap = mods(Type::b32);
  clamp.clamp = true;
  wrap.wrap = true;
  expect_form(
      Opcode::bmsk, clamp, +[](U a, U b) { return from_bits<U>([&](unsigned n) { return n >= a && n - a < b; }); });
  expect_form(
      Opcode::bmsk, wrap,
      +[](U a, U b) { return from_bits<U>([&](unsigned n) { return n >= a % 32 && n - a % 32 < b % 32; }); });
  clamp.type = wrap.type = Type::u32;
  expect_form(
      Opcode::szext, clamp, +[](U a, U b) { return from_bits<U>([&](unsigned n) { return n < b && bit(a, n); }); });
  expect_form(
      Opcode::szext, wrap, +[](U a, U b) { return from_bits<U>([&](unsigned n) { return n < b % 32 && bit(a, n); }); });
  clamp.type = wrap.type = Type::s32;
  static constexpr auto extended = [](S a, U b) {
    return from_bits<S>([&](unsigned n) { return n < b ? bit(a, n) : b != 0 && bit(a, b - 1); });
  };
  expect_form(
      Opcode::szext, clamp, +[](S a, U b) { return extended(a, std::min(b, 32u)); });
  expect_form(
      Opcode::szext, wrap, +[](S a, U b) { return extended(a, b % 32); });
}

template <unsigned Table>
void expect_lop3() {
  expect_form(
      Opcode::lop3, mods(Type::b32),
      +[](U a, U b, U c) {
        return from_bits<U>(
            [&](unsigned n) { return (Table >> (4 * bit(a, n) + 2 * bit(b, n) + bit(c, n)) & 1) != 0; });
      },
      10, Table);
}

TEST(BitForms, Lop3HasTheTableOfTheManual) {
  // 0xF0, 0xCC and 0xAA are a, b and c themselves.
  expect_lop3<0xF0>();
  expect_lop3<0xCC>();
  expect_lop3<0xAA>();
  expect_lop3<0x80>();
  expect_lop3<0xFE>();
  expect_lop3<0x40>();
  expect_lop3<0x1A>();
  expect_lop3<0x96>();
  expect_lop3<0x00>();
  expect_lop3<0xFF>();
}

TEST(BitForms, Lop3DeliversAPredicate) {
  for (const LaneIsa isa : runnable_builds()) {
    for (const BoolOp op : {BoolOp::and_, BoolOp::or_}) {
      Modifiers m = mods(Type::b32);
      m.bool_op = op;
      Lanes<U> a, d;
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) a.v[lane] = lane % 3;
      const std::uint32_t q = 0x0ff00ff0;
      std::uint32_t p = 0;
      LaneArgs args;
      args.dst = d.v.data();
      args.dst2 = &p;
      for (unsigned k = 0; k < 3; ++k) args.src[k] = a.v.data();
      args.src[3] = &q;
      args.mask = 0xffff;
      args.immediate = 0x80;
      kernel_table(isa)->find(form_of(Opcode::lop3, m))(args);
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
        const bool nonzero = lane % 3 != 0, other = (q >> lane & 1) != 0;
        const bool expected = op == BoolOp::and_ ? nonzero && other : nonzero || other;
        ASSERT_EQ((p >> lane & 1) != 0, lane < 16 && expected) << lane;
        ASSERT_EQ(d.v[lane], lane < 16 ? lane % 3 : 0);
      }
    }
  }
}

U pick(U a, U b, const std::array<unsigned, 4>& bytes) {  // most significant first, as the manual prints them
  const U64 all = U64{b} << 32 | a;
  U result = 0;
  for (const unsigned byte : bytes) result = result << 8 | static_cast<U>(all >> 8 * byte & 0xff);
  return result;
}

TEST(BitForms, PermuteModes) {
  const auto form = [](PrmtMode mode) {
    Modifiers m = mods(Type::b32);
    m.prmt = mode;
    return m;
  };
  using Bytes = std::array<unsigned, 4>;
  expect_form(
      Opcode::prmt, form(PrmtMode::none), +[](U a, U b, U c) {
        const U64 all = U64{b} << 32 | a;
        U result = 0;
        for (unsigned n = 0; n < 4; ++n) {
          const unsigned selector = c >> 4 * n & 15;
          U byte = static_cast<U>(all >> 8 * (selector & 7) & 0xff);
          if (selector > 7) byte = byte >= 128 ? 255 : 0;
          result |= byte << 8 * n;
        }
        return result;
      });
  expect_form(
      Opcode::prmt, form(PrmtMode::f4e), +[](U a, U b, U c) {
        const unsigned k = c & 3;
        return pick(a, b, {3 + k, 2 + k, 1 + k, k});
      });
  expect_form(
      Opcode::prmt, form(PrmtMode::b4e), +[](U a, U b, U c) {
        const unsigned k = c & 3;
        return pick(a, b, {(5 + k) % 8, (6 + k) % 8, (7 + k) % 8, k});
      });
  expect_form(
      Opcode::prmt, form(PrmtMode::rc8), +[](U a, U b, U c) {
        const unsigned k = c & 3;
        return pick(a, b, {k, k, k, k});
      });
  expect_form(
      Opcode::prmt, form(PrmtMode::ecl), +[](U a, U b, U c) {
        const unsigned k = c & 3;
        return pick(a, b, {3, std::max(2u, k), std::max(1u, k), k});
      });
  expect_form(
      Opcode::prmt, form(PrmtMode::ecr), +[](U a, U b, U c) {
        const unsigned k = c & 3;
        return pick(a, b, {k, std::min(2u, k), std::min(1u, k), 0});
      });
  expect_form(
      Opcode::prmt, form(PrmtMode::rc16), +[](U a, U b, U c) {
        return (c & 1) == 0 ? pick(a, b, Bytes{1, 0, 1, 0}) : pick(a, b, Bytes{3, 2, 3, 2});
      });
}

template <class T>
void expect_moves(std::initializer_list<Type> types) {
  for (const Type type : types) {
    expect_form(
        Opcode::mov, mods(type), +[](T a) { return a; });
    expect_form(
        Opcode::selp, mods(type), +[](T a, T b, bool c) { return c ? a : b; });
    expect_form(
        Opcode::slct, mods(type, Type::s32), +[](T a, T b, S c) { return c >= 0 ? a : b; });
    expect_form(
        Opcode::slct, mods(type, Type::f32), +[](T a, T b, U c) {
          const bool nan = (c & 0x7fffffffu) > 0x7f800000u;
          return !nan && (c < 0x80000000u || c == 0x80000000u) ? a : b;
        });
    Modifiers ftz = mods(type, Type::f32);
    ftz.ftz = true;
    expect_form(
        Opcode::slct, ftz, +[](T a, T b, U c) {
          const bool nan = (c & 0x7fffffffu) > 0x7f800000u, tiny = (c & 0x7f800000u) == 0;
          return !nan && (tiny || c < 0x80000000u) ? a : b;
        });
  }
}

TEST(MoveForms, MovSelpSlct) {
  expect_moves<std::uint16_t>({Type::b16, Type::u16, Type::s16});
  expect_moves<U>({Type::b32, Type::u32, Type::s32, Type::f32});
  expect_moves<U64>({Type::b64, Type::u64, Type::s64, Type::f64});
}

TEST(MoveForms, PredicateLogic) {
  const auto run = [](Opcode opcode, std::uint32_t a, std::uint32_t b, std::uint32_t mask) {
    std::uint32_t result = 0xff00ff00;
    LaneArgs args;
    args.dst = &result;
    args.src[0] = &a;
    args.src[1] = opcode == Opcode::not_ || opcode == Opcode::mov ? nullptr : &b;
    args.mask = mask;
    find_lane_kernel(opcode, mods(Type::pred))(args);
    return result;
  };
  const std::uint32_t a = 0x12345678, b = 0x0ff0a5a5, mask = 0x00ffff00;
  const auto kept = [&](std::uint32_t value) { return (value & mask) | (0xff00ff00u & ~mask); };
  EXPECT_EQ(run(Opcode::and_, a, b, mask), kept(a & b));
  EXPECT_EQ(run(Opcode::or_, a, b, mask), kept(a | b));
  EXPECT_EQ(run(Opcode::xor_, a, b, mask), kept(a ^ b));
  EXPECT_EQ(run(Opcode::not_, a, b, mask), kept(~a));
  EXPECT_EQ(run(Opcode::mov, a, b, mask), kept(a));
}

}  // namespace
}  // namespace syncline::isa::test
