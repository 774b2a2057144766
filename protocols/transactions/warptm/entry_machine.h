// What happens to one entry of a commit unit's ring: a commit ID, from the first packet of its log until what it writes
// stands in memory, as a table of rows.
#pragma once

#include <memory>
#include <vector>

#include "protocols/coherence/engine/table.h"
#include "protocols/transactions/warptm/log.h"

namespace syncline::protocols::warptm {

enum class State : std::uint8_t {
  unused,
  fill,
  filled,
  validation_wait,
  revalidation_wait,
  pass_ack_wait,
  commit_ready,
  commit_sent,
  retired
};
enum class Event : std::uint8_t { Log, Done, Skip, Detect, Answer, Pass, Outcome, Write, Ack };

struct Entry {
  State state = State::unused;
  Warp warp = 0;
  std::vector<LoggedWord> reads, writes;
  base::LaneMask lanes = 0;     ///< that have logged anything
  base::LaneMask failed = 0;    ///< of these, that have read what memory does not hold
  Ticket retired = 0;           ///< when its first packet came, all tickets before this one were retired
  Ticket writer = 0;            ///< youngest of the tickets before it that write what it reads, and may not have then
  std::uint32_t reading = 0;    ///< words that memory has been asked for
  std::uint32_t written = 0;    ///< of `writes`: that memory has been told
  std::uint32_t to_answer = 0;  ///< writes that memory has not acknowledged

  void encode(Encoder& to) const;
};

std::shared_ptr<const TransitionTable> entry_table();

/// What a row asks of the unit.
struct Effect {
  bool waits = false;      ///< nothing has happened
  bool samples = false;    ///< Entry::retired is now
  bool takes = false;      ///< the packet's words belong to the log, and those that were read are asked for
  bool looks_up = false;   ///< who else writes what it reads
  bool notes = false;      ///< what it writes
  bool reads = false;      ///< all that it has read is asked for again
  bool compares = false;   ///< with what memory holds
  bool replies = false;    ///< the core hears what has failed
  bool keeps = false;      ///< of its writes, those of lanes that commit
  bool writes = false;     ///< the next
  bool counts = false;     ///< what memory has acknowledged
  bool completes = false;  ///< the core hears that all that it writes is in memory
};

/// No state beside the coverage counters: entries live with the unit.
class EntryMachine {
 public:
  explicit EntryMachine(std::shared_ptr<const TransitionTable> table = entry_table());
  EntryMachine(const EntryMachine&) = delete;
  EntryMachine& operator=(const EntryMachine&) = delete;

  /// What the guards ask beside the entry.
  struct Stimulus {
    Event event;
    Ticket ticket = 0;           ///< of the entry
    Ticket retired = 0;          ///< all before this one are retired
    base::LaneMask commits = 0;  ///< Outcome: lanes that do
    std::uint32_t words = 0;     ///< Write, Ack: how many
  };
  /// Performs the row that applies. ModelError: there is none.
  Effect perform(const Stimulus& stimulus, Entry& entry);

  const TransitionTable& table() const { return *table_; }
  /// How often each row was performed, by Transition::index.
  const std::vector<std::uint64_t>& taken() const { return taken_; }

 private:
  static bool holds(Code guard, const Stimulus& stimulus, const Entry& entry);

  std::shared_ptr<const TransitionTable> table_;
  std::vector<Effect> effects_;  ///< of each row
  std::vector<std::uint64_t> taken_;
};

}  // namespace syncline::protocols::warptm
