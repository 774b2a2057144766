// A state of transactions of GETM under way.
#pragma once

#include <cstdint>
#include <vector>

#include "protocols/transactions/explore/threads.h"
#include "protocols/transactions/getm/commit_unit.h"
#include "protocols/transactions/getm/rollover.h"
#include "protocols/transactions/getm/validation_unit.h"
#include "protocols/transactions/getm/warp_transaction.h"

namespace syncline::protocols::transactions {

struct State {
  /// A request on its way to its partition, or that waits there.
  struct Flight {
    getm::Request request;
    std::uint8_t thread = 0, action = 0;
    bool queued = false;
  };
  struct Log {
    std::uint8_t partition = 0;
    getm::WarpLog entries;
  };
  /// What a log under way is of.
  struct Committing {
    base::LaneMask lanes = 0;
    std::uint8_t transaction = 0;
  };

  std::vector<ThreadState> threads;
  std::vector<getm::WarpTransaction> warps;
  std::vector<std::uint8_t> begun;     ///< by warp: attempts that began again, where they are counted
  std::vector<Committing> committing;  ///< by requester
  std::vector<Flight> flights;         ///< by requester and label
  std::vector<Log> logs;               ///< by requester and partition
  std::vector<getm::ValidationUnit> units;
  std::vector<getm::CommitUnit> commits;
  getm::Rollover rollover{0, 0};
  std::uint32_t units_stopped = 0, warps_told = 0, warps_stopped = 0;  ///< sets
  Memory memory{};
  bool judged = true;  ///< nothing has committed since the last look
};

struct Step {
  enum class Kind : std::uint8_t {
    issue,      ///< thread `at` takes its next action
    deliver,    ///< flight `at` reaches its validation unit
    retry,      ///< the first that may in the stall buffer of partition `at` enters again
    accept,     ///< log `at` reaches its commit unit
    commit,     ///< the commit unit of partition `at` applies a region
    stop_unit,  ///< the unit of partition `at` hears of a rollover
    stop_core   ///< warp `at` does
  };
  Kind kind = Kind::issue;
  std::uint8_t at = 0;
};

}  // namespace syncline::protocols::transactions
