// Whose turn it is, and at which time: what a block asks instead of SystemC's time.
//
// Lanes (models/clock/lane.h) run turns ahead of SystemC's time, so that one SC_METHOD can serve several instants. Who
// ticks therefore asks here; outside of turns both times are one.
#pragma once

#include <systemc>

#include <cstdint>

namespace syncline::models {

class Lane;
class Scheduler;

/// The turn that this thread is in.
struct Turn {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t ps = none;               ///< its instant; none: it is nobody's turn
  std::uint32_t key = 0;                 ///< of the queue whose turn it is (TurnQueue)
  Lane* lane = nullptr;                  ///< that runs beside others; null: all others stand still
  const Scheduler* scheduler = nullptr;  ///< whose turn: one simulation may have several machines
};
inline thread_local Turn this_turn;

/// Picoseconds since time began.
inline std::uint64_t now_ps() {
  return this_turn.ps != Turn::none ? this_turn.ps : sc_core::sc_time_stamp().value();
}
inline sc_core::sc_time time_now() {
  return sc_core::sc_time::from_value(now_ps());
}

/// It is the turn of queue `key` of a scheduler's at `ps` while this lives.
class TurnScope {
 public:
  TurnScope(const Scheduler& scheduler, std::uint64_t ps, std::uint32_t key, Lane* lane) : before_(this_turn) {
    this_turn = {ps, key, lane, &scheduler};
  }
  ~TurnScope() { this_turn = before_; }
  TurnScope(const TurnScope&) = delete;
  TurnScope& operator=(const TurnScope&) = delete;

 private:
  Turn before_;
};

}  // namespace syncline::models
