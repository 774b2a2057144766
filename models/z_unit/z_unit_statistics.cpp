// What a Z-unit reports: statistics, traced signals, what is left over and who waits.
#include <fmt/format.h>

#include "models/z_unit/z_unit.h"

namespace syncline::models {

void ZUnit::add_statistics() {
  statistic("writes", "requests", "writes accepted that are ordered by depth", writes_);
  statistic("clears", "requests", "times that all depths became the farthest", clears_);
  statistic("hits", "lines", "probes that found their depths in the Z-cache", hits_);
  statistic("misses", "lines", "probes that did not", misses_);
  statistic("unwritten", "lines", "misses without a fetch: no depth of the line was written since the last clear",
            unwritten_);
  statistic("blocked", "probes", "times that a request had to wait for an older one or for a block", blocked_);
  statistic("comparisons", "operations", "operations of the comparator, each of a line of depths", comparisons_done_);
  statistic("granules_written", "granules", "granules whose depth was not nearer than that of the write",
            granules_written_);
  statistic("granules_lost", "granules", "granules that kept their bytes", granules_lost_);
  statistic("write_backs", "lines", "changed depths that left the Z-cache for others", write_backs_);
  statistic("stall_full", "Z cycles", "time for which a request waited for an entry of the buffer", full_cycles_);
  statistic("residence", "Z cycles", "from the acceptance of a request until it left the buffer", residence_);
  statistic("occupancy", "requests", "requests in the buffer that a request found", occupancy_);
  const auto traffic = [this](protocols::Code kind) { return policy_.messages[kind].traffic_class; };
  sent_.statistics(
      [&](protocols::TrafficClass c) {
        return c == traffic(plain_.load) || c == traffic(plain_.store) || c == traffic(plain_.store_ack);
      },
      [this](const std::string& name, const char* unit, std::string_view meaning, const base::Counter& counter) {
        statistic(name, unit, meaning, counter);
      });
  gauge("requests_in_use", "entries", "entries of the request buffer in use",
        [this] { return static_cast<double>(requests_.size()); });
  const TracedAs by_turns{Changes::with_block};
  traced(
      "z_unit", "requests", 16, [this] { return requests_.size(); }, by_turns);
  traced(
      "z_unit", "comparisons_waiting", 16, [this] { return comparisons_.size(); }, by_turns);
  traced(
      "z_unit", "locked_blocks", 16, [this] { return cache_.locked(); }, by_turns);
  traced(
      "z_unit", "hits", 32, [this] { return hits_.value(); }, by_turns);
  traced(
      "z_unit", "misses", 32, [this] { return misses_.value(); }, by_turns);
}

std::vector<std::string> ZUnit::describe_waiting() const {
  std::vector<std::string> lines = PartitionUnit::describe_waiting();
  for (const std::string& text : requests_.describe()) lines.push_back(text);
  for (const Comparison& one : comparisons_) {
    if (one.ready_at == base::never)
      lines.push_back(fmt::format("depths {:#x} are on their way from the L2", one.depth_line.value()));
  }
  if (write_backs_in_flight_ != 0)
    lines.push_back(fmt::format("{} write-backs are not acknowledged", write_backs_in_flight_));
  if (!out_.empty()) lines.push_back(fmt::format("{} messages wait for the L2", out_.size()));
  return lines;
}

}  // namespace syncline::models
