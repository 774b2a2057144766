// The units of one clock that have their turns behind each other, and when each wants the next one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "models/clock/turn.h"
#include "models/clock/turn_wheel.h"

namespace syncline::models {

class ClockDomain;
class Lane;
class Ticked;

/// Units in the order of their turns. A machine that runs on one thread has a queue for each clock; one on several has
/// one for each clock, rank and lane (models/clock/lane.h), and at an instant their turns are in the order of `key`.
class alignas(64) TurnQueue {
 public:
  /// `lane`: null for the sequential part.
  TurnQueue(ClockDomain& domain, std::uint32_t key, Lane* lane) : domain_(domain), key_(key), lane_(lane) {}

  /// Behind those that are there; first due at `due`, which may be base::never. `order`: its place among all of the
  /// clock. Before the first turn.
  void add(Ticked& unit, base::Cycle due, std::size_t order);
  void wake(std::size_t place, base::Cycle cycle);
  /// The turns of everyone who is due at `next`; returns how many these are.
  unsigned run();
  /// The same of queues that are due at one moment, in the order of all their units.
  static void run_together(const std::vector<TurnQueue*>& queues);
  /// When that one is due.
  std::uint64_t due_ps(std::size_t place) const { return ps_of(due_[place]); }
  /// Of the unit that has its turn, or had the last one, among all of the clock.
  std::size_t order_of_turn() const { return orders_[position_]; }
  /// When the first one is due.
  Moment next() const { return {next_ps_, key_}; }

 private:
  base::Cycle earliest_turn(std::size_t place) const;  ///< first cycle in which a wake from here and now can still tick
  std::uint64_t ps_of(base::Cycle due) const;
  void arm(std::size_t place, base::Cycle due);
  void expect(base::Cycle due);  ///< somebody is due then
  base::Cycle turn_of(std::size_t place, base::Cycle cycle);
  base::Cycle tick(Ticked& unit, base::Cycle cycle);
  void begin();
  void take_turn(std::size_t place);
  void end();
  std::size_t due_from(
      std::size_t place) const;  ///< place of the first one there or behind that is due; none: how many there are

  ClockDomain& domain_;
  const std::uint32_t key_;
  Lane* const lane_;
  Lines<Ticked*> units_;                ///< by place
  TurnWheel::Due due_;                  ///< by place
  std::vector<std::size_t> orders_;     ///< by place
  TurnWheel wheel_;                     ///< of those that are due at all
  base::Cycle next_due_ = base::never;  ///< minimum of due_, but while turns are under way
  std::uint64_t next_ps_ = never_ps;    ///< when that is
  bool running_ = false;
  base::Cycle current_ = 0;   ///< cycle being run, or that was run last
  std::size_t position_ = 0;  ///< place being run
};

/// Of several, the one whose next turn comes first; null: nobody is due.
TurnQueue* first_of(const std::vector<std::unique_ptr<TurnQueue>>& queues);
/// Of null: never.
inline Moment next_of(const TurnQueue* queue) {
  return queue == nullptr ? Moment{} : queue->next();
}

}  // namespace syncline::models
