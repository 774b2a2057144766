// Each block of a GPU is made by a factory: in its place stands a block of the user's, and the program still runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "models/l1_cache/l1_cache.h"
#include "models/sm/sm.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/error_of.h"
#include "tests/support/first_touch.h"
#include "tests/unit/sides/kernel.h"
#include "tests/unit/sides/own_compute_blocks.h"
#include "tests/unit/sides/own_memory_blocks.h"

namespace syncline::tests {
namespace {

using namespace platform;
using models::Made;
using sc_core::sc_module_name;
using test::error_of;

/// Made with ports(), and remembered.
template <class Ports, class Block>
Made<Ports> made(std::vector<Block*>& all, std::unique_ptr<Block> block) {
  all.push_back(block.get());
  Ports ports = block->ports();
  return {std::move(block), std::move(ports)};
}

class Factories : public testing::Test {
 protected:
  static constexpr unsigned ctas = 8, cta_threads = 64, threads = ctas * cta_threads;

  /// `before`: what is asked of the GPU before it runs. Errors are: host programs are threads of SystemC, and once one
  /// has run, the address sanitizer takes an exception's way up the stack for a mistake.
  void run(const std::function<void()>& before = {}) {
    simulation = std::make_unique<Simulation>(spec, 1, options);
    if (before) before();
    simulation->run([&](Device& gpu) {
      const DevicePointer words = gpu.upload(std::vector<std::uint32_t>(threads, 41));
      const DevicePointer counter = gpu.upload(std::vector<std::uint32_t>{0});
      launch_work(gpu, ctas, cta_threads, words, counter);
      result = gpu.download<std::uint32_t>(words, threads);
      counted = gpu.download<std::uint32_t>(counter, 1).front();
    });
  }
  void expect_result() const {
    EXPECT_THAT(result, testing::Each(42U));
    EXPECT_EQ(counted, threads);
  }
  Gpu& gpu() { return simulation->gpu(); }

  PlatformSpec spec = load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml").spec;
  GpuOptions options;
  std::unique_ptr<Simulation> simulation;
  std::vector<std::uint32_t> result;
  std::uint32_t counted = 0;

  void use_own_networks() {
    options.network = [this](const sc_module_name& name, const models::NetworkSite& site) {
      return made<models::NetworkPorts>(networks, std::make_unique<DirectNetwork>(name, site.inputs, site.outputs));
    };
  }
  void use_own_l2s() {
    options.l2 = [this](const sc_module_name& name, const models::L2Site& site) {
      return made<models::L2Ports>(homes, std::make_unique<IdealHome>(name, site.policy, lines, site.spec.line));
    };
  }
  void use_own_l1s() {
    options.l1 = [this](const sc_module_name& name, const models::L1Site& site) {
      return made<models::L1Ports>(l1s, std::make_unique<PassingL1>(name, site));
    };
  }
  void use_own_distributor() {
    options.distributor = [this](const sc_module_name& name, const models::DistributorSite&) {
      return made<models::DistributorPorts>(distributors, std::make_unique<OneByOne>(name));
    };
  }
  std::vector<DirectNetwork*> networks;
  std::vector<IdealHome*> homes;
  Lines lines;
  std::vector<PassingL1*> l1s;
  std::vector<OneByOne*> distributors;
};

TEST_F(Factories, OfNetworks) {
  use_own_networks();
  run();
  expect_result();
  ASSERT_EQ(networks.size(), 2U);
  EXPECT_STREQ(networks[0]->name(), "gpu.up");
  EXPECT_STREQ(networks[1]->name(), "gpu.down");
  EXPECT_GT(networks[0]->passed, 0U);
  EXPECT_EQ(networks[0]->passed, networks[1]->passed) << "each request has its answer";
}

TEST_F(Factories, OfMemories) {
  std::vector<FixedMemory*> memories;
  options.memory = [&](const sc_module_name& name, const models::MemorySite& site) {
    if (site.partition == base::PartitionId(1)) return models::make_dram(name, site);
    auto memory = std::make_unique<FixedMemory>(name, site.spec.capacity);
    memories.push_back(memory.get());
    const models::MemoryPorts ports{&memory->socket};
    return Made<models::MemoryPorts>{std::move(memory), ports};
  };
  run();
  expect_result();
  ASSERT_EQ(memories.size(), 1U);
  EXPECT_STREQ(memories[0]->name(), "gpu.part0_dram");
  EXPECT_GT(memories[0]->accesses, 0U);
  EXPECT_EQ(gpu().dram(0), nullptr);
  EXPECT_NE(gpu().dram(1), nullptr);
}

TEST_F(Factories, OfL2s) {
  use_own_l2s();
  run([this] {
    EXPECT_EQ(error_of([&] { gpu().l2(1); }), "`gpu.part1_l2` is a block of the user's own, not the library's");
    EXPECT_EQ(error_of([&] { gpu().memory_link(0); }), "`gpu.part0_l2` has no socket for a memory");
  });
  expect_result();
  ASSERT_EQ(homes.size(), spec.memory.partitions);
  for (const IdealHome* const home : homes) EXPECT_GT(home->answered, 0U);
  EXPECT_EQ(gpu().dram(0), nullptr) << "it asks for no memory";
  for (const models::Block* const block : simulation->context().blocks)
    EXPECT_EQ(std::string(block->name()).find("atomic_unit"), std::string::npos) << "it asks for none";
}

TEST_F(Factories, OfL1s) {
  use_own_l1s();
  run([this] {
    EXPECT_EQ(error_of([&] { gpu().l1(0); }), "`gpu.sm0_l1` is a block of the user's own, not the library's");
  });
  expect_result();
  ASSERT_EQ(l1s.size(), spec.sms);
  for (const PassingL1* const l1 : l1s) EXPECT_GT(l1->passed, 0U);
}

TEST_F(Factories, OfSms) {
  std::vector<InstantSm*> sms;
  options.sm = [&](const sc_module_name& name, const models::SmSite& site) {
    return made<models::SmPorts>(sms, std::make_unique<InstantSm>(name, site.place.id, site.spec.resources()));
  };
  run([this] {
    EXPECT_EQ(error_of([&] { gpu().sm(0); }), "`gpu.sm0` is a block of the user's own, not the library's");
  });
  EXPECT_THAT(result, testing::Each(41U)) << "nothing is executed";
  ASSERT_EQ(sms.size(), spec.sms);
  EXPECT_EQ(sms[0]->ctas + sms[1]->ctas, ctas);
  EXPECT_GT(sms[1]->ctas, 0U);
  EXPECT_EQ(gpu().grids().ctas_ended(), ctas);
  EXPECT_EQ(gpu().warp_instructions(), 0U);
}

TEST_F(Factories, OfTheWorkDistributor) {
  use_own_distributor();
  run([this] {
    EXPECT_EQ(error_of([&] { gpu().distributor(); }),
              "`gpu.distributor` is a block of the user's own, not the library's");
  });
  expect_result();
  ASSERT_EQ(distributors.size(), 1U);
  EXPECT_EQ(distributors[0]->ctas_ended(), ctas);
  EXPECT_EQ(gpu().grids().ctas_ended(), ctas);
}

TEST_F(Factories, OfSeveralBlocksTogether) {
  use_own_networks();
  use_own_l2s();
  use_own_l1s();
  use_own_distributor();
  run();
  expect_result();
}

TEST_F(Factories, MayMakeWhatTheLibraryMakesOtherwise) {
  options.l1 = [](const sc_module_name& name, const models::L1Site& site) {
    models::L1Spec smaller = site.spec;
    smaller.size = 2 * smaller.ways * smaller.line;
    models::L1Site changed{site.context, site.clock, smaller, site.policy, site.sm, site.homes, site.place};
    return models::make_l1_cache(name, changed);
  };
  run();
  expect_result();
  EXPECT_EQ(gpu().l1(1).lines().tags().size(), 4U);
}

TEST_F(Factories, ABlockOfTheUsersIsNotWatchedForConsistency) {
  spec.observe.consistency = ConsistencyWatch::check;
  use_own_l1s();
  EXPECT_EQ(error_of([&] { run(); }), "`gpu.sm0_l1` is a block of the user's own, not the library's");
}

TEST_F(Factories, OfSmsThatTheSpinJudgeDoesNotKnow) {
  spec.limits.spin_window = 1;
  std::vector<InstantSm*> sms;
  options.sm = [&](const sc_module_name& name, const models::SmSite& site) {
    if (site.place.id == base::SmId(0)) return models::make_sm(name, site);
    return made<models::SmPorts>(sms, std::make_unique<InstantSm>(name, site.place.id, site.spec.resources()));
  };
  run();
  EXPECT_EQ(counted, threads - sms[0]->ctas * cta_threads);
  EXPECT_STREQ(gpu().sm(0).name(), "gpu.sm0");
}

class AnotherHomeMap : public Factories {
 protected:
  AnotherHomeMap() { options.own_homes = &first_touch; }
  FirstTouch first_touch{2};
};

TEST_F(AnotherHomeMap, PutsPagesWhereTheyAreFirstTouched) {
  simulation = std::make_unique<Simulation>(spec, 1, options);
  // Each CTA has a page; what the host writes first is in partition 0.
  constexpr unsigned pages = 8, per_page = FirstTouch::page_bytes / 4;
  EXPECT_THAT(error_of([&] { gpu().address_map(); }),
              testing::HasSubstr("a home map of the user's says where it lies"));
  simulation->run([&](Device& device) {
    const DevicePointer counter = device.upload(std::vector<std::uint32_t>{0});
    const DevicePointer words = device.mem_alloc((pages + 1) * FirstTouch::page_bytes);
    const std::uint64_t page = (address(words) / FirstTouch::page_bytes + 1) * FirstTouch::page_bytes;
    launch_work(device, pages, per_page, DevicePointer{page}, counter);
    result.resize(pages * per_page);
    device.synchronize();
    gpu().debug_read(page, result.data(), pages * FirstTouch::page_bytes);
    counted = device.download<std::uint32_t>(counter, 1).front();
  });
  EXPECT_THAT(result, testing::Each(1U));
  EXPECT_EQ(counted, pages * per_page);
  EXPECT_GT(first_touch.pages(0), 1U);
  EXPECT_GT(first_touch.pages(1), 0U);
  EXPECT_EQ(first_touch.pages(0) + first_touch.pages(1), pages + 1U) << "and that of the counter";
  EXPECT_EQ(&gpu().homes(), &first_touch);
  EXPECT_GE(gpu().channel_bytes(), gpu().memory().end()) << "one partition may have it all";
}

TEST_F(AnotherHomeMap, HasAHomeForEachPartition) {
  spec.memory.partitions = 3;
  EXPECT_EQ(error_of([&] { run(); }), "the home map has 2 homes, and the GPU 3 memory partitions");
}

}  // namespace
}  // namespace syncline::tests
