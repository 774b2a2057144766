// Small programs of transactions on the machines of GPU-LocalTM: wavefronts in lockstep on the banks of one shared
// memory. In which order banks serve the lanes of an instruction, and hear of who has lost or committed, is free, as is
// which wavefront goes on: what is explored is who commits, and what he has seen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocols/transactions/explore/threads.h"
#include "protocols/transactions/local/detector.h"
#include "protocols/transactions/local/wavefront.h"

namespace syncline::protocols::transactions {

struct LocalWorldOptions {
  local::LocalTmSpec spec;
  /// What happens to a word; null: what the specification says. For tables with a fault.
  std::shared_ptr<const TransitionTable> table;
};

/// What was met, to know whether a suite meets everything.
struct LocalMet {
  std::uint64_t conflicts = 0, second_looks = 0, wavefront_serial = 0, group_serial = 0, quiesced = 0;
  void add(const LocalMet& other);
};

struct LocalState {
  /// Banks that have not heard yet.
  struct Leaving {
    std::uint8_t lost = 0, committed = 0;
    bool empty() const { return lost == 0 && committed == 0; }
  };
  std::vector<ThreadState> threads;
  std::vector<local::Wavefront> wavefronts;
  std::vector<bool> ending;      ///< by wavefront: its banks hear of the end
  std::vector<Leaving> leaving;  ///< by thread
  std::optional<local::Detector> detector;
  std::optional<std::uint8_t> holder;  ///< the wavefront that has, or waits for, the work-group
  std::uint8_t fruitless = 0;  ///< attempts of it, alone in the work-group, since one of its lanes has committed
  Memory memory{};
  Memory backups{};
  bool judged = true;  ///< nothing has committed since the last look
};

struct LocalStep {
  enum class Kind : std::uint8_t {
    begin,      ///< wavefront `at` executes TX_Begin
    access,     ///< a bank serves thread `at`
    broadcast,  ///< `bank` hears that thread `at` has lost
    release,    ///< that it has committed
    quiesce     ///< wavefront `at` hears that another wants to be alone
  };
  Kind kind = Kind::begin;
  std::uint8_t at = 0, bank = 0;
};

class LocalWorld : public Threads {
 public:
  using State = LocalState;
  using Step = LocalStep;
  using Met = LocalMet;

  /// UserError for a program that is not of transactions.
  LocalWorld(const explore::Program& program, const LocalWorldOptions& options);

  State initial();
  void list(const State& state, std::vector<Step>& steps) const;
  /// ModelError where a machine finds a rule broken.
  void apply(State& state, const Step& step);

  bool finished(const State& state) const;
  static bool is_cut(const State&) { return false; }
  void encode(const State& state, std::string& bytes) const;

  const Met& met() const { return met_; }
  const local::WordMachine& machine() const { return machine_; }
  std::string describe(const State& state, const Step& step) const;

 private:
  local::WorkItem item_of(unsigned thread) const;
  static local::Word word_of(const Action& action) { return action.line * explore::max_words + action.word; }
  /// Those that know anything of it.
  std::uint8_t banks_of(const State& state, unsigned thread) const;
  bool is_leaving(const State& state, unsigned wavefront) const;
  bool is_alone_in_group(const State& state, unsigned wavefront) const;
  bool may_begin(const State& state, unsigned wavefront) const;
  bool may_access(const State& state, unsigned thread) const;

  void access(State& state, unsigned thread);
  void lose(State& state, unsigned thread);
  void broadcast(State& state, unsigned thread, unsigned bank);
  void quiesce(State& state, unsigned wavefront);
  void commit(State& state, unsigned wavefront);
  void settle(State& state);

  LocalWorldOptions options_;
  local::WordMachine machine_;
  unsigned lanes_ = 0;  ///< of the widest wavefront
  Met met_;
};

}  // namespace syncline::protocols::transactions
