// Who asks whom for a line, and what an L2 is to it, where modules cache lines of each other's memory.
#include "models/modules/module_homes.h"

#include <gtest/gtest.h>

namespace syncline::models {
namespace {

using Policy = protocols::CoherencePolicy;

ModulesSpec two_by_two_interleaved() {
  ModulesSpec spec;
  spec.gpus = spec.gpms = 2;
  spec.pages.placement = PagePlacement::interleaved;
  spec.pages.bytes = 4096;
  return spec;
}

/// Four modules of two SMs and two slices, an L1 beside them; page n lies in module n % 4, chunks of 256 bytes in turn.
struct Homes {
  explicit Homes(bool gpu_homes) : homes(pages, map, gpu_homes) {}
  static InterleavingSpec memory() {
    InterleavingSpec spec;
    spec.partitions = 8;
    spec.chunk = 256;
    spec.hash = false;
    return spec;
  }
  static NodeId sm(unsigned number) { return l1_node(base::SmId(static_cast<std::uint16_t>(number))); }
  static NodeId slice(unsigned number) { return home_node(base::PartitionId(static_cast<std::uint16_t>(number))); }
  unsigned asked(std::uint64_t address, const NodeId& asker) const {
    return homes.home(base::LineAddress(address), isa::Scope::none, asker).index;
  }
  ModulesSpec spec = two_by_two_interleaved();
  ModuleMap map{spec, 8, 9, 8};
  PagedHomes pages{spec.pages, memory(), map};
  ModuleHomes homes;
};

constexpr std::uint64_t page_of_module_1 = 4096, second_chunk = 256;

TEST(ModuleHomes, AnL1AsksItsModule) {
  const Homes flat(false);
  EXPECT_EQ(flat.asked(page_of_module_1, Homes::sm(0)), 0U);
  EXPECT_EQ(flat.asked(page_of_module_1 + second_chunk, Homes::sm(7)), 7U) << "the slice there with the line's number";
  EXPECT_EQ(flat.asked(page_of_module_1, Homes::sm(8)), 0U) << "a foreign initiator is in the first module";
  EXPECT_EQ(flat.asked(page_of_module_1, NodeId{}), 2U) << "where memory is";
}

TEST(ModuleHomes, WithoutHierarchyAnL2AsksTheHome) {
  const Homes flat(false);
  for (const unsigned slice : {0U, 2U, 4U, 6U})
    EXPECT_EQ(flat.asked(page_of_module_1, Homes::slice(slice)), 2U) << slice;
}

TEST(ModuleHomes, WithHierarchyItAsksTheHomeOfItsGpu) {
  const Homes two(true);
  EXPECT_EQ(two.asked(page_of_module_1, Homes::slice(0)), 2U) << "the home is in its GPU";
  EXPECT_EQ(two.asked(page_of_module_1, Homes::slice(4)), 6U) << "module 3 is to GPU 1 what module 1 is to GPU 0";
  EXPECT_EQ(two.asked(page_of_module_1, Homes::slice(6)), 2U) << "that one asks the home";
  EXPECT_EQ(two.asked(page_of_module_1, Homes::slice(2)), 2U) << "which is its own";
}

TEST(ModuleHomes, AnL2HasARoleForEachLine) {
  const base::LineAddress line(page_of_module_1);
  const Homes flat(false), two(true);
  EXPECT_EQ(flat.homes.standing(line, Homes::slice(2)), Standing::home);
  EXPECT_EQ(two.homes.standing(line, Homes::slice(2)), Standing::home);
  EXPECT_EQ(two.homes.standing(line, Homes::slice(0)), Standing::gpm) << "the GPU of the home needs no other one";
  EXPECT_EQ(two.homes.standing(line, Homes::slice(6)), Standing::gpu_home);
  EXPECT_EQ(flat.homes.standing(line, Homes::slice(6)), Standing::gpm);
  EXPECT_EQ(two.homes.standing(base::LineAddress(0), Homes::slice(6)), Standing::gpm);
}

TEST(ModuleHomes, SpansAndNumbersFollowModules) {
  const Homes two(true);
  EXPECT_EQ(two.homes.span(Homes::sm(1), Homes::slice(0)), Policy::within_module);
  EXPECT_EQ(two.homes.span(Homes::slice(0), Homes::slice(2)), Policy::within_gpu);
  EXPECT_EQ(two.homes.span(Homes::slice(2), Homes::slice(6)), Policy::between_gpus);
  EXPECT_EQ(two.homes.slices(), 2U);
  EXPECT_EQ(two.homes.slice(3, 1), Homes::slice(7));
  EXPECT_EQ(two.homes.slice_number(Homes::slice(7)), 1U);
  for (unsigned l1 = 0; l1 < 9; ++l1)
    EXPECT_EQ(two.homes.l1(two.homes.module(Homes::sm(l1)), two.homes.l1_number(Homes::sm(l1))), Homes::sm(l1));
}

TEST(Spans, HaveNetworksOfTheirOwnWhereMessagesBegetMessages) {
  Policy policy;
  policy.networks = {"requests", "replies", "answers", "questions"};
  EXPECT_EQ(policy.virtual_networks(), 4U);
  EXPECT_EQ(policy.virtual_network(1, Policy::between_gpus), 1U);
  policy.of_modules = true;
  EXPECT_EQ(policy.virtual_networks(), 8U);
  std::vector<bool> seen(8);
  for (unsigned network = 0; network < 4; ++network) {
    for (const auto span : {Policy::within_module, Policy::within_gpu, Policy::between_gpus})
      seen.at(policy.virtual_network(network, span)) = true;
  }
  EXPECT_EQ(seen, std::vector<bool>(8, true));
  EXPECT_NE(policy.virtual_network(0, Policy::within_gpu), policy.virtual_network(0, Policy::between_gpus));
  EXPECT_EQ(policy.virtual_network(3, Policy::within_gpu), policy.virtual_network(3, Policy::between_gpus));
}

}  // namespace
}  // namespace syncline::models
