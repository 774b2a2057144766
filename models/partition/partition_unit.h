// The seam of a memory partition: units between the crossbar and the L2 slice that claim messages, as a rule all of a
// family.
#pragma once

#include <vector>

#include "models/block/path_unit.h"

namespace syncline::models {

/// A link in the chain crossbar -> unit -> ... -> L2 -> ... -> unit -> crossbar. Both directions pass through each
/// unit; what a unit does not claim goes through at once, in no time and in order. Validation unit, commit unit and
/// Z-unit are such units; without any, the crossbar is bound to the L2 directly.
///
/// A unit that claims a message may hold it, answer it (`reply`), and ask the L2 (`ask`, `forward`): a reply finds its
/// unit by Message::destination, however many of them there are.
class PartitionUnit : public PathUnit {
 public:
  using PathUnit::PathUnit;

 protected:
  /// Who this unit is, and the home behind it; from its binding on.
  const NodeId& node() const { return node_; }
  const NodeId& home() const { return home_; }
  /// A new message to the home about `line`, for the access that `cause` belongs to; to be dressed and forwarded.
  Message& ask(base::LineAddress line, const Message& cause);
  /// `request` becomes a message of this unit to who sent it; to be dressed.
  void turn(Message& request) const;

 private:
  friend void bind_partition_path(OutSocket&, const std::vector<PartitionUnit*>&, InSocket&, OutSocket&, InSocket&,
                                  const NodeId&);
  bool claims_reply(const Message& reply) const final { return reply.destination == node_; }

  NodeId node_, home_;
};

/// Binds crossbar output -> units in order -> L2, and the L2's replies back through them -> crossbar input.
/// `from_network` sends requests to this partition; `to_network` takes its replies. `home` is the L2's identity.
void bind_partition_path(OutSocket& from_network, const std::vector<PartitionUnit*>& units, InSocket& l2_in,
                         OutSocket& l2_out, InSocket& to_network, const NodeId& home = home_node(base::PartitionId(0)));

}  // namespace syncline::models
