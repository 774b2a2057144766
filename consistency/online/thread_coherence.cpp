#include "consistency/online/thread_coherence.h"

#include <algorithm>
#include <iterator>

namespace syncline::consistency {
namespace {

using Seen = ThreadCoherence::Seen;
using Hops = std::vector<DynamicOrder::Hop>;

/// The cycle of two accesses to the same bytes of which `first` comes first in the program.
Hops cycle_of(const Seen& first, const Seen& second, const LineRecord& record, const DynamicOrder& order) {
  const base::ByteMask bytes = first.bytes & second.bytes;
  const DynamicOrder::Hop in_program{first.node, OrderReason::program_order};
  if (first.is_write) {
    if (first.version <= second.version) return {};
    return {in_program, {second.node, second.is_write ? OrderReason::coherence_order : OrderReason::from_reads}};
  }
  if (first.version < second.version || (first.version == second.version && !second.is_write)) return {};
  // The first has read something that is newer than the second, or that the second has written.
  Hops hops;
  const LineVersion older = second.is_write ? second.version - 1 : second.version;
  record.for_each_between(bytes, older, first.version, [&](const LineRecord::Write& write) {
    if (!order.knows(write.node)) return false;
    if (write.node == second.node) {
      hops = {in_program, {second.node, OrderReason::reads_from}};
    } else if (write.strong && first.strong && second.strong) {
      const OrderReason reason = second.is_write ? OrderReason::coherence_order : OrderReason::from_reads;
      hops = {in_program, {second.node, reason}, {write.node, OrderReason::reads_from}};
    }
    return !hops.empty();
  });
  return hops;
}

/// Whatever contradicts `old` contradicts `fresh`, if it comes behind both in the program.
bool stands_for(const Seen& fresh, const Seen& old) {
  return fresh.is_write == old.is_write && fresh.step > old.step && fresh.version >= old.version &&
         (fresh.strong || !old.strong) && fresh.bytes.contains(old.bytes);
}

}  // namespace

Hops ThreadCoherence::add(std::uint32_t thread, std::uint64_t line, const Seen& access, const LineRecord& record,
                          const DynamicOrder& order) {
  auto& others = seen_[{thread, line}];
  others.erase(std::remove_if(others.begin(), others.end(), [&](const Seen& seen) { return !order.knows(seen.node); }),
               others.end());
  for (const Seen& other : others) {
    if (other.step == access.step || !other.bytes.overlaps(access.bytes)) continue;
    Hops hops =
        other.step < access.step ? cycle_of(other, access, record, order) : cycle_of(access, other, record, order);
    if (!hops.empty()) return hops;
  }
  others.erase(std::remove_if(others.begin(), others.end(), [&](const Seen& seen) { return stands_for(access, seen); }),
               others.end());
  if (others.size() == remembered) others.erase(others.begin());
  others.push_back(access);
  return {};
}

void ThreadCoherence::forget(const DynamicOrder& order) {
  for (auto entry = seen_.begin(); entry != seen_.end();) {
    auto& seen = entry->second;
    seen.erase(std::remove_if(seen.begin(), seen.end(), [&](const Seen& s) { return !order.knows(s.node); }),
               seen.end());
    entry = seen.empty() ? seen_.erase(entry) : std::next(entry);
  }
}

}  // namespace syncline::consistency
