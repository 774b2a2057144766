// At which barriers all threads of a CTA meet, and which of their barriers are passed, as listeners are told.
#include <gtest/gtest.h>

#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

class Meetings : public models::WarpEvents {
 public:
  void at_barrier(const models::WarpIdentity&, unsigned, bool) override { ++arrivals; }
  void cta_met(base::SmId, base::CtaSlot) override { arrivals_at.push_back(arrivals); }
  void barrier_passed(base::SmId, base::CtaSlot, unsigned barrier, bool whole) override {
    passed.emplace_back(barrier, whole);
    opened.push_back(0);
  }
  void barrier_opened(const models::WarpIdentity&, unsigned barrier) override {
    EXPECT_EQ(passed.back().first, barrier);
    ++opened.back();
  }
  unsigned arrivals = 0;
  std::vector<unsigned> arrivals_at;              ///< how many there had been at each meeting
  std::vector<std::pair<unsigned, bool>> passed;  ///< barriers, and whether they were for all
  std::vector<unsigned> opened;                   ///< warps that each let go
};

class MeetingTest : public SmMachine {
 protected:
  void SetUp() override {
    sm_count = 1;
    listener = meetings_;
    build();
  }
  std::shared_ptr<Meetings> meetings_ = std::make_shared<Meetings>();
};

TEST_F(MeetingTest, WhoOnlyArrivesDoesNotMeet) {
  execute(barriers, {"barriers", {1}, {64}, {allocate(64 * 4)}});
  EXPECT_EQ(meetings_->arrivals_at, (std::vector<unsigned>{4, 6}));
}

TEST_F(MeetingTest, AllThatHaveNotEndedMeet) {
  // Warp 2 ends. The others meet, meet as so many threads, wait each for itself, and meet.
  execute(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5;
  setp.eq.u32 %p1, %r2, 2;
  @%p1 exit;
  bar.sync 0;
  bar.sync 1, 64;
  add.u32 %r3, %r2, 2;
  bar.sync %r3, 32;
  bar.sync 0;
  st.global.u32 [%rd1], 1;
  ret;
})",
          {"k", {1}, {96}, {allocate(4)}});
  EXPECT_EQ(meetings_->arrivals_at, (std::vector<unsigned>{2, 4, 8}));
}

TEST_F(MeetingTest, ABarrierIsPassedWhetherAnybodyWaitsOrNot) {
  execute(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;
  bar.arrive 3, 64;
  bar.sync 0;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bar.arrive 4, 64;
  @!%p1 bar.sync 4, 64;
  bar.sync 5, 64;
  @%p1 exit;
  bar.sync 6;
  st.global.u32 [%rd1], 1;
  ret;
})",
          {"k", {1}, {64}, {allocate(4)}});
  using Passed = std::vector<std::pair<unsigned, bool>>;
  EXPECT_EQ(meetings_->passed, (Passed{{3, false}, {0, true}, {4, false}, {5, false}, {6, true}}));
  EXPECT_EQ(meetings_->opened, (std::vector<unsigned>{0, 2, 1, 2, 1}));
}

}  // namespace
}  // namespace syncline::tests
