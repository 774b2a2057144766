// Data races in the shared memory of one CTA: accesses of different warps to a place, with no chain of barriers from
// one to the other, whose order shows. Warps know how far they have heard of each other as vector clocks (L. Lamport,
// "Time, clocks, and the ordering of events in a distributed system", CACM 1978; C. Flanagan and S. Freund,
// "FastTrack", PLDI 2009: one clock is enough where a place has one accessor).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/exec/memory_access.h"
#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::models {

class SharedRaces {
 public:
  /// Another CTA of so many warps starts. `granule`: bytes of a place, 4 or, where a program has smaller accesses, 1.
  /// `parts`: some barriers may be for a part of the CTA. Where none is, warps do not hear of each other between
  /// barriers, and who they are is enough.
  void start(unsigned warps, unsigned granule, bool parts);
  /// The warp is counted at a barrier: what it did so far is behind whoever waits for that.
  void arrived(unsigned warp, unsigned barrier);
  /// All have come. `whole`: all warps of the CTA that have not ended.
  void passed(unsigned barrier, bool whole);
  /// The warp has waited for the barrier that `passed` named.
  void opened(unsigned warp, unsigned barrier);
  /// An access of a warp; true when it races with an earlier one. Reductions that do the same, in whatever order, do
  /// not race with each other.
  bool access(unsigned warp, const isa::MemoryAccess& access);

 private:
  using Clock = std::uint32_t;
  using Clocks = std::vector<Clock>;  ///< by warp
  static constexpr std::uint16_t nobody = 0xFFFF, several = 0xFFFE;
  /// The latest accesses to a word: of warps that have not heard of each other's. One warp and its clock as a rule.
  struct Set {
    std::uint16_t warp = nobody;
    Clock at = 0;  ///< the warp's clock then; of several, the number of their clocks in many_
  };
  struct Word {
    std::uint32_t interval = 0;
    std::uint32_t operation = 0, operand = 0;  ///< of the reductions
    Set written, read, reduced;                ///< `read`: and reductions that did something else before
  };
  enum class Kind : std::uint8_t { read, write, reduction };
  struct Doing {
    Kind kind = Kind::write;
    std::uint32_t operation = 0, operand = 0;
  };

  static Doing doing(const isa::MemoryAccess& access);
  bool touch(Word& word, unsigned warp, const Doing& what);
  bool knows(unsigned warp, unsigned other, Clock at) const { return warp == other || heard_[warp][other] >= at; }
  bool knows(unsigned warp, const Set& set) const;
  void add(Set& set, unsigned warp, Clock at);
  void add(Set& set, const Set& more);
  void clear(Set& set);

  unsigned granule_ = 4, shift_ = 2;
  bool parts_ = true;
  std::vector<Word> words_;
  std::uint32_t interval_ = 1;  ///< between barriers of the whole CTA, across which nothing races
  std::vector<Clocks> heard_;   ///< by warp
  using ByBarrier = std::array<Clocks, protocols::gpudet::QuantumMachine::barriers>;
  ByBarrier told_;    ///< by those who have come
  ByBarrier passed_;  ///< to those who go on
  std::vector<Clocks> many_;
  std::vector<std::uint32_t> free_;  ///< of many_
};

}  // namespace syncline::models
