#include "models/cache/links/ring_link.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "models/cache/cache_controller.h"
#include "models/cache/translate.h"
#include "models/clock/clock_domain.h"
#include "models/clock/lane.h"
#include "models/transport/delay_until.h"

namespace syncline::models {

RingLink::RingLink(CacheController& cache)
    : to_next("to_next", *this), from_previous("from_previous", *this), cache_(cache), inbox_(1, room_for(cache)) {}

/// Of each home a STALL and a RESUME may be under way.
std::size_t RingLink::room_for(const CacheController& cache) {
  return std::size_t{2} * cache.home_count();
}

bool RingLink::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  // In the turn of the home before, which may be ahead of this one.
  in_order(cache_.tile().lane(), [this, &message, at = cache_.clock()->cycle_at_or_after(arrival)] {
    if (!inbox_.push(message, at))
      throw base::ModelError(std::string(cache_.name()) + ": more comes round the ring than homes begin rollovers");
    cache_.wake(at);
  });
  return true;
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
    cache_.change();
    cache_.progress();
  }
  return waiting.empty() ? base::never : waiting.front().at;
}

void RingLink::pass_on(const protocols::Action& action) {
  const NodeId& here = cache_.node();
  const auto next = static_cast<std::uint16_t>((here.index + 1U) % cache_.home_count());
  Message& m = cache_.make(action, {}, home_node(base::PartitionId(next), here.place), cache_.l1(action.requester));
  const ClockDomain& clock = *cache_.clock();
  const std::uint64_t arrival_ps =
      std::max(clock.ps_of(cache_.now_cycle() + 1), cache_.now_ps() + cache_.policy().ring_ps);
  to_next.send(m, delay_until(sc_core::sc_time::from_value(arrival_ps)));
}

std::uint64_t RingLink::tells_lanes_in_ps() const {
  if (cache_.home_count() == 1) return never_ps;
  return std::max(cache_.policy().ring_ps, ps_per_second / cache_.clock()->frequency_hz());
}

}  // namespace syncline::models
