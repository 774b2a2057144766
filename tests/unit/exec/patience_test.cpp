// Independent threads: lanes that wait for lanes of their warp, and how long a warp keeps them together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/reconvergence.h"

namespace syncline::test {
namespace {

struct Patience : ::testing::TestWithParam<unsigned> {};

TEST_P(Patience, LanesTakeALockThatLanesOfTheirWarpHold) {
  for (const unsigned lanes : {32U, 64U}) {
    isa::EmulatorConfig config = under("its", GetParam());
    config.warp_lanes = lanes;
    Machine machine(spin_lock(), config);
    const std::uint64_t lock = machine.allocate(4), counter = machine.allocate(4);
    machine.run("spin_lock", {3, 1, 1}, {128, 1, 1}, lock, counter);
    EXPECT_EQ(machine.download<std::uint32_t>(counter, 1)[0], 3U * 128);
    EXPECT_EQ(machine.download<std::uint32_t>(lock, 1)[0], 0U);
  }
}

TEST_P(Patience, LanesWaitForAFlagOfTheirWarp) {
  Machine machine(spin_lock(), under("its", GetParam()));
  const std::uint64_t out = machine.allocate(32 * 4);
  machine.run("hand_over", {1, 1, 1}, {32, 1, 1}, out);
  const auto values = machine.download<std::uint32_t>(out, 32);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(values[lane], lane < 16 ? lane : 7) << lane;
}

TEST(Its, LanesTakeALockInProgramsForOlderTargets) {
  std::string text = spin_lock();
  const std::string target = ".target sm_70";
  text.replace(text.find(target), target.size(), ".target sm_35");
  Machine machine(text, under("its", 2));
  const std::uint64_t lock = machine.allocate(4), counter = machine.allocate(4);
  machine.run("spin_lock", {2, 1, 1}, {64, 1, 1}, lock, counter);
  EXPECT_EQ(machine.download<std::uint32_t>(counter, 1)[0], 2U * 64);
}

/// A warp of an older target comes to a barrier as a whole, however long one of its lanes spins before it.
TEST_P(Patience, NoLaneOfAnOlderProgramPassesABarrierAheadOfItsWarp) {
  const std::string text = kernel_of(R"(
  mov.u32 %r4, %ctaid.x;
  setp.ne.u32 %p1, %r4, 0;
  @%p1 bra GIVE;
  mov.u32 %r4, %tid.x;
  setp.ne.u32 %p1, %r4, 0;
  @%p1 bra JOIN;
WAIT:
  ld.volatile.global.u32 %r2, [%out+1000];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra WAIT;
JOIN:
  bar.sync 0;
  ld.volatile.global.u32 %r0, [%out+1004];
  bra END;
GIVE:
  mov.u32 %r3, 100000;
COUNT:
  sub.u32 %r3, %r3, 1;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra COUNT;
  st.volatile.global.u32 [%out+1004], 7;
  membar.gl;
  st.volatile.global.u32 [%out+1000], 1;
  mov.u32 %r0, 7;
END:
)",
                                     "", "sm_35", "6.0");
  isa::EmulatorConfig config = under("its", GetParam());
  config.cta_slice = 1000;
  Machine machine(text, config);
  const std::uint64_t out = machine.allocate(2048);
  machine.run("k", {2, 1, 1}, {64, 1, 1}, out);
  EXPECT_THAT(machine.download<std::uint32_t>(out, 128), ::testing::Each(7U));
}

/// As on a stack: lanes that meet nobody before their barrier do not wait for those that wait for them behind it.
TEST_P(Patience, APathOfAnOlderProgramHasABarrierOfItsOwn) {
  const std::string text = kernel_of(R"(
  mov.u32 %r4, %tid.x;
  and.b32 %r4, %r4, 31;
  setp.ge.u32 %p1, %r4, 16;
  @%p1 bra UPPER;
  add.u32 %r0, %r0, 1;
  bar.sync 0;
  bra JOIN;
UPPER:
  add.u32 %r0, %r0, 2;
  bar.sync 1;
JOIN:
  add.u32 %r0, %r0, 10;
  bar.sync 0;
)",
                                     "", "sm_35", "6.0");
  Machine machine(text, under("its", GetParam()));
  const std::uint64_t out = machine.allocate(64 * 4);
  machine.run("k", {1, 1, 1}, {64, 1, 1}, out);
  const auto values = machine.download<std::uint32_t>(out, 64);
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(values[t], t % 32 < 16 ? 11U : 12U) << t;
}

INSTANTIATE_TEST_SUITE_P(Its, Patience, ::testing::Values(1U, 2U, 64U));

TEST(Its, LanesInAFunctionWaitForLanesThatHaveReturned) {
  // Lane 3 comes last out of `wait`, having given the others the word that they wait for in there.
  const auto values = results_of(R"(
  .shared .align 4 .b32 flag;
  st.volatile.shared.u32 [flag], 0;
  bar.warp.sync -1;
  mov.u64 %d1, flag;
  setp.eq.u32 %p1, %t, 3;
  mov.u32 %r1, 0;
  @%p1 mov.u32 %r1, 9;
  call (%r2), give_or_wait, (%d1, %r1);
  @%p1 st.volatile.shared.u32 [flag], 9;
  mov.u32 %r0, %r2;
)",
                                 32, R"(
.func (.reg .b32 got) give_or_wait(.reg .b64 flag, .reg .b32 given)
{
  .reg .pred %q;
  mov.u32 got, given;
  setp.ne.u32 %q, given, 0;
  @%q ret;
AGAIN:
  ld.volatile.shared.u32 got, [flag];
  setp.eq.u32 %q, got, 0;
  @%q bra AGAIN;
}
)",
                                 under("its"));
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(values[t], 9U) << t;
}

TEST(Its, ProgramsForOlderTargetsWaitLongerAtPostDominators) {
  // shfl without .sync reads the lanes that are there: all of them, in spite of loops of different lengths.
  Machine machine(kernel_of(R"(
  mov.u32 %r1, %t;
LOOP:
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra OUT;
  sub.u32 %r1, %r1, 1;
  bra LOOP;
OUT:
  add.u32 %r2, %t, 40;
  shfl.bfly.b32 %r0, %r2, 1, 31;
)",
                            "", "sm_30", "3.2"),
                  under("its", 4));
  const std::uint64_t out = machine.allocate(32 * 4);
  machine.run("k", {1, 1, 1}, {32, 1, 1}, out);
  const auto values = machine.download<std::uint32_t>(out, 32);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(values[t], 40 + (t ^ 1));
}

TEST(Its, PatienceKeepsLoopsTogether) {
  const std::string ptx = kernel_of(R"(
  and.b32 %r1, %t, 7;
LOOP:
  sub.s32 %r1, %r1, 1;
  setp.ge.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  activemask.b32 %r0;
)");
  const auto lanes_behind = [&](const isa::EmulatorConfig& config, std::uint64_t& instructions) {
    Machine machine(ptx, config);
    const std::uint64_t out = machine.allocate(32 * 4);
    instructions = machine.run("k", {1, 1, 1}, {32, 1, 1}, out).warp_instructions;
    return machine.download<std::uint32_t>(out, 32)[8];
  };
  std::uint64_t stack = 0, patient = 0, hasty = 0;
  EXPECT_EQ(lanes_behind(under("ipdom"), stack), ~0U);
  EXPECT_EQ(lanes_behind(under("its", 8), patient), ~0U);
  EXPECT_EQ(patient, stack);
  EXPECT_EQ(lanes_behind(under("its", 1), hasty), 0x01010101U) << "lanes of the same length of loop";
  EXPECT_GT(hasty, stack);
}

}  // namespace
}  // namespace syncline::test
