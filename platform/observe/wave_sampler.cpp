#include "platform/observe/wave_sampler.h"

#include <algorithm>
#include <utility>

namespace syncline::platform {

using models::Changes;
using models::TracedSignal;

WaveSampler::WaveSampler(std::vector<const TracedSignal*> signals, std::function<void()> active)
    : signals_(std::move(signals)), values_(signals_.size(), 0), log_(signals_.size(), std::move(active)) {
  add_groups();
}

void WaveSampler::add_groups() {
  for (std::uint32_t i = 0; i < signals_.size(); ++i) {
    models::Block* const owner = signals_[i]->owner;
    if (groups_.empty() || owner == nullptr || owner != signals_[i - 1]->owner)
      groups_.push_back({i, i, dynamic_cast<models::Ticked*>(owner), false});
    Group& group = groups_.back();
    group.last = i + 1;
    group.any_time = group.any_time || group.unit == nullptr || signals_[i]->as.changes == Changes::any_time;
  }
}

void WaveSampler::start() {
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    if (!groups_[i].any_time) groups_[i].unit->tell_activity(&log_, i);
    due(i);
  }
  look();
}

void WaveSampler::stop() {
  for (const Group& group : groups_) {
    if (!group.any_time) group.unit->tell_activity(nullptr, 0);
  }
  by_time_.clear();
}

void WaveSampler::due(std::uint32_t group) {
  if (std::exchange(groups_[group].is_due, true)) return;
  due_.push_back(group);
}

const std::vector<WaveSink::Change>& WaveSampler::look() {
  changes_.clear();
  for (const std::uint32_t group : log_.units()) due(group);
  log_.clear();
  for (const std::uint32_t group : by_time_) due(group);
  by_time_.clear();
  std::sort(due_.begin(), due_.end());
  for (const std::uint32_t group : due_) look_at(group);
  due_.clear();
  return changes_;
}

void WaveSampler::look_at(std::uint32_t number) {
  Group& group = groups_[number];
  group.is_due = false;
  bool by_time = group.any_time;
  for (std::uint32_t i = group.first; i < group.last; ++i) {
    const TracedSignal& signal = *signals_[i];
    const std::uint64_t value = signal.value();
    by_time = by_time || (value != 0 && signal.as.changes == Changes::until_zero);
    if (value == values_[i]) continue;
    values_[i] = value;
    changes_.push_back({i, value});
  }
  if (by_time) by_time_.push_back(number);
}

}  // namespace syncline::platform
