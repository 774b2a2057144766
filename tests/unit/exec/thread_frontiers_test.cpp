// Thread frontiers: lanes meet before the post-dominator, and nothing is executed twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/reconvergence.h"

namespace syncline::test {
namespace {

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
