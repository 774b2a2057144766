// Branches, loops, calls and exits under divergence, against what each thread computes on its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

std::vector<std::uint32_t> expected(unsigned threads, const std::function<std::uint32_t(std::uint32_t)>& of_thread) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t t = 0; t < threads; ++t) values.push_back(of_thread(t));
  return values;
}

TEST(ControlFlow, NestOfBranchesMeetsAgain) {
  const auto got = results_of(R"(
  and.b32 %r1, %t, 1;
  setp.eq.u32 %p1, %r1, 0;
  and.b32 %r2, %t, 2;
  setp.eq.u32 %p2, %r2, 0;
  @%p1 bra EVEN;
  @%p2 bra ODD_LOW;
  mov.u32 %r0, 40;
  bra JOIN_ODD;
ODD_LOW:
  mov.u32 %r0, 30;
JOIN_ODD:
  add.u32 %r0, %r0, 1;
  bra JOIN;
EVEN:
  @%p2 bra EVEN_LOW;
  mov.u32 %r0, 20;
  bra JOIN;
EVEN_LOW:
  mov.u32 %r0, 10;
JOIN:
  activemask.b32 %r3;
  popc.b32 %r3, %r3;
  mad.lo.u32 %r0, %r3, 1000, %r0;
)");
  EXPECT_EQ(got, expected(32, [](std::uint32_t t) {
              const std::uint32_t side = t % 2 == 0 ? ((t & 2) == 0 ? 10 : 20) : ((t & 2) == 0 ? 31 : 41);
              return 32 * 1000 + side;  // all 32 lanes run together behind the last meeting point
            }));
}

TEST(ControlFlow, LoopsWithOwnTripCounts) {
  const auto got = results_of(R"(
  mov.u32 %r1, 0;
OUTER:
  setp.ge.u32 %p1, %r1, %t;
  @%p1 bra STORE;
  mov.u32 %r2, 0;
INNER:
  add.u32 %r0, %r0, %r2;
  add.u32 %r2, %r2, 1;
  setp.le.u32 %p2, %r2, %r1;
  @%p2 bra INNER;
  add.u32 %r1, %r1, 1;
  bra OUTER;
)",
                              64);
  EXPECT_EQ(got, expected(64, [](std::uint32_t t) {
              std::uint32_t sum = 0;
              for (std::uint32_t i = 0; i < t; ++i)
                for (std::uint32_t j = 0; j <= i; ++j) sum += j;
              return sum;
            }));
}

TEST(ControlFlow, ExitInsideALoopEndsOnlyTheThreadsThatTakeIt) {
  const auto got = results_of(R"(
  mov.u32 %r1, 0;
LOOP:
  add.u32 %r0, %r0, 3;
  setp.eq.u32 %p1, %r1, %t;
  @%p1 st.global.u32 [%at], %r0;
  @%p1 exit;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p2, %r1, 20;
  @%p2 bra LOOP;
  activemask.b32 %r0;
)");
  EXPECT_EQ(got, expected(32, [](std::uint32_t t) { return t < 20 ? 3 * (t + 1) : 0xFFF00000u; }));
}

TEST(ControlFlow, ReturnInTheMiddleOfAKernelEndsThreads) {
  const auto got = results_of(R"(
  setp.lt.u32 %p1, %t, 5;
  @%p1 ret;
  activemask.b32 %r0;
)");
  EXPECT_EQ(got, expected(32, [](std::uint32_t t) { return t < 5 ? 0 : 0xFFFFFFE0u; }));
}

TEST(ControlFlow, ThreadsOutsideTheBlockNeverRun) {
  const auto got = results_of("  activemask.b32 %r0;\n", 41);
  EXPECT_EQ(got, expected(41, [](std::uint32_t t) { return t < 32 ? 0xFFFFFFFFu : 0x1FFu; }));
}

TEST(ControlFlow, BranchTableSendsEachLaneItsWay) {
  const auto table = results_of(R"(
  and.b32 %r1, %t, 3;
TABLE: .branchtargets A, B, A, C;
  brx.idx %r1, TABLE;
A:
  mov.u32 %r0, 100;
  bra JOIN;
B:
  mov.u32 %r0, 200;
  bra JOIN;
C:
  mov.u32 %r0, 300;
JOIN:
  activemask.b32 %r2;
  popc.b32 %r2, %r2;
  add.u32 %r0, %r0, %r2;
)");
  EXPECT_EQ(table, expected(32, [](std::uint32_t t) { return (t % 4 == 1 ? 200 : t % 4 == 3 ? 300 : 100) + 32; }));
}

const char* const fibonacci = R"(
.func (.param .b32 result) fib(.param .b32 n)
{
  .reg .b32 %r<8>;
  .reg .pred %p1;
  ld.param.u32 %r1, [n];
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra SMALL;
  sub.u32 %r2, %r1, 1;
  {
  .param .b32 a;
  st.param.b32 [a], %r2;
  .param .b32 b;
  call (b), fib, (a);
  ld.param.b32 %r3, [b];
  }
  sub.u32 %r4, %r1, 2;
  {
  .param .b32 a;
  st.param.b32 [a], %r4;
  .param .b32 b;
  call (b), fib, (a);
  ld.param.b32 %r5, [b];
  }
  add.u32 %r1, %r3, %r5;
SMALL:
  st.param.b32 [result], %r1;
  ret;
}
)";

TEST(ControlFlow, RecursionWithADifferentDepthPerLane) {
  const auto got = results_of(R"(
  and.b32 %r1, %t, 15;
  { .param .b32 a; .param .b32 b;
  st.param.b32 [a], %r1;
  call (b), fib, (a);
  ld.param.b32 %r0, [b]; }
)",
                              32, fibonacci);
  const std::function<std::uint32_t(std::uint32_t)> fib = [&](std::uint32_t n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  };
  EXPECT_EQ(got, expected(32, [&](std::uint32_t t) { return fib(t % 16); }));
}

TEST(ControlFlow, GuardedCallsLeaveTheOtherLanesWaiting) {
  const auto got = results_of(R"(
  mov.u32 %r1, 9;
  mov.u32 %r0, 7;
  setp.gt.u32 %p1, %t, 20;
  { .param .b32 a; .param .b32 b;
  st.param.b32 [a], %r1;
  @%p1 call (b), fib, (a);
  @%p1 ld.param.b32 %r0, [b]; }
  activemask.b32 %r2;
  popc.b32 %r2, %r2;
  mad.lo.u32 %r0, %r2, 100, %r0;
)",
                              32, fibonacci);
  EXPECT_EQ(got, expected(32, [](std::uint32_t t) { return 3200 + (t > 20 ? 34 : 7); }));
}

TEST(ControlFlow, EarlyReturnsOfAFunctionMeetAtItsEnd) {
  const auto got = results_of(R"(
  { .reg .b32 x; call (x), pick, (%t); mov.b32 %r0, x; }
  activemask.b32 %r2;
  popc.b32 %r2, %r2;
  mad.lo.u32 %r0, %r2, 1000, %r0;
)",
                              32, R"(
.func (.reg .b32 result) pick(.reg .b32 n)
{
  .reg .pred %p<4>;
  mov.u32 result, 1;
  setp.lt.u32 %p1, n, 4;
  @%p1 ret;
  mov.u32 result, 2;
  setp.lt.u32 %p2, n, 17;
  @%p2 bra DOUBLE;
  mov.u32 result, 3;
  ret;
DOUBLE:
  add.u32 result, result, result;
  ret;
}
)");
  EXPECT_EQ(got, expected(32, [](std::uint32_t t) { return 32000 + (t < 4 ? 1 : t < 17 ? 4 : 3); }));
}

TEST(ControlFlow, ExitInsideAFunctionEndsThreadsForGood) {
  const auto got = results_of(R"(
  mov.u32 %r0, 1;
  { call leave, (%t); }
  activemask.b32 %r0;
  setp.gt.u32 %p1, %t, 40;
  { @%p1 call leave_all, (); }
  activemask.b32 %r0;
)",
                              64, R"(
.func leave(.reg .b32 n)
{ .reg .pred %p1; .reg .b32 %r1; and.b32 %r1, n, 1; setp.eq.u32 %p1, %r1, 1; @%p1 exit; ret; }
.func leave_all() { exit; }
)");
  EXPECT_EQ(got, expected(64, [](std::uint32_t t) {
              if (t % 2 == 1 || t > 40) return 0u;
              return t < 32 ? 0x55555555u : 0x155u;
            }));
}

TEST(ControlFlow, IndirectCallsGoToEachLanesTarget) {
  const auto got = results_of(R"(
  rem.u32 %r1, %t, 3;
  mul.wide.u32 %d1, %r1, 8;
  mov.u64 %d2, table;
  add.u64 %d1, %d1, %d2;
  ld.global.u64 %d3, [%d1];
  { .param .b32 a; .param .b32 b;
  st.param.b32 [a], %t;
  PROTO: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (b), %d3, (a), PROTO;
  ld.param.b32 %r0, [b]; }
  activemask.b32 %r2;
  popc.b32 %r2, %r2;
  mad.lo.u32 %r0, %r2, 10000, %r0;
)",
                              32, R"(
.func (.param .b32 r) twice(.param .b32 n)
{ .reg .b32 %r1; ld.param.b32 %r1, [n]; add.u32 %r1, %r1, %r1; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) square(.param .b32 n)
{ .reg .b32 %r1; ld.param.b32 %r1, [n]; mul.lo.u32 %r1, %r1, %r1; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) lanes_here(.param .b32 n)
{ .reg .b32 %r1; activemask.b32 %r1; popc.b32 %r1, %r1; st.param.b32 [r], %r1; ret; }
.global .align 8 .u64 table[3] = {twice, square, lanes_here};
)");
  EXPECT_EQ(got, expected(32, [](std::uint32_t t) {
              return 320000 + (t % 3 == 0 ? 2 * t : t % 3 == 1 ? t * t : 10);  // lanes 2, 5, ... 29 share the third
            }));
}

TEST(ControlFlow, SpinLockPerLaneInTheUsualShapeEnds) {
  // Holder and waiters share a warp; the release lies inside the loop, as such programs write it for SIMT stacks.
  const std::string ptx = kernel_of(R"(
  mov.u64 %d1, lock;
TRY:
  atom.global.cas.b32 %r1, [%d1], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  ld.global.u32 %r2, [%d1+4];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%d1+4], %r2;
  mov.u32 %r0, %r2;
  st.global.u32 [%d1], 0;
AGAIN:
  setp.eq.u32 %p2, %r0, 0;
  @%p2 bra TRY;
)",
                                    ".global .align 8 .u32 lock[2];\n");
  Machine machine(ptx);
  const std::uint64_t out = machine.allocate(4 * 64);
  machine.run("k", {1, 1, 1}, {64, 1, 1}, out);
  EXPECT_EQ(machine.download<std::uint32_t>(machine.variable("lock"), 2), (std::vector<std::uint32_t>{0, 64}));
  std::vector<std::uint32_t> order = machine.download<std::uint32_t>(out, 64);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, expected(64, [](std::uint32_t t) { return t + 1; }));
}

TEST(ControlFlow, CtasThatWaitForEachOtherMakeProgress) {
  // Every CTA waits until all have come: needs all of them resident and taking turns.
  const std::string ptx = kernel_of(R"(
  mov.u64 %d1, come;
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra WAIT;
  red.global.add.u32 [%d1], 1;
WAIT:
  ld.volatile.global.u32 %r2, [%d1];
  mov.u32 %r3, %nctaid.x;
  setp.lt.u32 %p2, %r2, %r3;
  @%p2 bra WAIT;
  mov.u32 %r0, %r2;
)",
                                    ".global .u32 come;\n");
  Machine machine(ptx);
  const std::uint64_t out = machine.allocate(4 * 40 * 64);
  machine.run("k", {40, 1, 1}, {64, 1, 1}, out);
  EXPECT_THAT(machine.download<std::uint32_t>(out, 40 * 64), testing::Each(40u));
}

TEST(ControlFlow, GridAndBlockIndicesInThreeDimensions) {
  const std::string ptx = module_header() + R"(
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<20>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;
  mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
  mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1;
  mov.u32 %r7, %tid.x; mov.u32 %r8, %tid.y; mov.u32 %r9, %tid.z;
  mov.u32 %r10, %ntid.x; mov.u32 %r11, %ntid.y; mov.u32 %r12, %ntid.z;
  mad.lo.u32 %r13, %r9, %r11, %r8; mad.lo.u32 %r13, %r13, %r10, %r7;
  mul.lo.u32 %r14, %r10, %r11; mul.lo.u32 %r14, %r14, %r12;
  mad.lo.u32 %r15, %r6, %r14, %r13;
  mul.wide.u32 %d2, %r15, 4; add.u64 %d2, %d2, %d1;
  shl.b32 %r16, %r1, 20; shl.b32 %r17, %r2, 16; or.b32 %r16, %r16, %r17; shl.b32 %r17, %r3, 12; or.b32 %r16, %r16, %r17;
  shl.b32 %r17, %r7, 8; or.b32 %r16, %r16, %r17; shl.b32 %r17, %r8, 4; or.b32 %r16, %r16, %r17; or.b32 %r16, %r16, %r9;
  st.global.u32 [%d2], %r16;
}
)";
  Machine machine(ptx);
  const base::Dim3 grid{3, 2, 2}, block{5, 3, 2};
  const auto count = static_cast<std::size_t>(grid.count() * block.count());
  const std::uint64_t out = machine.allocate(4 * count);
  machine.run("k", grid, block, out);
  std::vector<std::uint32_t> want;
  for (std::uint32_t cz = 0; cz < 2; ++cz)
    for (std::uint32_t cy = 0; cy < 2; ++cy)
      for (std::uint32_t cx = 0; cx < 3; ++cx)
        for (std::uint32_t z = 0; z < 2; ++z)
          for (std::uint32_t y = 0; y < 3; ++y)
            for (std::uint32_t x = 0; x < 5; ++x) want.push_back(cx << 20 | cy << 16 | cz << 12 | x << 8 | y << 4 | z);
  EXPECT_EQ(machine.download<std::uint32_t>(out, count), want);
}

}  // namespace
}  // namespace syncline::test
