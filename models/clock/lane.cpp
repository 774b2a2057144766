#include "models/clock/lane.h"

namespace syncline::models {

TurnQueue& Lane::add_queue(ClockDomain& domain, std::uint32_t key) {
  queues_.push_back(std::make_unique<TurnQueue>(domain, key, this));
  return *queues_.back();
}

TurnQueue* Lane::look() {
  TurnQueue* first = nullptr;
  next_ = {};
  for (const auto& queue : queues_) {
    const Moment moment{queue->next_ps(), queue->key()};
    if (!(moment < next_)) continue;
    next_ = moment;
    first = queue.get();
  }
  return first;
}

void Lane::run(Moment end) {
  work_ = 0;
  try {
    for (;;) {
      TurnQueue* const first = look();
      if (!(next_ < end)) return;
      const TurnScope scope(scheduler_, next_.ps, next_.key, this);
      const std::uint64_t before = first->turns();
      first->run();
      work_ += first->turns() - before;
    }
  } catch (...) {
    failure_ = std::current_exception();
    failed_at_ = next_;
  }
}

void Lane::run_at(Moment at) {
  for (const auto& queue : queues_) {
    if (queue->next_ps() != at.ps || queue->key() != at.key) continue;
    const TurnScope scope(scheduler_, at.ps, at.key, nullptr);
    queue->run();
  }
  look();
}

void Lane::catch_up() {
  for (const Later& later : later_) {
    const TurnScope scope(scheduler_, later.ps, later.key, nullptr);
    later.run(later.action.data());
  }
  later_.clear();
}

}  // namespace syncline::models
