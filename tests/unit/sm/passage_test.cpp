// Which barriers of a CTA are passed, as listeners are told.
#include <gtest/gtest.h>

#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

class Passages : public models::WarpEvents {
 public:
  void barrier_passed(base::SmId, base::CtaSlot, unsigned barrier, bool whole) override {
    passed.emplace_back(barrier, whole);
    opened.push_back(0);
  }
  void barrier_opened(const models::WarpIdentity&, unsigned barrier) override {
    EXPECT_EQ(passed.back().first, barrier);
    ++opened.back();
  }
  std::vector<std::pair<unsigned, bool>> passed;  ///< barriers, and whether they were for all
  std::vector<unsigned> opened;                   ///< warps that each let go
};

class PassageTest : public SmMachine {
 protected:
  void SetUp() override {
    sm_count = 1;
    listener = passages_;
    build();
  }
  std::shared_ptr<Passages> passages_ = std::make_shared<Passages>();
};

TEST_F(PassageTest, ABarrierIsPassedWhetherAnybodyWaitsOrNot) {
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
  EXPECT_EQ(passages_->passed, (Passed{{3, false}, {0, true}, {4, false}, {5, false}, {6, true}}));
  EXPECT_EQ(passages_->opened, (std::vector<unsigned>{0, 2, 1, 2, 1}));
}

}  // namespace
}  // namespace syncline::tests
