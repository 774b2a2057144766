// Where the threads of a test are placed, and what becomes of their instructions.
#include "platform/litmus/litmus_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "consistency/reader.h"
#include "platform/litmus/litmus_kernel.h"

namespace syncline::platform {
namespace {

using testing::HasSubstr;
using testing::Not;

consistency::Program read(const std::string& columns, const std::string& rows = "") {
  return consistency::read_litmus("PTX t\n{ x=0; }\n" + columns + " ;\n" + rows + "exists (x=0)", "t.litmus");
}

TEST(LitmusLayout, EachCtaHasAnSmAndEachThreadAWarp) {
  const LitmusLayout layout(read("P0@cta 0 | P1@cta 0 | P2@cta 1"), {5});
  EXPECT_EQ(layout.sms_per_copy(), 2U);
  EXPECT_EQ(layout.copies(), 2U);
  EXPECT_EQ(layout.ctas(), 5U);
  EXPECT_EQ(layout.warps_per_cta(), 2U);
  EXPECT_EQ(layout.actor(2, 1)->copy, 1U);
  EXPECT_EQ(layout.actor(2, 1)->thread, 1U);
  EXPECT_EQ(layout.actor(3, 0)->thread, 2U);
  EXPECT_FALSE(layout.actor(3, 1)) << "the second CTA has one thread";
  EXPECT_FALSE(layout.actor(4, 0)) << "no copy fits on the last SM";
}

TEST(LitmusLayout, CtasShareAnSmWhereTheTestSaysSo) {
  const LitmusLayout layout(read("P0@cta 0,sm 1 | P1@cta 1,sm 1 | P2@cta 2,sm 0"), {4});
  EXPECT_EQ(layout.sms_per_copy(), 2U);
  EXPECT_EQ(layout.ctas(), 8U) << "two on each SM";
  EXPECT_EQ(layout.actor(0, 0)->thread, 0U);
  EXPECT_EQ(layout.actor(4, 0)->thread, 1U);
  EXPECT_EQ(layout.actor(1, 0)->thread, 2U);
  EXPECT_FALSE(layout.actor(5, 0));
}

TEST(LitmusLayout, FewerSmsThanCtasAreShared) {
  const LitmusLayout layout(read("P0@cta 0 | P1@cta 1 | P2@cta 2"), {2});
  EXPECT_EQ(layout.sms_per_copy(), 2U);
  EXPECT_EQ(layout.copies(), 1U);
  EXPECT_EQ(layout.actor(2, 0)->thread, 2U);
}

TEST(LitmusLayout, GpusOfATestAreGpusOfTheMachine) {
  // 4 GPUs of 2 modules of 2 SMs; a copy has two SMs on each of two GPUs, so there are two copies on each pair.
  const LitmusLayout layout(read("P0@cta 0,gpu 3 | P1@cta 1,gpu 3 | P2@cta 0,gpu 1"), {16, 4, 8});
  EXPECT_EQ(layout.sms_per_copy(), 4U);
  EXPECT_EQ(layout.copies(), 4U);
  EXPECT_EQ(layout.ctas(), 16U);
  const std::vector<std::pair<unsigned, unsigned>> expected{{0, 0}, {0, 1}, {1, 0}, {1, 1}};  // of the first GPU
  for (unsigned cta = 0; cta < 4; ++cta) {
    EXPECT_EQ(layout.actor(cta, 0)->copy, expected[cta].first) << cta;
    EXPECT_EQ(layout.actor(cta, 0)->thread, expected[cta].second) << cta;
    EXPECT_EQ(layout.actor(8 + cta, 0)->copy, 2 + expected[cta].first) << cta;
  }
  EXPECT_EQ(layout.actor(4, 0)->thread, 2U) << "the second GPU";
  EXPECT_EQ(layout.actor(4, 0)->copy, 0U);
  EXPECT_FALSE(layout.actor(5, 0)) << "P2 alone is there";
  EXPECT_EQ(layout.actor(6, 0)->copy, 1U);
}

TEST(LitmusLayout, ModulesAreDealtNeighboursInLayers) {
  // Two CTAs on each of 4 SMs of 2 modules: a module has four neighbours, two for each of its SMs.
  const LitmusLayout layout(read("P0@cta 0,sm 0 | P1@cta 1,sm 0"), {4, 1, 2});
  EXPECT_EQ(layout.ctas(), 8U);
  EXPECT_EQ(layout.copies(), 4U);
  const std::vector<std::pair<unsigned, unsigned>> expected{{0, 0}, {1, 0}, {0, 1}, {1, 1},
                                                            {2, 0}, {3, 0}, {2, 1}, {3, 1}};
  for (unsigned cta = 0; cta < 8; ++cta) {
    EXPECT_EQ(layout.actor(cta, 0)->copy, expected[cta].first) << cta;
    EXPECT_EQ(layout.actor(cta, 0)->thread, expected[cta].second) << cta;
  }
}

TEST(LitmusLayout, AMachineWithFewerGpusIsAnError) {
  try {
    LitmusLayout(read("P0@cta 0,gpu 0 | P1@cta 0,gpu 1"), {4});
    FAIL();
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("more GPUs than there are"));
  }
}

TEST(LitmusKernel, QualifiersAreThoseOfTheTest) {
  const std::string ptx = litmus_kernel(read("P0 | P1",
                                             " ld.acquire.gpu r0, x | st.release.sys x, r1 ;\n"
                                             " ld.weak r1, x | atom.acq_rel.cta.cas r2, x, 0, 1 ;\n"
                                             " ld.volatile r1, x | red.relaxed.gpu.sub x, 3 ;\n"
                                             " membar.gl | fence.sc.sys ;\n"));
  for (const char* line :
       {"@%lead ld.acquire.gpu.global.s32 %t0_r0, [%a0];", "@%lead ld.global.s32 %t0_r1, [%a0];",
        "@%lead ld.volatile.global.s32 %t0_r1, [%a0];", "membar.gl;", "@%lead st.release.sys.global.s32 [%a0], %t1_r1;",
        "@%lead atom.acq_rel.cta.global.cas.b32 %t1_r2, [%a0], 0, 1;",
        "@%lead red.relaxed.gpu.global.add.s32 [%a0], -3;", "fence.sc.sys;"})
    EXPECT_THAT(ptx, HasSubstr(line));
}

TEST(LitmusKernel, ABarrierWaitsForTheThreadsThatNameIt) {
  const std::string ptx =
      litmus_kernel(read("P0@cta 0 | P1@cta 0 | P2@cta 0", " bar.cta.sync 0 | bar.cta.sync 0 | bar.cta.sync 1 ;\n"));
  EXPECT_THAT(ptx, HasSubstr("bar.sync 0, 64;"));
  EXPECT_THAT(ptx, HasSubstr("bar.sync 1, 32;"));
  EXPECT_THAT(ptx, Not(HasSubstr("bar.sync 0, 96;")));
}

TEST(LitmusKernel, BarriersThatCountArriveAndComeFromRegisters) {
  const std::string ptx = litmus_kernel(read(
      "P0@cta 0 | P1@cta 0", " mov r1, 9 | bar.cta.sync 0, 9, 2 ;\n bar.cta.arrive 0, r1, 2 | bar.cta.sync 1 ;\n"));
  EXPECT_THAT(ptx, HasSubstr("bar.arrive 0, 64;"));
  EXPECT_THAT(ptx, HasSubstr("bar.sync 15, 64;\n\tbra.uni NEXT;")) << "nobody is a round ahead";
  EXPECT_THAT(ptx, HasSubstr("bar.sync 0, 64;"));
  EXPECT_THAT(ptx, HasSubstr("bar.sync 1, 32;"));
}

/// Which of two it is, both threads know only when they run.
TEST(LitmusKernel, ABarrierMayBeOneOfTwo) {
  const std::string ptx =
      litmus_kernel(read("P0@cta 0 | P1@cta 0 | P2@cta 1",
                         " ld r0, x | bar.cta.sync 0, 0, 2 | st x, 1 ;\n st y, r0 | ld r1, y | ;\n"
                         " bar.cta.sync 0, 0, 2 | bar.cta.sync 1, r1, 2 | ;\n bar.cta.sync 1, r0, 2 | | ;\n"));
  EXPECT_THAT(ptx, HasSubstr("bar.sync 0, 64;"));
  EXPECT_THAT(ptx,
              HasSubstr("mov.u32 %barrier, 1;\n\tmov.u32 %meet, 64;\n\tsetp.eq.and.s32 %taken, %t0_r0, 1, %lead;"));
  EXPECT_THAT(ptx, HasSubstr("@%taken mov.u32 %barrier, 2;"));
  EXPECT_THAT(ptx, HasSubstr("bar.sync %barrier, %meet;"));
}

TEST(LitmusKernel, ALoopIsGivenUpSomeTime) {
  const std::string ptx = litmus_kernel(read("P0@cta 0", " LC0: ld r0, x ;\n bne r0, 1, LC0 ;\n goto LC0 ;\n"));
  EXPECT_THAT(ptx, HasSubstr("setp.ne.and.s32 %taken, %left, 1, %lead;"));
  EXPECT_THAT(ptx, HasSubstr("vote.sync.any.pred %taken, %taken, 0xffffffff;")) << "all lanes go where the first does";
  EXPECT_THAT(ptx, HasSubstr("setp.le.u32 %some, %tries, 256;\n\t@%some bra.uni TARGET0_0;"));
  EXPECT_THAT(ptx, HasSubstr("@%lead st.global.u32 [%result+4], %tries;"));
  EXPECT_THAT(litmus_kernel(read("P0@cta 0", " ld r0, x ;\n")), Not(HasSubstr("mov.u32 %tries")));
}

TEST(LitmusKernel, WhatPtxDoesNotHaveIsMadeOfWhatItHas) {
  const std::string ptx =
      litmus_kernel(read("P0@cta 0", " atom.relaxed.gpu.sub r0, x, r1 ;\n red.acq_rel.gpu.inc x, 3 ;\n"));
  EXPECT_THAT(ptx, HasSubstr("neg.s32 %left, %t0_r1;\n\t@%lead atom.relaxed.gpu.global.add.s32 %t0_r0, [%a0], %left;"));
  EXPECT_THAT(ptx, HasSubstr("@%lead red.release.gpu.global.inc.u32 [%a0], 3;"));
}

void expect_not_run(const consistency::Program& program, const std::string& reason) {
  EXPECT_THAT(why_not_run(program, 1), HasSubstr(reason));
  try {
    litmus_kernel(program);
    FAIL() << reason;
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("t.litmus: error: the test cannot run: "));
  }
}

TEST(LitmusKernel, WhatCannotRunIsTold) {
  const auto pair = [](const std::string& rows) { return read("P0@cta 0 | P1@cta 0", rows); };
  const consistency::Program two = read("P0@cta 0,gpu 0 | P1@cta 0,gpu 1");
  EXPECT_EQ(why_not_run(two, 1), "its threads are on 2 GPUs; the platform has 1");
  EXPECT_EQ(why_not_run(two, 2), "");
  expect_not_run(read("P0@cta 0", " fence.proxy.alias ;\n"), "it is about proxies");
  expect_not_run(read("P0@cta 0", " suld.weak r0, x ;\n"), "it is about proxies");
  expect_not_run(pair(" ld r0, x | bar.cta.sync 0 ;\n beq r0, 0, LC0 | st x, 1 ;\n bar.cta.sync 0 | ;\n LC0: | ;\n"),
                 "t.litmus:4:13: `bar.cta.sync 0`: it does not count, and 1 or 2 threads meet there");
  expect_not_run(pair(" bar.cta.sync 0, 0, 3 | bar.cta.sync 0, 0, 3 ;\n"), "a thread may wait at a barrier for ever");
  expect_not_run(pair(" bar.cta.sync 0, 0, 1 | bar.cta.sync 0, 0, 1 ;\n"),
                 "2 threads come to it and it counts 1; on a machine the last ones wait for its next execution");
  expect_not_run(pair(" bar.cta.sync 0 | bar.cta.sync 1 ;\n bar.cta.sync 1 | bar.cta.sync 0 ;\n"),
                 "a thread may wait at a barrier for ever");
  expect_not_run(pair(" LC0: bar.cta.sync 0 | bar.cta.sync 0 ;\n ld r0, x | st x, 1 ;\n bne r0, 1, LC0 | ;\n"),
                 "t.litmus:4:7: `bar.cta.sync 0`: a barrier in a loop");
  expect_not_run(
      pair(" LC0: ld r0, x | st x, 1 ;\n bne r0, 1, LC0 | ;\n bne r0, 1, LC1 | ;\n bar.cta.sync 0 | ;\n LC1: | ;\n"),
      "t.litmus:7:2: `bar.cta.sync 0`: a branch jumps over a barrier, in a test with loops");
  std::string barriers;
  for (int i = 0; i < 16; ++i) barriers += " bar.cta.sync " + std::to_string(i) + " ;\n";
  expect_not_run(read("P0@cta 0", barriers), "a CTA of the test has more than 15 barriers");
  std::string stores;
  for (int i = 0; i < 33; ++i) stores += " st x" + std::to_string(i) + ", 1 ;\n";
  expect_not_run(read("P0@cta 0", stores), "it has more than 32 locations");
}

}  // namespace
}  // namespace syncline::platform
