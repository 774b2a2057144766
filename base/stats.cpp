#include "base/stats.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::base {

void Distribution::sample(std::uint64_t value, std::uint64_t times) {
  if (times == 0) return;
  count_ += times;
  sum_ += value * times;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  const unsigned bucket = value == 0 ? 0U : 64U - static_cast<unsigned>(__builtin_clzll(value));
  buckets_[bucket] += times;
}

void StatisticsRegistry::add(std::string_view block, std::string_view name, std::string_view unit,
                             std::string_view description, const Counter& counter) {
  insert(block, name, unit, description).counter = &counter;
}

void StatisticsRegistry::add(std::string_view block, std::string_view name, std::string_view unit,
                             std::string_view description, const Distribution& distribution) {
  insert(block, name, unit, description).distribution = &distribution;
}

void StatisticsRegistry::add_gauge(std::string_view block, std::string_view name, std::string_view unit,
                                   std::string_view description, std::function<double()> gauge) {
  insert(block, name, unit, description).gauge = std::move(gauge);
}

Statistic& StatisticsRegistry::insert(std::string_view block, std::string_view name, std::string_view unit,
                                      std::string_view description) {
  const Statistic statistic{kept(block), kept(name), kept(unit), kept(description), nullptr, nullptr, {}};
  if (!places_.insert({statistic.block.data(), statistic.name.data()}).second)
    throw ModelError("two statistics are called " + statistic.full_name());
  return statistics_.emplace_back(statistic);
}

std::string_view StatisticsRegistry::kept(std::string_view text) {
  if (const auto known = known_.find(text); known != known_.end()) return *known;
  return *known_.insert(texts_.emplace_back(text)).first;
}

std::size_t StatisticsRegistry::PlaceHash::operator()(const Place& place) const {
  const std::hash<const char*> hash;
  return hash(place.block) * 31 + hash(place.name);
}

std::vector<const Statistic*> StatisticsRegistry::sorted() const {
  std::vector<std::pair<std::string, const Statistic*>> by_name;
  by_name.reserve(statistics_.size());
  for (const Statistic& statistic : statistics_) by_name.emplace_back(statistic.full_name(), &statistic);
  std::sort(by_name.begin(), by_name.end());
  std::vector<const Statistic*> list;
  list.reserve(by_name.size());
  for (const auto& one : by_name) list.push_back(one.second);
  return list;
}

}  // namespace syncline::base
