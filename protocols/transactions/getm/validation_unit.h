// A partition's validation and its stall buffer (section 4.5.2), for a host that has no time between the two.
//
// The host answers the core when the verdict of a request is not `queued`, and after each call asks `retry` as often as
// it has time for, until it returns nothing.
#pragma once

#include <optional>

#include "protocols/transactions/getm/stall_buffer.h"
#include "protocols/transactions/getm/validation.h"

namespace syncline::protocols::getm {

class ValidationUnit {
 public:
  /// One of `partitions`; `machine` outlives it and may be shared.
  ValidationUnit(const GetmSpec& spec, unsigned partitions, GranuleMachine& machine)
      : validation_(spec, partitions, machine), stalled_(spec, machine) {}

  /// A request that a core has sent.
  Answer present(const Request& request);
  /// Of the requests in the stall buffer that need not wait any more the earliest enters again. Nothing: there is none.
  std::optional<Answer> retry();
  bool can_retry() const { return stalled_.may_one_go(); }
  /// An entry of a log, from the commit unit.
  Validation::Applied apply(const LogEntry& entry);

  // Rollover, as of Validation.
  bool wants_rollover() const { return validation_.wants_rollover(); }
  void stop();
  void restart() { validation_.restart(); }

  const MetadataTable& table() const { return validation_.table(); }
  const StallBuffer& stalled() const { return stalled_; }
  void encode(TimeEncoder& to) const;

 private:
  void tell(Granule granule);

  Validation validation_;
  StallBuffer stalled_;
};

}  // namespace syncline::protocols::getm
