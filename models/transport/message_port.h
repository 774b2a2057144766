// The two ends of an on-chip link: an initiator socket that sends messages and a target socket that takes them.
//
// A link carries messages one way. The sender calls `try_send`: true means that the receiver has the message (BEGIN_REQ
// answered with END_REQ); false that the receiver keeps the link of that virtual network busy until it sends END_REQ,
// on which the sender's `on_ready` is called. Blocked links are the only back-pressure: no queue is infinite. The
// `delay` of nb_transport_fw is honoured: a message arrives `delay` after now (LRM 11.1.3, timing annotation), so a
// sender that runs ahead of time stays exact.
#pragma once

#include <array>
#include <string>
#include <systemc>
#include <tlm>

#include "models/transport/message.h"
#include "models/transport/message_listener.h"

namespace syncline::models {

inline constexpr unsigned max_virtual_networks = 12;

/// The two ends of a link as others bind them: `out.bind(in)`. Those of MessageInitiator and MessageTarget are such,
/// and so are the sockets of a block that uses neither.
using OutSocket = tlm::tlm_initiator_socket<32, MessageProtocol>;
using InSocket = tlm::tlm_target_socket<32, MessageProtocol>;

/// What the owner of a receiving port implements.
class MessageReceiver {
 public:
  virtual ~MessageReceiver() = default;
  /// Takes the message that arrives at `arrival` (absolute), or refuses it for now (queue full). Refused messages are
  /// kept by the port, and offered again when the owner calls `MessageTarget::resume`.
  virtual bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) = 0;
};

/// What the owner of a sending port implements.
class MessageSender {
 public:
  virtual ~MessageSender() = default;
  /// The link of `network` is free again: the message that was waiting has been taken.
  virtual void on_ready(VirtualNetwork network, unsigned port) = 0;
};

/// Sending end. `port` is handed back in callbacks, for owners of several ports. It is what its socket calls: a message
/// takes a virtual call, not the three of a convenience socket.
class MessageInitiator : private tlm::tlm_bw_transport_if<MessageProtocol> {
 public:
  MessageInitiator(const std::string& name, MessageSender& owner, unsigned port = 0);
  /// Passes one reference of `message` on. False: accepted by the link, but the link is now busy (do not send again on
  /// that network before `on_ready`); the reference is passed on all the same. Sending on a busy network is a
  /// ModelError.
  bool send(Message& message, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  bool ready(VirtualNetwork network) const { return !busy_[network]; }
  bool any_busy() const;

 private:
  // What every message reads stands before the socket, in one line of the host's.
  tlm::tlm_fw_transport_if<MessageProtocol>* other_end_ = nullptr;  ///< null: nothing was sent yet
  MessageSender& owner_;
  unsigned port_;
  std::array<bool, max_virtual_networks> busy_{};

 public:
  OutSocket socket;

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}  // messages have no memory to point into
};

/// Receiving end. Of the four ways of a socket only the non-blocking one is spoken here.
class MessageTarget : private tlm::tlm_fw_transport_if<MessageProtocol> {
 public:
  MessageTarget(const std::string& name, MessageReceiver& owner, unsigned port = 0);
  /// Offers the message that waits on `network` again, if there is one, and frees the link when it is taken.
  void resume(VirtualNetwork network) {
    if (waiting(network)) offer_again(network);
  }
  /// The same on each network in turn, as long as `has_room()`.
  template <class HasRoom>
  void resume_all(HasRoom&& has_room) {
    for (unsigned network = 0; any_waiting() && network < max_virtual_networks; ++network) {
      if (has_room()) resume(static_cast<VirtualNetwork>(network));
    }
  }
  void resume_all() {
    resume_all([] { return true; });
  }
  bool waiting(VirtualNetwork network) const { return count_ != 0 && waiting_[network].message != nullptr; }
  bool any_waiting() const { return count_ != 0; }

 private:
  // As of MessageInitiator.
  MessageReceiver& owner_;
  unsigned port_;
  unsigned count_ = 0;                   ///< messages that wait
  MessageListener* listener_ = nullptr;  ///< null: nobody follows messages to there
  const Block* block_ = nullptr;         ///< that it belongs to; null: none of ours

 public:
  InSocket socket;

 private:
  void offer_again(VirtualNetwork network);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  struct Waiting {
    Message* message = nullptr;
    sc_core::sc_time arrival;  ///< a refused message does not arrive earlier than its sender said
  };
  std::array<Waiting, max_virtual_networks> waiting_{};
};

}  // namespace syncline::models
