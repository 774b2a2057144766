// Two GPUs in one simulation: clocks and random streams of their own, and the first has those that it has alone.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/gpu/system.h"
#include "platform/stress/core.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using models::L1Kind;
using models::MessageClass;

/// A GPU with the L1 of a foreign initiator, which the test drives.
struct DrivenGpu {
  DrivenGpu(models::PlatformContext& context, const platform::PlatformSpec& spec, models::GpuPlace place) {
    platform::GpuOptions options;
    options.foreign_ports = 1;
    options.place = place;
    const std::string name = place.gpu == 0 ? "gpu" : "gpu" + std::to_string(place.gpu);
    gpu = std::make_unique<platform::Gpu>(name.c_str(), context, spec, options);
    const base::SmId id(static_cast<std::uint16_t>(spec.sms));
    l1 = std::make_unique<models::L1Cache>((name + "_foreign_l1").c_str(), context, gpu->core_clock(), spec.l1,
                                           gpu->coherence(), id, gpu->address_map(), place);
    gpu->bind_foreign(models::ports_of(*l1).network, 0);
    core = std::make_unique<stress::Core>((name + "_foreign").c_str(), context.messages);
    core->to_l1.socket.bind(l1->from_sm.socket);
    l1->to_sm.socket.bind(core->from_l1.socket);
  }
  void load(std::uint64_t line) {
    models::Message& m = core->request(MessageClass::load_request, L1Kind::global, line);
    m.mask.set(0, 4);
    core->send(m, [](models::Message&) {});
  }
  std::unique_ptr<platform::Gpu> gpu;
  std::unique_ptr<models::L1Cache> l1;
  std::unique_ptr<stress::Core> core;
};

class TwoGpus : public PlatformFixture {
 protected:
  TwoGpus() {
    spec.l1.replacement = models::Replacement::random;
    spec.l1.size = 8 * spec.l1.line;
    spec.l1.ways = 8;
    spec.perturbation.chance = models::Chance::all;
  }
  void build(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      gpus.push_back(std::make_unique<DrivenGpu>(context, spec, models::GpuPlace{static_cast<std::uint8_t>(i), 0}));
  }
  /// Which of 64 lines, loaded one after the other, are left in the L1 of a GPU: bit n, line n.
  std::uint64_t lines_left(DrivenGpu& driven) {
    for (unsigned i = 0; i < 64; ++i) {
      driven.load(std::uint64_t{i} * spec.l1.line);
      for (int wait = 0; wait < 1000 && !driven.core->idle(); ++wait) run_ns(10);
    }
    std::uint64_t left = 0;
    for (unsigned i = 0; i < 64; ++i) {
      const base::LineAddress line(std::uint64_t{i} * spec.l1.line);
      if (driven.l1->lines().locate(line).frame != models::nowhere) left |= std::uint64_t{1} << i;
    }
    EXPECT_EQ(__builtin_popcountll(left), 8);
    return left;
  }
  std::uint64_t phase_ps(const std::string& clock) {
    for (const auto& domain : scheduler.domains()) {
      if (domain->name() == clock) return domain->length_of(1).value() - domain->ps_of(1);
    }
    ADD_FAILURE() << "no clock " << clock;
    return 0;
  }
  platform::PlatformSpec spec =
      platform::load_configuration<platform::PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml").spec;
  std::vector<std::unique_ptr<DrivenGpu>> gpus;
  static constexpr std::uint64_t left_alone = 17510100904332754944U;  // of seed 1
};

TEST_F(TwoGpus, HaveClocksOfTheirOwn) {
  build(2);
  EXPECT_EQ(gpus[0]->gpu->core_clock().name(), "core");
  EXPECT_EQ(gpus[1]->gpu->core_clock().name(), "gpu1.core");
  std::vector<std::uint64_t> first, second;
  for (const char* clock : {"core", "interconnect", "l2", "dram"}) {
    first.push_back(phase_ps(clock));
    second.push_back(phase_ps(std::string("gpu1.") + clock));
  }
  EXPECT_NE(first, second);
  const std::uint64_t period_ps = 1'000'000'000'000 / spec.clocks.core;
  EXPECT_EQ(first[0], spec.perturbation.random(1, "clock_phase.core").below(static_cast<std::uint32_t>(period_ps)));
}

TEST_F(TwoGpus, OfASystemAreInPlacesOfTheirOwn) {
  platform::System system(context, spec, 2);
  EXPECT_EQ(system.gpu(0).core_clock().name(), "core");
  EXPECT_EQ(system.gpu(1).core_clock().name(), "gpu1.core");
  for (std::uint8_t i = 0; i < 2; ++i) {
    const models::NodeId home = system.gpu(i).address_map().home(0x1000);
    EXPECT_EQ(home.place, (models::GpuPlace{i, 0}));
  }
  run_ns(10);
}

TEST_F(TwoGpus, DrawDifferentNumbers) {
  build(2);
  EXPECT_EQ(lines_left(*gpus[0]), left_alone);
  EXPECT_NE(lines_left(*gpus[1]), left_alone);
  run_ns(1000);
  expect_clean();
}

TEST_F(TwoGpus, AndTheFirstThoseThatItDrawsAlone) {
  build(1);
  EXPECT_EQ(lines_left(*gpus[0]), left_alone);
  run_ns(1000);
  expect_clean();
}

}  // namespace
}  // namespace syncline::tests
