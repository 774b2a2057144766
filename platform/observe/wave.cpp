#include "platform/observe/wave.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "platform/observe/wave_choice.h"

namespace syncline::platform {
namespace {

constexpr std::uint32_t not_written = ~std::uint32_t{0};

bool is_of_an_sm(const models::TracedSignal* signal) {
  return signal->group == "sm" || signal->group == "warps";
}

std::uint64_t now_ps() {
  return sc_core::sc_time_stamp().value();
}

}  // namespace

WaveWriter::WaveWriter(Outputs& outputs, const WaveSpec& spec, const std::vector<models::TracedSignal>& signals,
                       const models::ClockDomain& clock)
    : spec_(spec), window_(spec, clock), written_(choose_waves(signals, spec.groups, spec.blocks)) {
  std::vector<const models::TracedSignal*> looked_at = written_;
  if (!spec.trigger.empty()) {
    trigger_.emplace("--wave-trigger", spec.trigger, signals);
    for (const models::TracedSignal* signal : trigger_->signals()) looked_at.push_back(signal);
    std::sort(looked_at.begin(), looked_at.end(), [](const auto* a, const auto* b) {
      return std::tie(a->block, a->name, a) < std::tie(b->block, b->name, b);
    });
    looked_at.erase(std::unique(looked_at.begin(), looked_at.end()), looked_at.end());
  }
  std::map<const models::TracedSignal*, std::uint32_t> place_looked_at, place_written;
  for (const auto* signal : looked_at) place_looked_at.emplace(signal, place_looked_at.size());
  for (const auto* signal : written_) place_written.emplace(signal, place_written.size());
  for (const auto* signal : looked_at) {
    const auto found = place_written.find(signal);
    places_.push_back(found == place_written.end() ? not_written : found->second);
  }
  if (trigger_) trigger_->place([&](const models::TracedSignal* signal) { return place_looked_at.at(signal); });
  sampler_ = std::make_unique<WaveSampler>(std::move(looked_at), [this] { wake(0); });
  sink_ = make_wave_sink(outputs, spec.path, written_, spec.limit);
  has_sms_ = std::any_of(written_.begin(), written_.end(), is_of_an_sm);
  if (!spec.view.empty()) view_ = std::make_unique<WaveView>(outputs, spec.view, spec.path, written_);
}

WaveWriter::~WaveWriter() {
  sampler_->stop();
}

void WaveWriter::kernel_begins(std::uint64_t number) {
  ++launches_;
  window_.kernel_begins(number);
  if (number == spec_.kernel) wake(0);
}

void WaveWriter::kernel_ends(std::uint64_t number) {
  window_.kernel_ends(number);
  if (number == spec_.kernel) wake(0);
}

base::Cycle WaveWriter::tick(base::Cycle now) {
  if (state_ == State::waiting) {
    if (window_.has_begun(now)) start(now);
  } else if (state_ != State::over) {
    follow(now);
  }
  if (state_ != State::over && window_.is_over(now)) end(now);
  if (state_ == State::over) return base::never;
  if (state_ == State::waiting) return window_.begin() > now ? window_.begin() : base::never;
  return sampler_->changes_by_time() ? now + 1 : window_.end();
}

void WaveWriter::start(base::Cycle now) {
  started_ = now;
  sampler_->start();
  if (!trigger_) return begin_at(now, sampler_->values());
  state_ = State::armed;
  was_armed_ = true;
  last_ = sampler_->values();
  look_for_trigger(now, {});
}

void WaveWriter::follow(base::Cycle now) {
  const std::vector<WaveSink::Change>& changes = sampler_->look();
  if (state_ == State::armed)
    look_for_trigger(now, changes);
  else
    write(now, changes);
}

void WaveWriter::look_for_trigger(base::Cycle now, const std::vector<WaveSink::Change>& changes) {
  if (!changes.empty()) {
    Past& past = past_.emplace_back(Past{now, {}, changes});
    for (const WaveSink::Change& change : changes) {
      past.before.push_back({change.signal, last_[change.signal]});
      last_[change.signal] = change.value;
    }
  }
  const base::Cycle first = now - std::min(now - started_, spec_.before);
  while (!past_.empty() && past_.front().cycle < first) past_.pop_front();
  if (!trigger_->holds(sampler_->values(), changes)) return;
  for (auto past = past_.rbegin(); past != past_.rend(); ++past) {
    for (const WaveSink::Change& change : past->before) last_[change.signal] = change.value;
  }
  if (!past_.empty() && past_.front().cycle == first) {
    for (const WaveSink::Change& change : past_.front().after) last_[change.signal] = change.value;
    past_.pop_front();
  }
  begin_at(first, last_);
  for (const Past& past : past_) write(past.cycle, past.after);
  past_.clear();
}

void WaveWriter::begin_at(base::Cycle cycle, const std::vector<std::uint64_t>& values) {
  state_ = State::writing;
  has_begun_ = true;
  std::vector<std::uint64_t> written(written_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (places_[i] != not_written) written[places_[i]] = values[i];
  }
  first_ps_ = clock()->ps_of(cycle);
  sink_->begin(first_ps_, written);
}

void WaveWriter::write(base::Cycle cycle, const std::vector<WaveSink::Change>& changes) {
  if (state_ == State::over) return;
  of_file_.clear();
  for (const WaveSink::Change& change : changes) {
    if (places_[change.signal] != not_written) of_file_.push_back({places_[change.signal], change.value});
  }
  if (!opens_ && launches_ != 0 && !of_file_.empty() &&
      (!has_sms_ || std::any_of(of_file_.begin(), of_file_.end(), [this](const WaveSink::Change& change) {
        return is_of_an_sm(written_[change.signal]);
      })))
    opens_ = cycle;
  if (of_file_.empty() || sink_->change(clock()->ps_of(cycle), of_file_)) return;
  is_full_ = true;
  end(cycle - 1);  // what happens in this one is not there
}

void WaveWriter::end(base::Cycle now) {
  state_ = State::over;
  end_ps_ = clock()->ps_of(now);
  sampler_->stop();
}

void WaveWriter::finish(std::vector<std::string>& notes) {
  if (state_ != State::over) end_ps_ = now_ps();
  sink_->finish(end_ps_);
  if (view_) view_->finish(opens_ ? clock()->ps_of(*opens_) : first_ps_);
  if (is_full_)
    notes.push_back(fmt::format("`{}` ends at cycle {} of the SM clock, where --wave-limit is reached", spec_.path,
                                clock()->cycle_at_or_after_ps(end_ps_)));
  if (!has_begun_) notes.push_back(fmt::format("`{}` holds names and no values: {}", spec_.path, why_nothing()));
}

std::string WaveWriter::why_nothing() const {
  return was_armed_ ? "--wave-trigger never held" : window_.why_not(launches_);
}

}  // namespace syncline::platform
