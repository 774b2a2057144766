#include "models/transport/message_pool.h"

#include <algorithm>

#include "base/taps.h"
#include "models/clock/lane.h"

namespace syncline::models {
namespace {

/// What get() writes of a message: all but its atomics.
void prefetch_whole(const Message& message) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&message) - sizeof(tlm::tlm_generic_payload);
  const auto end = reinterpret_cast<std::uintptr_t>(message.data.data() + message.data.size());
  for (std::uintptr_t line = begin; line < end; line += 64) __builtin_prefetch(reinterpret_cast<const void*>(line), 1);
}

}  // namespace

MessagePool::~MessagePool() {
  // A payload would delete its extension, which is a part of it.
  for (const auto& payload : storage_) payload->clear_extension(&payload->message);
}

Message& MessagePool::get() {
  if (free_list_ == nullptr) {
    storage_.push_back(std::make_unique<PooledPayload>());
    PooledPayload& payload = *storage_.back();
    payload.set_mm(this);
    payload.set_extension(&payload.message);
    payload.message.payload_ = &payload;
    free_list_ = &payload.message;
  }
  Message& m = *free_list_;
  free_list_ = m.next_free_;
  m.next_free_ = nullptr;
  ++in_flight_;
  if (free_list_ != nullptr) prefetch_whole(*free_list_);  // the next one has been out of use for a while

  if (m.atomic_count != 0) std::fill_n(m.atomics.begin(), m.atomic_count, AtomicLane{});
  static const MessageFields fresh{};
  static_cast<MessageFields&>(m) = fresh;
  m.data.fill(0);

  tlm::tlm_generic_payload& payload = *m.payload_;
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  payload.set_address(0);
  payload.set_data_ptr(m.data.data());
  payload.set_data_length(0);
  payload.set_streaming_width(0);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_byte_enable_length(0);
  payload.set_dmi_allowed(false);
  payload.set_gp_option(tlm::TLM_MIN_PAYLOAD);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload.acquire();
  return m;
}

void MessagePool::free(tlm::tlm_generic_payload* payload) {
  if (this_turn.lane == nullptr || this_turn.lane == lane_) return take_back(message_of(*payload));
  this_turn.lane->later([this, payload] { take_back(message_of(*payload)); });
}

void MessagePool::take_back(Message& m) {
  if (base::has_taps && listener_ != nullptr) listener_->ended(m);
  m.next_free_ = free_list_;
  free_list_ = &m;
  --in_flight_;
}

}  // namespace syncline::models
