// The initiator's side of the four phases of the TLM-2.0 base protocol, for payloads of its owner.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <optional>
#include <string>
#include <systemc>
#include <tlm>

#include "base/error.h"
#include "models/clock/turn.h"
#include "models/transport/delay_until.h"

namespace syncline::models {

/// TLM-2.0 LRM (IEEE 1666-2011) 15.2: at most one request between BEGIN_REQ and END_REQ (the exclusion rule), responses
/// in any order. A response is answered with END_RESP, on the return path of the call that brings it or by a call where
/// it came on a return path; not with TLM_COMPLETED, which would be as right, but which targets exist that do not
/// look for. Annotated delays are honoured: a request begins no earlier than END_REQ of the one before is said to come.
template <class Types = tlm::tlm_base_protocol_types>
class FourPhases {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    /// The target has answered `payload` by a call of its own; the answer arrives at `at`.
    virtual void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) = 0;
    /// From `at` on the target takes another request.
    virtual void request_taken(const sc_core::sc_time& at) = 0;
  };

  FourPhases(const std::string& name, Listener& listener) : socket(name.c_str()), listener_(listener) {
    socket.register_nb_transport_bw(this, &FourPhases::nb_transport_bw);
  }

  /// Whether a request waits for END_REQ; no other may begin then.
  bool busy() const { return request_ != nullptr; }
  /// Begins a request. When the target answers it in the call, the time at which the answer arrives.
  std::optional<sc_core::sc_time> begin(tlm::tlm_generic_payload& payload) {
    request_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = delay_until(taken_at_);
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return std::nullopt;
    request_ = nullptr;
    const sc_core::sc_time at = time_now() + delay;
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
      taken_at_ = at;
      return std::nullopt;
    }
    if (status == tlm::TLM_UPDATED && phase != tlm::BEGIN_RESP) refuse();
    if (status == tlm::TLM_UPDATED) {
      phase = tlm::END_RESP;
      socket->nb_transport_fw(payload, phase, delay);
    }
    return at;
  }

  tlm_utils::simple_initiator_socket<FourPhases, 32, Types> socket;

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    const sc_core::sc_time at = time_now() + delay;
    if (request_ == &payload) {  // END_REQ, or BEGIN_RESP that implies it
      request_ = nullptr;
      if (phase == tlm::END_REQ) taken_at_ = at;
      listener_.request_taken(at);
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    if (phase != tlm::BEGIN_RESP) refuse();
    listener_.answered(payload, at);
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  [[noreturn]] void refuse() const {
    throw base::ModelError(std::string(socket.name()) + ": only END_REQ and BEGIN_RESP may come back from a target");
  }

  Listener& listener_;
  tlm::tlm_generic_payload* request_ = nullptr;  ///< between BEGIN_REQ and END_REQ
  sc_core::sc_time taken_at_;                    ///< annotated time of the last END_REQ
};

}  // namespace syncline::models
