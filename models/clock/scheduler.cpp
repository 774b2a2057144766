#include "models/clock/scheduler.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"

namespace syncline::models {
namespace {
constexpr std::uint64_t ps_per_second = 1'000'000'000'000;
__extension__ using Wide = unsigned __int128;
}  // namespace

void Ticked::wake(base::Cycle cycle) {
  if (domain_ != nullptr && cycle != base::never) domain_->wake(place_, cycle);
}

ClockDomain::ClockDomain(Scheduler& scheduler, std::string name, std::uint64_t frequency_hz)
    : scheduler_(scheduler), name_(std::move(name)), frequency_hz_(frequency_hz) {}

std::uint64_t ClockDomain::ps_of(base::Cycle cycle) const {
  return static_cast<std::uint64_t>(static_cast<Wide>(cycle) * ps_per_second / frequency_hz_);
}

base::Cycle ClockDomain::cycle_at_or_after(const sc_core::sc_time& time) const {
  const Wide scaled = static_cast<Wide>(time.value()) * frequency_hz_;
  return static_cast<base::Cycle>((scaled + ps_per_second - 1) / ps_per_second);
}

base::Cycle ClockDomain::now() const {
  const sc_core::sc_time next = sc_core::sc_time::from_value(sc_core::sc_time_stamp().value() + 1);
  return cycle_at_or_after(next) - 1;
}

void ClockDomain::add(Ticked& unit, TickRank rank, const std::string& name) {
  unit.domain_ = this;
  unit.place_ = entries_.size();
  entries_.push_back({&unit, rank, name});
  due_.push_back(base::never);
}

void ClockDomain::freeze() {
  std::vector<std::size_t> order(entries_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return std::tie(entries_[a].rank, entries_[a].name) < std::tie(entries_[b].rank, entries_[b].name);
  });
  std::vector<Entry> entries;
  std::vector<base::Cycle> due;
  for (const std::size_t from : order) {
    entries_[from].unit->place_ = entries.size();
    entries.push_back(entries_[from]);
    due.push_back(due_[from]);
  }
  entries_.swap(entries);
  due_.swap(due);
}

void ClockDomain::wake(std::size_t place, base::Cycle cycle) {
  base::Cycle earliest = cycle_at_or_after(sc_core::sc_time_stamp());
  const bool turn_is_over = current_ == earliest && (!running_ || place <= position_);
  if (turn_is_over) ++earliest;
  const base::Cycle due = std::max(cycle, earliest);
  if (due >= due_[place]) return;
  due_[place] = due;
  if (due >= next_due_) return;
  next_due_ = due;
  next_ps_ = ps_of(due);
  if (!running_) scheduler_.schedule();
}

void ClockDomain::run(base::Cycle cycle) {
  running_ = true;
  current_ = cycle;
  for (position_ = 0; position_ < entries_.size(); ++position_) {
    if (due_[position_] > cycle) continue;
    due_[position_] = base::never;
    const base::Cycle next = entries_[position_].unit->tick(cycle);
    due_[position_] = std::min(due_[position_], std::max(next, cycle + 1));
  }
  running_ = false;
  next_due_ = *std::min_element(due_.begin(), due_.end());
  next_ps_ = next_due_ == base::never ? ~std::uint64_t{0} : ps_of(next_due_);
}

Scheduler::Scheduler(const sc_core::sc_module_name& name) : sc_core::sc_module(name), event_("edge"), failed_("failed") {
  SC_HAS_PROCESS(Scheduler);
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
}

Scheduler::~Scheduler() = default;

ClockDomain& Scheduler::add_domain(const std::string& name, std::uint64_t frequency_hz) {
  if (frequency_hz == 0) throw base::UserError("the clock `" + name + "` has a frequency of 0 Hz");
  for (const auto& domain : domains_) {
    if (domain->name() == name) throw base::ModelError("two clock domains are called " + name);
  }
  domains_.push_back(std::unique_ptr<ClockDomain>(new ClockDomain(*this, name, frequency_hz)));
  return *domains_.back();
}

void Scheduler::end_of_elaboration() {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
    throw base::UserError("Syncline needs SystemC's default time resolution of 1 ps");
  std::sort(domains_.begin(), domains_.end(), [](const auto& a, const auto& b) { return a->name() < b->name(); });
  for (const auto& domain : domains_) domain->freeze();
  schedule();
}

void Scheduler::run() {
  if (failure_) return;
  running_ = true;
  try {
    visit_domains();
  } catch (...) {
    failure_ = std::current_exception();
    failed_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  running_ = false;
  schedule();
}

void Scheduler::visit_domains() {
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  // A unit may wake one of a domain that was asleep and whose edge is now: look again until nobody is due.
  for (bool again = true; again;) {
    again = false;
    for (const auto& domain : domains_) {
      if (domain->next_ps_ > now) continue;
      domain->run(domain->next_due_);
      again = true;
    }
  }
}

void Scheduler::schedule() {
  if (running_) return;
  std::uint64_t next = ~std::uint64_t{0};
  for (const auto& domain : domains_) next = std::min(next, domain->next_ps_);
  if (next == ~std::uint64_t{0}) return;
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  event_.notify(sc_core::sc_time::from_value(next > now ? next - now : 0));
}

}  // namespace syncline::models
