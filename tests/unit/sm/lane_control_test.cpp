// Regions to whose beginning a policy brings lanes back from outside (models/sm/seams/lane_control.h), as transactions
// do.
#include "models/sm/seams/lane_control.h"

#include <gmock/gmock.h>

#include "tests/support/error_of.h"
#include "tests/unit/sm/lane_machine.h"

namespace syncline::tests {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

/// Stores to these places, counted from the thread's word, are the begin and the end of a region, and a call of the
/// other warp.
constexpr std::uint64_t begin_at = 4096, end_at = 8192, wake_at = 12288;

class LaneControlTest : public LaneMachine, public ::testing::WithParamInterface<const char*> {
 protected:
  LaneControlTest() { spec.reconvergence.mechanism = GetParam(); }

  /// In the region each thread counts in memory, and adds 1 to %r5, which it stores behind the region.
  static std::string program(const std::string& rest = {}) {
    return kernel(
        "mov.u32 %r5, 10; setp.gt.u32 %p1, %r1, 31; @%p1 bra SECOND; st.global.u32 [%rd3+4096], %r4;\n"
        "add.u32 %r5, %r5, 1; red.global.add.u32 [%rd3], 1; st.global.u32 [%rd3+8192], %r4;\n"
        "st.global.u32 [%rd3+512], %r5; ret;\n"
        "SECOND:\n" +
        rest);
  }
  /// Gives a store's place to `at_store`; everything passes.
  std::shared_ptr<ScriptedStage> listening(
      std::function<void(models::LaneControl&, unsigned slot, std::uint64_t place, base::LaneMask lanes)> at_store) {
    return stage("region", [this, at_store](ScriptedStage& self, models::LaneOffer& offer, base::Cycle) {
      const isa::MemoryAccess& access = offer.access();
      const base::LaneMask lanes = access.lanes;
      const std::uint64_t place = access.address[base::first_lane(lanes)] - data_;
      const bool stores = access.kind == isa::AccessKind::store && access.atomic == isa::AtomicOp::none;
      const unsigned slot = offer.warp().slot;
      pass_all(offer);
      if (stores) at_store(*self.control, slot, place, lanes);
    });
  }
  void run(const std::shared_ptr<ScriptedStage>& stage, unsigned threads, const std::string& rest = {}) {
    build_with({stage});
    data_ = allocate(16384);
    execute(program(rest), {"k", {1}, {threads}, {data_}});
    expect_clean();
  }
  std::vector<std::uint32_t> counts() { return words(data_, 32); }
  std::vector<std::uint32_t> registers() { return words(data_ + 512, 32); }
  std::uint64_t data_ = 0;
};

TEST_P(LaneControlTest, AbortedLanesBeginAgainWithTheirRegisters) {
  unsigned ends = 0;
  run(listening([&](models::LaneControl& control, unsigned slot, std::uint64_t place, base::LaneMask lanes) {
        if (place >= begin_at && place < end_at) control.checkpoint(slot);
        if (place < end_at || place >= wake_at) return;
        if (++ends == 1) {
          control.abort(slot, 0xF);
          control.commit(slot, lanes & ~base::LaneMask{0xF});
          control.restore(slot);
        } else {
          EXPECT_EQ(lanes, 0xFU);
          control.commit(slot, lanes);
        }
      }),
      32);
  EXPECT_EQ(ends, 2U);
  const auto got = counts();
  EXPECT_THAT(std::vector(got.begin(), got.begin() + 4), Each(2U));
  EXPECT_THAT(std::vector(got.begin() + 4, got.end()), Each(1U));
  EXPECT_THAT(registers(), Each(11U));
}

/// Nobody else knows when the warp may go on: that is no deadlock.
TEST_P(LaneControlTest, AWarpWithoutLanesWaitsUntilSomebodyRestoresThem) {
  models::LaneControl* control_of_first = nullptr;
  unsigned first = 0, ends = 0;
  run(listening([&](models::LaneControl& control, unsigned slot, std::uint64_t place, base::LaneMask lanes) {
        if (place >= wake_at) {
          ASSERT_NE(control_of_first, nullptr);
          control_of_first->restore(first);
        } else if (place >= end_at && ++ends == 1) {
          control_of_first = &control;
          first = slot;
          control.abort(slot, lanes);
        } else if (place >= end_at) {
          control.commit(slot, lanes);
        } else if (place >= begin_at) {
          control.checkpoint(slot);
        }
      }),
      64,
      "mov.u32 %r6, %clock; add.u32 %r6, %r6, 3000;\n"
      "WAIT: mov.u32 %r7, %clock; setp.lt.u32 %p2, %r7, %r6; @%p2 bra WAIT; st.global.u32 [%rd3+12160], %r1;");
  EXPECT_EQ(ends, 2U);
  EXPECT_THAT(counts(), Each(2U));
  EXPECT_THAT(registers(), Each(11U));
}

/// Its registers are kept as they are then: what comes later would be lost when lanes are brought back.
TEST_P(LaneControlTest, NoRegionBeginsBeforeWhatWasLoadedHasCome) {
  const auto begin_at_store =
      listening([](models::LaneControl& control, unsigned slot, std::uint64_t place, base::LaneMask) {
        if (place >= begin_at && place < end_at) control.checkpoint(slot);
      });
  build_with({begin_at_store});
  data_ = allocate(16384);
  EXPECT_THAT(test::error_of<base::ModelError>([&] {
                execute(
                    kernel("ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd3+4096], %r4; st.global.u32 [%rd3+512], %r5;"),
                    {"k", {1}, {32}, {data_}});
              }),
              testing::AllOf(HasSubstr("before they have what they have loaded"), HasSubstr("ld.global.u32 %r5")));
}

TEST_P(LaneControlTest, NoRegionBeginsWithinALoad) {
  const auto begin_at_load = stage("region", [](ScriptedStage& self, models::LaneOffer& offer, base::Cycle) {
    pass_all(offer);
    if (offer.access().kind == isa::AccessKind::load) self.control->checkpoint(offer.warp().slot);
  });
  build_with({begin_at_load});
  data_ = allocate(16384);
  EXPECT_THAT(test::error_of<base::ModelError>([&] {
                execute(kernel("ld.shared.u32 %r5, [%r11];"), {"k", {1}, {32}, {data_}});
              }),
              HasSubstr("before they have what they have loaded"));
}

/// Who has come to the end waits for the other side, which is aborted there: nobody executes anything that would tell.
TEST_P(LaneControlTest, LanesAtTheEndHearOfOthersThatAbort) {
  struct Listener final : models::WarpEvents {
    void transaction_arrived(const models::WarpIdentity& warp, base::LaneMask lanes) override {
      arrived.push_back(lanes);
      control->commit(warp.slot, lanes);
      if (arrived.size() == 1) control->restore(warp.slot);
    }
    models::LaneControl* control = nullptr;
    std::vector<base::LaneMask> arrived;
  };
  const auto region = std::make_shared<Listener>();
  unsigned stores = 0;
  const auto aborting = stage("region", [&](ScriptedStage& self, models::LaneOffer& offer, base::Cycle) {
    const bool first = offer.access().kind == isa::AccessKind::store && stores++ == 0;
    const base::LaneMask lanes = offer.access().lanes;
    region->control = self.control;
    if (!first) return pass_all(offer);
    offer.drop(lanes);
    self.control->abort(offer.warp().slot, lanes);
  });
  sm_count = 1;
  l1 = {400, 400, 0};
  seams = [&](unsigned) {
    models::SmSeams policies;
    policies.lane_stages = {aborting};
    policies.listeners = {region};
    return policies;
  };
  build();
  data_ = allocate(16384);
  execute(kernel("setp.gt.u32 %p1, %r1, 15; tx.begin; @%p1 bra OTHER; tx.commit; bra MEET;\n"
                 "OTHER: st.global.u32 [%rd3], 7; tx.commit;\nMEET:"),
          {"k", {1}, {32}, {data_}});
  expect_clean();
  EXPECT_THAT(region->arrived, testing::ElementsAre(0x0000'FFFFU, 0xFFFF'0000U));
  const auto got = counts();
  EXPECT_THAT(std::vector(got.begin(), got.begin() + 16), Each(0U));
  EXPECT_THAT(std::vector(got.begin() + 16, got.end()), Each(7U));
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, LaneControlTest, ::testing::Values("ipdom", "its", "tf_stack"));

}  // namespace
}  // namespace syncline::tests
