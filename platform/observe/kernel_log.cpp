#include "platform/observe/kernel_log.h"

#include <algorithm>
#include <array>

namespace syncline::platform {
namespace {

/// A quotient of numbers that grow has no difference that would mean something.
bool has_gain(const base::Statistic& statistic) {
  return !statistic.gauge || statistic.unit != "ratio";
}

StatisticGain gain_of(const base::Statistic& statistic, const base::Distribution& before) {
  const base::Distribution& now = *statistic.distribution;
  StatisticGain gain{&statistic, static_cast<double>(now.sum() - before.sum()), now.count() - before.count(), {}};
  for (unsigned i = 0; i < now.buckets().size(); ++i) {
    const std::uint64_t samples = now.buckets()[i] - before.buckets()[i];
    if (samples != 0) gain.histogram.emplace_back(base::Distribution::upper_bound(i), samples);
  }
  return gain;
}

}  // namespace

/// Knows whose device speaks.
class KernelLog::Ear : public LaunchListener {
 public:
  Ear(KernelLog& log, unsigned gpu) : log_(log), gpu_(gpu) {}
  void launch_began(const models::GridLaunch& grid) override { log_.began(gpu_, grid); }
  void launch_ended(const models::GridLaunch& grid) override { log_.ended(gpu_, grid); }

 private:
  KernelLog& log_;
  unsigned gpu_;
};

KernelLog::KernelLog(const base::StatisticsRegistry& statistics, std::function<base::Cycle()> now)
    : statistics_(statistics.sorted()), now_(std::move(now)) {
  statistics_.erase(
      std::remove_if(statistics_.begin(), statistics_.end(), [](const auto* one) { return !has_gain(*one); }),
      statistics_.end());
}

KernelLog::~KernelLog() = default;

LaunchListener& KernelLog::listener(unsigned gpu) {
  return *ears_.emplace_back(std::make_unique<Ear>(*this, gpu));
}

void KernelLog::began(unsigned gpu, const models::GridLaunch& grid) {
  KernelRecord record;
  record.gpu = gpu;
  record.number = base::kernel_number(grid.id);
  record.name = grid.context.program->kernel().name;
  record.grid = grid.context.grid;
  record.block = grid.context.block;
  record.began = now_();
  under_way_.emplace(std::pair(gpu, record.number), UnderWay{kernels_.size(), take()});
  kernels_.push_back(std::move(record));
}

void KernelLog::ended(unsigned gpu, const models::GridLaunch& grid) {
  const auto found = under_way_.find({gpu, base::kernel_number(grid.id)});
  KernelRecord& record = kernels_[found->second.record];
  record.ended = now_();
  record.is_over = true;
  record.gains = gains(found->second.before);
  over_.push_back(found->second.record);
  under_way_.erase(found);
}

KernelLog::Snapshot KernelLog::take() const {
  Snapshot snapshot;
  for (const base::Statistic* const one : statistics_) {
    if (one->counter != nullptr) snapshot.values.push_back(static_cast<double>(one->counter->value()));
    if (one->gauge) snapshot.values.push_back(one->gauge());
    if (one->distribution != nullptr) snapshot.distributions.push_back(*one->distribution);
  }
  return snapshot;
}

std::vector<StatisticGain> KernelLog::gains(const Snapshot& before) const {
  std::vector<StatisticGain> gains;
  std::size_t value = 0, distribution = 0;
  for (const base::Statistic* const one : statistics_) {
    StatisticGain gain;
    gain.statistic = one;
    if (one->distribution != nullptr) {
      gain = gain_of(*one, before.distributions[distribution++]);
    } else {
      const double now = one->gauge ? one->gauge() : static_cast<double>(one->counter->value());
      gain.value = now - before.values[value++];
    }
    if (gain.value != 0 || gain.count != 0) gains.push_back(std::move(gain));
  }
  return gains;
}

std::vector<std::uint32_t> KernelLog::under_way_since(base::Cycle since) const {
  std::vector<std::uint32_t> numbers;
  for (const auto& [launch, state] : under_way_) numbers.push_back(launch.second);
  for (auto record = over_.rbegin(); record != over_.rend() && kernels_[*record].ended > since; ++record)
    numbers.push_back(kernels_[*record].number);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace syncline::platform
