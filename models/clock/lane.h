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
  /// Its queue that is due at `at`, for a time in which no lane runs beside others; null: none is.
  TurnQueue* due_at(Moment at);
  /// That queue has had its turns.
  void look_again() { look(); }

  /// All turns before `end`. What one of them throws is kept, and is its last.
  void run(Moment end);
  /// Turns that the last `run` has seen.
  std::uint64_t work() const { return work_; }

  /// `action` is done when no lane runs, as in the turn that this is.
  template <class Action>
  void later(const Action& action) {
    keep(later_.emplace_back(), action);
  }
  /// The same in the order of turns, whichever lanes they are of. The lane goes no further than this turn before it is
  /// done.
  template <class Action>
  void in_turn_order(const Action& action) {
    Later& later = in_turn_.emplace_back();
    keep(later, action);
    later.order = static_cast<std::uint32_t>(turns_->order_of_turn());
  }
  /// Does what waits.
  void catch_up();
  /// Of all these lanes, what is to be done in the order of turns and comes before all turns that are still to be.
  static void catch_up_in_turn(const std::vector<std::unique_ptr<Lane>>& lanes);

  /// Tiles in which a CTA may end soon.
  unsigned near_ends = 0;

  /// What a turn has thrown; null: nothing.
  std::exception_ptr failure() const { return failure_; }
  /// It has had all its turns before the one in which `other` failed.
  bool has_reached_failure_of(const Lane& other) const { return failure_ != nullptr || other.failed_at_ < next_; }
  /// Both have failed, this one in the earlier turn.
  bool failed_before(const Lane& other) const {
    if (failed_at_ < other.failed_at_ || other.failed_at_ < failed_at_) return failed_at_ < other.failed_at_;
    return failed_order_ < other.failed_order_;
  }

 private:
  static constexpr std::size_t action_bytes = 40;
  struct alignas(64) Later {
    std::uint64_t ps;
    void (*run)(const std::byte*);
    std::uint32_t key;
    std::uint32_t order;  ///< of the unit whose turn it is; only in `in_turn_`
    alignas(8) std::array<std::byte, action_bytes> action;
  };

  template <class Action>
  static void keep(Later& later, const Action& action) {
    static_assert(sizeof(Action) <= action_bytes && std::is_trivially_copyable_v<Action>);
    later.ps = this_turn.at.ps;
    later.key = this_turn.at.key;
    later.run = [](const std::byte* bytes) {
      alignas(Action) std::byte copy[sizeof(Action)];
      std::copy(bytes, bytes + sizeof(Action), copy);
      (*std::launder(reinterpret_cast<Action*>(copy)))();
    };
    ::new (static_cast<void*>(later.action.data())) Action(action);
  }
  void run(const Later& later) const;

  bool waits() const { return !in_turn_.empty(); }
  TurnQueue* look();  ///< finds `next_`; null: there is none

  const Scheduler& scheduler_;
  const unsigned number_;
  Moment next_;
  std::uint64_t work_ = 0;
  std::exception_ptr failure_;
  Moment failed_at_;
  std::size_t failed_order_ = 0;
  TurnQueue* turns_ = nullptr;  ///< that are under way
  std::vector<Later> later_;
  std::vector<Later> in_turn_;                      ///< of one turn: the lane waits
  std::vector<std::unique_ptr<TurnQueue>> queues_;  ///< in the order of their keys
};

/// What the turn of a tile does to the sequential part: at once, or, where tiles run side by side, when none runs. The
/// action must not tell the tile anything.
template <class Action>
void in_order(const Action& action) {
  if (this_turn.lane == nullptr) return action();
  this_turn.lane->later(action);
}

/// The same, where it matters which of several tiles does it first, and what a later turn of this one finds.
template <class Action>
void in_turn_order(const Action& action) {
  if (this_turn.lane == nullptr) return action();
  this_turn.lane->in_turn_order(action);
}

/// `in_order`, to what runs in lane `of`: at once for those that run there, too. Null: it is the sequential part.
template <class Action>
void in_order(const Lane* of, const Action& action) {
  if (this_turn.lane == of) return action();
  in_order(action);
}

}  // namespace syncline::models
