#include "protocols/coherence/tc/lease_predictor.h"

#include <algorithm>

namespace syncline::protocols::tc {

std::uint64_t LeasePredictor::lease(const NodeMeta& node, unsigned index) const {
  return static_cast<std::uint64_t>(std::int64_t{spec_.lease} + node.leases[index]);
}

void LeasePredictor::learn(NodeMeta& node, unsigned index, std::int64_t change, std::int64_t least) const {
  if (spec_.predictor == TcPredictor::fixed) return;
  const auto now = static_cast<std::int64_t>(lease(node, index));
  const std::int64_t next = std::clamp<std::int64_t>(now + change, std::min(now, least), spec_.lease_ceiling);
  node.leases[index] = static_cast<std::int32_t>(next - std::int64_t{spec_.lease});
}

void LeasePredictor::store_met_lease(NodeMeta& node, unsigned index) const {
  learn(node, index, -std::int64_t{spec_.store_penalty}, spec_.lease);
}

void LeasePredictor::evicted_with_lease(NodeMeta& node, unsigned index) const {
  learn(node, index, -std::int64_t{spec_.eviction_penalty}, spec_.lease_floor);
}

void LeasePredictor::load_found_expired(NodeMeta& node, unsigned index) const {
  learn(node, index, std::int64_t{spec_.expired_reward}, spec_.lease_floor);
}

}  // namespace syncline::protocols::tc
