// What a memory partition decides on transactional accesses (section 4.5.2): which may happen, which are to wait, and
// whose transactions abort. Those that wait are somebody else's affair: the stall buffer's, which the host asks.
//
// The host presents requests in any order. It looks; where the request is to wait it asks the stall buffer for room; it
// decides; and unless the unit has stopped it tells the stall buffer what has become of the granule, if anybody waits.
// What a load reads is what memory holds when its verdict is `done`, and before anything that the commit unit writes
// after that. While `wants_rollover`, the host rolls over (Rollover).
#pragma once

#include "protocols/transactions/getm/granule_machine.h"
#include "protocols/transactions/getm/metadata_table.h"

namespace syncline::protocols::getm {

class Validation {
 public:
  /// Of one of `partitions`; `machine` outlives it and may be shared.
  Validation(const GetmSpec& spec, unsigned partitions, GranuleMachine& machine)
      : machine_(&machine), table_(spec, partitions) {}

  /// A request before its verdict.
  struct Look {
    Answer answer;              ///< all of it but the verdict
    Metadata* entry = nullptr;  ///< until anything else is asked of the unit
    bool waits = false;         ///< if there is room
  };
  Look look(const Request& request);
  /// The verdict. `parked`: the stall buffer has taken the request. ModelError where it has and was not to.
  Answer decide(const Look& look, bool parked);

  struct Applied {
    bool writes = false;  ///< the words are to be written to memory, before anything else happens to the granule
    TableCost cost;
  };
  /// An entry of a log, from the commit unit.
  Applied apply(const LogEntry& entry);

  /// What the stall buffer is to hear of a granule: one without an exact entry is nobody's.
  Metadata metadata(Granule granule) const;

  // Rollover.
  bool wants_rollover() const { return wants_rollover_; }
  /// From now on no request waits, nor takes effect unless its granule is reserved for it. Those that wait may all go,
  /// and are refused.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }
  /// All time begins anew. No request or log may be under way.
  void restart();

  const MetadataTable& table() const { return table_; }
  void encode(TimeEncoder& to) const;

 private:
  GranuleMachine* machine_;
  MetadataTable table_;
  bool wants_rollover_ = false, stopped_ = false;
};

}  // namespace syncline::protocols::getm
