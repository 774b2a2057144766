// A long random test of one policy: batch after batch, each on another tiny machine, until enough operations have run
// or one has failed. A failing batch is shrunk.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/fields.h"
#include "platform/stress/shrink.h"

namespace syncline::stress {

/// Sizes of caches and queues: of a few lines and entries, so that all is full all the time; or of many, so that many
/// accesses are under way, merge and overtake each other.
enum class Room { tight, ample };

const base::ChoiceTable<Room>& room_names();

struct StressOptions {
  /// The policy; a batch runs with one of these settings of its keys.
  std::vector<protocols::CoherenceSpec> coherence;
  std::optional<protocols::CoherencePolicy> own_policy;  ///< instead of one of the registry
  std::uint64_t operations = 20'000;                     ///< at least
  std::uint64_t seed = 1;
  unsigned l1s = 3, homes = 2;
  unsigned warps = 3;  ///< of an L1, at most; racy episodes have one less
  Room room = Room::tight;
  unsigned lines = 4;                   ///< of a racy episode, at most; those without races have three times as many
  std::optional<std::uint64_t> replay;  ///< only the batch of this number
  unsigned jobs = 1;                    ///< batches under way at a time; the result is the same
  unsigned most_trials = 2000;          ///< of shrinking a failing batch; 0: it is told as it is
};

struct StressReport {
  std::string policy;
  protocols::Consistency promised = protocols::Consistency::sc;
  std::uint64_t seed = 1;
  std::uint64_t batches = 0, episodes = 0, operations = 0;
  double seconds = 0;
  protocols::RowCounts taken;
  std::size_t rows = 0;                     ///< that do something
  std::vector<std::string> rows_not_taken;  ///< of them
  struct Failure {
    std::uint64_t batch = 0;
    std::string found;  ///< what the batch showed first
    Shrunk shrunk;
  };
  std::optional<Failure> failure;  ///< of the first batch that failed, by its number
};

/// The batch of a number: the same for the same seed and machine, whatever else runs.
Batch make_batch(const StressOptions& options, std::uint64_t number);

/// UserError when a policy does not exist or a process cannot be started. `tell` hears of a failure before it is
/// shrunk.
StressReport run_stress(const StressOptions& options, const std::function<void(const std::string&)>& tell = {});

void print_text(std::ostream& out, const StressReport& report);
void print_json(std::ostream& out, const StressReport& report);

}  // namespace syncline::stress
