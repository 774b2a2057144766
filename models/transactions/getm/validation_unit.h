// GETM's validation unit of a memory partition (Ren's thesis, 4.5.2): decides, before anything else happens, whether an
// access of a transaction may happen, waits, or aborts its lanes. protocols::getm::ValidationUnit decides; here are its
// time, and its way to the L2.
#pragma once

#include <boost/circular_buffer.hpp>
#include <vector>

#include "models/partition/partition_unit.h"
#include "models/sm/numbered.h"
#include "models/transactions/getm/getm_messages.h"
#include "models/transactions/getm/getm_spec.h"
#include "models/transactions/transaction_listener.h"
#include "models/transactions/unit_output.h"
#include "protocols/coherence/engine/policy.h"
#include "protocols/transactions/getm/validation_unit.h"

namespace syncline::models {

/// Claims load, store, region, stop and restart of transaction_family (models/families). One message a cycle is decided
/// on, for as long as its look-up takes; who has waited and may have its granule now goes first. A load that may happen
/// reads the L2, behind all that was written before it; regions that commit go on to the L2 as stores of the commit
/// unit.
class GetmValidationUnit final : public PartitionUnit, public Ticked {
 public:
  /// One of `partitions`.
  GetmValidationUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                     const GetmKeys& keys, const protocols::CoherencePolicy& policy, unsigned partitions,
                     unsigned line_bytes, GpuPlace place);

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> describe_waiting() const override;

 private:
  bool claims(const Message& request) const override;
  bool accept(Message& request, const sc_core::sc_time& arrival) override;
  bool accept_reply(Message& reply, const sc_core::sc_time& arrival) override;
  void on_can_forward(VirtualNetwork) override { wake(clock()->now()); }
  void on_can_reply(VirtualNetwork) override { wake(clock()->now()); }

  void decide(base::Cycle now);
  void serve(Message& message, base::Cycle now);
  void answered(const protocols::getm::Answer& answer, base::Cycle now);
  void apply(Message& region, base::Cycle now);
  base::Cycle cost(const protocols::getm::TableCost& table);
  void answer(Message& message, TransactionKind kind, base::Cycle at);
  void send();

  const GetmKeys& keys_;
  const protocols::CoherencePolicy& policy_;
  const protocols::PlainAccess plain_;
  const unsigned line_bytes_;
  TransactionListener* const listener_;
  protocols::getm::GranuleMachine machine_;
  protocols::getm::ValidationUnit unit_;
  struct Arrival {
    Message* message;
    base::Cycle at;
  };
  boost::circular_buffer<Arrival> arrived_;
  Numbered<Message*> asking_;  ///< requests that are not answered, by Request::label
  UnitOutput to_l2_, to_sms_;
  base::Cycle busy_until_ = 0;

  base::Counter loads_, stores_, regions_, queued_, refused_, evicted_, overflowed_;
  base::Distribution access_cycles_, waiting_addresses_, waiting_requests_, stashed_;
};

}  // namespace syncline::models
