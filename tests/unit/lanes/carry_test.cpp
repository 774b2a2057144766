// Chains of additions and subtractions through the carry flag, against the host's 128-bit arithmetic.
#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

// 128-bit sums out of 32- and 64-bit pieces: the carry flag must travel.
template <class T>
void expect_carry_chain(Type type, Opcode first, Opcode next, bool subtract) {
  for (const LaneIsa isa : runnable_builds()) {
    Modifiers cc = mods(type);
    cc.cc = true;
    const LaneKernel low_kernel = kernel_table(isa)->find(form_of(first, cc));
    const LaneKernel high_kernel = kernel_table(isa)->find(form_of(next, mods(type)));
    ASSERT_NE(low_kernel, nullptr);
    ASSERT_NE(high_kernel, nullptr);
    std::mt19937_64 random(3);
    for (unsigned round = 0; round < 60; ++round) {
      Source<T> a[2], b[2], d[2];
      for (unsigned k = 0; k < 2; ++k) {
        a[k].fill(random);
        b[k].fill(random);
      }
      std::uint32_t carry = 0;
      for (unsigned k = 0; k < 2; ++k) {
        LaneArgs args;
        args.dst = d[k].lanes.v.data();
        args.dst2 = k == 0 ? &carry : nullptr;
        args.src[0] = a[k].data();
        args.src[1] = b[k].data();
        args.src[3] = k == 0 ? nullptr : &carry;
        args.mask = 0xffffffffu;
        (k == 0 ? low_kernel : high_kernel)(args);
      }
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
        const auto joined = [&](const Source<T>* s) {
          __extension__ typedef unsigned __int128 UnsignedBig;
          return static_cast<UnsignedBig>(s[1].at(lane)) << 8 * sizeof(T) | s[0].at(lane);
        };
        const auto expected = subtract ? joined(a) - joined(b) : joined(a) + joined(b);
        ASSERT_EQ(d[0].at(lane), static_cast<T>(expected)) << build_name(isa);
        ASSERT_EQ(d[1].at(lane), static_cast<T>(expected >> 8 * sizeof(T))) << build_name(isa);
      }
    }
  }
}

TEST(CarryForms, SumsAndDifferencesOfTwoWords) {
  for (const Type type : {Type::u32, Type::s32}) {
    expect_carry_chain<std::uint32_t>(type, Opcode::add, Opcode::addc, false);
    expect_carry_chain<std::uint32_t>(type, Opcode::sub, Opcode::subc, true);
  }
  for (const Type type : {Type::u64, Type::s64}) {
    expect_carry_chain<std::uint64_t>(type, Opcode::add, Opcode::addc, false);
    expect_carry_chain<std::uint64_t>(type, Opcode::sub, Opcode::subc, true);
  }
}

TEST(CarryForms, MadAddsTheCarryAndDeliversIt) {
  for (const LaneIsa isa : runnable_builds()) {
    for (const MulPart which : {MulPart::lo, MulPart::hi}) {
      Modifiers m = mods(Type::u32);
      m.part = which;
      m.cc = true;
      const LaneKernel kernel = kernel_table(isa)->find(form_of(Opcode::madc, m));
      ASSERT_NE(kernel, nullptr);
      std::mt19937_64 random(5);
      for (unsigned round = 0; round < 60; ++round) {
        Source<std::uint32_t> a, b, c, d;
        a.fill(random);
        b.fill(random);
        c.fill(random);
        const auto carry_in = static_cast<std::uint32_t>(random());
        const auto mask = static_cast<std::uint32_t>(random());
        std::uint32_t carry = 0x12345678;
        LaneArgs args;
        args.dst = d.lanes.v.data();
        args.dst2 = &carry;
        args.src[0] = a.data();
        args.src[1] = b.data();
        args.src[2] = c.data();
        args.src[3] = &carry_in;
        args.mask = mask;
        kernel(args);
        for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
          const std::uint64_t product = std::uint64_t{a.at(lane)} * b.at(lane);
          const std::uint64_t sum =
              (which == MulPart::lo ? product & 0xffffffffu : product >> 32) + c.at(lane) + (carry_in >> lane & 1u);
          const bool on = (mask >> lane & 1u) != 0;
          if (on) {
            ASSERT_EQ(d.at(lane), static_cast<std::uint32_t>(sum));
          }
          ASSERT_EQ(carry >> lane & 1u, on ? sum >> 32 : 0x12345678u >> lane & 1u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace syncline::isa::test
