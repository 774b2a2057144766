// Why a warp does not issue, and the account of the issue slots that were lost for each reason.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "base/stats.h"
#include "models/sm/functional_units.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

/// State of a warp slot. The first `pipe_kinds` states mean: ready, and the next instruction wants that pipe. The order
/// of the stalls is the order in which a lost issue slot is attributed, when warps stall for different reasons: what
/// is nearest to issuing first.
enum class WarpState : std::uint8_t {
  ready_sp,
  ready_sfu,
  ready_dp,
  ready_ldst,
  ready_control,
  gated,                ///< and the 7 behind it: one per reason of the gate
  latency = gated + 8,  ///< the previous instruction's own time: control latency, issue interval
  scoreboard,           ///< a register of an arithmetic instruction
  memory,               ///< a register that memory will bring, or an acquire that is not performed
  fence,                ///< earlier accesses are not performed yet
  barrier,
  sleeping,   ///< nanosleep
  launching,  ///< the CTA has not started
  empty,      ///< no warp, or one that has ended
  count_
};
inline constexpr unsigned warp_states = static_cast<unsigned>(WarpState::count_);
inline constexpr unsigned max_gate_reasons = 8;
static_assert(warp_states <= 32, "a set of states is a word");

constexpr WarpState ready_state(Pipe pipe) {
  return static_cast<WarpState>(pipe);
}
constexpr WarpState gated_state(unsigned reason) {
  return static_cast<WarpState>(static_cast<unsigned>(WarpState::gated) + reason);
}
constexpr bool is_gated(WarpState s) {
  return s >= WarpState::gated && s < WarpState::latency;
}

/// Its word in statistics, waves and messages; those of the gate have their own reasons beside it.
constexpr std::string_view state_name(WarpState state) {
  switch (state) {
    case WarpState::latency:
      return "latency";
    case WarpState::scoreboard:
      return "scoreboard";
    case WarpState::memory:
      return "memory";
    case WarpState::fence:
      return "fence";
    case WarpState::barrier:
      return "barrier";
    case WarpState::sleeping:
      return "sleep";
    case WarpState::launching:
      return "launch";
    case WarpState::empty:
      return "idle";
    default:
      return is_gated(state) ? "gate" : "ready";
  }
}

/// The state of every warp slot, as one set per state.
class WarpStates {
 public:
  explicit WarpStates(unsigned slots) {
    sets_[index(WarpState::empty)] = all_warps(slots);
    used_ = 1U << index(WarpState::empty);
    state_.fill(WarpState::empty);
  }
  WarpState of(unsigned slot) const { return state_[slot]; }
  const WarpMask& in(WarpState state) const { return sets_[index(state)]; }
  void set(unsigned slot, WarpState state) {
    WarpMask& left = sets_[index(state_[slot])];
    left &= ~warp_bit(slot);
    if (left == 0) used_ &= ~(1U << index(state_[slot]));
    sets_[index(state)] |= warp_bit(slot);
    used_ |= 1U << index(state);
    state_[slot] = state;
  }
  WarpMask ready() const {
    WarpMask all = 0;
    for (unsigned p = 0; p < pipe_kinds; ++p) all |= sets_[p];
    return all;
  }
  /// Bit n: some warps are in state n.
  std::uint32_t used() const { return used_; }
  /// Calls `body(pipe, warps)` for each pipe for which some are ready.
  template <class Body>
  void for_each_ready(Body&& body) const {
    for (std::uint32_t left = used_ & ((1U << pipe_kinds) - 1); left != 0; left &= left - 1) {
      const auto pipe = static_cast<unsigned>(__builtin_ctz(left));
      body(static_cast<Pipe>(pipe), sets_[pipe]);
    }
  }
  /// Warps that wait for something long, as two-level scheduling understands it.
  WarpMask long_stalls() const {
    return in(WarpState::memory) | in(WarpState::fence) | in(WarpState::barrier) | in(WarpState::sleeping);
  }

 private:
  static constexpr std::size_t index(WarpState state) { return static_cast<std::size_t>(state); }
  std::array<WarpMask, warp_states> sets_{};
  std::array<WarpState, max_warp_slots> state_{};
  std::uint32_t used_ = 0;
};

/// Issue slots (schedulers x issue width x cycles) of an SM that holds at least one CTA: how many issued, and for which
/// reason each of the others was lost. The sum is exact, slept cycles included.
class StallAccount {
 public:
  /// `slots` lost issue slots of the scheduler that owns `own`, each of the `cycles` cycles.
  void lost(const WarpStates& states, WarpMask own, std::uint64_t slots) {
    for (std::uint32_t left = states.used(); left != 0; left &= left - 1) {
      const auto state = static_cast<unsigned>(__builtin_ctz(left));
      if ((states.in(static_cast<WarpState>(state)) & own) == 0) continue;
      (state < pipe_kinds ? unit_busy[state] : by_state[state]).add(slots);
      return;
    }
  }

  std::array<base::Counter, pipe_kinds> unit_busy;
  std::array<base::Counter, warp_states> by_state;  ///< from `gated` on; `empty`: the scheduler has no warp
};

}  // namespace syncline::models
