#include "models/clock/lane.h"

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
  try {
    for (;;) {
      TurnQueue* const first = look();
      if (!(next_ < end)) return;
      const TurnScope scope(scheduler_, next_, this);
      work_ += first->run();
    }
  } catch (...) {
    failure_ = std::current_exception();
    failed_at_ = next_;
  }
}

void Lane::run_at(Moment at) {
  TurnQueue* const first = look();
  if (at < next_) return;
  const TurnScope scope(scheduler_, at, nullptr);
  first->run();
  look();
}

void Lane::catch_up() {
  for (const Later& later : later_) {
    const TurnScope scope(scheduler_, {later.ps, later.key}, nullptr);
    later.run(later.action.data());
  }
  later_.clear();
}

}  // namespace syncline::models
