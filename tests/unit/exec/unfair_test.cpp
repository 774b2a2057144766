// Stacks and thread frontiers, under which lanes that wait for others of their warp may wait for ever: that is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/reconvergence.h"

namespace syncline::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Unfair : ::testing::TestWithParam<const char*> {};

TEST_P(Unfair, LanesThatWaitForLanesThatSpinEndTheLaunch) {
  Machine machine(spin_lock(), under(GetParam()));
  const std::uint64_t lock = machine.allocate(4), counter = machine.allocate(4), out = machine.allocate(32 * 4);
  EXPECT_THAT(error_of([&] {
                machine.run("spin_lock", {2, 1, 1}, {64, 1, 1}, lock, counter);
              }),
              AllOf(HasSubstr("warp 0 of CTA (0, 0, 0): lanes 0x1 wait at test.ptx:30: `membar.gl;` in kernel "
                              "`spin_lock`, for lanes 0xfffffffe, which go round at test.ptx:2"),
                    HasSubstr("under `sm.reconvergence: its` lanes of a warp take turns")));
  EXPECT_THAT(error_of([&] {
                machine.run("hand_over", {1, 1, 1}, {32, 1, 1}, out);
              }),
              AllOf(HasSubstr("lanes 0xffff wait at test.ptx:"), HasSubstr("for lanes 0xffff0000, which go round at")));
}

/// What they count decides nothing.
TEST_P(Unfair, LanesThatCountTheirAttemptsEndTheLaunch) {
  Machine machine(kernel_of(R"(
  mov.u32 %r1, 0;
AGAIN:
  add.u32 %r1, %r1, 1;
  mad.lo.u32 %r4, %r4, 3, %r1;
  cvt.u64.u32 %d3, %r4;
  atom.global.cas.b32 %r2, [%out+4], 0, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra AGAIN;
  st.volatile.global.u32 [%out+4], 0;
  cvt.u32.u64 %r4, %d3;
  add.u32 %r0, %r1, %r4;
)"),
                  under(GetParam()));
  const std::uint64_t out = machine.allocate(64 * 4);
  EXPECT_THAT(error_of([&] {
                machine.run("k", {1, 1, 1}, {64, 1, 1}, out);
              }),
              HasSubstr("for lanes 0xfffffffe, which go round at "));
}

/// Warp 1 computes for longer than anybody looks before it gives what a part of warp 0 spins for, while the rest of
/// warp 0 waits below; `before_the_store` is where it does so.
std::string slow_giver(const std::string& loop) {
  return kernel_of(R"(
  .shared .align 4 .b32 flag[2];
  .local .align 4 .b32 own;
  setp.ne.u32 %p1, %t, 0;
  @%p1 bra READY;
  st.volatile.shared.u32 [flag], 0;
  st.volatile.shared.u32 [flag+4], 1;
READY:
  bar.sync 0;
  setp.ge.u32 %p1, %t, 32;
  @%p1 bra GIVE;
  setp.ge.u32 %p2, %t, 16;
  @%p2 bra BELOW;
WAIT:
  ld.volatile.shared.u32 %r0, [flag];
  setp.eq.u32 %p3, %r0, 0;
  @%p3 bra WAIT;
BELOW:
  bra STORE;
GIVE:
  mov.u32 %r1, 100000;
)" + loop + R"(
  st.volatile.shared.u32 [flag], 5;
)",
                   ".func (.reg .b32 b) less(.reg .b32 a) { sub.u32 b, a, 1; }\n");
}

TEST_P(Unfair, LanesThatSpinForAnotherWarpGoOn) {
  const std::string in_registers = R"(
COUNT:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p4, %r1, 0;
  @%p4 bra COUNT;
)";
  // What a compiler makes without optimisation: nothing of the loop stays in registers from one turn to the next.
  const std::string in_local_memory = R"(
  st.local.u32 [own], %r1;
COUNT:
  ld.local.u32 %r1, [own];
  sub.u32 %r1, %r1, 1;
  st.local.u32 [own], %r1;
  setp.ne.u32 %p4, %r1, 0;
  mov.u32 %r1, 0;
  @%p4 bra COUNT;
)";
  const std::string by_the_clock = R"(
COUNT:
  mov.u32 %r1, %clock;
  and.b32 %r1, %r1, 0x80000;
  setp.eq.u32 %p4, %r1, 0;
  @%p4 bra COUNT;
)";
  // What counts comes to the branch by other registers, a turn later.
  const std::string by_others = R"(
  mov.u32 %r2, 1;
COUNT:
  setp.ne.u32 %p4, %r3, 77;
  mov.u32 %r3, %r2;
  setp.ne.u32 %p3, %r1, 0;
  selp.u32 %r2, 1, 77, %p3;
  sub.u32 %r1, %r1, 1;
  @%p4 bra COUNT;
)";
  const std::string by_a_vote = R"(
COUNT:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p3, %r1, 0;
  vote.sync.any.pred %p4, %p3, 0xffffffff;
  @%p4 bra COUNT;
)";
  const std::string by_an_address = R"(
COUNT:
  sub.u32 %r1, %r1, 1;
  shr.u32 %r2, %r1, 16;
  and.b32 %r2, %r2, 4;
  mov.u32 %r3, flag;
  add.u32 %r3, %r3, %r2;
  ld.volatile.shared.u32 %r4, [%r3];
  setp.eq.u32 %p4, %r4, 0;
  @%p4 bra COUNT;
)";
  const std::string by_a_call = R"(
COUNT:
  call (%r1), less, (%r1);
  setp.ne.u32 %p4, %r1, 0;
  @%p4 bra COUNT;
)";
  for (const std::string& loop :
       {in_registers, in_local_memory, by_the_clock, by_others, by_a_vote, by_an_address, by_a_call}) {
    isa::EmulatorConfig config = under(GetParam());
    config.spin_window = 1000;
    config.warp_slice = 64;
    Machine machine(slow_giver(loop), config);
    const std::uint64_t out = machine.allocate(64 * 4);
    machine.run("k", {1, 1, 1}, {64, 1, 1}, out);
    const auto values = machine.download<std::uint32_t>(out, 64);
    for (unsigned t = 0; t < 16; ++t) ASSERT_EQ(values[t], 5U) << loop;
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Unfair, ::testing::Values("ipdom", "tf_stack"));

}  // namespace
}  // namespace syncline::test
