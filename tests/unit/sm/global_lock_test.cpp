// One lock for all transactions (models/transactions/global_lock.h): what the SMs send, in which order, and that
// nothing is lost.
#include "models/transactions/global_lock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

using models::L1Kind;
using models::MessageClass;

/// Every thread adds one to the first word, in a transaction; the next warp of an SM begins while one is in its.
constexpr const char* counting_transactions = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  tx.begin;
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  tx.commit;
  ret;
}
)";

class GlobalLockTest : public SmMachine, public ::testing::WithParamInterface<const char*> {
 protected:
  GlobalLockTest() {
    spec.reconvergence.mechanism = GetParam();
    seams = [this](unsigned sm) {
      models::SmSeams made;
      made.fences = fences;
      const auto lock = std::make_shared<models::GlobalLock>(("lock" + std::to_string(sm)).c_str(), context, *core,
                                                             keys, base::LineAddress(lock_line), spec.max_warps);
      lock->use(made.fences);
      made.lane_stages.push_back(models::GlobalLock::control_of(lock));
      made.stages.push_back(lock);
      made.listeners.push_back(lock);
      return made;
    };
  }
  /// One letter for each message to the L1: d(raw), l(ook) and o(pen) of the lock, f(ence), r(ead), w(rite).
  std::string sent(unsigned sm) {
    std::string text;
    for (const FakeL1::Seen& seen : l1s[sm]->seen) {
      if (seen.kind == L1Kind::grid_begin) continue;
      if (seen.kind == L1Kind::fence) {
        text += 'f';
      } else if (seen.line == lock_line) {
        text += seen.message_class == MessageClass::store_request ? 'o' : seen.mask.test(0) ? 'd' : 'l';
      } else {
        text += seen.message_class == MessageClass::store_request ? 'w' : 'r';
        EXPECT_EQ(seen.scope, isa::Scope::gpu);
      }
    }
    return text;
  }
  std::int64_t counted(const std::string& name) { return static_cast<std::int64_t>(statistic(name)); }

  static constexpr std::uint64_t lock_line = 0x30000000;
  models::GlobalLockSpec keys;
  std::shared_ptr<models::FenceRule> fences = std::make_shared<models::DrainingFence>();
};

TEST_P(GlobalLockTest, EveryTransactionHasItAlone) {
  build();
  const std::uint64_t data = allocate(256);
  execute(counting_transactions, {"k", {4}, {64}, {data}});
  EXPECT_EQ(*at<std::uint32_t>(data), 256U);
  EXPECT_EQ(*at<std::uint32_t>(lock_line), 256U) << "tickets";
  EXPECT_EQ(*at<std::uint32_t>(lock_line + 4), 256U) << "all of them were served";
  EXPECT_EQ(counted("lock0.transactions") + counted("lock1.transactions"), 256);
  EXPECT_EQ(counted("lock0.fences") + counted("lock1.fences"), 2 * 256);
  EXPECT_GT(counted("lock0.transactions"), 0);
  EXPECT_GT(counted("lock1.transactions"), 0);
  for (unsigned sm = 0; sm < 2; ++sm) {
    std::string text = sent(sm);
    text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == 'l' && b == 'l'; }), text.end());
    std::string expected;
    for (std::int64_t n = counted("lock" + std::to_string(sm) + ".transactions"); n > 0; --n) expected += "dlfrwfo";
    EXPECT_EQ(text, expected) << sm;
  }
}

TEST_P(GlobalLockTest, IsGivenBackWhenTheStoresArePerformed) {
  l1 = {400, 400, 0};
  sm_count = 1;
  build();
  const std::uint64_t data = allocate(256);
  execute(counting_transactions, {"k", {1}, {2}, {data}});
  const std::vector<FakeL1::Seen>& seen = l1s[0]->seen;
  ASSERT_EQ(sent(0), "dlfrwfodlfrwfo");
  const std::size_t first = seen.size() - 14;
  const auto waits = [&](std::size_t n) { return (seen[first + n].at_ps - seen[first + n - 1].at_ps) / 1000; };
  EXPECT_GE(waits(5), 400U) << "the fence waits for the store";
  EXPECT_GE(waits(6), 400U) << "the lock waits for the fence";
}

TEST_P(GlobalLockTest, SequentialMachinesNeedNoFence) {
  fences = std::make_shared<models::NoFence>();
  sm_count = 1;
  build();
  const std::uint64_t data = allocate(256);
  execute(counting_transactions, {"k", {1}, {3}, {data}});
  EXPECT_EQ(sent(0), "dlrwodlrwodlrwo");
  EXPECT_EQ(counted("lock0.fences"), 0);
}

TEST_P(GlobalLockTest, WhoIsFurtherBehindLooksLater) {
  l1 = {10, 10, 0};
  keys.backoff = 50'000;
  build();
  const std::uint64_t data = allocate(256);
  execute(counting_transactions, {"k", {2}, {1}, {data}});
  const std::string text = sent(0) + sent(1);
  EXPECT_EQ(std::count(text.begin(), text.end(), 'l'), 3) << "one of the SMs finds the lock taken once";
  EXPECT_GT(core->now(), 50'000U);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, GlobalLockTest, ::testing::Values("ipdom", "its", "tf_stack"));

}  // namespace
}  // namespace syncline::tests
