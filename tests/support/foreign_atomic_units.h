// Atomic units of somebody else's, which share nothing with the library's but the socket: they do sums and exchanges of
// 32 bits in their own way and take their time.
#pragma once

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <deque>
#include <systemc>
#include <tlm>

#include "base/error.h"
#include "base/random.h"
#include "models/atomic_unit/atomic_work.h"

namespace syncline::tests {

/// Lane by lane on words of the line.
inline void perform_foreign(tlm::tlm_generic_payload& payload) {
  models::AtomicWork& work = models::atomic_work_of(payload);
  for (unsigned i = 0; i < work.count; ++i) {
    std::uint8_t* const place = payload.get_data_ptr() + work.lanes[i].offset;
    std::uint32_t before = 0;
    std::memcpy(&before, place, sizeof before);
    const auto b = static_cast<std::uint32_t>(work.lanes[i].operand),
               c = static_cast<std::uint32_t>(work.lanes[i].compare);
    std::uint32_t after = before;
    switch (work.operation) {
      case isa::AtomicOp::add:
        after = before + b;
        break;
      case isa::AtomicOp::exch:
        after = b;
        break;
      case isa::AtomicOp::cas:
        after = before == b ? c : before;
        break;
      default:
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return;
    }
    std::memcpy(place, &after, sizeof after);
    work.old[i] = before;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Non-blocking: takes up to three requests, which it answers after random times, whoever came first. It reads the line
/// when it gets it and writes it when it answers, as a piece of hardware does.
class SlowAtomicUnit : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(SlowAtomicUnit);
  SlowAtomicUnit(const sc_core::sc_module_name& name, std::uint64_t longest_ps, std::uint64_t seed)
      : sc_core::sc_module(name), socket("socket"), due_("due"), longest_ps_(longest_ps), random_(seed, "slow_unit") {
    socket.register_nb_transport_fw(this, &SlowAtomicUnit::nb_transport_fw);
    SC_METHOD(answer);
    sensitive << due_.get_event();
    dont_initialize();
  }
  tlm_utils::simple_target_socket<SlowAtomicUnit, 32, models::AtomicProtocol> socket;
  unsigned answers() const { return answers_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ || waiting_ != nullptr) throw base::ModelError("the slice breaks the base protocol");
    payload.acquire();
    if (in_work_ == 3) {
      waiting_ = &payload;
      return tlm::TLM_ACCEPTED;
    }
    begin(payload, delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void begin(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    ++in_work_;
    due_.notify(payload,
                delay + sc_core::sc_time::from_value(1 + random_.below(static_cast<std::uint32_t>(longest_ps_))));
  }
  void answer() {
    while (tlm::tlm_generic_payload* const payload = due_.get_next_transaction()) {
      perform_foreign(*payload);
      --in_work_;
      ++answers_;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time none = sc_core::SC_ZERO_TIME;
      if (socket->nb_transport_bw(*payload, phase, none) != tlm::TLM_UPDATED || phase != tlm::END_RESP)
        throw base::ModelError("the slice does not end a response");
      payload->release();
      if (waiting_ == nullptr) continue;
      tlm::tlm_generic_payload& next = *waiting_;
      waiting_ = nullptr;
      begin(next, none);
      phase = tlm::END_REQ;
      socket->nb_transport_bw(next, phase, none);
    }
  }

  tlm_utils::peq_with_get<tlm::tlm_generic_payload> due_;
  std::uint64_t longest_ps_;
  base::Random random_;
  unsigned in_work_ = 0, answers_ = 0;
  tlm::tlm_generic_payload* waiting_ = nullptr;
};

/// Loosely timed: b_transport waits, and says that it takes a little longer.
class WaitingAtomicUnit : public sc_core::sc_module {
 public:
  WaitingAtomicUnit(const sc_core::sc_module_name& name, std::uint64_t longest_ps, std::uint64_t seed)
      : sc_core::sc_module(name), socket("socket"), longest_ps_(longest_ps), random_(seed, "waiting_unit") {
    socket.register_b_transport(this, &WaitingAtomicUnit::b_transport);
  }
  tlm_utils::simple_target_socket<WaitingAtomicUnit, 32, models::AtomicProtocol> socket;
  unsigned answers() const { return answers_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    sc_core::wait(sc_core::sc_time::from_value(1 + random_.below(static_cast<std::uint32_t>(longest_ps_))));
    perform_foreign(payload);
    ++answers_;
    delay += sc_core::sc_time::from_value(random_.below(static_cast<std::uint32_t>(longest_ps_)));
  }
  std::uint64_t longest_ps_;
  base::Random random_;
  unsigned answers_ = 0;
};

}  // namespace syncline::tests
