// Mechanisms by which lanes meet again: who may wait for whom, and what each of them promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/support/file_text.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

isa::EmulatorConfig under(const std::string& mechanism, unsigned patience = 64) {
  isa::EmulatorConfig config;
  config.reconvergence = {mechanism, patience};
  config.spin_window = 100'000;
  return config;
}

std::string spin_lock() {
  return test::text_of("tests/data/ptx/spin_lock.ptx");
}

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

struct TakesTurns : ::testing::TestWithParam<const char*> {
  static std::vector<std::uint32_t> run(const std::string& body, unsigned threads = 32, unsigned patience = 1) {
    return results_of(body, threads, "", under(GetParam(), patience));
  }
};

TEST_P(TakesTurns, BothSidesOfABranchMayHoldABarrierOfTheCta) {
  const std::string body = R"(
  .shared .align 4 .b32 cell[64];
  mov.u64 %d1, cell;
  mad.wide.u32 %d1, %t, 4, %d1;
  and.b32 %r1, %t, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra EVEN;
  add.u32 %r2, %t, 100;
  st.shared.u32 [%d1], %r2;
  bar.sync 0;
  bra JOIN;
EVEN:
  add.u32 %r2, %t, 200;
  st.shared.u32 [%d1], %r2;
  bar.red.popc.u32 %r5, 0, %p1;
JOIN:
  xor.b32 %r3, %t, 1;
  mov.u64 %d2, cell;
  mad.wide.u32 %d2, %r3, 4, %d2;
  ld.shared.u32 %r0, [%d2];
)";
  const auto values = run(body, 64);
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(values[t], (t ^ 1) + (t % 2 == 0 ? 100 : 200));
  EXPECT_THAT(error_of([&] { results_of(body, 64, "", under("ipdom")); }), HasSubstr("barrier deadlock"));
}

TEST_P(TakesTurns, LanesMeetAtWarpBarriersInDifferentPlaces) {
  const auto values = run(R"(
  .shared .align 4 .b32 cell[32];
  mov.u64 %d1, cell;
  mad.wide.u32 %d1, %t, 4, %d1;
  st.shared.u32 [%d1], 0;
  bar.warp.sync -1;
  setp.lt.u32 %p1, %t, 20;
  @%p1 bra LOW;
  bar.warp.sync -1;
  xor.b32 %r3, %t, 31;
  mov.u64 %d2, cell;
  mad.wide.u32 %d2, %r3, 4, %d2;
  ld.volatile.shared.u32 %r0, [%d2];
  bra JOIN;
LOW:
  add.u32 %r2, %t, 1;
  st.volatile.shared.u32 [%d1], %r2;
  bar.warp.sync -1;
JOIN:
)");
  for (unsigned t = 20; t < 32; ++t) EXPECT_EQ(values[t], 32 - t);
}

TEST_P(TakesTurns, LanesThatComeLateTakePart) {
  // Each lane goes round a different number of times: with no patience they leave the loop alone.
  const auto values = run(R"(
  mov.u32 %r1, %t;
LOOP:
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra OUT;
  sub.u32 %r1, %r1, 1;
  bra LOOP;
OUT:
  mul.lo.u32 %r2, %t, 3;
  setp.eq.u32 %p2, %t, 5;
  @%p2 exit;
  mov.u32 %r6, 0xffffffdf;
  shfl.sync.bfly.b32 %r0, %r2, 16, 31, 0xffffffdf;
  redux.sync.add.u32 %r3, %r2, %r6;
  vote.sync.ballot.b32 %r4, %p1, %r6;
  match.all.sync.b32 %r5|%p3, %r4, 0xffffffdf;
  mad.lo.u32 %r0, %r3, 1000, %r0;
  popc.b32 %r4, %r4;
  mad.lo.u32 %r0, %r4, 100000000, %r0;
)");
  for (unsigned t = 0; t < 32; ++t) {
    if (t == 5 || t == 21) continue;
    EXPECT_EQ(values[t], 31 * 100000000U + (496 - 5) * 3 * 1000 + (t ^ 16) * 3) << t;
  }
}

TEST_P(TakesTurns, TilesOfAWarpDoNotWaitForEachOther) {
  const auto values = run(R"(
  and.b32 %r1, %t, 24;
  mov.u32 %r2, 0xff;
  shl.b32 %r2, %r2, %r1;
  setp.lt.u32 %p1, %t, 8;
  @%p1 bra ALONE;
  setp.ne.u32 %p2, %t, 9;
  vote.sync.ballot.b32 %r0, %p2, %r2;
  bra JOIN;
ALONE:
  redux.sync.min.u32 %r0, %t, %r2;
  bar.warp.sync %r2;
JOIN:
)");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(values[t], t < 8 ? 0U : t < 16 ? 0xfd00U : t < 24 ? 0xff0000U : 0xff000000U) << t;
}

TEST_P(TakesTurns, LanesThatEndAreNotWaitedFor) {
  const auto values = run(R"(
  setp.lt.u32 %p1, %t, 30;
  @%p1 bra MEET;
  mov.u32 %r1, 100;
LOOP:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra LOOP;
  exit;
MEET:
  redux.sync.add.u32 %r0, %t, -1;
)");
  for (unsigned t = 0; t < 30; ++t) EXPECT_EQ(values[t], 435U);
}

TEST_P(TakesTurns, LanesThatWaitForEachOtherInDifferentWaysAreAFault) {
  EXPECT_THAT(
      error_of([&] {
        run(R"(
  setp.lt.u32 %p1, %t, 20;
  @%p1 bra LOW;
  bar.warp.sync -1;
  bra JOIN;
LOW:
  redux.sync.add.u32 %r0, %t, -1;
JOIN:
)");
      }),
      AllOf(HasSubstr("lanes of a warp wait for each other for ever, in kernel `k`, CTA (0, 0, 0), warp 0: lanes 0x"),
            HasSubstr("0xfffff wait at test.ptx:27: `redux.sync.add.u32"),
            HasSubstr("0xfff00000 wait at test.ptx:24: `bar.warp.sync")));
}

constexpr const char* functions_that_recurse = R"(
.func (.reg .b32 sum) count_down(.reg .b32 n)
{
  .reg .b32 %m, %s;
  .reg .pred %q;
  mov.u32 sum, 0;
  setp.eq.u32 %q, n, 0;
  @%q ret;
  sub.u32 %m, n, 1;
  call (%s), count_down, (%m);
  add.u32 sum, %s, n;
}
.func (.reg .b32 square) by_adding(.reg .b32 n)
{
  .reg .b32 %i, %s;
  .reg .pred %q;
  mov.u32 %i, n;
  mov.u32 square, 0;
AGAIN:
  setp.eq.u32 %q, %i, 0;
  @%q ret;
  sub.u32 %i, %i, 1;
  call (%s), count_down, (%i);
  add.u32 square, square, n;
  bra AGAIN;
}
)";

TEST_P(TakesTurns, CallsOfDifferentPathsKeepTheirRegisters) {
  const std::string body = R"(
  and.b32 %r1, %t, 7;
  mov.u32 %r5, 4;
REPEAT:
  setp.lt.u32 %p1, %t, 20;
  @%p1 bra LOW;
  call (%r2), by_adding, (%r1);
  bra JOIN;
LOW:
  call (%r2), count_down, (%t);
JOIN:
  add.u32 %r0, %r0, %r2;
  sub.u32 %r5, %r5, 1;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra REPEAT;
)";
  for (const unsigned patience : {1U, 3U, 1000U}) {
    const auto values = results_of(body, 64, functions_that_recurse, under(GetParam(), patience));
    for (unsigned t = 0; t < 64; ++t)
      EXPECT_EQ(values[t], 4 * (t < 20 ? t * (t + 1) / 2 : (t % 8) * (t % 8))) << t << ", patience " << patience;
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, TakesTurns, ::testing::Values("its", "tf_stack"));

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

/// Instructions that a warp executes for `body`.
std::uint64_t instructions_of(const std::string& body, const std::string& mechanism) {
  Machine machine(kernel_of(body), under(mechanism));
  const std::uint64_t out = machine.allocate(32 * 4);
  return machine.run("k", {1, 1, 1}, {32, 1, 1}, out).warp_instructions;
}

TEST(ThreadFrontiers, LanesMeetBeforeThePostDominator) {
  // `if (a || b) X; else Y` as compilers write it, with X shared by both conditions: MICRO 2011, figure 1.
  const std::string body = R"(
  and.b32 %r1, %t, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra X;
  and.b32 %r1, %t, 2;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra X;
  mov.u32 %r0, 1;
  bra JOIN;
X:
  mov.u32 %r0, 2;
  add.u32 %r0, %r0, 3;
  add.u32 %r0, %r0, 4;
JOIN:
  add.u32 %r0, %r0, 5;
)";
  EXPECT_EQ(results_of(body, 32, "", under("tf_stack")), results_of(body));
  EXPECT_EQ(instructions_of(body, "ipdom") - instructions_of(body, "tf_stack"), 3U) << "X is executed once";
}

TEST(ThreadFrontiers, StructuredProgramsTakeAsManyInstructionsAsAStack) {
  const std::string body = R"(
  and.b32 %r1, %t, 7;
OUTER:
  and.b32 %r2, %t, 3;
  setp.lt.u32 %p1, %r1, 4;
  @%p1 bra SKIP;
INNER:
  add.u32 %r0, %r0, %r2;
  sub.s32 %r2, %r2, 1;
  setp.ge.s32 %p2, %r2, 0;
  @%p2 bra INNER;
SKIP:
  add.u32 %r0, %r0, 1;
  sub.s32 %r1, %r1, 1;
  setp.ge.s32 %p3, %r1, 0;
  @%p3 bra OUTER;
)";
  EXPECT_EQ(results_of(body, 32, "", under("tf_stack")), results_of(body));
  EXPECT_EQ(instructions_of(body, "tf_stack"), instructions_of(body, "ipdom"));
}

}  // namespace
}  // namespace syncline::test
