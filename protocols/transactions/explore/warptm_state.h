// A state of transactions of WarpTM under way.
#pragma once

#include <deque>
#include <optional>
#include <variant>
#include <vector>

#include "protocols/transactions/explore/threads.h"
#include "protocols/transactions/warptm/commit_unit.h"
#include "protocols/transactions/warptm/running.h"
#include "protocols/transactions/warptm/tickets.h"
#include "protocols/transactions/warptm/warp_transaction.h"
#include "protocols/transactions/warptm/write_times.h"

namespace syncline::protocols::transactions {

struct WarptmState {
  /// What warps send to partitions, in order.
  using Message = std::variant<warptm::Packet, warptm::Outcome>;
  /// Of a word that a commit unit validates: what memory held.
  struct Answer {
    warptm::CommitUnit::Read read;
    Cell held;
  };

  std::vector<ThreadState> threads;
  std::vector<warptm::WarpTransaction> warps;
  std::vector<warptm::ConflictTable> conflicts;           ///< by warp, each of which has a core of its own
  std::vector<std::deque<warptm::Broadcast>> broadcasts;  ///< by partition and warp, on their way
  std::vector<std::deque<Message>> messages;              ///< by warp and partition, on their way
  std::vector<base::LaneMask> committing;                 ///< by warp: lanes that memory may be written for
  std::vector<warptm::CommitUnit> units;
  std::vector<std::deque<Answer>> answers;                  ///< by partition: that the unit has not seen yet
  std::vector<std::deque<warptm::CommitUnit::Write>> acks;  ///< so
  std::vector<warptm::WriteTimes> times;
  std::vector<warptm::ReferenceCounts> counts;
  warptm::RunningAccesses running;
  std::optional<warptm::Tickets> tickets;
  warptm::Time now = 1;  ///< what happens in memory makes time pass
  Memory memory{};
  bool judged = true;  ///< nothing has committed since the last look
};

struct WarptmStep {
  enum class Kind : std::uint8_t {
    access,     ///< thread `at` takes its next action: a load reads memory
    resolve,    ///< warp `at` begins to commit
    acquire,    ///< warp `at` takes its commit IDs
    arrive,     ///< the first message on the way of `at` (warp and partition) arrives
    broadcast,  ///< the first broadcast on the way of `at` (partition and warp) arrives
    validate,   ///< the first word that the unit of partition `at` is to read is read
    answer,     ///< what was read first comes to the unit of partition `at`
    write,      ///< the unit of partition `at` writes the next words
    ack         ///< the unit of partition `at` hears that what it wrote first is in memory
  };
  Kind kind = Kind::access;
  std::uint8_t at = 0;
};

}  // namespace syncline::protocols::transactions
