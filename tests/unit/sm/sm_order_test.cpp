// What an SM waits for: fences, boundaries of grids, gates.
#include <gtest/gtest.h>

#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_test.h"

namespace syncline::tests {
namespace {

TEST_F(SmTest, FencesWaitForEverythingBefore) {
  sm_count = 1;
  build();
  const auto lock = allocate(4), counter = allocate(4);
  execute(spin, {"spin", {1}, {32}, {lock, counter, 4}});
  EXPECT_EQ(statistic("sm0.fences"), 8);
  // A warp's fence reaches the L1 after the answer to its store: no request of the warp is behind it and unanswered.
  const auto& seen = l1s[0]->seen;
  unsigned asked = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    if (seen[i].kind != models::L1Kind::fence) continue;
    ++asked;
    EXPECT_GE(seen[i].at_ps, seen[i - 1].at_ps + 1000U * l1.min_delay_ns);
  }
  EXPECT_EQ(asked, 8U);
}

models::SmSeams scoped(unsigned) {
  models::SmSeams seams;
  seams.fences = std::make_shared<models::ScopedFence>();
  return seams;
}

TEST_F(SmTest, AFenceOfACtaWaitsForNothingAndHandsOnWhatItDidNotWaitFor) {
  sm_count = 1;
  seams = scoped;
  l1.min_delay_ns = 300;
  build();
  const auto x = allocate(256), y = allocate(256);
  // Warp 0 stores x, passes a fence of the CTA and tells warp 1, whose fence of the GPU must find x performed.
  execute(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y) {
  .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
  .shared .align 4 .b32 told;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
  mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;
  @%p1 st.shared.u32 [told], 0;
  bar.sync 0;
  setp.gt.u32 %p2, %r1, 31;
  @%p2 bra SECOND;
  mov.u64 %rd3, %clock64;
  st.global.u32 [%rd1], 1;
  membar.cta;
  st.volatile.shared.u32 [told], 1;
  mov.u64 %rd4, %clock64;
  sub.u64 %rd4, %rd4, %rd3;
  st.global.u64 [%rd1+128], %rd4;
  ret;
SECOND:
  ld.volatile.shared.u32 %r2, [told];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra SECOND;
  membar.gl;
  st.global.u32 [%rd2], 1;
  ret;
})",
          {"k", {1}, {64}, {x, y}});
  EXPECT_LT(*at<std::uint64_t>(x + 128), 100U) << "cycles from the store to behind the fence";
  const auto& seen = l1s[0]->seen;
  const auto fence =
      std::find_if(seen.begin(), seen.end(), [](const auto& s) { return s.kind == models::L1Kind::fence; });
  ASSERT_NE(fence, seen.end());
  EXPECT_EQ(std::count_if(seen.begin(), seen.end(), [](const auto& s) { return s.kind == models::L1Kind::fence; }), 1);
  const auto store = std::find_if(seen.begin(), seen.end(), [](const auto& s) {
    return s.kind == models::L1Kind::global && s.message_class == models::MessageClass::store_request;
  });
  ASSERT_NE(store, seen.end());
  EXPECT_GE(fence->at_ps, store->at_ps + 1000U * l1.min_delay_ns);
}

TEST_F(SmTest, AGridBeginsAtTheL1BeforeItsFirstAccess) {
  sm_count = 1;
  build();
  const auto x = allocate(128, true), y = allocate(128, true), out = allocate(128);
  compare(saxpy, {"saxpy", {1}, {32}, {x, y, out, 7, 32}});
  compare(saxpy, {"saxpy", {1}, {32}, {x, y, out, 9, 32}});
  unsigned begins = 0;
  for (const auto& request : l1s[0]->seen) begins += request.kind == models::L1Kind::grid_begin;
  EXPECT_EQ(begins, 2U);
  EXPECT_EQ(l1s[0]->seen.front().kind, models::L1Kind::grid_begin);
}

TEST_F(SmTest, AConstantOnItsWayAtAKernelBoundaryIsNotKept) {
  sm_count = 1;
  l1 = {4000, 4000, 0};
  build();
  const auto table = allocate(128), first = allocate(4), second = allocate(4);
  const char* const fetch = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry fetch(.param .u64 from, .param .u64 to) {
  .reg .b32 %r<2>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.const.u32 %r1, [%rd1];
  st.global.u32 [%rd2], %r1;
  ret;
})";
  *at<std::uint32_t>(table) = 1;
  start(fetch, {"fetch", {1}, {1}, {table, first}});
  run_ns(7000);  // the load has read the table, its reply is on the way
  ASSERT_EQ(l1s[0]->seen.back().kind, models::L1Kind::constant);
  *at<std::uint32_t>(table) = 2;
  start(fetch, {"fetch", {1}, {1}, {table, second}});
  run();
  EXPECT_EQ(*at<std::uint32_t>(first), 1U);
  EXPECT_EQ(*at<std::uint32_t>(second), 2U) << "launched after the table was written";
}

models::SmSeams sequential(unsigned) {
  models::SmSeams sc;
  sc.gate = std::make_shared<models::SequentialGate>();
  sc.fences = std::make_shared<models::NoFence>();
  return sc;
}

TEST_F(SmTest, ASequentialGateKeepsOneAccessOfAWarpInFlight) {
  sm_count = 1;
  seams = sequential;
  build();
  const auto x = allocate(4096, true), y = allocate(4096, true), out = allocate(4096);
  compare(saxpy, {"saxpy", {4}, {256}, {x, y, out, 7, 1000}});
  EXPECT_GT(statistic("sm0.stall_gate_sc_order"), 0);
  std::map<unsigned, std::uint64_t> last;
  for (const auto& request : l1s[0]->seen) {
    if (request.kind != models::L1Kind::global) continue;
    if (last.count(request.warp) != 0) {
      EXPECT_GE(request.at_ps, last[request.warp] + 1000U * l1.min_delay_ns);
    }
    last[request.warp] = request.at_ps;
  }
}

TEST_F(SmTest, AHeldInstructionIsCountedBehindTheKindOfTheOlderAccess) {
  sm_count = 1;
  l1 = {400, 400, 0};
  seams = sequential;
  build();
  const auto x = allocate(1024, true), out = allocate(1024);
  compare(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry order(.param .u64 from, .param .u64 to) {
  .reg .b32 %r<4>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, 5;
  st.global.u32 [%rd2], %r1;
  st.global.u32 [%rd2+128], %r1;
  atom.global.add.u32 %r2, [%rd2+256], %r1;
  st.global.u32 [%rd2+384], %r1;
  ld.global.u32 %r2, [%rd1];
  ld.global.u32 %r3, [%rd1+128];
  ret;
})",
          {"order", {1}, {32}, {x, out}});
  EXPECT_EQ(statistic("sm0.memory_instructions"), 6);
  EXPECT_EQ(statistic("sm0.held_behind_store"), 3) << "the second store, the atomic and the first load";
  EXPECT_EQ(statistic("sm0.held_behind_atomic"), 1);
  EXPECT_EQ(statistic("sm0.held_behind_load"), 1);
  EXPECT_EQ(statistic("sm0.held_behind_nothing"), 0);
  const double cycles_per_ns = static_cast<double>(core->frequency_hz()) * 1e-9;
  for (const base::Statistic* one : statistics.sorted()) {
    if (one->distribution == nullptr || one->name.rfind("held_behind_", 0) != 0 || one->distribution->count() == 0)
      continue;
    EXPECT_GE(one->distribution->min(), 400 * cycles_per_ns) << one->name;
    EXPECT_LE(one->distribution->max(), 400 * cycles_per_ns + 20) << one->name << ": until the answer, not longer";
  }
}

TEST_F(SmTest, WithoutAGateNobodyIsHeld) {
  sm_count = 1;
  build();
  for (const base::Statistic* one : statistics.sorted()) EXPECT_NE(one->name.rfind("held_behind_", 0), 0U);
}

TEST(HoldAccount, CountsFromTheFirstRefusalToTheIssue) {
  models::HoldAccount account;
  models::Hold hold;
  account.admit(hold, 90);  // never refused
  models::HoldAccount::refuse(hold, models::Behind::store, 100);
  models::HoldAccount::refuse(hold, models::Behind::load, 112);  // the first refusal counts, and says behind what
  account.admit(hold, 130);
  account.admit(hold, 140);
  const auto& store = account.cycles[static_cast<std::size_t>(models::Behind::store)];
  EXPECT_EQ(store.count(), 1U);
  EXPECT_EQ(store.sum(), 30U);
  for (const base::Distribution& one : account.cycles) EXPECT_EQ(one.count(), &one == &store ? 1U : 0U);
}

}  // namespace
}  // namespace syncline::tests
