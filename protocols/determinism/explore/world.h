// Small programs on the machine of quanta: warps with logs of stores, memory, commits and atomics in any order that the
// machine allows. No caches and no time: what is explored is whether results depend on who is first.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "protocols/coherence/explore/program.h"
#include "protocols/determinism/gpudet/partitions.h"
#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::protocols::determinism {

struct WorldOptions {
  gpudet::GpudetSpec spec;
  unsigned sms = 2;
  /// CTAs have the places of their partitions. Otherwise the next CTA takes whatever place is free first, as on a GPU
  /// without determinism (section 4.2.2, figure 4.4 (a)).
  bool partitions = true;
  /// Loads that go ahead of their quantum wait for a commit that writes to their lines.
  bool holds = true;
  /// As many as a quantum may have.
  std::uint64_t rounds = gpudet::QuantumMachine::no_limit;
  /// Told the mode of the machine whenever it may be another one; a step may pass through several.
  std::function<void(gpudet::Mode)> entered;
};

/// A program as CTAs: threads with the same `@N` are the warps of one CTA. An SM has places for one CTA, so that
/// further ones wait. CTAs of fewer warps than the largest are filled up with warps that do nothing.
class World {
 public:
  /// A load that waits for the end of the commit.
  struct Held {
    std::uint8_t result = 0;  ///< its number among those of the thread
    std::uint8_t line = 0, word = 0;
  };
  struct Warp {
    const explore::Thread* thread = nullptr;  ///< null: it does nothing
    std::uint8_t next = 0;                    ///< operation
    std::vector<Held> held;
  };
  struct Store {
    std::uint8_t line = 0, word = 0, value = 0;
    gpudet::Rank rank;
  };
  struct Atomic {
    gpudet::Place warp = 0;
    explore::Op op;
  };
  struct State {
    gpudet::QuantumMachine machine;
    gpudet::CtaPartitions ctas;
    std::vector<Warp> warps;                         ///< by place
    std::vector<std::vector<Store>> logs;            ///< by place, in program order
    std::vector<std::uint8_t> written;               ///< by place: entries of the log that are in memory
    std::vector<std::vector<Atomic>> on_their_way;   ///< by SM and line: first in, first out
    std::vector<std::vector<std::uint8_t>> results;  ///< by thread
    std::array<std::array<std::uint8_t, explore::max_words>, explore::max_lines> memory{};
    std::array<std::array<gpudet::Rank, explore::max_words>, explore::max_lines> ranks{};
  };
  using Visitor = std::function<void(State&& after, const std::string& step)>;

  /// `program` outlives the world.
  World(const explore::Program& program, const WorldOptions& options);

  State initial() const;
  /// Calls `visit` with each state that can follow.
  void for_each_step(const State& state, const Visitor& visit) const;
  bool finished(const State& state) const { return state.machine.mode() == gpudet::Mode::distribution; }
  explore::Outcome outcome(const State& state) const;
  /// Equal for states that behave alike from now on.
  std::string encode(const State& state) const;

 private:
  void steps_of_warps(const State& state, const Visitor& visit) const;
  void steps_of_commit(const State& state, const Visitor& visit) const;
  void steps_of_serial(const State& state, const Visitor& visit) const;

  void distribute(State& state) const;
  void begin_cta(State& state, gpudet::CtaPlace place, std::uint64_t cta) const;
  std::string run(State& state, gpudet::Place warp) const;
  void store(State& state, gpudet::Place warp, const explore::Op& op) const;
  std::uint8_t load(const State& state, gpudet::Place warp, const explore::Op& op) const;
  std::string load_ahead(State& state, gpudet::Place warp, const explore::Op& op) const;
  void open_barrier(State& state, gpudet::CtaPlace cta) const;
  void settle(State& state) const;  ///< what follows by itself from a change of mode
  std::vector<std::uint8_t>& results_of(State& state, gpudet::Place warp) const;

  const explore::Program& program_;
  WorldOptions options_;
  unsigned warps_per_cta_ = 1;
  std::vector<std::vector<const explore::Thread*>> ctas_;
};

}  // namespace syncline::protocols::determinism
