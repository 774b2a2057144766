#include "platform/report/level_times.h"

namespace syncline::platform {

void LevelTimes::hear(const AccessTime& time) {
  Sum& sum = gpus_[time.gpu][static_cast<std::size_t>(time.level)];
  ++sum.accesses;
  sum.latency_ps += time.latency_ps();
  const std::array<std::uint64_t, waits> by_wait = time.by_wait();
  for (std::size_t wait = 0; wait < waits; ++wait) sum.by_wait_ps[wait] += by_wait[wait];
}

}  // namespace syncline::platform
