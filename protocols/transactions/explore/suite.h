// Which programs of transactions are explored, and on which tables.
#pragma once

#include <string>
#include <vector>

#include "protocols/transactions/explore/local_world.h"
#include "protocols/transactions/explore/warptm_world.h"
#include "protocols/transactions/explore/world.h"

namespace syncline::protocols::transactions {

/// Every pair of transactions of two and three operations from loads and stores of two granules, in two warps: 3240.
std::vector<explore::Program> all_pairs();
/// Lost updates, skews, rings; lanes of one warp; transactions that follow each other; three warps.
std::vector<explore::Program> shapes();

/// Tables with room for all that a small program touches.
getm::GetmSpec roomy(getm::TieRule rule);
/// One place in each of `partitions` for exact metadata, one in the stash, one in the filter, one in the stall buffer.
getm::GetmSpec cramped(getm::TieRule rule, unsigned partitions);

/// Worlds that together lead a program through evictions, the stash, the list in memory, full stall buffers, rollovers,
/// logs that are not coalesced, and attempts that overlap their own commits. They end: where timestamps could move
/// apart without bound, aborts are counted or timestamps have two bits.
std::vector<WorldOptions> worlds(getm::TieRule rule);

/// The shapes above, and those that matter where values are compared and where writes take effect one by one.
std::vector<explore::Program> value_shapes();

/// Tables with room for all that a small program touches.
warptm::WarptmSpec roomy(warptm::Design design);
/// One entry in each.
warptm::WarptmSpec cramped(warptm::Design design);

struct WarptmCase {
  const char* name;
  warptm::Design design;
  WarptmWorldOptions world;
};
/// Worlds of all four designs that together lead a program through full tables and rings, aliases, late answers and
/// broadcasts, and every way to resolve a warp.
std::vector<WarptmCase> warptm_worlds();

/// Of a shared memory that is explored.
constexpr std::uint32_t local_banks = 2;

/// Shapes that matter in one shared memory: lanes of one wavefront and of two, up to four of one.
std::vector<explore::Program> local_shapes();

struct LocalCase {
  std::string name;
  LocalWorldOptions world;
};
/// Every way to find conflicts with every selection, on two banks, and signatures in which everything looks alike.
std::vector<LocalCase> local_worlds();

}  // namespace syncline::protocols::transactions
