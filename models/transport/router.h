// Which output port of a network leads to a node: a table that is made when the network is.
#pragma once

#include <cstdint>
#include <vector>

#include "models/transport/node.h"

namespace syncline::models {

class Router {
 public:
  static constexpr unsigned nowhere = ~0U;

  /// Nodes of a kind with neighbouring indices. A unit is reached where its home is.
  struct Nodes {
    NodeKind kind = NodeKind::none;
    unsigned first = 0, count = 0;  ///< indices
    GpuPlace place;
  };

  /// The next `nodes.count` ports lead to one of them each, in their order.
  Router& add(const Nodes& nodes) {
    groups_.push_back({nodes, ports_, 1});
    ports_ += nodes.count;
    return *this;
  }
  /// The nodes with the indices 0 to `count` - 1.
  Router& add(NodeKind kind, unsigned count, GpuPlace place = {}) { return add({kind, 0, count, place}); }
  static Router to(NodeKind kind, unsigned count, GpuPlace place = {}) { return Router().add(kind, count, place); }
  /// The next port leads to all of these, by way of whatever is bound to it.
  Router& add_way(const std::vector<Nodes>& to_all_of) {
    for (const Nodes& nodes : to_all_of) groups_.push_back({nodes, ports_, 0});
    ++ports_;
    return *this;
  }

  unsigned ports() const { return ports_; }
  /// `nowhere`: no port leads there.
  unsigned port(const NodeId& node) const {
    const NodeKind kind = node.kind == NodeKind::unit ? NodeKind::home : node.kind;
    for (const Group& group : groups_) {
      const Nodes& nodes = group.nodes;
      const unsigned behind = unsigned{node.index} - nodes.first;  // large for one before the first
      if (nodes.kind == kind && behind < nodes.count && nodes.place == node.place)
        return group.port + behind * group.step;
    }
    return nowhere;
  }

 private:
  struct Group {
    Nodes nodes;
    unsigned port, step;
  };
  std::vector<Group> groups_;  ///< one in the networks of a GPU without modules
  unsigned ports_ = 0;
};

}  // namespace syncline::models
