// The atomic unit of a memory partition: read-modify-write of the lanes of one request on the bytes of a line, and the
// time that this takes.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <boost/circular_buffer.hpp>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/atomic_unit/atomic_unit_spec.h"
#include "models/atomic_unit/atomic_work.h"
#include "models/block/block.h"

namespace syncline::models {

/// Requests go through the unit one after the other. Each holds it for as many cycles as its lanes need, and is
/// answered `latency` after the last of these began. With AtomicUnitSpec::forwarding the answer comes in the call, with
/// that time as its annotated delay; else by BEGIN_RESP when the time has come. A request that finds the queue full
/// gets END_REQ when one has left it.
class AtomicUnit : public Block, public Ticked {
 public:
  AtomicUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
             const AtomicUnitSpec& spec);

  tlm_utils::simple_target_socket<AtomicUnit, 32, AtomicProtocol> socket;

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

  /// Cycles for which a request of `lanes` lanes, `worst_address` of them on one address, holds the unit.
  base::Cycle occupancy(unsigned lanes, unsigned worst_address) const;

 private:
  struct Job {
    tlm::tlm_generic_payload* payload;  ///< null: answered already
    base::Cycle done;
  };
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  /// When the unit will be done with what arrives at `cycle`.
  base::Cycle reserve(AtomicWork& work, base::Cycle cycle);
  base::Cycle enqueue(tlm::tlm_generic_payload& payload, base::Cycle cycle, bool answered);
  void perform(tlm::tlm_generic_payload& payload);
  void forget_done(base::Cycle now);
  void answer(tlm::tlm_generic_payload& payload, sc_core::sc_time delay);
  void admit(base::Cycle now);
  std::uint64_t in_queue(base::Cycle now) const;

  const AtomicUnitSpec spec_;
  boost::circular_buffer<Job> jobs_;               ///< in the order in which they are done
  tlm::tlm_generic_payload* refused_ = nullptr;    ///< between BEGIN_REQ and END_REQ
  tlm::tlm_generic_payload* answering_ = nullptr;  ///< between BEGIN_RESP and END_RESP
  base::Cycle free_at_ = 0;                        ///< first cycle at which a request can begin
  base::Counter requests_, operations_, busy_cycles_, full_;
  base::Distribution queued_;
};

}  // namespace syncline::models
