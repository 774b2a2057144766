#include "platform/observe/statistics_json.h"

#include <nlohmann/json.hpp>

namespace syncline::platform {
namespace {

using Json = nlohmann::ordered_json;

Json histogram(const base::Distribution& distribution) {
  Json buckets = Json::array();
  for (unsigned i = 0; i < distribution.buckets().size(); ++i) {
    const std::uint64_t samples = distribution.buckets()[i];
    if (samples == 0) continue;
    const std::uint64_t upper = i == 0 ? 0 : (i == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << i) - 1);
    buckets.push_back({upper, samples});
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

}  // namespace

void write_statistics(std::ostream& out, const base::StatisticsRegistry& statistics) {
  out << "{\"schema\": 1, \"statistics\": [";
  const char* separator = "\n";
  for (const base::Statistic* statistic : statistics.sorted()) {
    out << separator << to_json(*statistic).dump();
    separator = ",\n";
  }
  out << "\n]}\n";
}

}  // namespace syncline::platform
