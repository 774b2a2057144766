#include "models/clock/clock_domain.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "models/clock/scheduler.h"

namespace syncline::models {
namespace {
__extension__ using Wide = unsigned __int128;
}  // namespace

void Ticked::wake(base::Cycle cycle) {
  note_change();
  if (cycle == base::never) return;
  if (queue_ != nullptr) return queue_->wake(place_, cycle);
  if (domain_ != nullptr) domain_->wake_entry(place_, cycle);
}

std::uint64_t Ticked::due_ps() const {
  return queue_->due_ps(place_);
}

void Ticked::keep_time(const std::string& why) {
  if (domain_ != nullptr) domain_->scheduler_.keep_time(why);
}

ClockDomain::ClockDomain(Scheduler& scheduler, std::string name, std::uint64_t frequency_hz, std::uint64_t phase_ps)
    : scheduler_(scheduler), name_(std::move(name)), frequency_hz_(frequency_hz), phase_ps_(phase_ps) {
  const std::uint64_t divisor = std::gcd(frequency_hz, ps_per_second);
  ratio_cycles_ = frequency_hz / divisor;
  ratio_ps_ = ps_per_second / divisor;
  by_ratio_cycles_ = base::FixedDivisor(ratio_cycles_);
  by_ratio_ps_ = base::FixedDivisor(ratio_ps_);
}

std::uint64_t ClockDomain::length_ps(base::Cycle cycle) const {
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(cycle, ratio_ps_, &product)) return by_ratio_cycles_.quotient(product);
  return static_cast<std::uint64_t>(static_cast<Wide>(cycle) * ratio_ps_ / ratio_cycles_);
}

base::Cycle ClockDomain::cycles_before(std::uint64_t ps) const {
  // Without a phase cycle n begins at floor(n * p / c) picoseconds, which is below t exactly when n * p < t * c.
  if (ps == 0) return 0;
  ps += phase_ps_;
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(ps, ratio_cycles_, &product)) {
    const std::uint64_t whole = by_ratio_ps_.quotient(product);
    return whole + (whole * ratio_ps_ != product ? 1 : 0);
  }
  return static_cast<base::Cycle>((static_cast<Wide>(ps) * ratio_cycles_ + ratio_ps_ - 1) / ratio_ps_);
}

base::Cycle ClockDomain::cycle_at_or_after_ps(std::uint64_t ps) const {
  return ps == never_ps ? base::never : cycles_before(ps);
}

base::Cycle ClockDomain::now() const {
  return cycles_before(now_ps() + 1) - 1;
}

void ClockDomain::add(Ticked& unit, TickRank rank, const std::string& name) {
  unit.domain_ = this;
  unit.place_ = entries_.size();
  entries_.push_back({&unit, rank, name, base::never});
}

void ClockDomain::wake_entry(std::size_t place, base::Cycle cycle) {
  base::Cycle& due = entries_[place].due;
  due = std::min(due, std::max(cycle, earliest_turn(0)));
}

void ClockDomain::sort_entries() {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.rank, a.name) < std::tie(b.rank, b.name); });
}

void ClockDomain::freeze() {
  queue_ = std::make_unique<TurnQueue>(*this, static_cast<std::uint32_t>(index_), nullptr);
  for (std::size_t i = 0; i < entries_.size(); ++i) queue_->add(*entries_[i].unit, entries_[i].due, i);
}

base::Cycle ClockDomain::earliest_turn(std::uint32_t key) const {
  const bool turn_may_come = this_turn.scheduler == &scheduler_ ? key > this_turn.at.key : !scheduler_.started_;
  return cycles_before(now_ps() + (turn_may_come ? 0 : 1));
}

void ClockDomain::woken() {
  if (this_turn.scheduler != &scheduler_) scheduler_.schedule();
}

bool ClockDomain::keeps_fault(std::exception_ptr fault) {
  return scheduler_.keeper_ && scheduler_.keeper_(std::move(fault));
}

}  // namespace syncline::models
