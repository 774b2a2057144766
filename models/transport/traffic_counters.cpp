#include "models/transport/traffic_counters.h"

namespace syncline::models {

TrafficCounters::TrafficCounters(const MessageFamilies& families)
    : families_(families), counters_(families.traffic_names().size()) {}

void TrafficCounters::add_to(base::StatisticsRegistry& statistics, const std::string& block) const {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const std::string kind(families_.traffic_names()[i]);
    statistics.add(block, "messages_" + kind, "messages", "messages of this class that crossed", counters_[i].messages);
    statistics.add(block, "flits_" + kind, "flits", "flits of this class that crossed", counters_[i].flits);
    statistics.add(block, "bytes_" + kind, "bytes", "bytes of this class that crossed, headers included",
                   counters_[i].bytes);
  }
}

}  // namespace syncline::models
