#include "models/clock/lane.h"

#include <tuple>
#include <utility>

namespace syncline::models {

TurnQueue& Lane::add_queue(ClockDomain& domain, std::uint32_t key) {
  queues_.push_back(std::make_unique<TurnQueue>(domain, key, this));
  return *queues_.back();
}

TurnQueue* Lane::look() {
  TurnQueue* const first = first_of(queues_);
  next_ = next_of(first);
  return first;
}

void Lane::run(Moment end) {
  work_ = 0;
  if (failure_ != nullptr) return;
  try {
    for (;;) {
      TurnQueue* const first = look();
      if (!(next_ < end) || waits()) return;
      const TurnScope scope(scheduler_, next_, this);
      turns_ = first;
      work_ += first->run();
    }
  } catch (...) {
    failure_ = std::current_exception();
    failed_at_ = next_;
    failed_order_ = turns_->order_of_turn();
  }
}

TurnQueue* Lane::due_at(Moment at) {
  TurnQueue* const first = look();
  return at < next_ ? nullptr : first;
}

void Lane::run(const Later& later) const {
  const TurnScope scope(scheduler_, {later.ps, later.key}, nullptr);
  later.run(later.action.data());
}

void Lane::catch_up() {
  for (const Later& later : later_) run(later);
  later_.clear();
}

void Lane::catch_up_in_turn(const std::vector<std::unique_ptr<Lane>>& lanes) {
  Moment next;
  bool anybody = false;
  for (const auto& lane : lanes) {
    next = std::min(next, lane->next_);
    anybody = anybody || lane->waits();
  }
  if (!anybody) return;
  std::vector<std::pair<Later, const Lane*>> all;
  for (const auto& lane : lanes) {
    if (!lane->waits() || !(Moment{lane->in_turn_.front().ps, lane->in_turn_.front().key} < next)) continue;
    for (const Later& later : lane->in_turn_) all.emplace_back(later, lane.get());
    lane->in_turn_.clear();
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.ps, a.first.key, a.first.order) < std::tie(b.first.ps, b.first.key, b.first.order);
  });
  for (const auto& [later, lane] : all) lane->run(later);
}

}  // namespace syncline::models
