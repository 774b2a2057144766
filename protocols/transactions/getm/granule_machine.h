// What happens to one granule: figure 4.6 as a table of rows.
//
// States are what the granule is to whoever asks: free, reserved by himself, or reserved by another. Events are a load
// or a store that a core asks for, and the entries of logs that the commit unit brings. Each tie rule has the table
// with its own rows for ties.
#pragma once

#include <memory>
#include <vector>

#include "protocols/coherence/engine/table.h"
#include "protocols/transactions/getm/request.h"
#include "protocols/transactions/getm/spec.h"

namespace syncline::protocols::getm {

enum class State : std::uint8_t { free, own, other };
enum class Event : std::uint8_t { Load, Store, Commit, Clean_Up };

std::shared_ptr<const TransitionTable> granule_table(TieRule rule);

/// What a row did, beside the granule's metadata.
struct Effect {
  AbortCause refused = AbortCause::none;  ///< not `none`: an access is refused, and why
  bool answers = false;                   ///< an access happens
  bool queues = false;                    ///< the request waits in the stall buffer
  bool writes = false;                    ///< the words of the log are written to memory
  bool rolls_over = false;                ///< timestamps are used up
};

/// A machine has no state beside its coverage counters: metadata lives with the host.
class GranuleMachine {
 public:
  GranuleMachine(const GetmSpec& spec, std::shared_ptr<const TransitionTable> table)
      : last_(spec.last_timestamp()), granularity_(spec.granularity), table_(std::move(table)) {
    taken_.resize(table_->transitions().size());
  }
  explicit GranuleMachine(const GetmSpec& spec) : GranuleMachine(spec, granule_table(spec.tie_rule)) {}
  GranuleMachine(const GranuleMachine&) = delete;
  GranuleMachine& operator=(const GranuleMachine&) = delete;

  /// What the table's guards ask beside the metadata.
  struct Stimulus {
    Event event;
    Requester who = 0;
    Timestamp at = 0;
    std::uint32_t count = 0;  ///< writes to come, or, of a log, those that come
    bool room = false;        ///< in the stall buffer
    bool stopped = false;     ///< the unit is about to roll over
  };
  /// Of a load or store: whether there is `room` for it to wait, and whether the unit has `stopped`.
  static Stimulus stimulus_of(const Request& request, bool room, bool stopped);
  /// Performs the row that applies. ModelError: a log's entry for what its warp has not reserved.
  Effect perform(const Stimulus& stimulus, Metadata& entry);
  /// Whether the row that applies lets a request wait.
  bool lets_wait(const Stimulus& stimulus, const Metadata& entry) const;

  const TransitionTable& table() const { return *table_; }
  /// How often each row was performed, by Transition::index.
  const std::vector<std::uint64_t>& taken() const { return taken_; }

 private:
  const Transition& decide(const Stimulus& stimulus, const Metadata& entry) const;
  bool holds(Code guard, const Stimulus& stimulus, const Metadata& entry) const;
  void perform(Code action, const Stimulus& stimulus, Metadata& entry, Code guard, Effect& effect) const;

  Timestamp last_;
  std::uint32_t granularity_;
  std::shared_ptr<const TransitionTable> table_;
  std::vector<std::uint64_t> taken_;
};

}  // namespace syncline::protocols::getm
