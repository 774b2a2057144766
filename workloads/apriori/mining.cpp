#include "workloads/apriori/mining.h"

#include <algorithm>

namespace syncline::workloads::apriori {
namespace {

Items last_item(Items items) {
  while ((items & (items - 1)) != 0) items &= items - 1;
  return items;
}

/// Extends `base`, which all of `containing` contain, by each item from `next` on.
void extend(Items base, std::uint32_t next, std::uint32_t item_count, std::uint32_t least,
            const std::vector<const Record*>& containing, std::vector<Items>& found) {
  for (std::uint32_t item = next; item < item_count; ++item) {
    const Items bit = Items{1} << item;
    std::vector<const Record*> remaining;
    std::copy_if(containing.begin(), containing.end(), std::back_inserter(remaining),
                 [bit](const Record* record) { return (record->items & bit) != 0; });
    if (remaining.size() < least) continue;
    found.push_back(base | bit);
    extend(base | bit, item + 1, item_count, least, remaining, found);
  }
}

}  // namespace

std::vector<Items> candidates_of(const std::vector<Items>& frequent) {
  const auto is_frequent = [&frequent](Items items) {
    return std::binary_search(frequent.begin(), frequent.end(), items);
  };
  std::vector<Items> candidates;
  for (const Items a : frequent)
    for (const Items b : frequent) {
      // The join of two sets that differ in their last items alone gives each candidate once.
      if (last_item(a) >= last_item(b) || (a ^ last_item(a)) != (b ^ last_item(b))) continue;
      const Items joined = a | b;
      bool all_frequent = true;
      for (Items rest = joined; rest != 0; rest &= rest - 1)
        all_frequent &= is_frequent(joined & ~(rest & (~rest + 1)));
      if (all_frequent) candidates.push_back(joined);
    }
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

Support support_of(Items items, const std::vector<Record>& records) {
  Support support;
  for (const Record& record : records) {
    if ((record.items & items) != items) continue;
    ++support.records;
    support.value += record.value;
  }
  return support;
}

std::vector<Items> frequent_sets(const std::vector<Record>& records, std::uint32_t item_count, std::uint32_t least) {
  std::vector<const Record*> all(records.size());
  std::transform(records.begin(), records.end(), all.begin(), [](const Record& record) { return &record; });
  std::vector<Items> found;
  extend(0, 0, item_count, least, all, found);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace syncline::workloads::apriori
