// The commit unit of a memory partition (section 4.5.3): entries of logs wait here until they are applied, with
// `coalescing` those of one warp for one granule as one.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "protocols/transactions/getm/request.h"
#include "protocols/transactions/getm/spec.h"

namespace syncline::protocols::getm {

/// What a warp sends to a partition when all its lanes have come to the end of their transactions.
using WarpLog = std::vector<LogEntry>;

class CommitUnit {
 public:
  explicit CommitUnit(const GetmSpec& spec) : coalesces_(spec.coalescing), capacity_(spec.commit_regions) {}

  /// Room for `entries` more, coalesced or not. A log that is larger than the whole is taken when nothing else waits.
  bool has_room(std::size_t entries) const { return regions_.empty() || regions_.size() + entries <= capacity_; }
  /// The whole log of one attempt for this partition.
  void accept(const WarpLog& log);

  bool empty() const { return regions_.empty(); }
  std::size_t size() const { return regions_.size(); }
  struct Applied {
    LogEntry region;
    /// It was the last of the attempt's log: the core is told.
    bool completes = false;
  };
  /// The next region, to be applied by the validation unit and, if that says so, written to memory. ModelError: there
  /// is none.
  Applied take();

  void encode(TimeEncoder& to) const;

 private:
  bool coalesces_;
  std::size_t capacity_;
  std::deque<LogEntry> regions_;
};

void encode(const LogEntry& entry, TimeEncoder& to);

}  // namespace syncline::protocols::getm
