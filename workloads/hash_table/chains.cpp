#include "workloads/hash_table/chains.h"

#include <fmt/format.h>

#include <algorithm>

namespace syncline::workloads::hash_table {

Verdict check_chains(const std::vector<std::uint32_t>& keys, const std::vector<std::uint32_t>& heads,
                     const std::vector<Node>& nodes) {
  // Multiplication by 2^32 divided by the golden ratio, of which the high bits choose the bucket.
  const auto bucket_of = [&](std::uint32_t key) {
    return (std::uint64_t{key} * 2'654'435'769U & 0xffff'ffffU) * heads.size() >> 32U;
  };
  std::vector<std::uint32_t> found(nodes.size());
  std::size_t longest = 0;
  for (std::size_t bucket = 0; bucket < heads.size(); ++bucket) {
    std::size_t length = 0;
    for (std::uint32_t link = heads[bucket]; link != 0; link = nodes[link - 1].next) {
      if (link > nodes.size())
        return {false, fmt::format("bucket {} leads to node {} of {}", bucket, link, nodes.size())};
      const std::uint32_t key = nodes[link - 1].key;
      if (key != keys[link - 1]) return {false, fmt::format("node {} holds key {}, not {}", link, key, keys[link - 1])};
      if (bucket_of(key) != bucket)
        return {false, fmt::format("key {} is in bucket {}, not {}", key, bucket, bucket_of(key))};
      if (found[link - 1]++ != 0) return {false, fmt::format("key {} is found twice", key)};
      ++length;
    }
    longest = std::max(longest, length);
  }
  const auto missing = std::count(found.begin(), found.end(), 0U);
  if (missing != 0) {
    const auto first = std::find(found.begin(), found.end(), 0U) - found.begin();
    return {false, fmt::format("{} of {} keys are not found, first key {}", missing, keys.size(),
                               keys[static_cast<std::size_t>(first)])};
  }
  return {true, fmt::format("every one of {} keys is found once; the longest chain has {}", keys.size(), longest)};
}

}  // namespace syncline::workloads::hash_table
