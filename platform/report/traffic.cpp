#include "platform/report/traffic.h"

#include <tuple>

namespace syncline::platform {

bool Traffic::Before::operator()(const models::NodeId& a, const models::NodeId& b) const {
  return std::tie(a.place.gpu, a.place.gpm, a.kind, a.index, a.unit) <
         std::tie(b.place.gpu, b.place.gpm, b.kind, b.index, b.unit);
}

void Traffic::write(const models::CrossingEvent& event) {
  Sum& sum = sums_[event.message.source][event.message.destination][event.traffic];
  ++sum.messages;
  sum.flits += event.flits;
  if (event.flits != 0) sum.bytes += event.message.bytes;  // as the crossbar's counters: an ideal one takes no room
}

std::vector<Traffic::Way> Traffic::ways() const {
  std::vector<Way> ways;
  for (const auto& [source, receivers] : sums_) {
    for (const auto& [destination, classes] : receivers) {
      for (const auto& [traffic, sum] : classes)
        ways.push_back({models::name(source), models::name(destination), traffic, sum});
    }
  }
  return ways;
}

}  // namespace syncline::platform
