// Z-units in a whole GPU, driven by a foreign initiator's L1 beside those of the SMs.
#include <gmock/gmock.h>

#include <cstring>
#include <memory>
#include <vector>

#include "base/error.h"
#include "models/gpudet/gpudet_spec.h"
#include "models/z_unit/depth_family.h"
#include "platform/config/configuration.h"
#include "platform/gpu/gpu.h"
#include "platform/stress/core.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using models::DepthKind;
using models::L1Kind;
using models::Message;
using models::MessageClass;
using platform::Gpu;
using platform::GpuOptions;

class ZUnitsOfAGpu : public PlatformFixture {
 protected:
  ZUnitsOfAGpu() { options.z_units = true; }
  void build() {
    options.foreign_ports = 1;
    gpu = std::make_unique<Gpu>("gpu", context, spec, options);
    const base::SmId id(static_cast<std::uint16_t>(spec.sms));
    l1 = std::make_unique<models::L1Cache>("foreign_l1", context, gpu->core_clock(), spec.l1, gpu->coherence(), id,
                                           gpu->address_map());
    gpu->bind_foreign(models::ports_of(*l1).network, 0);
    core = std::make_unique<stress::Core>("foreign", pool);
    core->to_l1.socket.bind(l1->from_sm.socket);
    l1->to_sm.socket.bind(core->from_l1.socket);
  }
  void store(std::uint64_t address, DepthKind kind, std::uint32_t depth, std::uint32_t value) {
    const std::uint64_t offset = address % spec.l1.line;
    Message& m = core->request(MessageClass::store_request, L1Kind::global, address - offset);
    models::order_by_depth(m, kind, depth);
    if (kind == DepthKind::write) m.mask.set(static_cast<unsigned>(offset), sizeof value);
    std::memcpy(m.data.data() + offset, &value, sizeof value);
    core->send(m, [](Message&) {});
  }
  void drain() {
    for (int i = 0; i < 1000 && !core->idle(); ++i) run_ns(100);
    EXPECT_TRUE(core->idle());
  }
  std::uint32_t word(std::uint64_t address) {
    std::uint32_t value = 0;
    gpu->debug_read(address, &value, sizeof value);
    return value;
  }
  platform::PlatformSpec spec =
      platform::load_configuration<platform::PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml").spec;
  GpuOptions options;
  std::unique_ptr<Gpu> gpu;
  std::unique_ptr<models::L1Cache> l1;
  std::unique_ptr<stress::Core> core;
};

TEST_F(ZUnitsOfAGpu, OrderWritesUpToTheEndOfMemory) {
  spec.memory.hash = true;
  spec.z_unit.granule = 1;
  build();
  std::vector<std::uint64_t> addresses{gpu->local_memory_base() - 4, gpu->local_memory_base() + 4096};
  for (unsigned i = 0; i < 64; ++i) addresses.push_back(0x10000 + i * 132);
  for (const std::uint32_t depth : {7U, 3U, 5U}) {
    for (const std::uint64_t address : addresses) store(address, DepthKind::write, depth, depth * 100);
  }
  drain();
  for (const std::uint64_t address : addresses) EXPECT_EQ(word(address), 300U) << address;
  const unsigned partitions = gpu->address_map().partitions();
  for (unsigned i = 0; i < partitions; ++i)
    store(gpu->address_map().global(base::PartitionId(static_cast<std::uint16_t>(i)), 0), DepthKind::clear, 0, 0);
  drain();
  for (const std::uint64_t address : addresses) store(address, DepthKind::write, 9, 900);
  drain();
  double writes = 0, clears = 0;
  for (unsigned i = 0; i < partitions; ++i) {
    const std::string unit = "gpu.part" + std::to_string(i) + "_z_unit";
    ASSERT_NE(gpu->unit(i, "z_unit"), nullptr);
    EXPECT_EQ(gpu->unit(i, "z_unit")->name(), unit);
    writes += statistic(unit + ".writes");
    clears += statistic(unit + ".clears");
  }
  for (const std::uint64_t address : addresses) EXPECT_EQ(word(address), 900U) << address;
  EXPECT_GT(gpu->channel_bytes(), 5 * gpu->local_memory_base() / partitions) << "a byte of data and its depth";
  EXPECT_EQ(writes, 4 * addresses.size());
  EXPECT_EQ(clears, partitions);
  EXPECT_EQ(statistic("gpu.up.messages_z_commit"), writes + clears);
  run_ns(1000);
  expect_clean();
}

TEST_F(ZUnitsOfAGpu, NeedAllInitiatorsInQuantaWhereQuantaCommit) {
  spec.determinism.policy = "gpudet";
  try {
    build();
    FAIL() << "accepted";
  } catch (const base::UserError& error) {
    EXPECT_STREQ(error.what(),
                 "`determinism.policy` = gpudet: a GPU with foreign ports has initiators that know no quanta");
  }
}

TEST_F(ZUnitsOfAGpu, StandBeforeTheUnitsOfTheUser) {
  struct Watcher : models::PartitionUnit {
    using PartitionUnit::PartitionUnit;
    bool claims(const Message& request) const override {
      (request.family == &models::depth_family ? commits : others) += 1;
      return false;
    }
    bool accept(Message&, const sc_core::sc_time&) override { return false; }
    mutable unsigned commits = 0, others = 0;
  };
  std::vector<std::unique_ptr<Watcher>> watchers;
  options.partition_units = [&](unsigned partition, models::PlatformContext& shared, models::ClockDomain&) {
    watchers.push_back(std::make_unique<Watcher>(("watcher" + std::to_string(partition)).c_str(), shared));
    return GpuOptions::PartitionUnits{watchers.back().get()};
  };
  spec.z_unit.cache_size = spec.l2.line;  // so that each line of depths drives another one out
  spec.z_unit.ways = 1;
  build();
  for (const std::uint32_t depth : {1U, 0U}) {
    for (unsigned i = 0; i < 16; ++i) store(i * 256, DepthKind::write, depth, i);
    drain();
  }
  unsigned others = 0;
  for (const auto& watcher : watchers) {
    EXPECT_EQ(watcher->commits, 0U);
    others += watcher->others;
  }
  EXPECT_GE(others, 2 * 16U + 16U) << "writes of data and reads of depths";
}

TEST_F(ZUnitsOfAGpu, AreMadeOnDemand) {
  options.z_units = false;
  build();
  EXPECT_EQ(gpu->unit(0, "z_unit"), nullptr);
  for (const auto& domain : scheduler.domains()) EXPECT_NE(domain->name(), "z_unit");
}

TEST_F(ZUnitsOfAGpu, AreMadeForAPolicyThatCommitsThroughThem) {
  options.z_units = false;
  spec.determinism.policy = "gpudet";
  spec.determinism.keys<models::GpudetSpec>().commit = models::CommitKind::z_unit;
  gpu = std::make_unique<Gpu>("gpu", context, spec, options);
  EXPECT_NE(gpu->unit(0, "z_unit"), nullptr);
}

TEST_F(ZUnitsOfAGpu, AreNotMadeForOneThatCommitsUnderLocks) {
  options.z_units = false;
  spec.determinism.policy = "gpudet";
  spec.determinism.keys<models::GpudetSpec>().commit = models::CommitKind::lock;
  gpu = std::make_unique<Gpu>("gpu", context, spec, options);
  EXPECT_EQ(gpu->unit(0, "z_unit"), nullptr);
}

TEST_F(ZUnitsOfAGpu, NeedAPolicyThatLetsThem) {
  spec.coherence.policy = "mesi";
  try {
    build();
    FAIL() << "accepted";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("which the coherence policy `mesi` does not allow"));
  }
}

}  // namespace
}  // namespace syncline::tests
