// The seam of a memory partition: units between the crossbar and the L2 slice that claim messages, as a rule all of a
// family.
#pragma once

#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// A link in the chain crossbar -> unit -> ... -> L2 -> ... -> unit -> crossbar. Both directions pass through each
/// unit; what a unit does not claim goes through at once, in no time and in order. Validation unit, commit unit and
/// Z-unit are such units; without any, the crossbar is bound to the L2 directly.
///
/// A unit that claims a message may hold it, answer it (`reply`), and ask the L2 (`ask`, `forward`): a reply finds its
/// unit by Message::destination, however many of them there are.
class PartitionUnit : public Block, protected MessageReceiver, protected MessageSender {
 public:
  PartitionUnit(const sc_core::sc_module_name& name, PlatformContext& context);

  MessageTarget request_in;      ///< from the crossbar or the unit before
  MessageInitiator request_out;  ///< to the L2 or the unit behind
  MessageTarget reply_in;        ///< from the L2 or the unit behind
  MessageInitiator reply_out;    ///< to the crossbar or the unit before

  std::vector<std::string> describe_waiting() const override;
  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }

 protected:
  /// Is this request for this unit?
  virtual bool claims(const Message& request) const = 0;
  /// Takes a claimed message or a reply to this unit, or refuses it for now (call request_in.resume / reply_in.resume
  /// later).
  virtual bool accept(Message& request, const sc_core::sc_time& arrival) = 0;
  virtual bool accept_reply(Message& reply, const sc_core::sc_time& arrival);

  /// Who this unit is, and the home behind it; from its binding on.
  const NodeId& node() const { return node_; }
  const NodeId& home() const { return home_; }
  /// A new message to the home about `line`, for the access that `cause` belongs to; to be dressed and forwarded.
  Message& ask(base::LineAddress line, const Message& cause);
  /// `request` becomes a message of this unit to who sent it; to be dressed.
  void turn(Message& request) const;

  /// Sends towards the L2 (towards the SMs). Only when can_forward (can_reply) is true for the message's network.
  void forward(Message& message, const sc_core::sc_time& at);
  void reply(Message& message, const sc_core::sc_time& at);
  bool can_forward(VirtualNetwork network) const { return request_out.ready(network); }
  bool can_reply(VirtualNetwork network) const { return reply_out.ready(network); }
  /// The link is free again; called before messages that pass through get it.
  virtual void on_can_forward(VirtualNetwork) {}
  virtual void on_can_reply(VirtualNetwork) {}

 private:
  friend void bind_partition_path(OutSocket&, const std::vector<PartitionUnit*>&, InSocket&, OutSocket&, InSocket&,
                                  const NodeId&);
  static constexpr unsigned request_side = 0, reply_side = 1;
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) final;
  void on_ready(VirtualNetwork network, unsigned port) final;

  NodeId node_, home_;
};

/// Binds crossbar output -> units in order -> L2, and the L2's replies back through them -> crossbar input.
/// `from_network` sends requests to this partition; `to_network` takes its replies. `home` is the L2's identity.
void bind_partition_path(OutSocket& from_network, const std::vector<PartitionUnit*>& units, InSocket& l2_in,
                         OutSocket& l2_out, InSocket& to_network, const NodeId& home = home_node(base::PartitionId(0)));

}  // namespace syncline::models
