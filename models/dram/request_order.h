// The order in which a channel serves its requests: a policy.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/dram/dram_address.h"
#include "models/dram/dram_command.h"
#include "models/dram/dram_spec.h"

namespace syncline::models {

/// A request in the queue.
struct DramRequest {
  std::uint64_t sequence = 0;  ///< order of arrival
  base::Cycle accepted = 0;
  std::uint64_t burst = 0;  ///< number of the next burst in the channel
  std::uint32_t bursts_left = 0;
  DramPlace place;  ///< of that burst
  bool write = false;
  bool activated = false, conflicted = false, started = false;  ///< for the statistics
  std::uint32_t tag = 0;                                        ///< the owner's handle
};

/// What a bank would do next.
struct DramCandidate {
  std::uint64_t sequence;  ///< of the request that it serves
  base::Cycle earliest;
  DramCommandKind kind;
  std::uint32_t bank;
  std::uint32_t request;  ///< slot
  bool column() const { return kind == DramCommandKind::read || kind == DramCommandKind::write; }
};

struct DramChoice {
  int candidate = -1;               ///< to issue now; -1: none
  base::Cycle retry = base::never;  ///< when to ask again if none
};

/// A request of one bank: its place there, and the cycle from which another may be the next although the bank is as it
/// was.
struct DramPick {
  std::size_t place = 0;
  base::Cycle until = base::never;
};

class RequestOrder {
 public:
  virtual ~RequestOrder() = default;
  /// Which of the requests of one bank (slots, oldest first, never empty) is served next.
  virtual DramPick pick(const std::vector<DramRequest>& slots, const std::vector<std::uint32_t>& bank,
                        std::int64_t open_row, base::Cycle now) const = 0;
  /// Which of the banks' candidates (never empty) goes now.
  virtual DramChoice choose(const std::vector<DramCandidate>& candidates, base::Cycle now) const = 0;
};

/// The policies by name: dram_scheduling_names().
std::unique_ptr<RequestOrder> make_request_order(const DramSpec& spec);

}  // namespace syncline::models
