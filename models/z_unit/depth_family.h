// The family of messages by which writes are ordered by depth: what a Z-unit claims.
#pragma once

#include <cstdint>

#include "models/transport/message_family.h"

namespace syncline::models {

extern const MessageFamily depth_family;

enum class DepthKind : std::uint8_t {
  write,  ///< write where the depth is at most the stored depth, granule by granule
  clear   ///< all depths of the partition of `line` become the farthest; the mask is empty
};

struct DepthBody {
  std::uint32_t depth = 0;  ///< of all bytes of the mask; the smaller one wins (GPUDet 4.4.2)
};

/// A store of an SM becomes one that is ordered by depth, or clears all depths.
inline void order_by_depth(Message& store, DepthKind kind, std::uint32_t depth = 0) {
  set_kind(store, depth_family, static_cast<std::uint8_t>(kind));
  body<DepthBody>(store).depth = depth;
}
inline DepthKind depth_kind(const Message& message) {
  return static_cast<DepthKind>(message.kind);
}

}  // namespace syncline::models
