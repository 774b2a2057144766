#include "models/cache/links/ring_link.h"

#include "models/cache/cache_controller.h"
#include "models/cache/translate.h"

namespace syncline::models {

RingLink::RingLink(CacheController& cache)
    : to_next("to_next", *this),
      from_previous("from_previous", *this),
      cache_(cache),
      inbox_(1, queue),
      outbox_(to_next, 1, queue, 1, cache.waiting()) {}

bool RingLink::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  const base::Cycle at = cache_.clock()->cycle_at_or_after(arrival);
  if (!inbox_.push(message, at)) return false;
  cache_.wake(at);
  return true;
}

void RingLink::on_ready(VirtualNetwork, unsigned) {
  cache_.wake(cache_.clock()->now());
}

base::Cycle RingLink::take() {
  const base::Cycle now = cache_.now_cycle();
  const auto& waiting = inbox_.queue(0);
  while (!waiting.empty() && waiting.front().at <= now) {
    Message& message = *waiting.front().message;
    Request request;
    request.stimulus = stimulus_of(message);
    request.of_node = true;
    request.message = &message;
    if (cache_.lines().present(request) != StallReason::none) return now + 1;
    inbox_.take(0, 0);
    message.payload()->release();
    from_previous.resume(0);
    cache_.change();
    cache_.progress();
  }
  return waiting.empty() ? base::never : waiting.front().at;
}

base::Cycle RingLink::drain() {
  return outbox_.drain(cache_.now_cycle());
}

void RingLink::pass_on(const protocols::Action& action) {
  const NodeId& here = cache_.node();
  const auto next = static_cast<std::uint16_t>((here.index + 1U) % cache_.home_count());
  Message& m = cache_.make(action, {}, home_node(base::PartitionId(next), here.place), cache_.l1(action.requester));
  outbox_.push(m, cache_.now_cycle() + 1);
}

}  // namespace syncline::models
