// Warps that wait for each other in loops, under every scheduling policy.
#include <gtest/gtest.h>

#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

/// Every policy: no spin loop may keep the warp that holds the lock from releasing it, whoever is older.
class SpinTest : public SmMachine, public testing::WithParamInterface<models::SchedulerPolicy> {};

TEST_P(SpinTest, LocksAcrossWarpsAndSmsAreReleased) {
  spec.scheduler.policy = GetParam();
  spec.scheduler.active_warps = 1;
  l1.max_delay_ns = 40;
  build();
  const auto lock = allocate(4), counter = allocate(4);
  execute(spin, {"spin", {6}, {96}, {lock, counter, 3}});
  EXPECT_EQ(*at<std::uint32_t>(counter), 6U * 3 * 3);
  EXPECT_EQ(*at<std::uint32_t>(lock), 0U);
}

TEST_P(SpinTest, CtasThatWaitForEachOtherMeetWhenAllFit) {
  spec.scheduler.policy = GetParam();
  l1.max_delay_ns = 60;
  build();
  const auto arrived = allocate(4), out = allocate(16 * 64 * 4);
  execute(grid_barrier, {"grid_barrier", {16}, {64}, {arrived, out, 16}});
  for (unsigned i = 0; i < 16 * 64; ++i) ASSERT_EQ(at<std::uint32_t>(out)[i], 16U) << i;
}

TEST_P(SpinTest, ASpinOnSharedMemoryLetsTheOtherWarpRun) {
  // Warp 0, the oldest, spins on a word that warp 1 sets after a long loop: nothing but fairness can end this.
  spec.scheduler.policy = GetParam();
  spec.scheduler.active_warps = 1;
  spec.schedulers = 1;
  sm_count = 1;
  build();
  const auto out = allocate(4);
  execute(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .align 4 .b8 flag[4];
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, flag; mov.u32 %r3, 3000;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra wait;
work:
  sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0;
  @%p2 bra work;
  st.volatile.shared.u32 [%r2], 1;
  bra done;
wait:
  ld.volatile.shared.u32 %r4, [%r2]; setp.eq.u32 %p3, %r4, 0;
  @%p3 bra wait;
  st.global.u32 [%rd1], %r4;
done:
  ret;
})",
          {"k", {1}, {64}, {out}});
  EXPECT_EQ(*at<std::uint32_t>(out), 1U);
}

// All warps but the last of each scheduler poll the words that these last ones write: what the SM has of the way to
// memory is always asked for by more warps than it serves.
TEST_P(SpinTest, WhereMemoryServesOneInstructionEveryWarpHasItsTurn) {
  spec.scheduler.policy = GetParam();
  spec.memory.instructions = 1;
  spec.memory.queue = 1;
  sm_count = 1;
  build();
  const auto flag = allocate(4), out = allocate(16 * 4);
  execute(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 flag, .param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [flag]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd4, %rd2, %rd3;
  mov.u32 %r5, 20;
  setp.lt.u32 %p1, %r2, 14;
  @%p1 bra wait;
work:
  ld.volatile.global.u32 %r4, [%rd4];
  sub.u32 %r5, %r5, 1; setp.ne.u32 %p2, %r5, 0;
  @%p2 bra work;
  and.b32 %r6, %r1, 31; setp.ne.u32 %p2, %r6, 0;
  @%p2 bra done;
  red.global.add.u32 [%rd1], 1;
  bra done;
wait:
  ld.volatile.global.u32 %r4, [%rd1]; setp.lt.u32 %p3, %r4, 2;
  @%p3 bra wait;
  st.global.u32 [%rd4], %r4;
done:
  ret;
})",
          {"k", {1}, {512}, {flag, out}});
  for (unsigned warp = 0; warp < 14; ++warp) EXPECT_EQ(at<std::uint32_t>(out)[warp], 2U) << warp;
  // Two spans and one turn of each warp bound the wait: 21 instructions of 16 warps, each some 100 cycles under way.
  const double bound = 22 * (2.0 * spec.scheduler.starvation_limit + 2 * 16 * 150);
  EXPECT_LT(statistic("sm0.active_cycles"), bound);
}

INSTANTIATE_TEST_SUITE_P(Policies, SpinTest,
                         testing::Values(models::SchedulerPolicy::lrr, models::SchedulerPolicy::gto,
                                         models::SchedulerPolicy::two_level),
                         [](const auto& variant) {
                           for (const auto& [name, policy] : models::scheduler_policies()) {
                             if (policy == variant.param) return std::string(name);
                           }
                           return std::string("unlisted");
                         });

}  // namespace
}  // namespace syncline::tests
