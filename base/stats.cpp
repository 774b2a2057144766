#include "base/stats.h"

#include <algorithm>

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
  insert({std::string(block), std::string(name), std::string(unit), std::string(description), &counter, nullptr, {}});
}

void StatisticsRegistry::add(std::string_view block, std::string_view name, std::string_view unit,
                             std::string_view description, const Distribution& distribution) {
  insert(
      {std::string(block), std::string(name), std::string(unit), std::string(description), nullptr, &distribution, {}});
}

void StatisticsRegistry::add_gauge(std::string_view block, std::string_view name, std::string_view unit,
                                   std::string_view description, std::function<double()> gauge) {
  insert({std::string(block), std::string(name), std::string(unit), std::string(description), nullptr, nullptr,
          std::move(gauge)});
}

void StatisticsRegistry::insert(Statistic statistic) {
  if (!names_.insert(statistic.full_name()).second)
    throw ModelError("two statistics are called " + statistic.full_name());
  statistics_.push_back(std::move(statistic));
}

std::vector<const Statistic*> StatisticsRegistry::sorted() const {
  std::vector<const Statistic*> list;
  list.reserve(statistics_.size());
  for (const Statistic& statistic : statistics_) list.push_back(&statistic);
  std::sort(list.begin(), list.end(),
            [](const Statistic* a, const Statistic* b) { return a->full_name() < b->full_name(); });
  return list;
}

}  // namespace syncline::base
