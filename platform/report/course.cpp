#include "platform/report/course.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace syncline::platform {
namespace {

// Of a short run more would be noise: latencies are hundreds of cycles.
constexpr base::Cycle first_period = 64;

/// The mean over both, by their lengths.
Course::Sample joined(Course::Sample a, const Course::Sample& b) {
  const double first = static_cast<double>(a.to - a.from), second = static_cast<double>(b.to - b.from);
  for (std::size_t i = 0; i < a.values.size(); ++i)
    a.values[i] = (a.values[i] * first + b.values[i] * second) / (first + second);
  std::vector<std::uint32_t> kernels;
  std::set_union(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(), std::back_inserter(kernels));
  a.kernels = std::move(kernels);
  a.to = b.to;
  return a;
}

}  // namespace

Course::Course(const base::StatisticsRegistry& statistics, const KernelLog& kernels,
               const std::vector<std::string>& names, std::size_t most)
    : columns_(statistics, names), kernels_(kernels), most_(most), period_(first_period) {}

base::Cycle Course::tick(base::Cycle now) {
  if (now != 0) sample(now);
  return now + period_;
}

void Course::finish(base::Cycle now) {
  if (now > last_) sample(now);
}

void Course::sample(base::Cycle now) {
  samples_.push_back({last_, now, kernels_.under_way_since(last_), columns_.read(now - last_)});
  last_ = now;
  if (samples_.size() >= 2 * most_) halve();
}

void Course::halve() {
  for (std::size_t i = 0; i < samples_.size() / 2; ++i)
    samples_[i] = joined(std::move(samples_[2 * i]), samples_[2 * i + 1]);
  samples_.resize(samples_.size() / 2);
  period_ *= 2;
}

}  // namespace syncline::platform
