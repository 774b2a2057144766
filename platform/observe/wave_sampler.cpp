#include "platform/observe/wave_sampler.h"

#include <utility>

namespace syncline::platform {

using models::Changes;
using models::TracedSignal;

WaveSampler::WaveSampler(std::vector<const TracedSignal*> signals, std::function<void()> active)
    : signals_(std::move(signals)), values_(signals_.size(), 0), log_(signals_.size(), std::move(active)) {
  add_groups();
}

void WaveSampler::add_groups() {
  looks_.reserve(signals_.size());
  for (std::uint32_t i = 0; i < signals_.size(); ++i) {
    const TracedSignal& signal = *signals_[i];
    models::Block* const owner = signal.owner;
    if (groups_.empty() || owner == nullptr || owner != signals_[i - 1]->owner)
      groups_.push_back({i, i, dynamic_cast<models::Ticked*>(owner), false});
    Group& group = groups_.back();
    if (group.unit != nullptr) group.unit->keep_time("waves are written");
    group.last = i + 1;
    const bool any_time = group.unit == nullptr || signal.as.changes == Changes::any_time;
    group.any_time = group.any_time || any_time;
    looks_.push_back({signal.value, any_time ? nullptr : signal.as.word, signal.as.changes == Changes::until_zero});
  }
}

void WaveSampler::start() {
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    if (!groups_[i].any_time) groups_[i].unit->tell_activity(&log_, i);
    log_.mark(i);
  }
  look();
}

void WaveSampler::stop() {
  for (const Group& group : groups_) {
    if (!group.any_time) group.unit->tell_activity(nullptr, 0);
  }
  by_time_.clear();
}

const std::vector<WaveSink::Change>& WaveSampler::look() {
  changes_.clear();
  for (const std::uint32_t group : by_time_) log_.mark(group);
  by_time_.clear();
  log_.take([this](std::uint32_t group) { look_at(group); });
  return changes_;
}

void WaveSampler::look_at(std::uint32_t number) {
  const Group& group = groups_[number];
  bool by_time = group.any_time;
  Look* at = &looks_[group.first];
  std::uint64_t* before = &values_[group.first];
  for (std::uint32_t i = group.first; i != group.last; ++i, ++before) {
    Look& look = *at++;
    if (look.word != nullptr) {
      if (*look.word == look.word_before && !look.by_time) continue;
      look.word_before = *look.word;
    }
    const std::uint64_t value = look.value();
    look.by_time = look.until_zero && value != 0;
    by_time = by_time || look.by_time;
    if (value == *before) continue;
    *before = value;
    changes_.push_back({i, value});
  }
  if (by_time) by_time_.push_back(number);
}

}  // namespace syncline::platform
