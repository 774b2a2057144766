// A memory behind the plain TLM-2.0 base protocol: answers in random order after random times, and now and
// then makes the initiator wait for END_REQ.
#pragma once

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <memory>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "models/dram/memory_ports.h"

namespace syncline::stress {

class RandomMemory : public sc_core::sc_module {
 public:
  RandomMemory(const sc_core::sc_module_name& name, std::size_t bytes, std::uint64_t max_delay_ps, std::uint64_t seed)
      : sc_core::sc_module(name),
        socket("socket"),
        bytes_(bytes),
        max_delay_ps_(max_delay_ps),
        random_(seed, "memory"),
        queue_(this, &RandomMemory::on_phase) {
    socket.register_nb_transport_fw(this, &RandomMemory::nb_transport_fw);
    socket.register_transport_dbg(this, &RandomMemory::transport_dbg);
  }
  tlm_utils::simple_target_socket<RandomMemory> socket;
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t read_bytes = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    payload.acquire();
    const std::uint64_t wait = 1 + random_.below(static_cast<std::uint32_t>(max_delay_ps_));
    switch (random_.below(4)) {
      case 0: {  // accept later
        tlm::tlm_phase later = tlm::END_REQ;
        queue_.notify(payload, later, delay + sc_core::sc_time::from_value(wait / 2));
        tlm::tlm_phase response = tlm::BEGIN_RESP;
        queue_.notify(payload, response, delay + sc_core::sc_time::from_value(wait));
        return tlm::TLM_ACCEPTED;
      }
      case 1: {  // the response implies END_REQ
        tlm::tlm_phase response = tlm::BEGIN_RESP;
        queue_.notify(payload, response, delay + sc_core::sc_time::from_value(wait));
        return tlm::TLM_ACCEPTED;
      }
      case 2:  // complete at once, with an annotated time
        access(payload);
        delay += sc_core::sc_time::from_value(wait);
        payload.release();
        return tlm::TLM_COMPLETED;
      default: {
        tlm::tlm_phase response = tlm::BEGIN_RESP;
        queue_.notify(payload, response, delay + sc_core::sc_time::from_value(wait));
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
      }
    }
  }
  void on_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    tlm::tlm_phase back = phase;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (phase == tlm::BEGIN_RESP) access(payload);
    socket->nb_transport_bw(payload, back, delay);
    if (phase == tlm::BEGIN_RESP) payload.release();
  }
  void access(tlm::tlm_generic_payload& payload) {
    ++(payload.is_read() ? reads : writes);
    if (payload.get_address() + payload.get_data_length() > bytes_.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    copy(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    if (payload.get_address() + payload.get_data_length() > bytes_.size()) return 0;
    copy(payload);
    return payload.get_data_length();
  }
  void copy(tlm::tlm_generic_payload& payload) {
    std::uint8_t* const memory = bytes_.data() + payload.get_address();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_ptr()[i] == TLM_BYTE_DISABLED) continue;
      if (payload.is_read())
        payload.get_data_ptr()[i] = memory[i];
      else
        memory[i] = payload.get_data_ptr()[i];
    }
  }

  std::vector<std::uint8_t> bytes_;
  std::uint64_t max_delay_ps_;
  base::Random random_;
  tlm_utils::peq_with_cb_and_phase<RandomMemory> queue_;
};

/// Such memories in the place of a GPU's, of `bytes` each. That of partition n draws from the seed `seed` + n.
inline models::MakeMemory random_memories(std::size_t bytes, std::uint64_t max_delay_ps, std::uint64_t seed) {
  return [=](const sc_core::sc_module_name& name, const models::MemorySite& site) {
    auto memory = std::make_unique<RandomMemory>(name, bytes, max_delay_ps, seed + site.partition.value());
    const models::MemoryPorts ports{&memory->socket};
    return models::Made<models::MemoryPorts>{std::move(memory), ports};
  };
}

}  // namespace syncline::stress
