// shfl, vote, match, activemask, redux and elect against the rules of the PTX ISA, written down once more per lane.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <functional>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using Lanes = std::vector<std::uint32_t>;

Lanes each(unsigned threads, const std::function<std::uint32_t(std::uint32_t)>& of) {
  Lanes values;
  for (std::uint32_t t = 0; t < threads; ++t) values.push_back(of(t));
  return values;
}

TEST(CrossLane, ShuffleDownStopsAtTheSegmentEnd) {
  // width 8: c = (32 - 8) << 8 | 31
  const Lanes got = results_of(R"(
  mad.lo.u32 %r1, %t, %t, 3;
  shfl.sync.down.b32 %r2|%p1, %r1, 3, 6175, -1;
  selp.u32 %r3, 100000, 0, %p1;
  add.u32 %r0, %r2, %r3;
)");
  EXPECT_EQ(got, each(32, [](std::uint32_t t) {
              const bool inside = t % 8 + 3 < 8;
              const std::uint32_t from = inside ? t + 3 : t;
              return from * from + 3 + (inside ? 100000 : 0);
            }));
}

TEST(CrossLane, ShuffleUpKeepsTheFirstLanes) {
  const Lanes got = results_of(R"(
  shfl.sync.up.b32 %r2|%p1, %t, 5, 0, 0xFFFFFFFF;
  selp.u32 %r3, 1000, 0, %p1;
  add.u32 %r0, %r2, %r3;
)");
  EXPECT_EQ(got, each(32, [](std::uint32_t t) { return t >= 5 ? t - 5 + 1000 : t; }));
}

TEST(CrossLane, ShuffleButterflyAndIndexWithALanePerLane) {
  const Lanes got = results_of(R"(
  shfl.sync.bfly.b32 %r1, %t, 16, 31, -1;
  sub.u32 %r3, 31, %t;
  shfl.sync.idx.b32 %r2, %r1, %r3, 31, -1;
  mad.lo.u32 %r0, %r1, 100, %r2;
)");
  EXPECT_EQ(got, each(32, [](std::uint32_t t) { return (t ^ 16) * 100 + ((31 - t) ^ 16); }));
}

/// What a module of the times before .sync leaves.
Lanes old_results_of(const std::string& body) {
  Machine machine(kernel_of(body, "", "sm_60", "6.3"));
  const std::uint64_t out = machine.allocate(128);
  machine.run("k", {1, 1, 1}, {32, 1, 1}, out);
  return machine.download<std::uint32_t>(out, 32);
}

TEST(CrossLane, OldShufflesAndVotesWithoutMemberMask) {
  EXPECT_EQ(old_results_of("shfl.idx.b32 %r0, %t, 7, 31;"), each(32, [](std::uint32_t) { return 7; }));
  EXPECT_EQ(old_results_of("shfl.down.b32 %r1, %t, 1, 31; shfl.up.b32 %r2, %t, 1, 0; add.u32 %r0, %r1, %r2;"),
            each(32, [](std::uint32_t t) { return std::min(t + 1, 31u) + (t == 0 ? 0 : t - 1); }));
  EXPECT_EQ(old_results_of("setp.lt.u32 %p1, %t, 5; vote.ballot.b32 %r0, %p1; vote.any.pred %p2, %p1;"
                           "vote.all.pred %p3, %p1; @%p2 add.u32 %r0, %r0, 100; @%p3 add.u32 %r0, %r0, 1000;"),
            each(32, [](std::uint32_t) { return 31 + 100; }));
}

TEST(CrossLane, VotesCountTheLanesThatExecute) {
  const Lanes got = results_of(R"(
  setp.lt.u32 %p1, %t, 20;
  @!%p1 bra STORE;
  and.b32 %r1, %t, 3;
  setp.eq.u32 %p2, %r1, 0;
  vote.sync.ballot.b32 %r2, %p2, 0xFFFFF;
  vote.sync.any.pred %p3, %p2, 0xFFFFF;
  vote.sync.all.pred %p4, %p2, 0xFFFFF;
  vote.sync.all.pred %p5, %p1, 0xFFFFF;
  vote.sync.uni.pred %p6, !%p2, 0xFFFFF;
  vote.sync.ballot.b32 %r4, !%p2, 0xFFFFF;
  xor.b32 %r0, %r2, %r4;
  @!%p3 mov.u32 %r0, 1;
  @%p4 mov.u32 %r0, 2;
  @!%p5 mov.u32 %r0, 3;
  @%p6 mov.u32 %r0, 4;
  mul.lo.u32 %r0, %r0, 4096;
  and.b32 %r2, %r2, 4095;
  add.u32 %r0, %r0, %r2;
)");
  EXPECT_EQ(got, each(32, [](std::uint32_t t) { return t < 20 ? 0xFFFFFu * 4096 + 0x111 : 0; }));
}

TEST(CrossLane, MatchFindsEqualValues) {
  const Lanes got = results_of(R"(
  rem.u32 %r1, %t, 5;
  match.any.sync.b32 %r2, %r1, -1;
  match.all.sync.b32 %r3|%p1, %r1, -1;
  mov.u64 %d1, 77;
  match.all.sync.b64 %r4|%p2, %d1, -1;
  selp.u32 %r0, 1, %r2, %p1;
  @!%p2 mov.u32 %r0, 2;
  or.b32 %r0, %r0, %r3;
)");
  EXPECT_EQ(got, each(32, [](std::uint32_t t) {
              std::uint32_t mask = 0;
              for (unsigned other = t % 5; other < 32; other += 5) mask |= 1u << other;
              return mask;
            }));
}

TEST(CrossLane, ReduxAndElectOverTheMembers) {
  const Lanes got = results_of(R"(
  sub.s32 %r1, %t, 10;
  redux.sync.add.s32 %r2, %r1, -1;
  redux.sync.min.s32 %r3, %r1, -1;
  redux.sync.max.u32 %r4, %r1, -1;
  redux.sync.xor.b32 %r5, %t, -1;
  elect.sync %r6|%p1, 0xFFFFFFF0;
  add.u32 %r0, %r2, %r3;
  add.u32 %r0, %r0, %r4;
  add.u32 %r0, %r0, %r5;
  mad.lo.u32 %r0, %r6, 1000, %r0;
  @%p1 add.u32 %r0, %r0, 1000000;
)",
                               32, "");
  EXPECT_EQ(got, each(32, [](std::uint32_t t) {
              const std::uint32_t sum = 496 - 320, lowest = static_cast<std::uint32_t>(-10), highest = 0xFFFFFFFF;
              return sum + lowest + highest + 0 + 4000 + (t == 4 ? 1000000u : 0u);
            }));
}

TEST(CrossLane, ReduxOfFloatingPointNumbers) {
  // Lane t has the f32 pattern that the body leaves in %r1.
  const auto all = [](const std::string& values, const std::string& form, const char* members = "-1") {
    return results_of(values + " mov.b32 %f1, %r1; redux.sync." + form + ".f32 %f2, %f1, " + members +
                      "; mov.b32 %r0, %f2;");
  };
  const auto same = [](std::uint32_t value) { return each(32, [value](std::uint32_t) { return value; }); };
  // -0 is below +0.
  const std::string zeros = "and.b32 %r1, %t, 1; shl.b32 %r1, %r1, 31;";
  EXPECT_EQ(all(zeros, "min"), same(0x80000000));
  EXPECT_EQ(all(zeros, "max"), same(0));
  EXPECT_EQ(all(zeros, "min.abs"), same(0));
  // -31 ... 0 as numbers: t - 31.
  const std::string numbers = "sub.s32 %r2, %t, 31; cvt.rn.f32.s32 %f3, %r2; mov.b32 %r1, %f3;";
  EXPECT_EQ(all(numbers, "min"), same(0xc1f80000));
  EXPECT_EQ(all(numbers, "max.abs"), same(0x41f80000));
  EXPECT_EQ(all(numbers, "max.NaN"), same(0));
  // Lane 7 has a signalling NaN, whose bits come out of nothing.
  const std::string hole = numbers + "setp.eq.u32 %p1, %t, 7; @%p1 mov.b32 %r1, 0x7f800001;";
  EXPECT_EQ(all(hole, "min"), same(0xc1f80000));
  EXPECT_EQ(all(hole, "min.NaN"), same(0x7fffffff));
  EXPECT_EQ(all(hole, "max.abs.NaN"), same(0x7fffffff));
  EXPECT_EQ(all("mov.b32 %r1, 0xff800001;", "max"), same(0x7fffffff));
  EXPECT_EQ(all("mov.b32 %r1, 0xff800000;", "max.abs"), same(0x7f800000));
}

TEST(CrossLane, HalvesOfAWideWarpAreTwoPtxWarps) {
  isa::EmulatorConfig wide;
  wide.warp_lanes = 64;
  const std::string body = R"(
  shfl.sync.down.b32 %r1, %t, 1, 31, -1;
  setp.gt.u32 %p1, %t, 40;
  vote.sync.ballot.b32 %r2, %p1, -1;
  mov.u32 %r3, %laneid;
  mov.u32 %r4, %lanemask_lt;
  popc.b32 %r2, %r2;
  popc.b32 %r4, %r4;
  shl.b32 %r2, %r2, 8;
  shl.b32 %r3, %r3, 16;
  shl.b32 %r4, %r4, 24;
  or.b32 %r0, %r1, %r2;
  or.b32 %r0, %r0, %r3;
  or.b32 %r0, %r0, %r4;
)";
  EXPECT_EQ(results_of(body, 64, "", wide), results_of(body, 64));
}

/// What a module of the times before .sync leaves in 64 lanes where WARP_SZ is 64.
Lanes wide_results_of(const std::string& body) {
  isa::EmulatorConfig wide;
  wide.warp_lanes = 64;
  Machine machine(kernel_of(body, "", "sm_60", "6.3"), wide, isa::Allocation::linear_scan, 64);
  const std::uint64_t out = machine.allocate(256);
  machine.run("k", {1, 1, 1}, {64, 1, 1}, out);
  return machine.download<std::uint32_t>(out, 64);
}

TEST(WarpsOf64, NumberTheirLanesAndSayHowManyThereAre) {
  EXPECT_EQ(wide_results_of("mov.u32 %r1, %laneid; mad.lo.u32 %r0, %r1, 1000, WARP_SZ;"),
            each(64, [](std::uint32_t t) { return 1000 * t + 64; }));
}

/// 4 for all, 2 for any and 1 for uni of "t is below `limit`".
std::string votes_of(unsigned limit, const std::string& which = "%p1") {
  return "setp.lt.u32 %p1, %t, " + std::to_string(limit) + "; mov.u32 %r0, 0; vote.all.pred %p2, " + which +
         "; vote.any.pred %p3, " + which + "; vote.uni.pred %p4, " + which +
         "; @%p2 add.u32 %r0, %r0, 4; @%p3 add.u32 %r0, %r0, 2; @%p4 add.u32 %r0, %r0, 1;";
}

TEST(WarpsOf64, VoteAsOne) {
  const auto all = [](std::uint32_t value) { return each(64, [value](std::uint32_t) { return value; }); };
  EXPECT_EQ(wide_results_of(votes_of(64)), all(7));
  EXPECT_EQ(wide_results_of(votes_of(0)), all(1));
  EXPECT_EQ(wide_results_of(votes_of(32)), all(2));
  EXPECT_EQ(wide_results_of(votes_of(63)), all(2));
  EXPECT_EQ(wide_results_of(votes_of(64, "!%p1")), all(1));
  EXPECT_EQ(wide_results_of(votes_of(1, "!%p1")), all(2));
}

TEST(WarpsOf64, LanesThatDoNotExecuteHaveNoVote) {
  EXPECT_EQ(wide_results_of("mov.u32 %r0, 100; setp.ge.u32 %p1, %t, 40; setp.ge.u32 %p2, %t, 30;"
                            "@%p1 vote.all.pred %p3, %p2; @!%p1 bra STORE; selp.u32 %r0, 1, 0, %p3;"),
            each(64, [](std::uint32_t t) { return t >= 40 ? 1 : 100; }));
}

TEST(WarpsOf64, RefuseInstructionsWithMasksOf32AtTheirLine) {
  const char* const bodies[] = {"shfl.sync.idx.b32 %r0, %t, 0, 31, -1;",
                                "vote.sync.any.pred %p1, %p2, -1;",
                                "vote.sync.ballot.b32 %r0, %p1, -1;",
                                "match.any.sync.b32 %r0, %t, -1;",
                                "activemask.b32 %r0;",
                                "redux.sync.add.u32 %r0, %t, -1;",
                                "elect.sync %r0|%p1, -1;",
                                "bar.warp.sync -1;",
                                "mov.u32 %r0, %lanemask_lt;",
                                "mov.u32 %r0, %lanemask_ge;"};
  for (const std::string body : bodies) {
    const std::string ptx = kernel_of("\n" + body);
    Machine machine(ptx, {}, isa::Allocation::linear_scan, 64);
    const auto line = 1 + std::count(ptx.begin(), ptx.begin() + static_cast<std::ptrdiff_t>(ptx.find(body)), '\n');
    const std::string message = error_of([&] { machine.program("k"); });
    EXPECT_THAT(message, testing::StartsWith("test.ptx:" + std::to_string(line) + ":"));
    EXPECT_THAT(message, testing::HasSubstr("error: `" + body.substr(0, body.find(' '))));
    EXPECT_THAT(message, testing::HasSubstr("` counts on warps of 32 lanes, and here WARP_SZ is 64"));
    EXPECT_EQ(error_of([&] { Machine(ptx).program("k"); }), "");
  }
  const std::string old = kernel_of("vote.ballot.b32 %r0, %p1;", "", "sm_60", "6.3");
  EXPECT_THAT(error_of([&] { Machine(old, {}, isa::Allocation::linear_scan, 64).program("k"); }),
              testing::HasSubstr("counts on warps of 32 lanes"));
}

TEST(WarpsOf64, EnterBarriersOnlyAsAWhole) {
  EXPECT_THAT(error_of([] { wide_results_of("bar.sync 0, 32;"); }),
              testing::HasSubstr("entered for 32 threads, which is not a multiple of the warp size 64"));
  EXPECT_EQ(error_of([] { wide_results_of("mov.u32 %r0, 0; bar.sync 0, 64;"); }), "");
}

}  // namespace
}  // namespace syncline::test
