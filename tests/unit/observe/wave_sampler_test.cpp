// What is looked at only when its block had something to do has the values that it has when looked at in every cycle.
#include "platform/observe/wave_sampler.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/unit/timed/random_kernel.h"

namespace syncline::platform {
namespace {

using Signals = std::vector<const models::TracedSignal*>;

Signals pointers_to(const std::vector<models::TracedSignal>& signals) {
  Signals all;
  for (const models::TracedSignal& signal : signals) all.push_back(&signal);
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->block < b->block; });
  return all;
}

/// Looks in every cycle, by both ways.
class BothWays : public models::Ticked {
 public:
  explicit BothWays(const std::vector<models::TracedSignal>& signals)
      : eager_signals_(signals), when_active_(pointers_to(signals), [] {}), always_(eager(eager_signals_), [] {}) {}

  base::Cycle tick(base::Cycle now) override {
    if (now == 0) {
      when_active_.start();
      always_.start();
    }
    looks += when_active_.look().size();
    always_.look();
    for (std::size_t i = 0; i < always_.values().size(); ++i) {
      if (always_.values()[i] != when_active_.values()[i] && different.size() < 5)
        different.push_back(when_active_.signals()[i]->full_name() + " in cycle " + std::to_string(now));
    }
    return now + 1;
  }

  std::vector<std::string> different;
  std::size_t looks = 0;

 private:
  static Signals eager(std::vector<models::TracedSignal>& signals) {
    for (models::TracedSignal& signal : signals) signal.as.changes = models::Changes::any_time;
    return pointers_to(signals);
  }
  std::vector<models::TracedSignal> eager_signals_;
  WaveSampler when_active_, always_;
};

class WaveSamplerTest : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(WaveSamplerTest, SleepingBlocksHaveNotChanged) {
  Simulation simulation(load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", GetParam()).spec, 1);
  BothWays both(simulation.context().signals.all());
  simulation.observe(both, "both");
  simulation.run([&](Device& gpu) {
    constexpr unsigned ctas = 6, threads = 128;
    const DevicePointer data = gpu.mem_alloc(tests::data_bytes(tests::Races::words));
    const DevicePointer far = gpu.mem_alloc(1 << 18), out = gpu.mem_alloc(ctas * threads * 4);
    const std::string ptx = tests::random_kernel(7, tests::Races::words);
    gpu.launch_kernel(gpu.module_get_function(gpu.module_load_text(ptx, "k.ptx"), "k"), {{ctas}, {threads}},
                      arguments(data, far, out));
  });
  EXPECT_THAT(both.different, ::testing::IsEmpty());
  EXPECT_GT(both.looks, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Policies, WaveSamplerTest,
                         ::testing::Values(std::vector<std::string>{},
                                           std::vector<std::string>{"coherence.policy=mesi", "perturbation.chance=all"},
                                           std::vector<std::string>{"coherence.policy=rcc"},
                                           std::vector<std::string>{"determinism.policy=gpudet"}));

}  // namespace
}  // namespace syncline::platform
