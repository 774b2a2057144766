// Whose turn it is, and at which time: what a block asks instead of SystemC's time.
//
// Turns are ahead of SystemC's time in lanes (models/clock/lane.h), and where a scheduler may run ahead, so that one
// call of an SC_METHOD serves several instants. Who ticks therefore asks here; outside of turns both times are one.
#pragma once

#include <systemc>

#include <cstdint>

namespace syncline::models {

class Lane;
class Scheduler;

/// Picoseconds that never come.
inline constexpr std::uint64_t never_ps = ~std::uint64_t{0};
/// So much later.
constexpr std::uint64_t later_ps(std::uint64_t ps, std::uint64_t by) {
  return by > never_ps - ps ? never_ps : ps + by;
}

/// A turn of a machine's: an instant, and in it the queues (TurnQueue) in the order of their keys. Without values:
/// never.
struct Moment {
  std::uint64_t ps = never_ps;
  std::uint32_t key = 0;

  friend bool operator<(const Moment& a, const Moment& b) { return a.ps != b.ps ? a.ps < b.ps : a.key < b.key; }
};

/// The turn that this thread is in.
struct Turn {
  Moment at;
  Lane* lane = nullptr;                  ///< that runs beside others; null: all others stand still
  const Scheduler* scheduler = nullptr;  ///< whose: one simulation may have several machines; null: it is nobody's turn
};
inline thread_local Turn this_turn;

/// Picoseconds since time began.
inline std::uint64_t now_ps() {
  return this_turn.scheduler != nullptr ? this_turn.at.ps : sc_core::sc_time_stamp().value();
}
inline sc_core::sc_time time_now() {
  return sc_core::sc_time::from_value(now_ps());
}
/// From SystemC's time, which turns may be ahead of, to `ps`; nothing when that is over.
inline sc_core::sc_time systemc_delay_to(std::uint64_t ps) {
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  return sc_core::sc_time::from_value(ps > now ? ps - now : 0);
}
/// By this, who tells another process of SystemC something in a turn delays the notification.
inline sc_core::sc_time lead_of_turn() {
  return systemc_delay_to(now_ps());
}

/// It is the turn `at` of a scheduler's while this lives.
class TurnScope {
 public:
  TurnScope(const Scheduler& scheduler, Moment at, Lane* lane) : before_(this_turn) {
    this_turn = {at, lane, &scheduler};
  }
  ~TurnScope() { this_turn = before_; }
  TurnScope(const TurnScope&) = delete;
  TurnScope& operator=(const TurnScope&) = delete;

 private:
  Turn before_;
};

}  // namespace syncline::models
