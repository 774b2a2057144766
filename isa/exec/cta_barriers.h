// The sixteen barriers of one CTA: who has arrived, when they open, what bar.red computes. Used by every host of warps.
//
// Counting (PTX ISA, "Parallel Synchronization and Communication Instructions: bar, barrier"). For .target sm_6x and
// lower the ISA executes a barrier per warp, as if all threads of the warp were active: an arrival counts the whole
// warp, even when its lanes are diverged. From sm_70 on each thread counts for itself, so a diverged warp completes a
// barrier only when its other lanes come too. Threads that have ended count as arrived at barriers of the whole CTA.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/exec/step.h"

namespace syncline::isa {

inline constexpr unsigned barriers_per_cta = 16;

enum class BarrierCounting : std::uint8_t { per_thread, per_warp };
/// What the ISA prescribes for a module's .target. Where lanes of a warp come one after another although they are to
/// meet before (thread frontiers), an arrival cannot stand for all of them.
constexpr BarrierCounting barrier_counting(unsigned sm, std::string_view reconvergence) {
  return sm >= 70 || reconvergence == "tf_stack" ? BarrierCounting::per_thread : BarrierCounting::per_warp;
}

/// A warp that waits at a barrier, or that one has just let go.
struct BarrierWaiter {
  unsigned warp = 0;         ///< index in the CTA
  base::LaneMask lanes = 0;  ///< lanes that arrived
  const Op* op = nullptr;
  std::uint64_t result = 0;  ///< bar.red, once open
  unsigned barrier = 0;      ///< where it waits
  std::uint32_t frame = 0;   ///< BarrierRequest::frame
};

class CtaBarriers {
 public:
  /// A CTA of `threads` threads in warps of `warp_lanes` starts.
  void start(unsigned threads, unsigned warp_lanes, BarrierCounting counting);

  /// A warp executed a barrier instruction. True when it has to wait; barriers that opened are in `opened()`
  /// (this warp among them). Throws base::ProgramFault for an id above 15, a thread count that is not a multiple of
  /// the warp size, or one that differs from what others gave in the same phase.
  bool arrive(unsigned warp, const Step& step, const Program& program);
  /// `lanes` of a warp ended; `warp_ended` when no lane of it is left.
  void exit(base::LaneMask lanes, bool warp_ended);

  /// Warps to let go, in order of arrival. The host clears it.
  std::vector<BarrierWaiter>& opened() { return opened_; }
  /// Bit n: all have come to barrier n, whether anybody waited there or not; of `whole`: all of the CTA that have not
  /// ended.
  struct Passed {
    std::uint16_t barriers = 0, whole = 0;
  };
  /// Those since the last call.
  Passed take_passed() { return std::exchange(passed_, {}); }
  bool anyone_waits() const;
  /// For deadlock messages: all that wait at barrier `id`, and "64 of 128 threads".
  const std::vector<BarrierWaiter>& waiting(unsigned id) const { return barriers_[id].waiters; }
  std::string progress(unsigned id) const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;  ///< 0: all of the CTA
    std::uint32_t arrived = 0;   ///< threads
    std::uint32_t popc = 0;      ///< of bar.red predicates
    std::uint32_t voters = 0;    ///< threads that brought a predicate
    bool used = false;
    std::vector<BarrierWaiter> waiters;
  };
  void open_if_complete(unsigned id);
  std::uint32_t target(const Barrier& barrier) const;

  std::array<Barrier, barriers_per_cta> barriers_;
  std::vector<BarrierWaiter> opened_;
  Passed passed_;
  std::uint32_t live_threads_ = 0, live_warps_ = 0, warp_lanes_ = 32;
  BarrierCounting counting_ = BarrierCounting::per_thread;
};

}  // namespace syncline::isa
