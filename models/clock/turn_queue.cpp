#include "models/clock/turn_queue.h"

#include <algorithm>

#include "base/error.h"
#include "models/block/block.h"
#include "models/clock/lane.h"

namespace syncline::models {

void TurnQueue::add(Ticked& unit, base::Cycle due, std::size_t order) {
  constexpr std::size_t line = 64 / sizeof(std::uint64_t);
  if (units_.size() % line == 0) {
    units_.reserve(units_.size() + line);
    due_.reserve(due_.size() + line);
  }
  unit.queue_ = this;
  unit.place_ = units_.size();
  units_.push_back(&unit);
  due_.push_back(due);
  orders_.push_back(order);
  if (due_.size() > 64 * wheel_.words()) {
    wheel_.make_room(due_.size());
    for (std::size_t place = 0; place < due_.size(); ++place) wheel_.put(place, due_[place], current_);
  } else {
    wheel_.put(unit.place_, due, current_);
  }
  if (due < next_due_) expect(due);
}

std::uint64_t TurnQueue::ps_of(base::Cycle due) const {
  return due == base::never ? never_ps : domain_.ps_of(due);
}

base::Cycle TurnQueue::earliest_turn(std::size_t place) const {
  if (running_) return place > position_ ? current_ : current_ + 1;
  return domain_.earliest_turn(key_);
}

inline void TurnQueue::arm(std::size_t place, base::Cycle due) {
  due_[place] = due;
  wheel_.put(place, due, current_);
}

void TurnQueue::expect(base::Cycle due) {
  next_due_ = due;
  next_ps_ = domain_.ps_of(due);
  if (lane_ != nullptr) lane_->expect({next_ps_, key_});
}

void TurnQueue::wake(std::size_t place, base::Cycle cycle) {
  // The common case costs no division: whoever is due by then needs no second reminder.
  if (due_[place] <= cycle) return;
  const base::Cycle due = std::max(cycle, earliest_turn(place));
  if (due >= due_[place]) return;
  if (this_turn.lane != nullptr && this_turn.lane != lane_)
    return this_turn.lane->later([this, place, due] {
      if (due >= due_[place]) return;
      arm(place, due);
      if (due < next_due_) expect(due);
    });
  arm(place, due);
  if (running_ || due >= next_due_) return;
  expect(due);
  domain_.woken();
}

inline base::Cycle TurnQueue::turn_of(std::size_t place, base::Cycle cycle) {
  try {
    return tick(*units_[place], cycle);
  } catch (const base::ProgramFault&) {
    if (!domain_.keeps_fault(std::current_exception())) throw;
    return cycle + 1;
  }
}

inline base::Cycle TurnQueue::tick(Ticked& unit, base::Cycle cycle) {
  unit.note_change();
#ifdef SYNCLINE_CHECK_TILES
  if (const auto* block = dynamic_cast<const Block*>(&unit)) {
    const TileTurn of_tile(block->tile());
    return unit.tick(cycle);
  }
#endif
  return unit.tick(cycle);
}

inline void TurnQueue::begin() {
  running_ = true;
  current_ = next_due_;
  wheel_.come_to(current_, due_);
}

inline void TurnQueue::take_turn(std::size_t place) {
  position_ = place;
  due_[place] = base::never;
  const base::Cycle next = turn_of(place, current_);
  if (next < due_[place]) arm(place, std::max(next, current_ + 1));
}

inline void TurnQueue::end() {
  running_ = false;
  next_due_ = wheel_.first_after(current_, due_);
  next_ps_ = ps_of(next_due_);
}

unsigned TurnQueue::run() {
  unsigned turns = 0;
  begin();
  std::uint64_t* const set = wheel_.set_of(current_);
  for (std::size_t word = 0; word < wheel_.words(); ++word) {
    const auto first_place = [&] { return word * 64 + static_cast<std::size_t>(__builtin_ctzll(set[word])); };
    // Read again after each tick: it may have woken units behind it, and none before it for this cycle.
    while (set[word] != 0) {
      const std::size_t place = first_place();
      set[word] &= set[word] - 1;
      if (set[word] != 0) __builtin_prefetch(units_[first_place()]);
      if (due_[place] != current_) continue;
      ++turns;
      take_turn(place);
    }
  }
  end();
  return turns;
}

std::size_t TurnQueue::due_from(std::size_t place) const {
  for (; place < due_.size(); ++place) {
    if (due_[place] <= current_) return place;
  }
  return due_.size();
}

void TurnQueue::run_together(const std::vector<TurnQueue*>& queues) {
  for (TurnQueue* const queue : queues) queue->begin();
  std::vector<std::size_t> from(queues.size());
  for (;;) {
    std::size_t first = queues.size();
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const TurnQueue& queue = *queues[i];
      from[i] = queue.due_from(from[i]);
      const bool any = from[i] != queue.due_.size();
      if (any && (first == queues.size() || queue.orders_[from[i]] < queues[first]->orders_[from[first]])) first = i;
    }
    if (first == queues.size()) break;
    queues[first]->take_turn(from[first]++);
  }
  for (TurnQueue* const queue : queues) queue->end();
}

TurnQueue* first_of(const std::vector<std::unique_ptr<TurnQueue>>& queues) {
  TurnQueue* first = nullptr;
  Moment next;
  for (const auto& queue : queues) {
    if (!(queue->next() < next)) continue;
    next = queue->next();
    first = queue.get();
  }
  return first;
}

}  // namespace syncline::models
