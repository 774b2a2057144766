// Lets a loosely timed memory (one that only implements b_transport) stand behind a memory partition.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include <boost/circular_buffer.hpp>
#include <string>
#include <vector>

#include "models/block/block.h"

namespace syncline::models {

/// Non-blocking base protocol on `target`, b_transport on `initiator`: what stands between the two coding
/// styles. Requests are taken in order, up to `queue` of them;
/// beyond, END_REQ waits. The memory's annotated delay becomes the annotation of BEGIN_RESP. Since b_transport may
/// wait, the adapter needs a thread: this is the price of a loosely timed memory, not of the platform.
class LtMemoryAdapter : public Block {
 public:
  SC_HAS_PROCESS(LtMemoryAdapter);
  LtMemoryAdapter(const sc_core::sc_module_name& name, PlatformContext& context, std::size_t queue = 32);

  tlm_utils::simple_target_socket<LtMemoryAdapter> target;
  tlm_utils::simple_initiator_socket<LtMemoryAdapter> initiator;

  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  struct Request {
    tlm::tlm_generic_payload* payload = nullptr;
    sc_core::sc_time arrival;
  };
  void run();
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    initiator->b_transport(payload, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return initiator->transport_dbg(payload); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void answer(tlm::tlm_generic_payload& payload, sc_core::sc_time delay);

  boost::circular_buffer<Request> queue_;
  Request waiting_;  ///< BEGIN_REQ without END_REQ
  tlm::tlm_generic_payload* serving_ = nullptr;
  tlm::tlm_generic_payload* answering_ = nullptr;  ///< BEGIN_RESP without END_RESP
  sc_core::sc_event work_, answered_;
  base::Counter reads_, writes_, back_pressure_;
};

}  // namespace syncline::models
