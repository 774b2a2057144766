#include "platform/observe/statistics_json.h"

#include <nlohmann/json.hpp>

namespace syncline::platform {
namespace {

using Json = nlohmann::ordered_json;

Json histogram(const base::Distribution& distribution) {
  Json buckets = Json::array();
  for (unsigned i = 0; i < distribution.buckets().size(); ++i) {
    const std::uint64_t samples = distribution.buckets()[i];
    if (samples != 0) buckets.push_back({base::Distribution::upper_bound(i), samples});
  }
  return buckets;
}

Json to_json(const base::Statistic& statistic) {
  Json json{{"name", statistic.full_name()}};
  if (statistic.counter != nullptr) json["value"] = statistic.counter->value();
  if (statistic.gauge) json["value"] = statistic.gauge();
  if (statistic.distribution != nullptr) {
    const base::Distribution& d = *statistic.distribution;
    json["count"] = d.count();
    json["sum"] = d.sum();
    json["min"] = d.min();
    json["max"] = d.max();
    json["mean"] = d.mean();
    json["histogram"] = histogram(d);
  }
  json["unit"] = statistic.unit;
  json["description"] = statistic.description;
  return json;
}

/// Whole numbers are written as such, as in the statistics of the run.
Json to_json(const StatisticGain& gain) {
  if (gain.statistic->gauge) return gain.value;
  const auto whole = static_cast<std::uint64_t>(gain.value);
  if (gain.statistic->counter != nullptr) return whole;
  return {{"count", gain.count}, {"sum", whole}, {"histogram", gain.histogram}};
}

Json with_statistics(const KernelRecord& kernel) {
  Json json = kernel_json(kernel);
  Json& statistics = json["statistics"] = Json::object();
  for (const StatisticGain& gain : kernel.gains) statistics[gain.statistic->full_name()] = to_json(gain);
  return json;
}

Json extent(const base::Dim3& size) {
  return {size.x, size.y, size.z};
}

}  // namespace

Json kernel_json(const KernelRecord& kernel) {
  return {{"gpu", kernel.gpu},           {"number", kernel.number},       {"name", kernel.name},
          {"grid", extent(kernel.grid)}, {"block", extent(kernel.block)}, {"began", kernel.began},
          {"ended", kernel.ended},       {"cycles", kernel.cycles()}};
}

void write_statistics(std::ostream& out, const base::StatisticsRegistry& statistics, const Json& provenance,
                      const std::vector<KernelRecord>& kernels) {
  out << "{\"schema\": 1, \"statistics\": [";
  const char* separator = "\n";
  for (const base::Statistic* statistic : statistics.sorted()) {
    out << separator << to_json(*statistic).dump();
    separator = ",\n";
  }
  out << "\n],\n\"provenance\": " << provenance.dump() << ",\n\"kernels\": [";
  separator = "\n";
  for (const KernelRecord& kernel : kernels) {
    out << separator << with_statistics(kernel).dump();
    separator = ",\n";
  }
  out << "\n]}\n";
}

}  // namespace syncline::platform
