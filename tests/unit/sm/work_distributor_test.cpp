// Which CTA starts where and when.
#include <gtest/gtest.h>

#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

/// Notes where CTAs start.
class Starts : public models::WarpEvents {
 public:
  struct Start {
    unsigned sm;
    unsigned grid;
    std::uint32_t cta;
    std::uint64_t ps;
  };
  explicit Starts(std::vector<Start>& list) : list_(list) {}
  void cta_launched(base::SmId sm, base::CtaSlot, base::GridId grid, base::Dim3 cta, unsigned) override {
    list_.push_back({sm.value(), grid.value(), cta.x, models::now_ps()});
  }

 private:
  std::vector<Start>& list_;
};

class DistributorTest : public SmMachine {
 protected:
  void SetUp() override { listener = std::make_shared<Starts>(starts); }
  std::vector<Starts::Start> starts;
  /// Writes nothing: out is behind n.
  Launch work(unsigned ctas, unsigned threads = 128) {
    const auto out = allocate(ctas * threads * 4);
    return {"saxpy", {ctas}, {threads}, {out, out, out, 1, ctas * threads}};
  }
  std::vector<unsigned> sms_of() const {
    std::vector<unsigned> list;
    for (const auto& start : starts) list.push_back(start.sm);
    return list;
  }
};

TEST_F(DistributorTest, FirstFreeSpreadsCtasInOrder) {
  sm_count = 3;
  build();
  execute(saxpy, work(6));
  EXPECT_EQ(sms_of(), (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(starts[i].cta, i);
}

TEST_F(DistributorTest, SlotHistoryIsAStartThatTheSeedSays) {
  sm_count = 5;
  perturbation.slot_history = true;
  perturbation.seed = 2;
  const unsigned start = perturbation.random(1, "distributor.slot_history").below(1U << 20) % 5;
  ASSERT_NE(start, 0U) << "a seed whose start shows";
  build();
  execute(saxpy, work(6));
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < 6; ++i) expected.push_back((start + i) % 5);
  EXPECT_EQ(sms_of(), expected);
}

TEST_F(DistributorTest, PackFillsOneSmFirst) {
  sm_count = 3;
  distributor_spec.placement = models::PlacementPolicy::pack;
  spec.max_ctas = 4;
  build();
  execute(saxpy, work(6));
  EXPECT_EQ(sms_of(), (std::vector<unsigned>{0, 0, 0, 0, 1, 1}));
}

TEST_F(DistributorTest, ContiguousGivesNeighboursToOneSm) {
  sm_count = 3;
  distributor_spec.placement = models::PlacementPolicy::contiguous;
  build();
  execute(saxpy, work(6));
  EXPECT_EQ(sms_of(), (std::vector<unsigned>{0, 0, 1, 1, 2, 2}));
}

TEST_F(DistributorTest, ContiguousLeavesTheLastSmFewer) {
  sm_count = 3;
  distributor_spec.placement = models::PlacementPolicy::contiguous;
  build();
  execute(saxpy, work(5));
  EXPECT_EQ(sms_of(), (std::vector<unsigned>{0, 0, 1, 1, 2}));
}

TEST_F(DistributorTest, MoreCtasThanFitWaitForRoom) {
  sm_count = 2;
  spec.max_ctas = 1;
  build();
  execute(saxpy, work(9));
  EXPECT_EQ(starts.size(), 9U);
  EXPECT_EQ(statistic("distributor.ctas"), 9);
  for (unsigned i = 0; i < 9; ++i) EXPECT_EQ(starts[i].cta, i);
}

TEST_F(DistributorTest, RoomIsLookedForOnceAPeriod) {
  sm_count = 2;
  spec.max_ctas = 1;
  distributor_spec.allocation_period = 64;
  build();
  execute(saxpy, work(9));
  ASSERT_EQ(starts.size(), 9U);
  for (unsigned i = 2; i < 9; ++i) {
    const std::uint64_t cycle = core->cycle_at_or_after_ps(starts[i].ps);
    EXPECT_TRUE(cycle % 64 == 0 || cycle == core->cycle_at_or_after_ps(starts[i - 1].ps) + 1) << cycle;
  }
  const std::uint64_t launched = core->cycle_at_or_after_ps(starts[0].ps) - distributor_spec.launch_overhead;
  EXPECT_EQ((launched + sum("distributor.grid_cycles")) % 64, 0U);
}

TEST_F(DistributorTest, ALaterGridFillsWhenTheEarlierIsPlaced) {
  sm_count = 1;
  spec.max_ctas = 2;
  build();
  start(saxpy, work(3));
  start(saxpy, work(3));
  run();
  std::vector<unsigned> grids;
  for (const auto& start : starts) grids.push_back(start.grid);
  EXPECT_EQ(grids, (std::vector<unsigned>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(completed.size(), 2U);
  expect_clean();
}

TEST_F(DistributorTest, OneGridAtATimeWhenConfigured) {
  sm_count = 1;
  distributor_spec.concurrent_grids = 1;
  build();
  bool first_was_over = true;
  start(saxpy, work(1));
  start(saxpy, work(1));
  run();
  for (const auto& start : starts) first_was_over = first_was_over && (start.grid == 0 || !completed.empty());
  EXPECT_TRUE(first_was_over);
  EXPECT_EQ(completed, (std::vector<base::GridId>{base::GridId(0), base::GridId(1)}));
}

TEST_F(DistributorTest, TheLaunchOverheadPassesBeforeTheFirstCta) {
  sm_count = 1;
  distributor_spec.launch_overhead = 5000;
  build();
  start(saxpy, work(1));
  sc_core::sc_start(4990, sc_core::SC_NS);
  EXPECT_TRUE(starts.empty());
  run();
  EXPECT_EQ(starts.size(), 1U);
}

TEST_F(DistributorTest, ThreeDimensionalGridsCountXFirst) {
  sm_count = 1;
  build();
  Launch launch = work(1, 32);
  launch.grid = {2, 2, 2};
  std::vector<base::Dim3> seen;
  execute(saxpy, launch);
  EXPECT_EQ(starts.size(), 8U);
  EXPECT_EQ(starts[1].cta, 1U);
  EXPECT_EQ(starts[2].cta, 0U);
}

}  // namespace
}  // namespace syncline::tests
