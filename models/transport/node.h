// Who sends and who receives: an identity that means the same everywhere, whatever ports lie between.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"

namespace syncline::models {

/// A part of a system that shares a network and a set of homes: a module (GPM) of a GPU.
struct GpuPlace {
  std::uint8_t gpu = 0;
  std::uint8_t gpm = 0;
  friend constexpr bool operator==(GpuPlace a, GpuPlace b) { return a.gpu == b.gpu && a.gpm == b.gpm; }
  friend constexpr bool operator!=(GpuPlace a, GpuPlace b) { return !(a == b); }
};

/// What stands before the names of a place's clocks, and of those random streams that are not named after a block, so
/// that each place has its own: nothing for the first GPU and its first module, whose names are those of a lone GPU;
/// else "gpu1.", "gpu1.gpm2.", "gpm2.".
std::string prefix(GpuPlace place);

enum class NodeKind : std::uint8_t {
  none,
  l1,    ///< index: number of its SM, or beyond these that of a foreign initiator
  home,  ///< an L2 slice; index: number of its partition
  unit   ///< between crossbar and home; index: number of its partition
};

struct NodeId {
  GpuPlace place;
  NodeKind kind = NodeKind::none;
  std::uint8_t unit = 0;    ///< of kind `unit`: which of its partition, 0 is next to the crossbar
  std::uint16_t index = 0;  ///< among the nodes of its kind in its place

  friend constexpr bool operator==(const NodeId& a, const NodeId& b) {
    return a.place == b.place && a.kind == b.kind && a.unit == b.unit && a.index == b.index;
  }
  friend constexpr bool operator!=(const NodeId& a, const NodeId& b) { return !(a == b); }
};
static_assert(sizeof(NodeId) <= 8, "every message carries two");

constexpr NodeId l1_node(base::SmId sm, GpuPlace place = {}) {
  return {place, NodeKind::l1, 0, sm.value()};
}
constexpr NodeId home_node(base::PartitionId partition, GpuPlace place = {}) {
  return {place, NodeKind::home, 0, partition.value()};
}
constexpr NodeId unit_node(const NodeId& home, std::uint8_t unit) {
  return {home.place, NodeKind::unit, unit, home.index};
}

/// "l1 3", "home 0", "unit 1 of home 0"; with the place before it where that is not the first one: "gpu1.l1 3".
std::string name(const NodeId& node);

}  // namespace syncline::models
