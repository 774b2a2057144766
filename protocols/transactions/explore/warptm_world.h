// Small programs of transactions on the machines of KiloTM, WarpTM, WarpTM-EL and EAPG: cores, networks that keep the
// order of what one core sends to one partition and no other, partitions. No caches; time passes with each access to
// memory, for temporal conflict detection.
//
// What follows at once where waiting longer would only be as if a message had come later happens by itself: hazard
// detection, pass and retire, and replies.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "protocols/transactions/explore/warptm_state.h"

namespace syncline::protocols::transactions {

struct WarptmWorldOptions {
  warptm::WarptmSpec spec;
  unsigned partitions = 1;
  /// What memory has read and written for a commit unit comes to it later than it happens.
  bool late_answers = false;
  /// What partitions tell all cores (EAPG) comes to each at a time of its own.
  bool late_broadcasts = false;
  /// What entry_table() is; null: that. For tables with a fault.
  std::shared_ptr<const TransitionTable> table;
  warptm::CommitUnit::Turn turn = warptm::CommitUnit::Turn::by_ticket;
};

/// What was met, to know whether a suite meets everything.
struct WarptmMet {
  std::array<std::uint64_t, 5> aborts{};  ///< by warptm::AbortCause
  std::uint64_t silent = 0;               ///< lanes that committed without validation, having read
  std::uint64_t hazards = 0, coalesced = 0, forwarded = 0, paused = 0, waits_for_ticket = 0;
  std::uint64_t same_again = 0;  ///< words validated that had been written since, with the value that they had
  void add(const WarptmMet& other);
};

class WarptmWorld : public Threads {
 public:
  using State = WarptmState;
  using Step = WarptmStep;
  using Met = WarptmMet;

  /// UserError for a program that is not of transactions.
  WarptmWorld(const explore::Program& program, const WarptmWorldOptions& options);

  State initial();
  /// All that can happen next, in a fixed order.
  void list(const State& state, std::vector<Step>& steps) const;
  /// ModelError where a machine finds a rule broken.
  void apply(State& state, const Step& step);

  bool finished(const State& state) const;
  static bool is_cut(const State&) { return false; }
  /// Equal for states that behave alike from now on.
  void encode(const State& state, std::string& bytes) const;

  const Met& met() const { return met_; }
  const warptm::EntryMachine& machine() const { return machine_; }
  std::string describe(const State& state, const Step& step) const;

 private:
  static constexpr unsigned words_of_line = 8;
  static std::uint64_t word_of(const Action& action) { return action.line * words_of_line + action.word; }
  unsigned home(std::uint64_t word) const { return static_cast<unsigned>(word / words_of_line % options_.partitions); }
  static Cell& cell_of(Memory& memory, std::uint64_t word) {
    return memory[word / words_of_line][word % words_of_line];
  }
  std::size_t way(unsigned warp, unsigned partition) const { return warp * options_.partitions + partition; }
  /// The lane's next action can be taken now.
  bool may_access(const State& state, unsigned thread) const;
  bool runs(const State& state, unsigned thread) const;
  bool is_paused(const State& state, unsigned thread) const;
  /// Nobody else can tell when it happens.
  bool follows_by_itself(const State& state, unsigned thread) const;
  bool resolves_by_itself() const { return !options_.spec.early_abort; }

  void access(State& state, unsigned thread);
  void load(State& state, unsigned thread, const Action& action);
  void abort(State& state, unsigned warp, base::LaneMask lanes, warptm::AbortCause cause);
  void resolve(State& state, unsigned warp);
  void acquire(State& state, unsigned warp);
  void arrive(State& state, unsigned warp, unsigned partition);
  void broadcast(State& state, unsigned partition, const warptm::Broadcast& broadcast);
  void hear(State& state, unsigned warp, const warptm::Broadcast& broadcast);
  void validate(State& state, unsigned partition);
  void answer(State& state, unsigned partition);
  void revalidated(State& state, warptm::Warp warp, const warptm::LoggedWord& word, std::uint8_t version);
  void write(State& state, unsigned partition);
  void acknowledge(State& state, unsigned partition);
  void replied(State& state, unsigned partition, const warptm::Reply& reply);
  void end(State& state, unsigned warp);
  /// What follows by itself.
  void settle(State& state);
  bool settle_unit(State& state, unsigned partition);
  bool settle_warp(State& state, unsigned warp);

  WarptmWorldOptions options_;
  warptm::EntryMachine machine_;
  Met met_;
};

}  // namespace syncline::protocols::transactions
