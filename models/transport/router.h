// Which output port of a network leads to a node: a table that is made when the network is.
#pragma once

#include <cstdint>
#include <vector>

#include "models/transport/node.h"

namespace syncline::models {

class Router {
 public:
  static constexpr unsigned nowhere = ~0U;

  /// The nodes of this kind with the indices 0 to `count` - 1: the next `count` ports, in their order. A unit is
  /// reached by the port of its home.
  Router& add(NodeKind kind, unsigned count, GpuPlace place = {}) {
    groups_.push_back({place, kind, count, ports()});
    return *this;
  }
  static Router to(NodeKind kind, unsigned count, GpuPlace place = {}) { return Router().add(kind, count, place); }

  unsigned ports() const { return groups_.empty() ? 0 : groups_.back().first + groups_.back().count; }
  /// `nowhere`: no port leads there.
  unsigned port(const NodeId& node) const {
    const NodeKind kind = node.kind == NodeKind::unit ? NodeKind::home : node.kind;
    for (const Group& group : groups_) {
      if (group.kind == kind && group.place == node.place)
        return node.index < group.count ? group.first + node.index : nowhere;
    }
    return nowhere;
  }

 private:
  struct Group {
    GpuPlace place;
    NodeKind kind;
    unsigned count, first;
  };
  std::vector<Group> groups_;  ///< one in the networks of a GPU
};

}  // namespace syncline::models
