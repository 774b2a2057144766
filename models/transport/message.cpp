#include "models/transport/message.h"

#include <typeinfo>

#include "base/error.h"
#include "models/transport/message_pool.h"

namespace syncline::models {

const AtomicLanes::Lanes AtomicLanes::none{};

tlm::tlm_extension_base* Message::clone() const {
  auto* copy = new Message;
  copy->copy_from(*this);
  return copy;
}

void Message::copy_from(const tlm::tlm_extension_base& from) {
  auto* const payload = payload_;
  auto* const next = next_free_;
  *this = static_cast<const Message&>(from);
  payload_ = payload;
  next_free_ = next;
}

Message& message_of(tlm::tlm_generic_payload& payload) {
  // Nearly all come from a pool, where the way through the list of extensions would be one through cold memory.
  if (typeid(payload) == typeid(PooledPayload)) return static_cast<PooledPayload&>(payload).message;
  Message* message = nullptr;
  payload.get_extension(message);
  if (message == nullptr) throw base::ModelError("a payload without a message reached an on-chip socket");
  return *message;
}

base::ByteMask written_by(const Message& message) {
  if (message.atomic != isa::AtomicOp::cas) return message.mask;
  base::ByteMask written;
  for (unsigned i = 0; i < message.atomic_count; ++i) {
    const AtomicLane& lane = message.atomics[i];
    if (!lane.idle) written.set(lane.offset, isa::type_bytes(message.atomic_type));
  }
  return written;
}

}  // namespace syncline::models
