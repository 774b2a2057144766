// What the units of transactional memories in a memory partition share: what they send on waits for its time and for
// its link, and what they are asked is answered with a message of their family.
#pragma once

#include "models/families/transaction_family.h"
#include "models/partition/partition_unit.h"
#include "models/transactions/unit_output.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// A unit that acts in the edges of a clock.
class TransactionUnit : public PartitionUnit, public Ticked {
 protected:
  /// `queue`: messages that may wait for their links, each way. `policy` and `line_bytes` are those of the partition.
  TransactionUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                  const protocols::CoherencePolicy& policy, unsigned line_bytes, std::size_t queue);

  const protocols::CoherencePolicy& policy() const { return policy_; }
  unsigned line_bytes() const { return line_bytes_; }
  UnitOutput& towards_l2() { return towards_l2_; }
  UnitOutput& towards_sms() { return towards_sms_; }
  const UnitOutput& towards_l2() const { return towards_l2_; }
  const UnitOutput& towards_sms() const { return towards_sms_; }

  /// `request` goes back to who sent it as a message of this kind, from `at` on. Only what a load has read costs the
  /// links more than a header.
  void answer(Message& request, TransactionKind kind, base::Cycle at);
  /// Sends what may leave.
  void send();
  /// A message has left towards the SMs.
  virtual void on_replied() {}

 private:
  void on_can_forward(VirtualNetwork) final { wake(clock()->now()); }
  void on_can_reply(VirtualNetwork) final { wake(clock()->now()); }

  const protocols::CoherencePolicy& policy_;
  const unsigned line_bytes_;
  UnitOutput towards_l2_, towards_sms_;
};

}  // namespace syncline::models
