// Programs of the suite with their critical sections as transactions, on the emulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "platform/functional/functional_device.h"
#include "tests/workloads/fake_device.h"
#include "workloads/registry.h"

namespace syncline::workloads {
namespace {

/// Names of the programs that take `sync`.
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Workload* workload : all_workloads())
    for (const Option& option : workload->options())
      if (option.name == "sync") all.emplace_back(workload->name());
  return all;
}

class Transactional : public testing::TestWithParam<std::string> {
 protected:
  static void verify(const platform::FunctionalDevice::Config& config, std::uint64_t seed) {
    platform::FunctionalDevice::Config with_transactions = config;
    with_transactions.limits.transactions = true;
    platform::FunctionalDevice device(with_transactions);
    const Workload& workload = find_workload(GetParam());
    const Verdict verdict = workload.run({device, Size::small, seed, ptx_path(workload), {{"sync", "tx"}}});
    EXPECT_TRUE(verdict.verified) << verdict.detail;
  }
};

TEST_P(Transactional, VerifiesForSeveralSeeds) {
  for (const std::uint64_t seed : {1, 2, 3}) verify({}, seed);
}

TEST_P(Transactional, VerifiesUnderShortTurns) {
  platform::FunctionalDevice::Config config;
  config.emulator.warp_slice = 3;
  config.emulator.cta_slice = 50;
  verify(config, 1);
}

TEST_P(Transactional, VerifiesHoweverLanesMeet) {
  for (const char* const mechanism : {"ipdom", "its", "tf_stack"}) {
    platform::FunctionalDevice::Config config;
    config.emulator.reconvergence = {mechanism};
    verify(config, 1);
  }
}

TEST_P(Transactional, VerifiesWithWarpsOfEverySize) {
  for (const unsigned lanes : {8U, 16U, 64U}) {
    platform::FunctionalDevice::Config config;
    config.emulator.warp_lanes = lanes;
    if (lanes >= find_workload(GetParam()).min_warp_size()) verify(config, 1);
  }
}

TEST_P(Transactional, HasKernelsWithTransactions) {
  platform::FunctionalDevice device;  // which does not execute any
  const Workload& workload = find_workload(GetParam());
  try {
    workload.run({device, Size::small, 1, ptx_path(workload), {{"sync", "tx"}}});
    FAIL() << "ran";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("has transactions, which need a policy"));
  }
}

TEST_P(Transactional, NoticesThatNothingWasComputed) {
  FakeDevice device;
  const Workload& workload = find_workload(GetParam());
  EXPECT_FALSE(workload.run({device, Size::small, 1, ptx_path(workload), {{"sync", "tx"}}}).verified);
  EXPECT_FALSE(device.launches.empty());
}

INSTANTIATE_TEST_SUITE_P(Suite, Transactional, testing::ValuesIn(names()), [](const auto& name) { return name.param; });

TEST(Contention, VerifiesFromNoneToAll) {
  for (const char* const name : {"sorted_list", "vacation"})
    for (const char* const sync : {"locks", "tx"})
      for (const char* const percent : {"0", "50", "100"}) {
        platform::FunctionalDevice::Config config;
        config.limits.transactions = true;
        platform::FunctionalDevice device(config);
        const Workload& workload = find_workload(name);
        const Verdict verdict =
            workload.run({device, Size::small, 1, ptx_path(workload), {{"sync", sync}, {"contention", percent}}});
        EXPECT_TRUE(verdict.verified) << name << ", " << sync << ", " << percent << ": " << verdict.detail;
      }
}

}  // namespace
}  // namespace syncline::workloads
