// When the two ends of a link hear of each other, which says how long lanes may run by themselves.
#include "models/nvlink/link_time.h"

#include <gtest/gtest.h>

#include "tests/support/platform_fixture.h"

namespace syncline::models {
namespace {

class LinkTimeTest : public tests::PlatformFixture {
 protected:
  LinkTime of(double seconds) {
    LinkSpec spec;
    spec.latency = seconds;
    return {spec, clock};
  }
  ClockDomain& clock = scheduler.add_domain("icnt", 1'300'000'000);  // 769.2 ps a cycle
};

TEST_F(LinkTimeTest, IsLessByTheCycleInWhichAMessageArrives) {
  const LinkTime time = of(150e-9);
  EXPECT_EQ(time.latency_ps, 150'000U);
  EXPECT_EQ(time.apart_ps, 150'000U - 770);
  EXPECT_EQ(time.tells_lanes_in_ps(), time.apart_ps);
  EXPECT_EQ(time.apart_cycles, 192U) << "194 whole cycles; from the next edge on, and the one of the arrival";
}

TEST_F(LinkTimeTest, ALinkOfACycleKeepsNobodyApart) {
  for (const double seconds : {0.0, 0.5e-9, 0.77e-9}) {
    EXPECT_EQ(of(seconds).apart_ps, 0U) << seconds;
    EXPECT_EQ(of(seconds).apart_cycles, 0U) << seconds;
    EXPECT_EQ(of(seconds).tells_lanes_in_ps(), never_ps) << "both ends are in one tile";
  }
  EXPECT_EQ(of(0.771e-9).apart_ps, 1U);
}

}  // namespace
}  // namespace syncline::models
