// Paths of a warp take turns: both may come to barriers, meet, end and call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/reconvergence.h"

namespace syncline::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace syncline::test
