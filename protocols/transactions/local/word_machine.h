// What happens to one word of shared memory while transactions run: each way to find conflicts as a table of rows
// ([LocalTM] section 4).
//
// States are what the word is to the work-item that asks, as far as signatures and shadow memory tell.
#pragma once

#include <memory>
#include <vector>

#include "protocols/coherence/engine/table.h"
#include "protocols/transactions/local/spec.h"

namespace syncline::protocols::local {

/// A work-item of the work-group: wavefront * lanes + lane.
using WorkItem = std::uint16_t;
constexpr WorkItem nobody = 0xffff;
/// Byte address in shared memory / 4.
using Word = std::uint32_t;

enum class State : std::uint8_t { free, own_read, own_shared, own, shared, other_read, other };
enum class Event : std::uint8_t { Load, Store, Commit, Abort, Clean_Up };

/// What shadow memory, and beside it S and M of SMDCD, say of a word. Its backup lives with the host.
struct Shadow {
  WorkItem owner = nobody;
  bool shared = false;
  bool modified = false;  ///< there is a backup
};

std::shared_ptr<const TransitionTable> word_table(Detection detection);

/// What a row asks of whoever holds signatures and memory.
struct Effect {
  bool accesses = false;
  bool conflicts = false;    ///< the work-item loses
  bool inserts = false;      ///< its signature has the word from now on
  bool notes_write = false;  ///< its wavefront's helper has
  bool backs_up = false;     ///< what memory holds is copied to the shadow, before the access
  bool restores = false;     ///< and back
};

/// No state beside the coverage counters: words live with the detector.
class WordMachine {
 public:
  explicit WordMachine(std::shared_ptr<const TransitionTable> table);
  explicit WordMachine(const LocalTmSpec& spec) : WordMachine(word_table(spec.detection)) {}
  WordMachine(const WordMachine&) = delete;
  WordMachine& operator=(const WordMachine&) = delete;

  struct Stimulus {
    Event event;
    WorkItem who = nobody;
    Word word = 0;
    bool others = false;   ///< the signature of another work-item has the word
    bool written = false;  ///< a helper signature has
  };
  static State state_of(const Stimulus& stimulus, const Shadow& shadow);
  /// Performs the row that applies. ModelError: there is none.
  Effect perform(const Stimulus& stimulus, Shadow& shadow);

  const TransitionTable& table() const { return *table_; }
  /// How often each row was performed, by Transition::index.
  const std::vector<std::uint64_t>& taken() const { return taken_; }

 private:
  /// What a row does.
  struct Meaning {
    Effect effect;
    bool shares = false;  ///< S = 1
  };

  std::shared_ptr<const TransitionTable> table_;
  std::vector<Meaning> meanings_;  ///< by Transition::index
  std::vector<std::uint64_t> taken_;
};

}  // namespace syncline::protocols::local
