// What a user puts into SMs: units before an L1, stages behind the coalescer, other values of keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/sm/sm.h"
#include "platform/timed/simulation.h"
#include "sc_main/examples/next_line_prefetcher.h"
#include "tests/support/apart.h"
#include "tests/unit/sides/walk.h"

namespace syncline::tests {
namespace {

using namespace platform;

TEST(SmUnits, APrefetcherHidesLatencyUnderEachPolicy) {
  for (const char* const policy : {"none", "mesi", "gpu_vi", "rcc"}) {
    const auto cycles = [policy](bool with_prefetchers) {
      return std::stoul(apart([&] {
        std::vector<std::unique_ptr<NextLinePrefetcher>> prefetchers;
        GpuOptions options;
        if (with_prefetchers) {
          options.sm_units = [&](unsigned sm, models::PlatformContext& context, models::ClockDomain&) {
            const std::string name = "sm" + std::to_string(sm) + "_prefetcher";
            prefetchers.push_back(std::make_unique<NextLinePrefetcher>(name.c_str(), context, 128));
            EXPECT_EQ(prefetchers.back()->tile().name(), "gpu.sm" + std::to_string(sm));
            return GpuOptions::SmUnits{prefetchers.back().get()};
          };
        }
        PlatformSpec spec = tiny_with("coherence: {policy: " + std::string(policy) + "}\n");
        Simulation simulation(spec, /*seed=*/1, options);
        const std::uint64_t its_cycles = walk(simulation, 1, 32, 1);
        if (with_prefetchers) {
          EXPECT_EQ(value_of(simulation, "gpu.sm0_prefetcher.prefetches"), 31);
        }
        return std::to_string(its_cycles);
      }));
    };
    EXPECT_LT(cycles(true), cycles(false)) << policy;
  }
}

/// Counts the accesses to lines, and lets them pass.
class CountingStage final : public models::MemoryStage {
 public:
  explicit CountingStage(unsigned& count) : count_(count) {}
  Offer offer(models::Message& request, base::Cycle) override {
    if (request.message_class != models::MessageClass::control) ++count_;
    return Offer::pass;
  }

 private:
  unsigned& count_;
};

TEST(SmStages, OfTheUsersSeeEveryAccess) {
  unsigned of_first = 0;
  GpuOptions options;
  options.sm_seams = [&of_first](unsigned sm, models::SmSeams& seams) {
    if (sm == 0) seams.stages.push_back(std::make_shared<CountingStage>(of_first));
  };
  Simulation simulation(tiny_with(), /*seed=*/1, options);
  walk(simulation, 2, 8, 3);
  EXPECT_EQ(of_first, 8U * 3 + 1) << "loads and a store; the other CTA is on the other SM";
}

TEST(SmGroups, HaveCachesOfTheirOwn) {
  Simulation simulation(tiny_with("sms: {1: {l1.size: 4 KiB, l1.ways: 8}}\n"), /*seed=*/1);
  walk(simulation, 2, 8, 3);
  EXPECT_EQ(value_of(simulation, "gpu.sm0_l1.loads"), 24);
  EXPECT_EQ(value_of(simulation, "gpu.sm1_l1.loads"), 24);
  EXPECT_EQ(value_of(simulation, "gpu.sm0_l1.load_hits"), 0) << "8 lines go round in 4 frames";
  EXPECT_EQ(value_of(simulation, "gpu.sm1_l1.load_hits"), 16);
}

}  // namespace
}  // namespace syncline::tests
