#include "models/transport/message_port.h"

#include <algorithm>

#include "base/error.h"
#include "base/taps.h"
#include "models/block/block.h"
#include "models/clock/turn.h"

namespace syncline::models {
namespace {

#ifdef SYNCLINE_CHECK_TILES
/// The tile of the block that a port belongs to; null where the module is none of ours.
const Tile* tile_at(const sc_core::sc_object& port) {
  const auto* const block = dynamic_cast<const Block*>(port.get_parent_object());
  return block != nullptr ? &block->tile() : nullptr;
}
/// The owner of a port is called by whoever is at the other end.
template <class Call>
auto in_the_tile_of(const sc_core::sc_object& port, Call&& call) {
  const Tile* const tile = tile_at(port);
  if (tile == nullptr) return call();
  const TileTurn turn(*tile, Leak::message);
  return call();
}
/// The owner of a port uses it.
void used_by_owner(const sc_core::sc_object& port) {
  if (const Tile* const tile = tile_at(port)) touch(*tile, port.get_parent_object()->name());
}
#else
template <class Call>
auto in_the_tile_of(const sc_core::sc_object&, Call&& call) {
  return call();
}
void used_by_owner(const sc_core::sc_object&) {}
#endif

}  // namespace

MessageInitiator::MessageInitiator(const std::string& name, MessageSender& owner, unsigned port)
    : owner_(owner), port_(port), socket(name.c_str()) {
  socket.bind(*this);
}

bool MessageInitiator::send(Message& message, const sc_core::sc_time& delay) {
  used_by_owner(socket);
  if (message.network >= max_virtual_networks)
    throw base::ModelError(std::string(socket.name()) + ": there is no virtual network " +
                           std::to_string(message.network));
  if (busy_[message.network])
    throw base::ModelError(std::string(socket.name()) + ": message sent on virtual network " +
                           std::to_string(message.network) + " while the previous one is still waiting there");
  const VirtualNetwork network = message.network;  // the receiver may recycle the message before we look again
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time annotated = delay;
  busy_[network] = true;
  if (other_end_ == nullptr) other_end_ = socket.operator->();
  const tlm::tlm_sync_enum status = other_end_->nb_transport_fw(*message.payload(), phase, annotated);
  if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) busy_[network] = false;
  return !busy_[network];
}

bool MessageInitiator::any_busy() const {
  for (const bool busy : busy_) {
    if (busy) return true;
  }
  return false;
}

tlm::tlm_sync_enum MessageInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time&) {
  if (phase != tlm::END_REQ)
    throw base::ModelError(std::string(socket.name()) + ": only END_REQ may come back over an on-chip link");
  const VirtualNetwork network = message_of(payload).network;
  busy_[network] = false;
  in_the_tile_of(socket, [&] { owner_.on_ready(network, port_); });
  return tlm::TLM_COMPLETED;
}

MessageTarget::MessageTarget(const std::string& name, MessageReceiver& owner, unsigned port)
    : owner_(owner), port_(port), socket(name.c_str()) {
  block_ = dynamic_cast<const Block*>(socket.get_parent_object());
  listener_ = block_ != nullptr ? block_->message_listener() : nullptr;
  socket.bind(*this);
}

void MessageTarget::b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) {
  throw base::ModelError(std::string(socket.name()) + ": messages come by nb_transport_fw only");
}

tlm::tlm_sync_enum MessageTarget::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ)
    throw base::ModelError(std::string(socket.name()) + ": only BEGIN_REQ may come over an on-chip link");
  Message& message = message_of(payload);
  const VirtualNetwork network = message.network;
  if (network >= max_virtual_networks || waiting(network))
    throw base::ModelError(std::string(socket.name()) + ": message on virtual network " + std::to_string(network) +
                           " breaks the exclusion rule");
  const sc_core::sc_time arrival = time_now() + delay;
  if (base::has_taps && listener_ != nullptr) listener_->sent(message, *block_, arrival.value());
  if (in_the_tile_of(socket, [&] { return owner_.receive(message, arrival, port_); })) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  waiting_[network] = {&message, arrival};
  ++count_;
  return tlm::TLM_ACCEPTED;
}

void MessageTarget::offer_again(VirtualNetwork network) {
  used_by_owner(socket);
  auto& [message, arrival] = waiting_[network];
  // Held over the callback: the owner may consume its reference at once, and END_REQ still names the payload.
  tlm::tlm_generic_payload& payload = *message->payload();
  payload.acquire();
  if (owner_.receive(*message, std::max(arrival, time_now()), port_)) {
    message = nullptr;
    --count_;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
  }
  payload.release();
}

}  // namespace syncline::models
