// A state of transactions under way.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "protocols/coherence/explore/program.h"
#include "protocols/transactions/getm/commit_unit.h"
#include "protocols/transactions/getm/rollover.h"
#include "protocols/transactions/getm/validation_unit.h"
#include "protocols/transactions/getm/warp_transaction.h"

namespace syncline::protocols::transactions {

/// What a lane does: a load or a store.
struct Action {
  getm::Access access = getm::Access::load;
  std::uint8_t line = 0, word = 0;
  std::uint8_t value = 0;   ///< that is stored
  bool adds = false;        ///< to what the last load has read
  std::uint8_t result = 0;  ///< load: its number among those of the transaction
};

/// A transaction of a thread, as far as it has come.
struct Progress {
  enum class Phase : std::uint8_t { waits, running, committing, committed };
  struct Read {
    bool has_value = false, from_memory = false;
    std::uint8_t value = 0, version = 0, line = 0, word = 0;
  };
  struct Write {
    std::uint8_t line = 0, word = 0, version = 0;
  };
  Phase phase = Phase::waits;
  std::vector<Read> reads;    ///< by Action::result
  std::vector<Write> writes;  ///< that are in memory
};

struct State {
  struct Thread {
    std::uint8_t transaction = 0;  ///< that runs, or is next
    std::uint8_t next = 0;         ///< action of it
    std::uint8_t under_way = 0;    ///< requests
    std::vector<Progress> transactions;
  };
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
  struct Cell {
    std::uint8_t value = 0, version = 0;
  };
  /// What a log under way is of.
  struct Committing {
    base::LaneMask lanes = 0;
    std::uint8_t transaction = 0;
  };

  std::vector<Thread> threads;
  std::vector<getm::WarpTransaction> warps;
  std::vector<std::uint8_t> begun;     ///< by warp: attempts that began again, where they are counted
  std::vector<Committing> committing;  ///< by requester
  std::vector<Flight> flights;         ///< by requester and label
  std::vector<Log> logs;               ///< by requester and partition
  std::vector<getm::ValidationUnit> units;
  std::vector<getm::CommitUnit> commits;
  getm::Rollover rollover{0, 0};
  std::uint32_t units_stopped = 0, warps_told = 0, warps_stopped = 0;  ///< sets
  std::array<std::array<Cell, explore::max_words>, explore::max_lines> memory{};
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
