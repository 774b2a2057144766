// What an instruction that orders memory waits for, and what waits for it: every kind of access before and behind every
// kind of fence, release and acquire, as the L1 sees them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

struct Text {
  const char* name;
  const char* ptx;
};

void PrintTo(const Text& text, std::ostream* out) {
  *out << text.name;
}

// %rd1: the first line of device memory; %rd3: a line for each lane. What follows an order goes to the line at 8 KiB.
constexpr Text before[] = {{"load", "ld.global.u32 %r3, [%rd1];"},
                           {"loads", "ld.global.u32 %r3, [%rd3];"},
                           {"store", "st.global.u32 [%rd1], 1;"},
                           {"stores", "st.global.u32 [%rd3], 1;"},
                           {"atomic", "atom.global.add.u32 %r3, [%rd1], 1;"},
                           {"reduction", "red.global.add.u32 [%rd1], 1;"},
                           {"volatile_load", "ld.volatile.global.u32 %r3, [%rd1];"}};
constexpr Text behind[] = {{"load", "ld.global.u32 %r5, [%rd1+8192];"},
                           {"store", "st.global.u32 [%rd1+8192], 1;"},
                           {"atomic", "atom.global.add.u32 %r5, [%rd1+8192], 1;"},
                           {"reduction", "red.global.add.u32 [%rd1+8192], 1;"}};
constexpr Text fences[] = {{"membar", "membar.gl;"},
                           {"membar_sys", "membar.sys;"},
                           {"acq_rel", "fence.acq_rel.gpu;"},
                           {"sc", "fence.sc.gpu;"}};
constexpr Text releases[] = {{"store", "st.release.gpu.global.u32 [%rd1+8192], 1;"},
                             {"atomic", "atom.release.gpu.global.add.u32 %r4, [%rd1+8192], 1;"},
                             {"both", "atom.acq_rel.gpu.global.exch.b32 %r4, [%rd1+8192], 1;"},
                             {"reduction", "red.release.gpu.global.add.u32 [%rd1+8192], 1;"}};
constexpr Text acquires[] = {{"load", "ld.acquire.gpu.global.u32 %r3, [%rd1];"},
                             {"atomic", "atom.acquire.gpu.global.add.u32 %r3, [%rd1], 1;"},
                             {"both", "atom.acq_rel.gpu.global.exch.b32 %r3, [%rd1], 1;"}};

using Two = std::tuple<Text, Text>;
std::string name_of(const testing::TestParamInfo<Two>& info) {
  return std::string(std::get<0>(info.param).name) + "_then_" + std::get<1>(info.param).name;
}

class OrderTest : public SmMachine, public testing::WithParamInterface<Two> {
 protected:
  using Seen = std::vector<FakeL1::Seen>;

  /// One warp of an SM whose L1 answers each request after 400 ns.
  void run_warp(const std::string& body, std::uint32_t threads = 32) {
    sm_count = 1;
    l1 = {400, 400, 0};
    build();
    memory_ = allocate(16384);
    const std::string text = std::string(
                                 ".version 7.0\n.target sm_70\n.address_size 64\n"
                                 ".visible .entry k(.param .u64 p) {\n"
                                 ".reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
                                 "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 7;\n"
                                 "cvt.u64.u32 %rd2, %r2; add.s64 %rd3, %rd1, %rd2;\n"
                                 "mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r5, 0;\n") +
                             body +  // what was loaded is used, so that each load has a register to itself
                             "\nadd.u32 %r6, %r3, %r4; add.u32 %r6, %r6, %r5;\n"
                             "st.global.u32 [%rd1+12288], %r6;\nret;\n}\n";
    execute(text, {"k", {1}, {threads}, {memory_}});
  }

  /// Requests of the first lines, of the line at 8 KiB, and fences.
  Seen first() const {
    return chosen([this](const auto& s) { return is_global(s) && s.line < memory_ + 8192; });
  }
  Seen last() const {
    return chosen([this](const auto& s) { return is_global(s) && s.line == memory_ + 8192; });
  }
  Seen all_fences() const {
    return chosen([](const auto& s) { return s.kind == models::L1Kind::fence; });
  }
  /// All of `earlier` were answered before the first of `later` came.
  static void expect_order(const Seen& earlier, const Seen& later) {
    ASSERT_FALSE(earlier.empty());
    ASSERT_FALSE(later.empty());
    const auto by_time = [](const auto& a, const auto& b) { return a.at_ps < b.at_ps; };
    EXPECT_GE(std::min_element(later.begin(), later.end(), by_time)->at_ps,
              std::max_element(earlier.begin(), earlier.end(), by_time)->at_ps + 400'000);
  }

 private:
  static bool is_global(const FakeL1::Seen& seen) { return seen.kind == models::L1Kind::global; }
  template <class Takes>
  Seen chosen(Takes&& takes) const {
    Seen list;
    std::copy_if(l1s[0]->seen.begin(), l1s[0]->seen.end(), std::back_inserter(list), takes);
    return list;
  }

  std::uint64_t memory_ = 0;
};

class FenceOrder : public OrderTest {};
TEST_P(FenceOrder, WaitsForWhatWasBefore) {
  const auto& [earlier, fence] = GetParam();
  run_warp(std::string(earlier.ptx) + fence.ptx);
  expect_order(first(), all_fences());
}
INSTANTIATE_TEST_SUITE_P(All, FenceOrder, testing::Combine(testing::ValuesIn(before), testing::ValuesIn(fences)),
                         name_of);

class BehindFences : public OrderTest {};
TEST_P(BehindFences, NothingGoesBeforeTheAnswer) {
  const auto& [fence, later] = GetParam();
  run_warp(std::string(fence.ptx) + later.ptx);
  expect_order(all_fences(), last());
}
INSTANTIATE_TEST_SUITE_P(All, BehindFences, testing::Combine(testing::ValuesIn(fences), testing::ValuesIn(behind)),
                         name_of);

class ReleaseOrder : public OrderTest {};
TEST_P(ReleaseOrder, WaitsForWhatWasBefore) {
  const auto& [earlier, release] = GetParam();
  run_warp(std::string(earlier.ptx) + release.ptx);
  expect_order(first(), last());
}
INSTANTIATE_TEST_SUITE_P(All, ReleaseOrder, testing::Combine(testing::ValuesIn(before), testing::ValuesIn(releases)),
                         name_of);

class AcquireOrder : public OrderTest {};
TEST_P(AcquireOrder, NothingGoesBeforeTheAnswer) {
  const auto& [acquire, later] = GetParam();
  run_warp(std::string(acquire.ptx) + later.ptx);
  expect_order(first(), last());
}
INSTANTIATE_TEST_SUITE_P(All, AcquireOrder, testing::Combine(testing::ValuesIn(acquires), testing::ValuesIn(behind)),
                         name_of);

class PlainOrder : public OrderTest {};
TEST_P(PlainOrder, NothingElseWaits) {
  const auto& [earlier, later] = GetParam();
  run_warp(std::string(earlier.ptx) + later.ptx);
  ASSERT_FALSE(last().empty());
  EXPECT_LT(last().front().at_ps, first().front().at_ps + 400'000);
}
INSTANTIATE_TEST_SUITE_P(All, PlainOrder, testing::Combine(testing::ValuesIn(before), testing::ValuesIn(behind)),
                         name_of);

TEST_F(OrderTest, TheL1HearsTheScopeOfAFence) {
  run_warp("membar.cta; fence.acq_rel.gpu; membar.sys;");
  ASSERT_EQ(all_fences().size(), 3U);
  EXPECT_EQ(all_fences()[0].scope, isa::Scope::cta);
  EXPECT_EQ(all_fences()[1].scope, isa::Scope::gpu);
  EXPECT_EQ(all_fences()[2].scope, isa::Scope::sys);
}

/// The first warp stores; the second one, which has heard of it, passes a fence.
constexpr const char* fence_of_a_mate = R"(
  .shared .align 4 .b32 told;
  setp.gt.u32 %p1, %r1, 31;
  @!%p1 st.shared.u32 [told], 0;
  bar.sync 0;
  @%p1 bra WAITS;
  st.global.u32 [%rd1], 1;
  st.volatile.shared.u32 [told], 1;
  ret;
WAITS:
  ld.volatile.shared.u32 %r7, [told];
  setp.eq.u32 %p2, %r7, 0;
  @%p2 bra WAITS;
  membar.gl;)";

TEST_F(OrderTest, AFenceWaitsForStoresOfMatesThatAreSeenEarly) {
  seams = [](unsigned) {
    models::SmSeams with;
    with.fences = std::make_shared<models::DrainingFence>(true);
    return with;
  };
  run_warp(fence_of_a_mate, 64);
  expect_order(first(), all_fences());
}

TEST_F(OrderTest, AFenceWaitsForNoMateWhereStoresAreNotSeenEarly) {
  run_warp(fence_of_a_mate, 64);
  ASSERT_EQ(all_fences().size(), 1U);
  EXPECT_LT(all_fences().front().at_ps, first().front().at_ps + 400'000);
}

TEST_F(OrderTest, TheL1HearsWhatNobodyWrites) {
  run_warp("ld.global.u32 %r3, [%rd1]; ld.global.nc.u32 %r4, [%rd1+128]; st.global.u32 [%rd1+256], 1;");
  ASSERT_EQ(first().size(), 3U);
  EXPECT_FALSE(first()[0].read_only);
  EXPECT_TRUE(first()[1].read_only);
  EXPECT_FALSE(first()[2].read_only);
}

/// The first warp stores, both meet, the second one loads.
constexpr const char* store_and_meet = R"(
  setp.gt.u32 %p1, %r1, 31;
  @!%p1 st.global.u32 [%rd1], 1;
  bar.sync 0;
  @%p1 ld.global.u32 %r3, [%rd1+8192];)";

TEST_F(OrderTest, ABarrierWaitsForStores) {
  spec.memory.barrier_drains_stores = true;
  run_warp(store_and_meet, 64);
  expect_order(first(), last());
}

TEST_F(OrderTest, ABarrierThatDoesNotDrainWaitsForNoStore) {
  spec.memory.barrier_drains_stores = false;
  run_warp(store_and_meet, 64);
  ASSERT_FALSE(last().empty());
  EXPECT_LT(last().front().at_ps, first().front().at_ps + 400'000);
}

}  // namespace
}  // namespace syncline::tests
