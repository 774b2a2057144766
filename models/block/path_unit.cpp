#include "models/block/path_unit.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/transport/delay_until.h"

namespace syncline::models {

PathUnit::PathUnit(const sc_core::sc_module_name& name, PlatformContext& context)
    : Block(name, context),
      request_in("request_in", *this, request_side),
      request_out("request_out", *this, request_side),
      reply_in("reply_in", *this, reply_side),
      reply_out("reply_out", *this, reply_side) {}

bool PathUnit::receive(Message& message, const sc_core::sc_time& arrival, unsigned port) {
  const bool is_request = port == request_side;
  if (is_request ? claims(message) : claims_reply(message))
    return is_request ? accept(message, arrival) : accept_reply(message, arrival);
  MessageInitiator& out = is_request ? request_out : reply_out;
  if (!out.ready(message.network)) return false;
  out.send(message, delay_until(arrival));
  return true;
}

void PathUnit::on_ready(VirtualNetwork network, unsigned port) {
  if (port == request_side) {
    on_can_forward(network);
    if (request_out.ready(network)) request_in.resume(network);
  } else {
    on_can_reply(network);
    if (reply_out.ready(network)) reply_in.resume(network);
  }
}

bool PathUnit::accept_reply(Message& reply, const sc_core::sc_time&) {
  throw base::ModelError(fmt::format("{} has asked nobody, but a {} for it arrives from {}", name(), describe(reply),
                                     models::name(reply.source)));
}

void PathUnit::forward(Message& message, const sc_core::sc_time& at) {
  request_out.send(message, delay_until(at));
}

void PathUnit::reply(Message& message, const sc_core::sc_time& at) {
  reply_out.send(message, delay_until(at));
}

std::vector<std::string> PathUnit::describe_waiting() const {
  std::vector<std::string> lines;
  if (request_in.any_waiting()) lines.push_back(fmt::format("{}: a request waits at its input", name()));
  if (reply_in.any_waiting()) lines.push_back(fmt::format("{}: a reply waits at its input", name()));
  return lines;
}

}  // namespace syncline::models
