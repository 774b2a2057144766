// The instruction mix: each instruction is of the kind that it is, and branches part lanes where they do.
#include <gmock/gmock.h>

#include <ostream>

#include "tests/unit/profile/profile_fixture.h"

namespace syncline::platform {
namespace {

using tests::ProfileTest;
using Kind = InstructionKind;

struct KindCase {
  const char* label;
  const char* instruction;
  Kind kind;
  unsigned setup = 0;  ///< instructions in front of it, all of them integer
};

void PrintTo(const KindCase& one, std::ostream* out) {
  *out << one.label;
}

class KindTest : public ProfileTest, public testing::WithParamInterface<KindCase> {};

TEST_P(KindTest, OneInstruction) {
  const KindCase& one = GetParam();
  std::array<std::uint64_t, instruction_kinds> expected{};
  const auto at = [&](Kind kind) -> std::uint64_t& { return expected[static_cast<std::size_t>(kind)]; };
  at(Kind::parameter) = 1;
  at(Kind::integer) = 2 + one.setup;
  at(Kind::call) = 1;
  ++at(one.kind);
  run(std::string("  .shared .align 16 .b8 s[64]; .local .align 16 .b8 l[64];\n  ") + one.instruction, 1, 32);
  for (std::size_t n = 0; n < instruction_kinds; ++n) {
    const auto kind = static_cast<Kind>(n);
    EXPECT_EQ(total().mix.of(kind).warp, expected[n]) << name(kind);
    EXPECT_EQ(total().mix.of(kind).thread, 32 * expected[n]) << name(kind);
  }
  EXPECT_EQ(total().mix.total().warp, frame + 1 + one.setup);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, KindTest,
    testing::Values(KindCase{"load", "ld.global.u32 %r1, [%at];", Kind::global_load},
                    KindCase{"generic_load", "ld.u32 %r1, [%at];", Kind::global_load},
                    KindCase{"store", "st.global.u32 [%at], %t;", Kind::global_store},
                    KindCase{"atom", "atom.global.add.u32 %r1, [%at], 1;", Kind::global_atomic},
                    KindCase{"red", "red.global.add.u32 [%at], 1;", Kind::global_reduction},
                    KindCase{"shared_load", "ld.shared.u32 %r1, [s];", Kind::shared_load},
                    KindCase{"shared_store", "st.shared.u32 [s], %t;", Kind::shared_store},
                    KindCase{"shared_atom", "atom.shared.add.u32 %r1, [s], 1;", Kind::shared_atomic},
                    KindCase{"local_store", "st.local.u32 [l], %t;", Kind::local_access},
                    KindCase{"local_load", "ld.local.u32 %r1, [l];", Kind::local_access},
                    KindCase{"param", "ld.param.u64 %d1, [p];", Kind::parameter},
                    KindCase{"generic_param", "mov.b64 %d1, p; cvta.param.u64 %d1, %d1; ld.u64 %d2, [%d1];",
                             Kind::parameter, 2},
                    KindCase{"fence", "fence.acq_rel.gpu;", Kind::fence},
                    KindCase{"membar", "membar.sys;", Kind::fence}, KindCase{"barrier", "bar.sync 0;", Kind::barrier},
                    KindCase{"warp_barrier", "bar.warp.sync 0xffffffff;", Kind::warp_barrier},
                    KindCase{"shuffle", "shfl.sync.idx.b32 %r1, %t, 0, 31, 0xffffffff;", Kind::cross_lane},
                    KindCase{"vote", "activemask.b32 %r1;", Kind::cross_lane},
                    KindCase{"branch", "bra NEXT;\nNEXT:", Kind::branch},
                    KindCase{"integer", "add.u32 %r1, %t, 1;", Kind::integer},
                    KindCase{"mul", "mul.lo.u32 %r1, %t, 3;", Kind::integer_mul},
                    KindCase{"div", "div.u32 %r1, %t, 3;", Kind::integer_div},
                    KindCase{"single", "add.f32 %f1, 0f3f800000, 0f3f800000;", Kind::single},
                    KindCase{"float_div", "div.rn.f32 %f1, 0f3f800000, 0f40000000;", Kind::float_div},
                    KindCase{"double", "add.f64 %e1, 0d3ff0000000000000, 0d3ff0000000000000;", Kind::double_},
                    KindCase{"double_div", "div.rn.f64 %e1, 0d3ff0000000000000, 0d3ff0000000000000;", Kind::double_div},
                    KindCase{"special", "sin.approx.f32 %f1, 0f3f800000;", Kind::special},
                    KindCase{"sleep", "nanosleep.u32 1;", Kind::other}),
    [](const auto& one) { return std::string(one.param.label); });

class MixTest : public ProfileTest {};

TEST_F(MixTest, ConstantsAreNotGlobalMemory) {
  launch(load(".const .align 4 .u32 c = 3;\n" + kernel("  ld.const.u32 %r1, [c];")), {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(total().mix.of(Kind::constant_load).warp, 1U);
  EXPECT_EQ(total().lines.lines().all, 0U);
}

TEST_F(MixTest, BranchesThatPart) {
  // Two warps: of the first, three lanes leave; of the second, none.
  run("  setp.lt.u32 %p1, %t, 3;\n  @%p1 bra SKIP;\n  add.u32 %r1, %t, 1;\nSKIP:", 1, 64);
  const InstructionMix& mix = total().mix;
  EXPECT_EQ(mix.of(Kind::branch).warp, 2U);
  EXPECT_EQ(mix.conditional_branches(), 2U);
  EXPECT_EQ(mix.divergent_branches(), 1U);
  EXPECT_EQ(mix.total().warp, 2 * (frame + 3));
  EXPECT_EQ(mix.of(Kind::integer).thread, 64U * 3 + 29 + 32) << "two moves, setp, and the add of those that stay";
}

TEST_F(MixTest, BranchesOfAllLanesDoNotPart) {
  run("  setp.lt.u32 %p1, %t, 99;\n  @%p1 bra SKIP;\n  add.u32 %r1, %t, 1;\nSKIP: bra END;\nEND:", 1, 32);
  EXPECT_EQ(total().mix.conditional_branches(), 1U);
  EXPECT_EQ(total().mix.divergent_branches(), 0U);
  EXPECT_EQ(total().mix.of(Kind::branch).warp, 2U) << "one is not conditional";
}

TEST_F(MixTest, ALoopThatLanesLeaveOneAfterTheOther) {
  // Lane n goes round n + 1 times: in each of the first 31 rounds one lane leaves, in the last one all that are left.
  run("  mov.u32 %r1, 0;\nAGAIN: add.u32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %t;\n  @%p1 bra AGAIN;", 1, 32);
  EXPECT_EQ(total().mix.of(Kind::branch).warp, 32U);
  EXPECT_EQ(total().mix.divergent_branches(), 31U);
  EXPECT_EQ(total().mix.of(Kind::branch).thread, 31U * 32 / 2) << "the guard lets those execute it that go round again";
}

TEST_F(MixTest, BranchTablesPart) {
  const std::string table = "  and.b32 %r1, %t, MASK;\n  T: .branchtargets A, B;\n  brx.idx %r1, T;\nA: bra B;\nB:";
  const auto with_mask = [&](const std::string& mask) {
    std::string body = table;
    return body.replace(body.find("MASK"), 4, mask);
  };
  run(with_mask("0"), 1, 32);
  EXPECT_EQ(total().mix.conditional_branches(), 1U);
  EXPECT_EQ(total().mix.divergent_branches(), 0U);
  run(with_mask("1"), 1, 32);
  EXPECT_EQ(total().mix.conditional_branches(), 2U);
  EXPECT_EQ(total().mix.divergent_branches(), 1U);
}

TEST_F(MixTest, CallsOfSomeLanesArePartedCalls) {
  launch(
      load(".func f() { ret; }\n" +
           kernel("  setp.lt.u32 %p1, %t, 3;\n  @%p1 call f;\n  call f;\n  setp.lt.u32 %p1, %t, 99;\n  @%p1 call f;")),
      {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(total().mix.divergent_calls(), 1U);
  EXPECT_EQ(total().mix.divergent_branches(), 0U);
  EXPECT_EQ(total().mix.conditional_branches(), 0U);
  EXPECT_EQ(total().mix.of(Kind::call).warp, 3U + 3 + 1) << "calls, returns and the exit";
}

TEST_F(MixTest, AnInstructionThatGoesToTwoSpacesIsOne) {
  // The lower lanes point to shared memory, the others to global memory.
  run("  .shared .align 16 .b8 s[64];\n  mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; setp.lt.u32 %p1, %t, 8;\n"
      "  selp.b64 %d1, %d1, %at, %p1; ld.u32 %r1, [%d1];",
      1, 32);
  const InstructionMix& mix = total().mix;
  EXPECT_EQ(mix.total().warp, frame + 5);
  EXPECT_EQ(total().longest_warps, frame + 5);
  EXPECT_EQ(mix.of(Kind::shared_load).warp, 1U) << "the first space that is served";
  EXPECT_EQ(mix.of(Kind::shared_load).thread, 8U);
  EXPECT_EQ(mix.of(Kind::global_load).warp, 0U);
  EXPECT_EQ(mix.of(Kind::global_load).thread, 24U);
  EXPECT_EQ(total().global[0].instructions, 1U);
  EXPECT_EQ(total().global[0].lanes, 24U);
}

TEST_F(MixTest, WhatAccessesOrder) {
  run("  .shared .b32 s;\n"
      "  ld.global.u32 %r1, [%at]; ld.volatile.global.u32 %r1, [%at]; ld.acquire.gpu.global.u32 %r1, [%at];\n"
      "  st.relaxed.gpu.global.u32 [%at], %r1; st.release.sys.global.u32 [%at], %r1; ld.weak.global.u32 %r1, [%at];\n"
      "  atom.global.add.u32 %r1, [%at], 1; atom.acq_rel.gpu.global.add.u32 %r1, [%at], 1;\n"
      "  ld.global.nc.u32 %r1, [%at]; ld.volatile.shared.u32 %r1, [s];",
      1, 32);
  const InstructionMix& mix = total().mix;
  EXPECT_EQ(mix.accesses(isa::Semantics::weak), 3U);
  EXPECT_EQ(mix.accesses(isa::Semantics::volatile_), 1U) << "that of shared memory is not looked at";
  EXPECT_EQ(mix.accesses(isa::Semantics::acquire), 1U);
  EXPECT_EQ(mix.accesses(isa::Semantics::relaxed), 1U);
  EXPECT_EQ(mix.accesses(isa::Semantics::release), 1U);
  EXPECT_EQ(mix.accesses(isa::Semantics::none), 0U);
  EXPECT_EQ(mix.atomics(isa::Semantics::relaxed), 1U);
  EXPECT_EQ(mix.atomics(isa::Semantics::acq_rel), 1U);
  EXPECT_EQ(mix.non_coherent_loads(), 1U);
}

TEST_F(MixTest, FencesByScope) {
  run("  membar.cta; membar.gl; membar.sys; fence.sc.gpu; setp.gt.u32 %p1, %t, 99; @%p1 membar.gl;", 1, 32);
  const InstructionMix& mix = total().mix;
  EXPECT_EQ(mix.fences(isa::Scope::cta), 1U);
  EXPECT_EQ(mix.fences(isa::Scope::gpu), 2U);
  EXPECT_EQ(mix.fences(isa::Scope::sys), 1U);
  EXPECT_EQ(mix.of(Kind::fence).warp, 5U);
  EXPECT_EQ(mix.without_lanes(), 1U) << "a fence of nobody is no fence of its scope";
}

TEST_F(MixTest, LinesOfAnAccess) {
  run("  mul.wide.u32 %d1, %t, 128; add.s64 %d1, %d1, %at; ld.global.u32 %r1, [%d1];\n"
      "  mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %at; ld.global.u32 %r1, [%d1];\n"
      "  mul.wide.u32 %d1, %t, 8; add.s64 %d1, %d1, %at; st.global.v2.u32 [%d1], {%r1, %r1};\n"
      "  atom.global.add.u32 %r1, [%at], 1;",
      1, 32);
  const GlobalAccesses& loads = total().global[0];
  EXPECT_EQ(loads.instructions, 2U);
  EXPECT_EQ(loads.lanes, 64U);
  EXPECT_EQ(loads.lines, 32U + 1);
  EXPECT_EQ(loads.most_lines, 32U);
  EXPECT_EQ(loads.of_one_line, 1U);
  EXPECT_EQ(total().global[1].lines, 2U);
  EXPECT_EQ(total().global[2].lines, 1U);
  EXPECT_EQ(total().lines.accesses().all(), 33U + 2 + 1);
}

TEST_F(MixTest, AGenericAccessOfNobodyIsOneOfGlobalMemory) {
  run("  setp.gt.u32 %p1, %t, 99; @%p1 ld.u32 %r1, [%at];", 1, 32);
  EXPECT_EQ(total().mix.of(Kind::global_load).warp, 1U);
  EXPECT_EQ(total().mix.of(Kind::global_load).thread, 0U);
  EXPECT_EQ(total().global[0].instructions, 0U);
}

TEST_F(MixTest, LaunchesAddUp) {
  run("  mul.wide.u32 %d1, %t, 128; add.s64 %d1, %d1, %at; ld.global.u32 %r1, [%d1]; ld.volatile.global.u32 %r1, "
      "[%at];",
      1, 32);
  run("  ld.global.u32 %r1, [%at]; setp.lt.u32 %p1, %t, 3; @%p1 bra NEXT; membar.gl;\nNEXT:", 1, 32);
  EXPECT_EQ(total().global[0].instructions, 3U);
  EXPECT_EQ(total().global[0].lines, 34U);
  EXPECT_EQ(total().global[0].most_lines, 32U);
  EXPECT_EQ(total().global[0].of_one_line, 2U);
  EXPECT_EQ(total().mix.of(Kind::global_load).warp, 3U);
  EXPECT_EQ(total().mix.accesses(isa::Semantics::weak), 2U);
  EXPECT_EQ(total().mix.divergent_branches(), 1U);
  EXPECT_EQ(total().mix.fences(isa::Scope::gpu), 1U);
  EXPECT_EQ(profile().kernels[1].global[0].instructions, 1U);
  EXPECT_EQ(profile().kernels[1].mix.total().warp, frame + 4);
}

TEST_F(MixTest, EachElementOfAVectorAtomicIsAnAccess) {
  run("  red.global.add.v2.f32 [%at], {%f1, %f1};", 1, 32);
  EXPECT_EQ(total().global[2].instructions, 1U);
  EXPECT_EQ(total().global[2].lines, 2U);
  EXPECT_EQ(total().lines.bytes().both, 8U);
}

class WideWarpsTest : public ProfileTest {
 protected:
  static ProfiledMachine machine() {
    ProfiledMachine wide = tests::small_machine();
    wide.sm.warp_size = 64;
    return wide;
  }
  WideWarpsTest() : ProfileTest(machine(), 64) {}
};

TEST_F(WideWarpsTest, CountTheirLanes) {
  run("  mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %at; ld.global.u32 %r1, [%d1];", 1, 64);
  EXPECT_EQ(total().mix.of(Kind::global_load).thread, 64U);
  EXPECT_EQ(total().global[0].lines, 2U);
  EXPECT_EQ(total().warps, 1U);
}

}  // namespace
}  // namespace syncline::platform
