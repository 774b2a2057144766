// Small programs of transactions on the machines of GETM: cores, networks that deliver in any order, partitions. No
// caches and no time: what is explored is which transactions commit, and what they have seen.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "protocols/coherence/explore/program.h"
#include "protocols/transactions/explore/state.h"

namespace syncline::protocols::transactions {

struct WorldOptions {
  getm::GetmSpec spec;
  unsigned partitions = 1;
  /// A lane goes on while its accesses are under way, as far as it needs not what they read. Otherwise it waits for
  /// each.
  bool pipelined = false;
  /// Not 0: runs in which a warp has begun more often than so many times again are not looked at further.
  unsigned max_aborts = 0;
  /// What figure 4.6 is; null: what the specification says. For tables with a fault.
  std::shared_ptr<const TransitionTable> table;
};

/// What was met, to know whether a suite meets everything.
struct Met {
  std::array<std::uint64_t, 8> aborts{};  ///< by getm::AbortCause
  std::uint64_t queued = 0, retried = 0, evicted = 0, stashed = 0, overflowed = 0, rollovers = 0, forwarded = 0;
  void add(const Met& other);
};

class World : public Threads {
 public:
  using State = transactions::State;
  using Step = transactions::Step;
  using Met = transactions::Met;

  /// UserError for a program that is not of transactions.
  World(const explore::Program& program, const WorldOptions& options);

  State initial();
  /// All that can happen next, in a fixed order.
  void list(const State& state, std::vector<Step>& steps) const;
  /// ModelError where a machine finds a rule broken.
  void apply(State& state, const Step& step);

  bool finished(const State& state) const;
  /// A warp has aborted too often (WorldOptions::max_aborts).
  bool is_cut(const State& state) const;
  /// Equal for states that behave alike from now on.
  void encode(const State& state, std::string& bytes) const;

  const Met& met() const { return met_; }
  const getm::GranuleMachine& machine() const { return machine_; }
  /// "T1: ld x reaches its validation unit"
  std::string describe(const State& state, const Step& step) const;

 private:
  unsigned home(getm::Granule granule) const { return static_cast<unsigned>(granule % options_.partitions); }
  std::uint64_t word_of(unsigned line, unsigned word) const { return line * (options_.spec.granularity / 4) + word; }
  unsigned line_of(std::uint64_t word) const { return static_cast<unsigned>(word / (options_.spec.granularity / 4)); }
  unsigned place_of(std::uint64_t word) const { return static_cast<unsigned>(word % (options_.spec.granularity / 4)); }
  /// The lane's next action can be taken now.
  bool may_issue(const State& state, unsigned thread) const;
  bool issues_at_once(unsigned thread) const { return !options_.pipelined && is_alone(thread); }

  void issue(State& state, unsigned thread);
  void answer(State& state, const getm::Answer& answer);
  void deliver(State& state, unsigned flight);
  void apply_region(State& state, unsigned partition);
  void write(State& state, const getm::LogEntry& region);
  void commit(State& state, unsigned warp, getm::Requester who);
  void end(State& state, unsigned warp);
  void roll_over(State& state);
  /// What follows by itself: attempts begin and end, lanes that nothing else depends on go on.
  void settle(State& state);
  bool settle(State& state, unsigned warp);

  WorldOptions options_;
  getm::GranuleMachine machine_;
  Met met_;
};

}  // namespace syncline::protocols::transactions
