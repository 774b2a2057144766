// GETM's stall buffer of a memory partition (Ren's thesis, 4.5.2): requests that wait until their granule is no longer
// reserved.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/block/block.h"
#include "models/transactions/getm/stall_work.h"
#include "protocols/transactions/getm/stall_buffer.h"

namespace syncline::models {

/// protocols::getm::StallBuffer behind a socket: keeps the contract of stall_work.h, and answers in the call.
class GetmStallBuffer final : public Block {
 public:
  GetmStallBuffer(const sc_core::sc_module_name& name, PlatformContext& context, const protocols::getm::GetmSpec& spec);

  tlm_utils::simple_target_socket<GetmStallBuffer, 32, StallProtocol> socket;

  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) { perform(payload); }
  void perform(tlm::tlm_generic_payload& payload);
  void park(StallWork& work);

  protocols::getm::GranuleMachine machine_;  ///< for what it says of who may wait; nothing happens to granules here
  protocols::getm::StallBuffer buffer_;
  std::size_t most_addresses_ = 0, most_requests_ = 0;
  base::Counter parked_, no_room_;
};

}  // namespace syncline::models
