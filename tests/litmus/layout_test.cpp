// Where the threads of a test are placed, and what becomes of their instructions.
#include "platform/litmus/litmus_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  const LitmusLayout layout(read("P0@cta 0 | P1@cta 0 | P2@cta 1"), 5);
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
  const LitmusLayout layout(read("P0@cta 0,sm 1 | P1@cta 1,sm 1 | P2@cta 2,sm 0"), 4);
  EXPECT_EQ(layout.sms_per_copy(), 2U);
  EXPECT_EQ(layout.ctas(), 8U) << "two on each SM";
  EXPECT_EQ(layout.actor(0, 0)->thread, 0U);
  EXPECT_EQ(layout.actor(4, 0)->thread, 1U);
  EXPECT_EQ(layout.actor(1, 0)->thread, 2U);
  EXPECT_FALSE(layout.actor(5, 0));
}

TEST(LitmusLayout, FewerSmsThanCtasAreShared) {
  const LitmusLayout layout(read("P0@cta 0 | P1@cta 1 | P2@cta 2"), 2);
  EXPECT_EQ(layout.sms_per_copy(), 2U);
  EXPECT_EQ(layout.copies(), 1U);
  EXPECT_EQ(layout.actor(2, 0)->thread, 2U);
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

void expect_mistake(const std::string& rows, const std::string& message) {
  try {
    litmus_kernel(read("P0@cta 0", rows));
    FAIL() << rows;
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(LitmusKernel, WhatHasNoPtxIsTold) {
  expect_mistake(" beq r0, 0, LC0 ;\n bar.cta.sync 0 ;\n LC0: ;\n",
                 "t.litmus:5:2: error: a branch jumps over `bar.cta.sync 0`");
  expect_mistake(" atom.relaxed.gpu.sub r0, x, r1 ;\n", "expected a number to subtract");
  std::string barriers;
  for (int i = 0; i < 17; ++i) barriers += " bar.cta.sync " + std::to_string(i) + " ;\n";
  expect_mistake(barriers, "t.litmus:20:2: error: a CTA of the test has more than 16 barriers");
}

}  // namespace
}  // namespace syncline::platform
