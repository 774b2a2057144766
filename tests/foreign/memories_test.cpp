// Workloads with memories of somebody else's behind the partitions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/foreign/foreign_memories.h"
#include "tests/support/apart.h"
#include "tests/support/error_of.h"
#include "workloads/registry.h"

namespace syncline::tests {
namespace {

using namespace platform;
using testing::HasSubstr;

PlatformSpec tiny(std::vector<std::string> settings = {}) {
  return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec;
}

/// Runs the workload of this name, and says what its check says.
workloads::Verdict run(Simulation& simulation, const std::string& name) {
  const workloads::Workload& workload = workloads::find_workload(name);
  workloads::Verdict verdict;
  simulation.run([&](Device& device) {
    verdict = workload.run({device, workloads::Size::small, 1, workloads::ptx_path(workload)});
  });
  return verdict;
}

struct Case {
  std::string workload;
  std::vector<std::string> settings;
  unsigned burst = 32;
};
std::string name_of(const Case& one) {
  std::string name = one.workload + "_" + std::to_string(one.burst);
  for (const std::string& setting : one.settings) name += "_" + setting.substr(setting.find('=') + 1);
  return name;
}
void PrintTo(const Case& one, std::ostream* out) {
  *out << name_of(one);
}

class BehindTheAdapter : public testing::TestWithParam<Case> {};

TEST_P(BehindTheAdapter, Verifies) {
  BurstMemorySpec memory;
  memory.burst = GetParam().burst;
  std::vector<MemoryOfBursts*> made;
  GpuOptions options;
  options.memory = memories_of_bursts(memory, made);
  Simulation simulation(tiny(GetParam().settings), /*seed=*/1, options);
  const workloads::Verdict verdict = run(simulation, GetParam().workload);
  EXPECT_TRUE(verdict.verified) << verdict.detail;
  ASSERT_EQ(made.size(), 2U);
  std::size_t lines = 0, bursts = 0;
  for (const MemoryOfBursts* const one : made) {
    lines += one->checker.transactions();
    bursts += one->memory_checker.transactions();
    EXPECT_EQ(one->checker.open() + one->memory_checker.open(), 0U);
  }
  if (lines == 0) GTEST_SKIP() << "verified, but all its lines stayed in the caches";
  EXPECT_GT(bursts, lines) << "lines are split";
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const workloads::Workload* const workload : workloads::all_workloads())
    all.push_back({std::string(workload->name()), {}});
  for (const char* const workload : {"saxpy", "bfs", "hash_table", "histogram"}) all.push_back({workload, {}, 64});
  for (const char* const policy : {"mesi", "gpu_vi", "rcc", "tc_strong"})
    all.push_back({"hash_table", {std::string("coherence.policy=") + policy}});
  for (const char* const policy : {"global_lock", "getm", "warptm"}) {
    all.push_back({"atm", {std::string("transactions.policy=") + policy}});
    all.push_back({"hash_table", {std::string("transactions.policy=") + policy}, 64});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Workloads, BehindTheAdapter, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& one) { return name_of(one.param); });

/// The cycle in which a run ends, with checkers behind the partitions or without.
std::string end_of(const std::string& workload, bool checked) {
  return apart([&] {
    GpuOptions options;
    std::vector<CheckedDram*> made;
    if (checked) {
      options.memory = [&](const sc_core::sc_module_name& name, const models::MemorySite& site) {
        auto memory = std::make_unique<CheckedDram>(name, site);
        made.push_back(memory.get());
        const models::MemoryPorts ports{&memory->checker.target};
        return models::Made<models::MemoryPorts>{std::move(memory), ports};
      };
    }
    Simulation simulation(tiny(), /*seed=*/1, options);
    EXPECT_TRUE(run(simulation, workload).verified);
    for (const CheckedDram* const one : made) EXPECT_GT(one->checker.transactions(), 100U);
    return std::to_string(simulation.core_clock().now());
  });
}
TEST(CheckedMemory, TheLibrarysDramKeepsTheProtocolAndItsTime) {
  for (const char* const workload : {"saxpy", "hash_table", "bfs"}) {
    const std::string end = end_of(workload, true);
    EXPECT_EQ(end, end_of(workload, false));
    EXPECT_GT(std::stoul(end), 1000U);
  }
}

TEST(SmallMemory, IsRefusedWithWhatIsNeeded) {
  BurstMemorySpec memory;
  memory.capacity = 1 << 20;
  const PlatformSpec spec = tiny({"host.memory=64 MiB"});
  GpuOptions options;
  options.memory = [&](const sc_core::sc_module_name& name, const models::MemorySite& site) {
    auto made = std::make_unique<MemoryOfBursts>(name, site.context, memory);
    const models::MemoryPorts ports{&made->checker.target};
    return models::Made<models::MemoryPorts>{std::move(made), ports};
  };
  Simulation simulation(spec, /*seed=*/1, options);
  const std::string bytes = std::to_string(simulation.gpu().channel_bytes());
  EXPECT_THAT(test::error_of([&] { run(simulation, "saxpy"); }),
              HasSubstr("the memory behind `gpu.part0_l2` is too small: a partition needs " + bytes + " bytes"));
}

}  // namespace
}  // namespace syncline::tests
