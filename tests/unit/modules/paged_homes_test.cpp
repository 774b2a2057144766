// Which module has which node, and where pages lie.
#include "models/modules/paged_homes.h"

#include <gmock/gmock.h>

#include <set>
#include <vector>

#include "base/error.h"
#include "tests/support/error_of.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::Pair;

ModulesSpec two_by_two(PagePlacement placement, unsigned module = 0) {
  ModulesSpec spec;
  spec.gpus = spec.gpms = 2;
  spec.pages.placement = placement;
  spec.pages.bytes = 4096;
  spec.pages.module = module;
  return spec;
}

InterleavingSpec partitions(unsigned count, unsigned chunk = 256) {
  InterleavingSpec spec;
  spec.partitions = count;
  spec.chunk = chunk;
  return spec;
}

/// 8 SMs and an L1 beside them, 8 partitions.
struct Placed {
  explicit Placed(PagePlacement placement, unsigned module = 0) : spec(two_by_two(placement, module)) {}
  unsigned home(std::uint64_t address, unsigned sm) const {
    return pages.home(base::LineAddress(address), isa::Scope::none, l1_node(base::SmId(static_cast<std::uint16_t>(sm))))
        .index;
  }
  ModulesSpec spec;
  ModuleMap map{spec, 8, 9, 8};
  PagedHomes pages{spec.pages, partitions(8), map};
};

TEST(ModuleMap, DealsNodesInTheOrderOfTheirNumbers) {
  const ModuleMap map(two_by_two(PagePlacement::hash), 8, 9, 4);
  EXPECT_EQ(map.modules(), 4U);
  EXPECT_EQ(map.gpus(), 2U);
  EXPECT_EQ(map.module_of_l1(0), 0U);
  EXPECT_EQ(map.module_of_l1(7), 3U);
  EXPECT_EQ(map.module_of_l1(8), 0U) << "a foreign initiator";
  EXPECT_EQ(map.module_of_home(2), 2U);
  const auto reached = [](const ModuleMap::Nodes& nodes) {
    std::vector<std::pair<NodeKind, unsigned>> all;
    for (const Router::Nodes& some : nodes) {
      for (unsigned i = 0; i < some.count; ++i) all.emplace_back(some.kind, some.first + i);
    }
    return all;
  };
  EXPECT_THAT(reached(map.nodes(map.gpu(1))),
              ElementsAre(Pair(NodeKind::l1, 4), Pair(NodeKind::l1, 5), Pair(NodeKind::l1, 6), Pair(NodeKind::l1, 7),
                          Pair(NodeKind::home, 2), Pair(NodeKind::home, 3)));
  EXPECT_THAT(reached(map.l1s(ModuleMap::module(0))),
              ElementsAre(Pair(NodeKind::l1, 0), Pair(NodeKind::l1, 1), Pair(NodeKind::l1, 8)));
  EXPECT_THAT(reached(map.l1s_outside(ModuleMap::module(1))),
              ElementsAre(Pair(NodeKind::l1, 0), Pair(NodeKind::l1, 1), Pair(NodeKind::l1, 8), Pair(NodeKind::l1, 4),
                          Pair(NodeKind::l1, 5), Pair(NodeKind::l1, 6), Pair(NodeKind::l1, 7)));
  EXPECT_THAT(reached(map.homes_outside(map.gpu(0))), ElementsAre(Pair(NodeKind::home, 2), Pair(NodeKind::home, 3)));
}

TEST(PagedHomes, ThePageBelongsToTheModuleThatTouchesItFirst) {
  Placed placed(PagePlacement::first_touch);
  std::vector<std::pair<std::uint64_t, unsigned>> moved;
  placed.pages.on_move([&](std::uint64_t page, unsigned, unsigned to) { moved.emplace_back(page, to); });
  EXPECT_EQ(placed.pages.home(0x5000).index, 0U) << "an access of nobody places nothing";
  EXPECT_EQ(placed.home(0x5100, 5) / 2, 2U);
  EXPECT_EQ(placed.home(0x5000, 0) / 2, 2U) << "it stays there";
  EXPECT_EQ(placed.pages.home(0x5f80).index / 2, 2U);
  EXPECT_EQ(placed.home(0x6000, 8) / 2, 0U);
  EXPECT_THAT(moved, ElementsAre(Pair(0x5000, 2))) << "once, and not within the first module";
}

TEST(ModuleMap, CopyEnginesAreInTheFirstModulesOfTheirGpus) {
  const ModuleMap map(two_by_two(PagePlacement::hash), 8, 11, 4, {}, 2);
  EXPECT_EQ(map.module_of_l1(8), 0U) << "a foreign initiator";
  EXPECT_EQ(map.module_of_l1(9), 0U);
  EXPECT_EQ(map.module_of_l1(10), 2U);
  const auto reached = [](const ModuleMap::Nodes& nodes) {
    std::vector<unsigned> all;
    for (const Router::Nodes& some : nodes) {
      for (unsigned i = 0; i < some.count; ++i) all.push_back(some.first + i);
    }
    return all;
  };
  EXPECT_THAT(reached(map.l1s(ModuleMap::module(0))), ElementsAre(0, 1, 8, 9));
  EXPECT_THAT(reached(map.l1s(ModuleMap::module(1))), ElementsAre(2, 3));
  EXPECT_THAT(reached(map.l1s(ModuleMap::module(2))), ElementsAre(4, 5, 10));
  EXPECT_THAT(reached(map.l1s(map.gpu(1))), ElementsAre(4, 5, 6, 7, 10));
  EXPECT_THAT(reached(map.l1s_outside(map.gpu(1))), ElementsAre(0, 1, 2, 3, 8, 9));
}

TEST(PagedHomes, MemoryOfAGpuLiesInItsModules) {
  for (const PagePlacement placement :
       {PagePlacement::first_touch, PagePlacement::interleaved, PagePlacement::hash, PagePlacement::fixed}) {
    Placed placed(placement, 3);
    placed.pages.give(0x8000, 0x10000, 1);
    placed.pages.give(0x2000, 0x3000, 0);
    for (std::uint64_t page = 0x8000; page < 0x10000; page += 4096) EXPECT_GE(placed.home(page, 0) / 2, 2U);
    EXPECT_LT(placed.home(0x2000, 7) / 2, 2U);
    if (placement == PagePlacement::fixed) {
      EXPECT_EQ(placed.home(0x1000, 0) / 2, 3U) << "memory of all";
      EXPECT_EQ(placed.home(0x10000, 0) / 2, 3U);
    }
  }
}

TEST(PagedHomes, AHashUsesAllModulesInNoOrder) {
  const Placed placed(PagePlacement::hash);
  std::set<unsigned> used;
  unsigned in_turn = 0;
  for (unsigned page = 0; page < 64; ++page) {
    const unsigned module = placed.home(std::uint64_t{page} * 4096, 0) / 2;
    used.insert(module);
    in_turn += module == page % 4 ? 1 : 0;
  }
  EXPECT_THAT(used, ElementsAre(0, 1, 2, 3));
  EXPECT_LT(in_turn, 40U);
}

TEST(PagedHomes, CopyEnginesPlacePagesOfAGpuInTurn) {
  const ModulesSpec spec = two_by_two(PagePlacement::first_touch);
  const ModuleMap map(spec, 8, 11, 8, {}, 2);
  PagedHomes pages(spec.pages, partitions(8), map);
  pages.give(0x8000, 0x10000, 1);
  const NodeId engine = l1_node(base::SmId(10));  // that of GPU 1, in its first module
  EXPECT_EQ(pages.home(base::LineAddress(0x8000), isa::Scope::none, engine).index / 2, 2U);
  EXPECT_EQ(pages.home(base::LineAddress(0x9000), isa::Scope::none, engine).index / 2, 3U);
}

TEST(PagedHomes, PiecesOfMemoryEndWithThePage) {
  const ModulesSpec spec = two_by_two(PagePlacement::interleaved);
  const ModuleMap map(spec, 8, 9, 8);
  const PagedHomes pages(spec.pages, partitions(8, 8192), map);  // pieces of two pages, but for the modules
  EXPECT_EQ(pages.together(0xff0), 16U);
}

TEST(PagedHomes, APageOfAGpuIsPlacedByItsOwnSmsOrInTurn) {
  Placed placed(PagePlacement::first_touch);
  std::vector<std::pair<unsigned, unsigned>> moved;
  placed.pages.on_move([&](std::uint64_t, unsigned from, unsigned to) { moved.emplace_back(from, to); });
  placed.pages.give(0x8000, 0x10000, 1);
  EXPECT_EQ(placed.pages.home(0x9000).index / 2, 2U) << "kept by the first module of the GPU";
  EXPECT_EQ(placed.home(0x9000, 6) / 2, 3U);
  EXPECT_EQ(placed.home(0xa000, 4) / 2, 2U);
  EXPECT_EQ(placed.home(0xb000, 0) / 2, 3U) << "a peer: the odd page in the odd module";
  EXPECT_EQ(placed.home(0xc000, 3) / 2, 2U);
  EXPECT_THAT(moved, ElementsAre(Pair(2, 3), Pair(2, 3)));
}

TEST(PagedHomes, PagesGoRoundOrToOneOrByAHash) {
  const Placed interleaved(PagePlacement::interleaved), fixed(PagePlacement::fixed, 3), hash(PagePlacement::hash);
  std::set<unsigned> by_hash;
  for (unsigned page = 0; page < 64; ++page) {
    EXPECT_EQ(interleaved.home(page * 4096, 7) / 2, page % 4);
    EXPECT_EQ(fixed.home(page * 4096, 0) / 2, 3U);
    by_hash.insert(hash.home(page * 4096, 0) / 2);
  }
  EXPECT_EQ(by_hash.size(), 4U);
}

TEST(PagedHomes, AnAddressInItsHomeLeadsBack) {
  const Placed placed(PagePlacement::hash);
  std::set<std::pair<unsigned, std::uint64_t>> all;
  for (std::uint64_t address = 0; address < 1 << 18; address += 128) {
    const NodeId home = placed.pages.home(address);
    EXPECT_EQ(placed.pages.global(home, placed.pages.local(address)), address);
    EXPECT_TRUE(all.emplace(home.index, placed.pages.local(address)).second) << "another one lies there";
  }
}

TEST(PagedHomes, WhatLiesTogetherEndsWithTheChunkOrThePage) {
  const Placed placed(PagePlacement::interleaved);
  EXPECT_EQ(placed.pages.together(0x1010), 256U - 0x10);
  const PagedHomes large_chunks(placed.spec.pages, partitions(8, 8192), placed.map);
  EXPECT_EQ(large_chunks.together(0x1010), 4096U - 0x10);
}

/// The same with room for two pages of each module before the address 0x100000.
struct Limited : Placed {
  explicit Limited(PagePlacement placement, unsigned module = 0) : Placed(placement, module) {
    pages.limit(2, 0x100000);
  }
  std::vector<unsigned> modules(std::uint64_t first, unsigned count, unsigned sm) const {
    std::vector<unsigned> of;
    for (unsigned i = 0; i < count; ++i) of.push_back(home(first + i * 0x1000, sm) / 2);
    return of;
  }
};

TEST(PagedHomes, AFullModuleHandsPagesOnWithinItsGpuFirst) {
  const Limited placed(PagePlacement::first_touch);
  EXPECT_THAT(placed.modules(0x4000, 8, 6), ElementsAre(3, 3, 2, 2, 1, 1, 0, 0));
  EXPECT_THAT(placed.modules(0x4000, 8, 0), ElementsAre(3, 3, 2, 2, 1, 1, 0, 0)) << "they stay";
  EXPECT_THAT(placed.modules(0x100000, 3, 6), ElementsAre(3, 3, 3)) << "what is no program's takes no room";
  EXPECT_EQ(placed.pages.guests(0), 4U);
  EXPECT_THAT(test::error_of<base::ModelError>([&] { placed.home(0x20000, 0); }),
              testing::HasSubstr("no module from 0 to 3 has room for a page"));
}

TEST(PagedHomes, PagesOfAGpuHaveTheirRoomBeforeTheyArePlaced) {
  Limited placed(PagePlacement::first_touch);
  placed.pages.give(0x8000, 0xb000, 1);
  EXPECT_THAT(placed.modules(0x4000, 2, 6), ElementsAre(3, 1)) << "three of the four pages of the GPU are given away";
  EXPECT_THAT(placed.modules(0x8000, 3, 6), ElementsAre(3, 2, 2));
  EXPECT_EQ(placed.pages.guests(1), 1U);
}

TEST(PagedHomes, UnderALimitPagesInTurnAreHandedOnToo) {
  for (const PagePlacement placement : {PagePlacement::interleaved, PagePlacement::hash}) {
    const Limited placed(placement);
    std::vector<unsigned> found(4);
    for (const std::uint64_t page : {0, 4, 8, 12, 1, 2, 3, 5}) ++found[placed.home(page * 0x1000, 0) / 2];
    EXPECT_THAT(found, testing::Each(2));
  }
  EXPECT_THAT(Limited(PagePlacement::interleaved).modules(0x4000, 4, 0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Limited(PagePlacement::interleaved).modules(0x101000, 3, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(Limited(PagePlacement::fixed, 2).modules(0x4000, 4, 0), ElementsAre(2, 2, 2, 2))
      << "who allocates counts";
}

}  // namespace
}  // namespace syncline::models
