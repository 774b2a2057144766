// The compute side without the library's memory side: L1s over a network and a memory of the user's.
#include "platform/gpu/compute_side.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "isa/ptx/parser.h"
#include "platform/config/configuration.h"
#include "platform/host/launch_check.h"
#include "platform/host/module_image.h"
#include "tests/support/error_of.h"
#include "tests/support/platform_fixture.h"
#include "tests/unit/sides/kernel.h"
#include "tests/unit/sides/own_compute_blocks.h"
#include "tests/unit/sides/own_memory_blocks.h"

namespace syncline::tests {
namespace {

using platform::ComputeSide;
using platform::GpuPlan;
using test::error_of;

class ComputeSideAlone : public PlatformFixture {
 protected:
  /// An ideal memory behind each L1, all with the same lines.
  void bind(const ComputeSide& side) {
    for (unsigned i = 0; i < side.sms(); ++i) {
      homes.push_back(
          std::make_unique<IdealHome>(("home" + std::to_string(i)).c_str(), side.plan().policy(), lines, spec.l1.line));
      const models::NetworkEnd& l1 = side.network_end(i);
      l1.to_network->bind(homes[i]->requests.socket);
      homes[i]->replies.socket.bind(*l1.from_network);
    }
  }
  std::uint32_t word(std::uint64_t address) {
    std::uint32_t value = 0;
    homes.front()->ports().debug_read(base::ByteAddress(address), reinterpret_cast<std::uint8_t*>(&value), 4);
    return value;
  }
  platform::PlatformSpec spec =
      platform::load_configuration<platform::PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml").spec;
  Lines lines;
  std::vector<std::unique_ptr<IdealHome>> homes;
};

TEST_F(ComputeSideAlone, RunsAKernelOnAMemoryOfTheUsers) {
  constexpr unsigned ctas = 8, threads = 64;  // of a CTA
  constexpr std::uint64_t words = 0x10000, counter = 0x8000;
  const GpuPlan plan(context, spec);
  const ComputeSide side(plan);
  bind(side);

  platform::DeviceAllocator allocator(1 << 20);
  const platform::ModuleImage image(isa::parse_module(work_ptx, "work.ptx"), allocator);
  isa::GridContext grid;
  grid.program = image.kernel("work");
  grid.grid = {ctas, 1, 1};
  grid.block = {threads, 1, 1};
  grid.parameters = platform::pack_arguments(grid.program->kernel(), platform::arguments(words, counter));
  std::vector<base::GridId> completed;
  side.grids().launch(models::make_grid_launch(base::GridId(0), grid),
                      [&](base::GridId id) { completed.push_back(id); });
  for (int i = 0; i < 1000 && completed.empty(); ++i) run_ns(100);

  EXPECT_THAT(completed, testing::ElementsAre(base::GridId(0)));
  EXPECT_EQ(word(counter), ctas * threads);
  for (unsigned i = 0; i < ctas * threads; ++i) EXPECT_EQ(word(words + 4 * i), 1U) << i;
  EXPECT_EQ(side.grids().ctas_ended(), ctas);
  EXPECT_EQ(side.instructions().threads, 13 * ctas * threads);
  for (unsigned i = 0; i < side.sms(); ++i) {
    EXPECT_GT(homes[i]->answered, 0U);
    EXPECT_EQ(side.l1(i).name(), "sm" + std::to_string(i) + "_l1");
  }
  run_ns(100);
  expect_clean();
}

TEST_F(ComputeSideAlone, TellsOfBlocksWithoutPorts) {
  const GpuPlan plan(context, spec);
  platform::ComputeSideOptions own;
  own.sm = [](const sc_core::sc_module_name&, const models::SmSite&) { return models::Made<models::SmPorts>{}; };
  EXPECT_EQ(error_of([&] { ComputeSide(plan, own); }), "no port `ctas` is given for `sm0`");
}

TEST_F(ComputeSideAlone, TellsOfADistributorThatTakesNoGrids) {
  const GpuPlan plan(context, spec);
  platform::ComputeSideOptions own;
  own.distributor = [](const sc_core::sc_module_name&, const models::DistributorSite&) {
    return models::Made<models::DistributorPorts>{};
  };
  EXPECT_EQ(error_of([&] { ComputeSide(plan, own); }), "no port `grids` is given for `distributor`");
}

}  // namespace
}  // namespace syncline::tests
