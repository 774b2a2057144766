// CTA barriers: phases, counts, arrivals, reductions, diverged warps, deadlocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::Each;
using testing::HasSubstr;

TEST(Barrier, StoresBeforeAreSeenBehind) {
  const auto got = results_of(R"(
  .shared .align 4 .b32 tile[128];
  mul.wide.u32 %d1, %t, 4;
  mov.u64 %d2, tile;
  add.u64 %d1, %d1, %d2;
  mov.u32 %r1, 0;
LOOP:
  add.u32 %r2, %t, %r1;
  st.shared.u32 [%d1], %r2;
  bar.sync 0;
  sub.u32 %r3, 127, %t;
  mul.wide.u32 %d3, %r3, 4;
  add.u64 %d3, %d3, %d2;
  ld.shared.u32 %r4, [%d3];
  add.u32 %r0, %r0, %r4;
  bar.sync 0;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 4;
  @%p1 bra LOOP;
)",
                              128);
  for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(got[t], 4 * (127 - t) + 6);
}

TEST(Barrier, NamedBarriersWithCountsJoinSomeWarps) {
  // Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2; each pair hands a value over.
  const auto got = results_of(R"(
  .shared .align 4 .b32 cell[4];
  shr.u32 %r1, %t, 6;
  add.u32 %r2, %r1, 1;
  mov.u64 %d1, cell;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d1, %d1, %d2;
  and.b32 %r3, %t, 63;
  setp.ne.u32 %p1, %r3, 63;
  @%p1 bra MEET;
  mad.lo.u32 %r4, %r1, 10, 5;
  st.shared.u32 [%d1], %r4;
MEET:
  bar.sync %r2, 64;
  ld.shared.u32 %r0, [%d1];
)",
                              128);
  for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(got[t], t / 64 * 10 + 5);
}

TEST(Barrier, ArriveDoesNotWait) {
  // Producer warps arrive and go on; only the consumer waits.
  const auto got = results_of(R"(
  .shared .align 4 .b32 count;
  setp.lt.u32 %p1, %t, 32;
  @%p1 bra CONSUME;
  atom.shared.add.u32 %r1, [count], 1;
  bar.arrive 3, 96;
  mov.u32 %r0, 1;
  bra STORE;
CONSUME:
  bar.sync 3, 96;
  ld.shared.u32 %r0, [count];
)",
                              96);
  for (unsigned t = 0; t < 96; ++t) EXPECT_EQ(got[t], t < 32 ? 64u : 1u);
}

TEST(Barrier, ReductionsOverTheCta) {
  const auto got = results_of(R"(
  rem.u32 %r1, %t, 7;
  setp.eq.u32 %p1, %r1, 0;
  bar.red.popc.u32 %r2, 0, %p1;
  bar.red.popc.u32 %r3, 0, !%p1;
  bar.red.or.pred %p2, 0, %p1;
  bar.red.and.pred %p3, 0, %p1;
  setp.lt.u32 %p4, %t, 1000;
  barrier.red.and.pred %p5, 1, 96, %p4;
  mad.lo.u32 %r0, %r2, 1000, %r3;
  @!%p2 mov.u32 %r0, 1;
  @%p3 mov.u32 %r0, 2;
  @!%p5 mov.u32 %r0, 3;
)",
                              96);
  EXPECT_THAT(got, Each(14 * 1000u + 82));
}

TEST(Barrier, EndedThreadsAreNotWaitedFor) {
  const auto got = results_of(R"(
  setp.ge.u32 %p1, %t, 40;
  @%p1 exit;
  bar.sync 0;
  mov.u32 %r0, 9;
)",
                              128);
  for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(got[t], t < 40 ? 9u : 0u);
}

const char* const barrier_on_both_sides = R"(
  and.b32 %r1, %t, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra EVEN;
  mov.u32 %r0, 1;
  bar.sync 0;
  bra STORE;
EVEN:
  mov.u32 %r0, 2;
  bar.sync 0;
)";

TEST(Barrier, WarpsMayComeByDifferentWays) {
  // Census trap 12, between warps: every warp takes one side.
  const auto got = results_of(R"(
  setp.lt.u32 %p1, %t, 32;
  @%p1 bra FIRST;
  mov.u32 %r0, 1;
  bar.sync 0;
  bra STORE;
FIRST:
  mov.u32 %r0, 2;
  bar.sync 0;
)",
                              96);
  for (unsigned t = 0; t < 96; ++t) EXPECT_EQ(got[t], t < 32 ? 2u : 1u);
}

TEST(Barrier, DivergedWarpCountsWholeBeforeSm70) {
  // The ISA executes barriers per warp there: the first side counts for all its threads.
  Machine machine(kernel_of(barrier_on_both_sides, "", "sm_20", "3.0"));
  const std::uint64_t out = machine.allocate(4 * 64);
  machine.run("k", {1, 1, 1}, {64, 1, 1}, out);
  const auto got = machine.download<std::uint32_t>(out, 64);
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(got[t], t % 2 == 0 ? 2u : 1u);
}

TEST(Barrier, DivergedWarpDeadlocksFromSm70OnWithAStack) {
  const std::string message = error_of([] { results_of(barrier_on_both_sides, 64); });
  EXPECT_THAT(message, HasSubstr("barrier deadlock in CTA (0, 0, 0) of kernel `k`:"));
  EXPECT_THAT(message, HasSubstr("warp 0: waits at barrier 0 (32 of 64 threads have come): [PC "));
  EXPECT_THAT(message, HasSubstr("`bar.sync 0;` in kernel `k` lanes 0xaaaaaaaa"));
  EXPECT_THAT(message, HasSubstr("behind it: [PC "));
  EXPECT_THAT(message, HasSubstr("lanes 0x55555555"));
}

TEST(Barrier, DeadlockNamesWarpsAtDifferentBarriers) {
  const std::string message = error_of([] {
    results_of(R"(
  setp.lt.u32 %p1, %t, 32;
  @%p1 bra FIRST;
  bar.sync 1;
  bra STORE;
FIRST:
  bar.sync 2;
)",
               64);
  });
  EXPECT_THAT(message, HasSubstr("warp 0: waits at barrier 2 (32 of 64 threads have come)"));
  EXPECT_THAT(message, HasSubstr("warp 1: waits at barrier 1 (32 of 64 threads have come)"));
}

TEST(Barrier, BadNumbersAndCountsAreFaults) {
  EXPECT_THAT(error_of([] { results_of("  mov.u32 %r1, 16;\n  bar.sync %r1;\n"); }),
              HasSubstr("barrier 16 does not exist; a CTA has barriers 0 to 15"));
  EXPECT_THAT(error_of([] { results_of("  mov.u32 %r1, 33;\n  bar.sync 0, %r1;\n", 64); }),
              HasSubstr("entered for 33 threads, which is not a multiple of the warp size 32"));
  EXPECT_THAT(error_of([] { results_of("  mov.u32 %r1, 0;\n  bar.arrive 3, %r1;\n"); }),
              HasSubstr("barrier 3 is entered for 0 threads; who arrives without waiting says for how many it is"));
  EXPECT_THAT(error_of([] {
                results_of(R"(
  setp.lt.u32 %p1, %t, 32;
  @%p1 bra FIRST;
  bar.sync 0, 64;
  bra STORE;
FIRST:
  bar.sync 0, 96;
)",
                           96);
              }),
              HasSubstr("while others entered it for"));
}

}  // namespace
}  // namespace syncline::test
