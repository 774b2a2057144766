// How many CTAs fit, and why not more.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "models/sm/occupancy.h"

namespace syncline::models {
namespace {

TEST(Occupancy, OfAFermiSmAsTheCalculatorSays) {
  const SmResources sm;  // 48 warps, 1536 threads, 8 CTAs, 32768 registers, 48 KiB
  Occupancy o = occupancy(sm, {256, 20, 0});
  EXPECT_EQ(o.ctas, 6U);
  EXPECT_EQ(o.limit, OccupancyLimit::warps);
  o = occupancy(sm, {256, 32, 0});
  EXPECT_EQ(o.ctas, 4U);
  EXPECT_EQ(o.limit, OccupancyLimit::registers);
  o = occupancy(sm, {64, 16, 0});
  EXPECT_EQ(o.ctas, 8U);
  EXPECT_EQ(o.limit, OccupancyLimit::ctas);
  o = occupancy(sm, {128, 16, 20 * 1024});
  EXPECT_EQ(o.ctas, 2U);
  EXPECT_EQ(o.limit, OccupancyLimit::shared_memory);
}

TEST(Occupancy, RoundsRegistersPerWarpAndSharedMemoryPerCta) {
  SmResources sm;
  sm.register_allocation_unit = 512;
  const Occupancy o = occupancy(sm, {33, 17, 100});
  EXPECT_EQ(o.warps_per_cta, 2U);
  EXPECT_EQ(o.registers_per_cta, 2U * 1024);
  EXPECT_EQ(o.shared_per_cta, 128U);
}

RC_GTEST_PROP(Occupancy, FitsAndOneMoreDoesNot, ()) {
  SmResources sm;
  sm.warp_size = *rc::gen::element(32u, 64u);
  sm.max_warps = *rc::gen::inRange(1u, 65u);
  sm.max_threads = *rc::gen::inRange(1u, 3000u);
  sm.max_ctas = *rc::gen::inRange(1u, 33u);
  sm.registers = *rc::gen::inRange(64u, 70000u);
  sm.shared_bytes = *rc::gen::inRange(1u, 100000u);
  const CtaDemand cta{*rc::gen::inRange(1u, 1025u), *rc::gen::inRange(0u, 256u),
                      *rc::gen::inRange<std::uint64_t>(0, 50000)};
  const Occupancy o = occupancy(sm, cta);
  const auto fits = [&](std::uint64_t n) {
    return n <= sm.max_ctas && n * o.warps_per_cta <= sm.max_warps && n * cta.threads <= sm.max_threads &&
           n * o.registers_per_cta <= sm.registers && n * o.shared_per_cta <= sm.shared_bytes;
  };
  RC_ASSERT(fits(o.ctas));
  RC_ASSERT(!fits(o.ctas + 1));
  RC_ASSERT(o.registers_per_cta >= std::uint64_t{cta.threads} * cta.registers_per_thread);
  RC_ASSERT(o.shared_per_cta >= cta.shared_bytes);
}

struct Misfit {
  CtaDemand cta;
  const char* message;
};

void PrintTo(const Misfit& misfit, std::ostream* out) {
  *out << misfit.message;
}

class NeverFits : public testing::TestWithParam<Misfit> {};

TEST_P(NeverFits, NamesTheResource) {
  try {
    require_fit(SmResources{}, GetParam().cta, "k");
    FAIL() << "it fits";
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("kernel `k`"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Resources, NeverFits,
                         testing::Values(Misfit{{2048, 1, 0}, "needs 64 warps, an SM has 48"},
                                         Misfit{{1024, 63, 0}, "needs 65536 registers, an SM has 32768"},
                                         Misfit{{32, 1, 50000},
                                                "needs 50048 bytes of shared memory, an SM has 49152"}));

}  // namespace
}  // namespace syncline::models
