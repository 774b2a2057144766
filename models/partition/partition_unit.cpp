#include "models/partition/partition_unit.h"

namespace syncline::models {

Message& PartitionUnit::ask(base::LineAddress line, const Message& cause) {
  Message& m = tile().messages().get();
  m.line = line;
  m.source = node_;
  m.destination = home_;
  m.requester = cause.requester;
  m.warp = cause.warp;
  m.pc = cause.pc;
  return m;
}

void PartitionUnit::turn(Message& request) const {
  request.destination = request.source;
  request.source = node_;
}

void bind_partition_path(OutSocket& from_network, const std::vector<PartitionUnit*>& units, InSocket& l2_in,
                         OutSocket& l2_out, InSocket& to_network, const NodeId& home) {
  std::uint8_t number = 0;
  for (PartitionUnit* const unit : units) {
    unit->home_ = home;
    unit->node_ = unit_node(home, number++);
  }
  bind_path(from_network, units, l2_in, l2_out, to_network);
}

}  // namespace syncline::models
