// With whose parts in it a machine's turns keep SystemC's time, and with which they go ahead of it: told from the
// number of delta cycles that SystemC has counted, at least one for each instant that it has been taken to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "models/l1_cache/l1_ports.h"
#include "models/transport/message_listener.h"
#include "platform/config/configuration.h"
#include "platform/packages/getm/units.h"
#include "platform/timed/simulation.h"
#include "tests/unit/sides/kernel.h"

namespace syncline::tests {
namespace {

using platform::GpuOptions;
using platform::PlatformSpec;

struct Machine {
  const char* name;
  std::function<void(PlatformSpec&, GpuOptions&)> make;
  bool keeps_time;
};
std::ostream& operator<<(std::ostream& out, const Machine& machine) {
  return out << machine.name;
}

const Machine machines[] = {
    {"TheLibrarys", [](PlatformSpec&, GpuOptions&) {}, false},
    {"OfAPolicyThatFollowsWarps", [](PlatformSpec& spec, GpuOptions&) { spec.determinism.policy = "gpudet"; }, false},
    {"WithUnitsOfAPolicyOfTheUsers",
     [](PlatformSpec& spec, GpuOptions& options) {
       spec.transactions.policy = "getm";
       options.unit_factories["validation_unit"] = platform::getm::validation_units();
     },
     true},
    {"WithAnObserverOfWarps",
     [](PlatformSpec&, GpuOptions& options) { options.listeners.push_back(std::make_shared<models::WarpEvents>()); },
     true},
    {"WithAnObserverOfMessages",
     [](PlatformSpec&, GpuOptions& options) {
       options.message_listeners.push_back(std::make_shared<models::MessageListener>());
     },
     true},
    {"WithABlockOfTheUsers", [](PlatformSpec&, GpuOptions& options) { options.l1 = models::make_l1_cache; }, true},
    {"WithStagesOfTheUsers",
     [](PlatformSpec&, GpuOptions& options) { options.sm_seams = [](unsigned, models::SmSeams&) {}; }, true},
    {"WithUnitsOfAnSmOfTheUsers",
     [](PlatformSpec&, GpuOptions& options) {
       options.sm_units = [](unsigned, models::PlatformContext&, models::ClockDomain&) {
         return GpuOptions::SmUnits{};
       };
     },
     true},
    {"WithUnitsOfPartitionsOfTheUsers",
     [](PlatformSpec&, GpuOptions& options) {
       options.partition_units = [](unsigned, models::PlatformContext&, models::ClockDomain&) {
         return GpuOptions::PartitionUnits{};
       };
     },
     true},
};

class KeepsTime : public testing::TestWithParam<Machine> {};

TEST_P(KeepsTime, WhereSomebodyMayLookAtIt) {
  PlatformSpec spec = platform::load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml").spec;
  GpuOptions options;
  GetParam().make(spec, options);
  platform::Simulation simulation(spec, 1, options);
  simulation.run([](platform::Device& gpu) {
    const auto words = gpu.upload(std::vector<std::uint32_t>(512, 41));
    const auto counter = gpu.upload(std::vector<std::uint32_t>{0});
    launch_work(gpu, 8, 64, words, counter);
    EXPECT_EQ(gpu.download<std::uint32_t>(counter, 1).front(), 512U);
  });
  constexpr std::uint64_t few = 100;  // where SystemC's time stands while the kernel runs
  if (GetParam().keeps_time)
    EXPECT_GT(sc_core::sc_delta_count(), 3 * few);
  else
    EXPECT_LT(sc_core::sc_delta_count(), few);
}

INSTANTIATE_TEST_SUITE_P(Machines, KeepsTime, testing::ValuesIn(machines),
                         [](const auto& machine) { return std::string(machine.param.name); });

}  // namespace
}  // namespace syncline::tests
