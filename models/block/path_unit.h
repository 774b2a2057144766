// A unit in the way of messages between two blocks: requests pass it in one direction, replies in the other. What it
// does not claim goes through at once, in no time and in order.
#pragma once

#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// Stands in a memory partition (models/partition/partition_unit.h) or between an SM and its L1 (models/sm/sm_unit.h).
class PathUnit : public Block, protected MessageReceiver, protected MessageSender {
 public:
  PathUnit(const sc_core::sc_module_name& name, PlatformContext& context);

  MessageTarget request_in;      ///< from who asks, or the unit before
  MessageInitiator request_out;  ///< to who answers, or the unit behind
  MessageTarget reply_in;        ///< from who answers, or the unit behind
  MessageInitiator reply_out;    ///< to who asks, or the unit before

  std::vector<std::string> describe_waiting() const override;
  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }

 protected:
  /// Is this request, or this reply, for this unit?
  virtual bool claims(const Message& request) const = 0;
  virtual bool claims_reply(const Message&) const { return false; }
  /// Takes a claimed message, or refuses it for now (call request_in.resume / reply_in.resume later).
  virtual bool accept(Message& request, const sc_core::sc_time& arrival) = 0;
  virtual bool accept_reply(Message& reply, const sc_core::sc_time& arrival);

  /// Sends towards who answers (who asks). Only when can_forward (can_reply) is true for the message's network.
  void forward(Message& message, const sc_core::sc_time& at);
  void reply(Message& message, const sc_core::sc_time& at);
  bool can_forward(VirtualNetwork network) const { return request_out.ready(network); }
  bool can_reply(VirtualNetwork network) const { return reply_out.ready(network); }
  /// The link is free again; called before messages that pass through get it.
  virtual void on_can_forward(VirtualNetwork) {}
  virtual void on_can_reply(VirtualNetwork) {}

 private:
  static constexpr unsigned request_side = 0, reply_side = 1;
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) final;
  void on_ready(VirtualNetwork network, unsigned port) final;
};

/// Binds `requests` -> units in order -> `requests_end`, and `replies` back through them -> `replies_end`.
template <class Unit>
void bind_path(OutSocket& requests, const std::vector<Unit*>& units, InSocket& requests_end, OutSocket& replies,
               InSocket& replies_end) {
  OutSocket* out = &requests;
  InSocket* in = &replies_end;
  for (PathUnit* const unit : units) {
    out->bind(unit->request_in.socket);
    unit->reply_out.socket.bind(*in);
    out = &unit->request_out.socket;
    in = &unit->reply_in.socket;
  }
  out->bind(requests_end);
  replies.bind(*in);
}

}  // namespace syncline::models
