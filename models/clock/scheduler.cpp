#include "models/clock/scheduler.h"

#include <algorithm>

#include "base/error.h"
#include "models/clock/side_by_side.h"

namespace syncline::models {

Scheduler::Scheduler(const sc_core::sc_module_name& name)
    : sc_core::sc_module(name), event_("edge"), failed_("failed") {
  SC_HAS_PROCESS(Scheduler);
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
}

Scheduler::~Scheduler() = default;

ClockDomain& Scheduler::add_domain(const std::string& name, std::uint64_t frequency_hz, std::uint64_t phase_ps) {
  if (frequency_hz == 0) throw base::UserError("the clock `" + name + "` has a frequency of 0 Hz");
  for (const auto& domain : domains_) {
    if (domain->name() == name) throw base::ModelError("two clock domains are called " + name);
  }
  if (phase_ps != 0 && phase_ps >= ps_per_second / frequency_hz)
    throw base::ModelError("the clock " + name + " is to start more than a period ahead");
  domains_.push_back(std::unique_ptr<ClockDomain>(new ClockDomain(*this, name, frequency_hz, phase_ps)));
  return *domains_.back();
}

void Scheduler::keep_order(const std::string& why) {
  if (side_by_side_ != nullptr)
    throw base::ModelError("tiles are to have their turns in order, and run side by side already: " + why);
  if (std::find(ordered_.begin(), ordered_.end(), why) == ordered_.end()) ordered_.push_back(why);
}

void Scheduler::keep_time(const std::string& why) {
  keep_order(why);
  keeps_time_ = true;
}

WindowCounts Scheduler::window_counts() const {
  return side_by_side_ == nullptr ? WindowCounts{} : side_by_side_->counts();
}

void Scheduler::keep_faults(std::function<bool(std::exception_ptr)> keeper) {
  keeper_ = std::move(keeper);
  keep_order("whoever owns the simulation goes on after a fault");
}

void Scheduler::end_of_elaboration() {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
    throw base::UserError("Syncline needs SystemC's default time resolution of 1 ps");
  std::sort(domains_.begin(), domains_.end(), [](const auto& a, const auto& b) { return a->name() < b->name(); });
}

void Scheduler::start_of_simulation() {
  started_ = true;
  event_.notify(sc_core::SC_ZERO_TIME);
}

/// Not before the first turn: until then others may start to watch.
void Scheduler::freeze() {
  const bool side_by_side = threads_ > 1 && ordered_.empty();
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    domains_[i]->index_ = i;
    domains_[i]->sort_entries();
    if (!side_by_side) domains_[i]->freeze();
  }
  if (side_by_side) side_by_side_ = std::make_unique<SideBySide>(*this, threads_);
  frozen_ = true;
}

void Scheduler::run() {
  if (failure_) return;
  if (!frozen_) freeze();
  now_ps_ = sc_core::sc_time_stamp().value();
  try {
    if (side_by_side_ != nullptr)
      side_by_side_->run();
    else
      visit_instants();
  } catch (...) {
    failure_ = std::current_exception();
    failed_.notify(systemc_delay_to(now_ps_));
    return;
  }
  schedule();
}

bool Scheduler::go_on_to(std::uint64_t ps) {
  if (ps <= now_ps_) return true;
  if (!may_run_ahead_ || keeps_time_ || ps >= next_of_others_ps()) return false;
  now_ps_ = ps;
  return true;
}

std::uint64_t Scheduler::next_of_others_ps() {
  return later_ps(sc_core::sc_time_stamp().value(), sc_core::sc_time_to_pending_activity().value());
}

void Scheduler::visit_instants() {
  do {
    visit_domains();
  } while (go_on_to(next_ps()));
}

void Scheduler::visit_domains() {
  for (const auto& domain : domains_) {
    TurnQueue& queue = *domain->queue_;
    if (queue.next().ps > now_ps_) continue;
    const TurnScope scope(*this, {now_ps_, queue.next().key}, nullptr);
    queue.run();
  }
}

std::uint64_t Scheduler::next_ps() const {
  if (side_by_side_ != nullptr) return side_by_side_->next_ps();
  std::uint64_t next = never_ps;
  for (const auto& domain : domains_) next = std::min(next, domain->queue_->next().ps);
  return next;
}

void Scheduler::schedule() {
  if (failure_) return;
  const std::uint64_t next = next_ps();
  if (next == never_ps) return;
  event_.notify(systemc_delay_to(next));
}

}  // namespace syncline::models
