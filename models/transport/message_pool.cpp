#include "models/transport/message_pool.h"

namespace syncline::models {

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

  m.message_class = MessageClass::control;
  m.kind = 0;
  m.network = 0;
  m.line = {};
  m.source = m.destination = 0;
  m.requester = {};
  m.warp = {};
  m.pc = m.tag = 0;
  m.order = 0;
  m.semantics = isa::Semantics::none;
  m.scope = isa::Scope::none;
  m.cache = isa::CacheOp::none;
  m.free = m.posted = m.read_only = m.flush = m.returns_value = false;
  m.bytes = 0;
  m.acks = 0;
  m.stamps = {};
  m.mask = {};
  m.atomic = isa::AtomicOp::none;
  m.atomic_type = isa::Type::none;
  m.atomic_count = 0;
  m.depth_op = DepthOp::none;
  m.depth = 0;
  m.at_home_ps = 0;

  m.payload_->set_data_ptr(m.data.data());
  m.payload_->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  m.payload_->acquire();
  return m;
}

void MessagePool::free(tlm::tlm_generic_payload* payload) {
  Message& m = message_of(*payload);
  m.next_free_ = free_list_;
  free_list_ = &m;
  --in_flight_;
}

}  // namespace syncline::models
