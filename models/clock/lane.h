// A part of the tiles that one thread of the host runs, beside the other lanes.
//
// Tiles of different lanes share nothing within a window of time but what the sequential part has. So what a tile does
// to that, while lanes run, waits until all have ended: `in_order`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "models/clock/turn.h"
#include "models/clock/turn_queue.h"

namespace syncline::models {

/// Of one machine.
inline constexpr unsigned max_lanes = 64;

class alignas(64) Lane {
 public:
  /// `number` from 0.
  Lane(const Scheduler& scheduler, unsigned number) : scheduler_(scheduler), number_(number) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  TurnQueue& add_queue(ClockDomain& domain, std::uint32_t key);
  unsigned number() const { return number_; }
  /// Where its next turn is.
  Moment next() const { return next_; }
  void expect(Moment moment) { next_ = std::min(next_, moment); }
  /// Its turns at `at`, in a time in which no lane runs beside others.
  void run_at(Moment at);

  /// All turns before `end`. What one of them throws is kept, and ends it.
  void run(Moment end);
  /// Turns that the last `run` has seen.
  std::uint64_t work() const { return work_; }

  /// `action` is done when no lane runs, as in the turn that this is.
  template <class Action>
  void later(const Action& action) {
    static_assert(sizeof(Action) <= action_bytes && std::is_trivially_copyable_v<Action>);
    Later& later = later_.emplace_back();
    later.ps = this_turn.at.ps;
    later.key = this_turn.at.key;
    later.run = [](const std::byte* bytes) {
      alignas(Action) std::byte copy[sizeof(Action)];
      std::copy(bytes, bytes + sizeof(Action), copy);
      (*std::launder(reinterpret_cast<Action*>(copy)))();
    };
    ::new (static_cast<void*>(later.action.data())) Action(action);
  }
  /// Does what waits.
  void catch_up();

  /// Tiles in which a CTA may end soon.
  unsigned near_ends = 0;

  /// What a turn has thrown, and when; null: nothing.
  std::exception_ptr failure() const { return failure_; }
  Moment failed_at() const { return failed_at_; }

 private:
  static constexpr std::size_t action_bytes = 40;
  struct alignas(64) Later {
    std::uint64_t ps;
    void (*run)(const std::byte*);
    std::uint32_t key;
    alignas(8) std::array<std::byte, action_bytes> action;
  };

  TurnQueue* look();  ///< finds `next_`; null: there is none

  const Scheduler& scheduler_;
  const unsigned number_;
  Moment next_;
  std::uint64_t work_ = 0;
  std::exception_ptr failure_;
  Moment failed_at_;
  std::vector<Later> later_;
  std::vector<std::unique_ptr<TurnQueue>> queues_;  ///< in the order of their keys
};

/// What the turn of a tile does to the sequential part: at once, or, where tiles run side by side, when none runs. The
/// action must not tell the tile anything.
template <class Action>
void in_order(const Action& action) {
  if (this_turn.lane == nullptr) return action();
  this_turn.lane->later(action);
}

}  // namespace syncline::models
