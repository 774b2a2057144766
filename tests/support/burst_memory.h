// A memory as simulators of DRAM are (DRAMSys 5 is one): approximately timed, with one size of burst and no byte
// enables, a few requests at a time, answers in any order; and a response is over for it when END_RESP comes.
#pragma once

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <systemc>
#include <tlm>
#include <utility>

#include "base/random.h"
#include "models/dram/payload_access.h"

namespace syncline::tests {

struct BurstMemorySpec {
  unsigned burst = 32;
  std::uint64_t capacity = 1 << 20;
  unsigned outstanding = 4;
  std::uint64_t longest_ps = 90'000;
  bool refuses_enables = false;  ///< with an error; otherwise it writes all bytes as if there were none
};

class BurstMemory : public sc_core::sc_module {
 public:
  using Spec = BurstMemorySpec;
  BurstMemory(const sc_core::sc_module_name& module_name, const Spec& spec, std::uint64_t seed = 1)
      : sc_core::sc_module(module_name),
        socket("socket"),
        spec_(spec),
        bytes_(spec.capacity),
        random_(seed, name()),
        later_(this, &BurstMemory::on_phase) {
    socket.register_nb_transport_fw(this, &BurstMemory::nb_transport_fw);
    socket.register_transport_dbg(this, &BurstMemory::transport_dbg);
  }
  tlm_utils::simple_target_socket<BurstMemory> socket;

  unsigned overtaken = 0;    ///< answers that came before one to an earlier request
  unsigned held_back = 0;    ///< requests that waited for room
  unsigned never_ended = 0;  ///< responses that the initiator ended with TLM_COMPLETED, which this memory overlooks

 private:
  using Payload = tlm::tlm_generic_payload;

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) payload.acquire();
    later_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  void on_phase(Payload& payload, const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_REQ) {
      if (in_work_.size() < spec_.outstanding) return accept(payload);
      ++held_back;
      waiting_ = &payload;
    } else if (phase == tlm::END_RESP) {
      ended(payload);
    } else {  // its data are there
      ready_.push_back(&payload);
      respond();
    }
  }
  void accept(Payload& payload) {
    in_work_.push_back(&payload);
    back(payload, tlm::END_REQ);
    const auto time = random_.below(static_cast<std::uint32_t>(spec_.longest_ps));
    later_.notify(payload, tlm::BEGIN_RESP, sc_core::sc_time::from_value(1000 + time));
  }
  void respond() {
    if (responding_ != nullptr || ready_.empty()) return;
    Payload& payload = *ready_.front();
    ready_.pop_front();
    if (in_work_.front() != &payload) ++overtaken;
    access(payload);
    responding_ = &payload;
    switch (back(payload, tlm::BEGIN_RESP)) {
      case tlm::TLM_UPDATED:
        return later_.notify(payload, tlm::END_RESP, sc_core::SC_ZERO_TIME);
      case tlm::TLM_COMPLETED:
        ++never_ended;
        return;
      case tlm::TLM_ACCEPTED:
        return;
    }
  }
  void ended(Payload& payload) {
    responding_ = nullptr;
    in_work_.erase(std::find(in_work_.begin(), in_work_.end(), &payload));
    payload.release();
    if (waiting_ != nullptr) accept(*std::exchange(waiting_, nullptr));
    respond();
  }
  tlm::tlm_sync_enum back(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    return socket->nb_transport_bw(payload, phase, delay);
  }
  void access(Payload& payload) {
    const bool aligned = payload.get_data_length() == spec_.burst && payload.get_address() % spec_.burst == 0;
    const bool inside = payload.get_address() + spec_.burst <= spec_.capacity;
    const bool refused = payload.get_byte_enable_ptr() != nullptr && spec_.refuses_enables;
    if (aligned && inside && !refused) {
      if (payload.is_read())
        bytes_.read(payload.get_address(), payload.get_data_ptr(), spec_.burst);
      else
        bytes_.write(payload.get_address(), payload.get_data_ptr(), spec_.burst);
    }
    payload.set_response_status(!aligned  ? tlm::TLM_BURST_ERROR_RESPONSE
                                : !inside ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                : refused ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                                          : tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(Payload& payload) { return models::debug_access(bytes_, payload); }

  const Spec spec_;
  models::SparseMemory bytes_;
  base::Random random_;
  tlm_utils::peq_with_cb_and_phase<BurstMemory> later_;
  std::deque<Payload*> in_work_, ready_;
  Payload* waiting_ = nullptr;     ///< BEGIN_REQ without END_REQ
  Payload* responding_ = nullptr;  ///< BEGIN_RESP without END_RESP
};

}  // namespace syncline::tests
