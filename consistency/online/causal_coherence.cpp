#include "consistency/online/causal_coherence.h"

#include <algorithm>
#include <iterator>

namespace syncline::consistency {
namespace {

/// Whatever comes too late for `old` comes too late for `fresh`, which is behind it.
bool stands_for(const CausalCoherence::Seen& fresh, const CausalCoherence::Seen& old) {
  return fresh.thread == old.thread && fresh.step > old.step && fresh.version == old.version && !fresh.is_write &&
         !old.is_write && fresh.bytes.contains(old.bytes);
}

}  // namespace

void CausalCoherence::add(Few& few, const Seen& access) {
  few.erase(std::remove_if(few.begin(), few.end(), [&](const Seen& seen) { return stands_for(access, seen); }),
            few.end());
  if (few.size() == remembered) few.erase(few.begin());
  few.push_back(access);
}

void CausalCoherence::remember(std::uint64_t line, const Seen& access) {
  add(own_[{access.thread, line}], access);
  if (access.clock != nullptr) add(others_[line], access);
}

template <class Map>
void CausalCoherence::forget(Map& map, const DynamicOrder& order) {
  for (auto entry = map.begin(); entry != map.end();) {
    Few& few = entry->second;
    few.erase(std::remove_if(few.begin(), few.end(), [&](const Seen& seen) { return !order.knows(seen.node); }),
              few.end());
    entry = few.empty() ? map.erase(entry) : std::next(entry);
  }
}

void CausalCoherence::forget(const DynamicOrder& order) {
  forget(own_, order);
  forget(others_, order);
}

void CausalCoherence::clear() {
  own_.clear();
  others_.clear();
}

}  // namespace syncline::consistency
