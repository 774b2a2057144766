// Frequent sets of items on the CPU, by levels and, as a check, depth first.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::workloads::apriori {

using Items = std::uint64_t;  ///< a set of up to 64 items, as bits

/// As it lies in the device's memory.
struct Record {
  Items items = 0;
  std::uint32_t value = 0;
  std::uint32_t unused = 0;
};
/// The records that contain a set: how many, and what they are worth together.
struct Support {
  std::uint32_t records = 0;
  std::uint32_t value = 0;
};

/// Sets with one item more than those of `frequent`, all of whose subsets with one item less are in it. `frequent` is
/// sorted and its sets have equally many items, at least one; so is what is returned.
std::vector<Items> candidates_of(const std::vector<Items>& frequent);

Support support_of(Items items, const std::vector<Record>& records);

/// All sets that at least `least` records contain, sorted, found by dividing the records item by item.
std::vector<Items> frequent_sets(const std::vector<Record>& records, std::uint32_t item_count, std::uint32_t least);

}  // namespace syncline::workloads::apriori
