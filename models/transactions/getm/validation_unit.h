// GETM's validation unit of a memory partition (Ren's thesis, 4.5.2): decides, before anything else happens, whether an
// access of a transaction may happen, waits, or aborts its lanes. protocols::getm::Validation decides; here are its
// time, and its ways to the L2 and to the stall buffer.
#pragma once

#include <boost/circular_buffer.hpp>
#include <memory>
#include <vector>

#include "models/sm/numbered.h"
#include "models/transactions/getm/getm_messages.h"
#include "models/transactions/getm/getm_spec.h"
#include "models/transactions/getm/getm_stalls.h"
#include "models/transactions/getm/stall_port.h"
#include "models/transactions/transaction_listener.h"
#include "models/transactions/transaction_unit.h"
#include "protocols/transactions/getm/validation.h"

namespace syncline::models {

/// Claims load, store, region, stop and restart of transaction_family (models/families). One message a cycle is decided
/// on, for as long as its look-up takes; who has waited and may have its granule now goes first. A load that may happen
/// reads the L2, behind all that was written before it; regions that commit go on to the L2 as stores of the commit
/// unit.
///
/// Who is to wait is given to the stall buffer behind `stalls` (models/transactions/getm/stall_work.h), which any block
/// may be that keeps the contract. Until it has answered a command nothing is decided on.
class GetmValidationUnit final : public TransactionUnit, private StallPort::Listener {
 public:
  /// One of `partitions`.
  GetmValidationUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                     const GetmKeys& keys, const protocols::CoherencePolicy& policy, unsigned partitions,
                     unsigned line_bytes, GpuPlace place);
  /// The stall buffer behind it, which it owns from now on, and who is told how much is in use. Once, before simulation
  /// starts.
  void use(Made<StallBufferPorts> stall_buffer, std::shared_ptr<GetmStalls> all_stalls);

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> describe_waiting() const override;
  /// With the rows that its granules have taken.
  const protocols::getm::GranuleMachine& machine() const { return machine_; }

 private:
  bool claims(const Message& request) const override;
  bool accept(Message& request, const sc_core::sc_time& arrival) override;
  bool accept_reply(Message& reply, const sc_core::sc_time& arrival) override;

  void stall_buffer_ready(const sc_core::sc_time& at) override;

  bool decide(base::Cycle now);
  void serve(Message& message, base::Cycle now);
  void stop();
  template <class Fill>
  void ask_stall_buffer(Fill&& fill);
  bool take_late_answer(base::Cycle now);
  void take_answer();
  void present(const protocols::getm::Request& request, base::Cycle now);
  void conclude(bool parked, base::Cycle now);
  void tell(protocols::getm::Granule granule);
  void answered(const protocols::getm::Answer& answer, base::Cycle now);
  void apply(Message& region, base::Cycle now);
  base::Cycle cost(const protocols::getm::TableCost& table);

  const GetmKeys& keys_;
  const protocols::PlainAccess plain_;
  TransactionListener* const listener_;
  protocols::getm::GranuleMachine machine_;
  protocols::getm::Validation unit_;
  Made<StallBufferPorts> stall_buffer_;
  std::shared_ptr<GetmStalls> all_stalls_;
  StallPort stalls_;
  protocols::getm::Validation::Look look_;  ///< of the request that is being decided on
  std::uint32_t stalled_ = 0, stalled_addresses_ = 0;
  bool may_one_go_ = false;
  struct Arrival {
    Message* message;
    base::Cycle at;
  };
  boost::circular_buffer<Arrival> arrived_;
  Numbered<Message*> asking_;  ///< requests that are not answered, by Request::label
  base::Cycle busy_until_ = 0;

  base::Counter loads_, stores_, regions_, queued_, refused_, evicted_, overflowed_;
  base::Distribution access_cycles_, waiting_addresses_, waiting_requests_, stashed_;
};

}  // namespace syncline::models
