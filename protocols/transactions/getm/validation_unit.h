// The validation unit of a memory partition (section 4.5.2): which transactional accesses may happen, which wait, and
// whose transactions abort.
//
// The host presents requests in any order, answers the core when the verdict is not `queued`, and after each
// call asks `retry` as often as it has time for, until it returns nothing. What a load reads is what memory holds when
// its verdict is `done`, and before anything that the commit unit writes after that. While `wants_rollover`, the host
// rolls over (Rollover).
#pragma once

#include <optional>

#include "protocols/transactions/getm/granule_machine.h"
#include "protocols/transactions/getm/metadata_table.h"
#include "protocols/transactions/getm/stall_buffer.h"

namespace syncline::protocols::getm {

class ValidationUnit {
 public:
  /// One of `partitions`; `machine` outlives it and may be shared.
  ValidationUnit(const GetmSpec& spec, unsigned partitions, GranuleMachine& machine)
      : machine_(&machine), table_(spec, partitions), stalled_(spec) {}

  /// A request that a core has sent.
  Answer present(const Request& request) { return decide(request); }
  /// Of the requests in the stall buffer that need not wait any more, because they can have their granule now or can
  /// only be refused, the earliest enters again. Nothing: there is none.
  std::optional<Answer> retry();
  bool can_retry() const { return next() != nullptr; }

  struct Applied {
    bool writes = false;  ///< the words are to be written to memory, before anything else happens to the granule
    TableCost cost;
  };
  /// An entry of a log, from the commit unit.
  Applied apply(const LogEntry& entry);

  // Rollover.
  bool wants_rollover() const { return wants_rollover_; }
  /// From now on no request waits, nor takes effect unless its granule is reserved for it. Those that wait are refused
  /// as they are retried.
  void stop() { stopped_ = true; }
  /// All time begins anew. No request or log may be under way.
  void restart();

  const MetadataTable& table() const { return table_; }
  const StallBuffer& stalled() const { return stalled_; }
  void encode(TimeEncoder& to) const;

 private:
  Answer decide(const Request& request);
  const Request* next() const;

  GranuleMachine* machine_;
  MetadataTable table_;
  StallBuffer stalled_;
  bool wants_rollover_ = false, stopped_ = false;
};

}  // namespace syncline::protocols::getm
