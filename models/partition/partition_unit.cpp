#include "models/partition/partition_unit.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/transport/delay_until.h"

namespace syncline::models {

PartitionUnit::PartitionUnit(const sc_core::sc_module_name& name, PlatformContext& context)
    : Block(name, context),
      request_in("request_in", *this, request_side),
      request_out("request_out", *this, request_side),
      reply_in("reply_in", *this, reply_side),
      reply_out("reply_out", *this, reply_side) {}

bool PartitionUnit::receive(Message& message, const sc_core::sc_time& arrival, unsigned port) {
  const bool is_request = port == request_side;
  if (is_request ? claims(message) : message.destination == node_)
    return is_request ? accept(message, arrival) : accept_reply(message, arrival);
  MessageInitiator& out = is_request ? request_out : reply_out;
  if (!out.ready(message.network)) return false;
  out.send(message, delay_until(arrival));
  return true;
}

void PartitionUnit::on_ready(VirtualNetwork network, unsigned port) {
  if (port == request_side) {
    on_can_forward(network);
    if (request_out.ready(network)) request_in.resume(network);
  } else {
    on_can_reply(network);
    if (reply_out.ready(network)) reply_in.resume(network);
  }
}

bool PartitionUnit::accept_reply(Message& reply, const sc_core::sc_time&) {
  throw base::ModelError(fmt::format("{} has asked nobody, but a {} for it arrives from {}", name(), describe(reply),
                                     models::name(reply.source)));
}

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

void PartitionUnit::forward(Message& message, const sc_core::sc_time& at) {
  request_out.send(message, delay_until(at));
}

void PartitionUnit::reply(Message& message, const sc_core::sc_time& at) {
  reply_out.send(message, delay_until(at));
}

std::vector<std::string> PartitionUnit::describe_waiting() const {
  std::vector<std::string> lines;
  if (request_in.any_waiting()) lines.push_back(fmt::format("{}: a request waits at its input", name()));
  if (reply_in.any_waiting()) lines.push_back(fmt::format("{}: a reply waits at its input", name()));
  return lines;
}

void bind_partition_path(OutSocket& from_network, const std::vector<PartitionUnit*>& units, InSocket& l2_in,
                         OutSocket& l2_out, InSocket& to_network, const NodeId& home) {
  OutSocket* requests = &from_network;
  InSocket* replies = &to_network;
  std::uint8_t number = 0;
  for (PartitionUnit* unit : units) {
    unit->home_ = home;
    unit->node_ = unit_node(home, number++);
    requests->bind(unit->request_in.socket);
    unit->reply_out.socket.bind(*replies);
    requests = &unit->request_out.socket;
    replies = &unit->reply_in.socket;
  }
  requests->bind(l2_in);
  l2_out.bind(*replies);
}

}  // namespace syncline::models
