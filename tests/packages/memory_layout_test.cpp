// Who has which device memory.
#include "platform/memory/memory_layout.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/host/device_allocator.h"
#include "platform/packages/composition.h"
#include "platform/spec/platform_spec.h"
#include "tests/support/error_of.h"

namespace syncline::tests {
namespace {

using namespace platform;
using test::error_of;
using ::testing::HasSubstr;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

PlatformSpec platform_with(std::vector<std::string> settings) {
  return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/gtx480.yaml", std::move(settings)).spec;
}
MemoryLayout layout_with(std::vector<std::string> settings) {
  const PlatformSpec spec = platform_with(std::move(settings));
  return memory_layout(spec, requested_units(spec));
}

class LayoutOf : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(LayoutOf, HasNoTwoRegionsInOnePlace) {
  const PlatformSpec spec = platform_with(GetParam());
  const MemoryLayout layout = memory_layout(spec, requested_units(spec));
  std::uint64_t end = 0;
  for (const MemoryRegion& region : layout.regions()) {
    EXPECT_GE(region.base, end) << region.name;
    EXPECT_GT(region.bytes, 0U) << region.name;
    end = region.end();
  }
  EXPECT_EQ(layout.end(), end);
  EXPECT_GE(layout.at(local_memory).base, DeviceAllocator::end_of_addresses(spec.host.memory));
  // All data have room in the partitions, and what is theirs lies behind.
  EXPECT_GE(layout.data_bytes_per_partition() * spec.memory.partitions, end);
  std::uint64_t own = layout.data_bytes_per_partition();
  for (const MemoryRegion& region : layout.of_partitions()) {
    EXPECT_EQ(region.base, own) << region.name;
    own = region.end();
  }
  EXPECT_EQ(layout.bytes_per_partition(), own);
  EXPECT_EQ(layout.excess().key, "");
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, LayoutOf,
    testing::Values(std::vector<std::string>{}, std::vector<std::string>{"host.memory=1MiB"},
                    std::vector<std::string>{"host.memory=7800MiB"}, std::vector<std::string>{"host.memory=64GiB"},
                    std::vector<std::string>{"host.memory=1TiB", "memory.partitions=5", "memory.chunk=4096"},
                    std::vector<std::string>{"host.memory=20GiB", "determinism.policy=gpudet", "z_unit.granule=1"},
                    std::vector<std::string>{"host.memory=20GiB", "determinism.policy=gpudet",
                                             "determinism.gpudet.commit=lock", "l1.line=32", "l2.line=32", "sms=7"}));

// Results hang on addresses: these are the ones that all results so far were made with.
TEST(MemoryLayout, KeepsItsAddresses) {
  const std::uint64_t local_bytes = std::uint64_t{15} * 48 * 32 * 64 * 1024;
  const MemoryLayout plain = layout_with({});
  EXPECT_EQ(plain.at(local_memory).base, 8 * gib);
  EXPECT_EQ(plain.end(), 8 * gib + local_bytes);
  EXPECT_EQ(plain.bytes_per_partition(), (plain.end() / 256 / 6 + 1) * 256);

  const MemoryLayout depths = layout_with({"determinism.policy=gpudet"});
  EXPECT_EQ(depths.at("logs of stores").base, plain.end());
  EXPECT_EQ(depths.at("z_unit").base, depths.data_bytes_per_partition());
  EXPECT_EQ(depths.at("z_unit").bytes, depths.data_bytes_per_partition());

  const MemoryLayout locks = layout_with({"determinism.policy=gpudet", "determinism.gpudet.commit=lock"});
  const std::uint64_t logs_end = locks.at("logs of stores").end();
  EXPECT_EQ(locks.at("locks of lines").base, logs_end);
  EXPECT_EQ(locks.at("locks of lines").bytes, plain.end() / 128 * 4);
  EXPECT_EQ(locks.at("depths of words").base % 128, 0U);
  EXPECT_LT(locks.at("depths of words").base - locks.at("locks of lines").end(), 128U);
  EXPECT_EQ(locks.at("depths of words").bytes, plain.end());
}

TEST(MemoryLayout, TellsWhatIsTooLarge) {
  const std::string error = error_of([] {
    platform_with(
        {"host.local_memory=16MiB", "sms=1024", "sm.max_warps=64", "sm.max_threads=2048", "memory.partitions=2"});
  });
  EXPECT_THAT(error,
              HasSubstr("--set host.local_memory: error: `host.local_memory` asks for too much: each of 2 memory "
                        "partitions would have 17596481011968 bytes, and 17592186044416 is the most"));
  EXPECT_THAT(error, HasSubstr("local memory 35184372088832 bytes"));
}

TEST(MemoryLayout, TellsMistakesOfItsUsers) {
  MemoryLayout layout(models::InterleavingSpec{});
  layout.add("one", "a", 100);
  EXPECT_EQ(layout.add("two", "b", 1, 64).base, 128U);
  EXPECT_THROW(layout.add("one", "a", 1), base::ModelError);
  EXPECT_THROW(static_cast<void>(layout.at("three")), base::ModelError);
  layout.add_to_partitions("own", "c", 10);
  EXPECT_THROW(layout.add_to_partitions("two", "c", 10), base::ModelError);
  EXPECT_THROW(layout.add("four", "a", 1), base::ModelError) << "partitions have memory of their own behind all by now";
}

}  // namespace
}  // namespace syncline::tests
