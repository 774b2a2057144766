// What every policy's world has: the threads of a small program of transactions, how far each has come, what it has
// seen, and memory with the versions of its words.
//
// A program is one of coherence/explore/program.h, of `ld`, `st` and `add` (a load, and a store of what it read plus a
// number). What a thread does between two fences is a transaction; threads of one `@N` are lanes of one warp; a line is
// a granule, of two words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/lane_mask.h"
#include "protocols/coherence/explore/program.h"
#include "protocols/transactions/access.h"
#include "protocols/transactions/encoder.h"

namespace syncline::protocols::transactions {

/// What a lane does: a load or a store.
struct Action {
  Access access = Access::load;
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

struct ThreadState {
  std::uint8_t transaction = 0;  ///< that runs, or is next
  std::uint8_t next = 0;         ///< action of it
  std::uint8_t under_way = 0;    ///< requests
  std::vector<Progress> transactions;
};

struct Cell {
  std::uint8_t value = 0, version = 0;
};
using Memory = std::array<std::array<Cell, explore::max_words>, explore::max_lines>;

class Threads {
 public:
  /// Where what happens is written to, if anywhere.
  std::string* log = nullptr;

  // Of a state of any world: one with `threads`, `memory` and `judged`, whether nothing has committed since the last
  // look.
  template <class State>
  explore::Outcome outcome(const State& state) const {
    return outcome_of(state.threads, state.memory);
  }
  /// Empty, or what is wrong with what has committed so far. ModelError where it has read what nobody wrote.
  template <class State>
  std::string judge(const State& state) const {
    return state.judged ? std::string() : judge_committed(state.threads);
  }

 protected:
  using States = std::vector<ThreadState>;
  struct Thread {
    unsigned warp, lane;
    std::vector<std::vector<Action>> transactions;
  };
  /// UserError for a program that is not of transactions.
  explicit Threads(const explore::Program& program);

  unsigned warps() const { return warps_; }
  const std::vector<Thread>& threads() const { return threads_; }
  States beginning() const;
  const std::vector<Action>& actions(const States& states, unsigned thread) const {
    return threads_[thread].transactions[states[thread].transaction];
  }
  /// The thread's next action; none: it has come to the end of its transaction.
  const Action* next_action(const States& states, unsigned thread) const;
  /// What a store writes.
  std::uint8_t value_of(const States& states, unsigned thread, const Action& store) const;
  unsigned thread_at(unsigned warp, unsigned lane) const;
  bool is_alone(unsigned thread) const;  ///< in its warp
  /// Lanes that want to run: those of the earliest of the warp's transactions that has not committed in all of them; a
  /// lane that has aborted begins again before others go on.
  base::LaneMask lanes_that_want(const States& states, unsigned warp) const;

  void loaded(States& states, const Memory& memory, unsigned thread, const Action& load, std::uint8_t value,
              bool from_memory) const;
  void written(States& states, Memory& memory, unsigned thread, unsigned transaction, const Action& store) const;
  /// The thread's transaction is over for its warp, which commits it.
  void commits(States& states, unsigned thread) const;
  /// It begins once more.
  static void restart(ThreadState& state);

  static bool all_committed(const States& states);
  explore::Outcome outcome_of(const States& states, const Memory& memory) const;
  std::string judge_committed(const States& states) const;
  static void encode(const States& states, const Memory& memory, Encoder& to);

  std::string name(unsigned thread, unsigned transaction) const;
  std::string name(const States& states, unsigned thread) const { return name(thread, states[thread].transaction); }
  void note(const std::string& line) const;

 private:
  std::vector<Thread> threads_;
  unsigned warps_ = 0;
};

/// "st x +1"
std::string text_of(const Action& action);

}  // namespace syncline::protocols::transactions
