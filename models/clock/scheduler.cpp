#include "models/clock/scheduler.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "models/block/block.h"

namespace syncline::models {
namespace {
constexpr std::uint64_t ps_per_second = 1'000'000'000'000;
__extension__ using Wide = unsigned __int128;
}  // namespace

void Ticked::wake(base::Cycle cycle) {
  note_change();
  if (domain_ != nullptr && cycle != base::never) domain_->wake(place_, cycle);
}

ClockDomain::ClockDomain(Scheduler& scheduler, std::string name, std::uint64_t frequency_hz, std::uint64_t phase_ps)
    : scheduler_(scheduler), name_(std::move(name)), frequency_hz_(frequency_hz), phase_ps_(phase_ps) {
  const std::uint64_t divisor = std::gcd(frequency_hz, ps_per_second);
  ratio_cycles_ = frequency_hz / divisor;
  ratio_ps_ = ps_per_second / divisor;
}

std::uint64_t ClockDomain::length_ps(base::Cycle cycle) const {
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(cycle, ratio_ps_, &product)) return product / ratio_cycles_;
  return static_cast<std::uint64_t>(static_cast<Wide>(cycle) * ratio_ps_ / ratio_cycles_);
}

base::Cycle ClockDomain::cycles_before(std::uint64_t ps) const {
  // Without a phase cycle n begins at floor(n * p / c) picoseconds, which is below t exactly when n * p < t * c.
  if (ps == 0) return 0;
  ps += phase_ps_;
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(ps, ratio_cycles_, &product)) {
    return product / ratio_ps_ + (product % ratio_ps_ != 0 ? 1 : 0);
  }
  return static_cast<base::Cycle>((static_cast<Wide>(ps) * ratio_cycles_ + ratio_ps_ - 1) / ratio_ps_);
}

base::Cycle ClockDomain::cycle_at_or_after_ps(std::uint64_t ps) const {
  return ps == ~std::uint64_t{0} ? base::never : cycles_before(ps);
}

base::Cycle ClockDomain::now() const {
  return cycles_before(sc_core::sc_time_stamp().value() + 1) - 1;
}

void ClockDomain::add(Ticked& unit, TickRank rank, const std::string& name) {
  unit.domain_ = this;
  unit.place_ = entries_.size();
  entries_.push_back({&unit, rank, name});
  due_.push_back(base::never);
  if (armed_.size() * 64 < due_.size()) armed_.push_back(0);
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
  for (const Entry& entry : entries_) units_.push_back(entry.unit);
  std::fill(armed_.begin(), armed_.end(), 0);
  for (std::size_t place = 0; place < due_.size(); ++place) {
    if (due_[place] != base::never) armed_[place / 64] |= std::uint64_t{1} << (place % 64);
  }
}

base::Cycle ClockDomain::earliest_turn(std::size_t place) const {
  if (running_) return place > position_ ? current_ : current_ + 1;
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  const bool turn_may_come = scheduler_.running_ ? index_ > scheduler_.position_ : !scheduler_.started_;
  return cycles_before(turn_may_come ? now : now + 1);
}

void ClockDomain::arm(std::size_t place, base::Cycle due) {
  due_[place] = due;
  armed_[place / 64] |= std::uint64_t{1} << (place % 64);
}

void ClockDomain::wake(std::size_t place, base::Cycle cycle) {
  // The common case costs no division: whoever is due by then needs no second reminder.
  if (due_[place] <= cycle) return;
  const base::Cycle due = std::max(cycle, earliest_turn(place));
  if (due >= due_[place]) return;
  arm(place, due);
  if (running_ && due == current_) return;  // the scan has not passed it yet
  if (due >= next_due_) return;
  next_due_ = due;
  if (running_) return;
  next_ps_ = ps_of(due);
  scheduler_.schedule();
}

inline base::Cycle ClockDomain::turn(std::size_t place, base::Cycle cycle) {
  try {
    return tick(*units_[place], cycle);
  } catch (const base::ProgramFault&) {
    if (!scheduler_.keeper_ || !scheduler_.keeper_(std::current_exception())) throw;
    return cycle + 1;
  }
}

inline base::Cycle ClockDomain::tick(Ticked& unit, base::Cycle cycle) {
  unit.note_change();
#ifdef SYNCLINE_CHECK_TILES
  if (const auto* block = dynamic_cast<const Block*>(&unit)) {
    const TileTurn turn(block->tile());
    return unit.tick(cycle);
  }
#endif
  return unit.tick(cycle);
}

void ClockDomain::run(base::Cycle cycle) {
  running_ = true;
  current_ = cycle;
  next_due_ = base::never;
  for (std::size_t word = 0; word < armed_.size(); ++word) {
    // Read again after each tick: it may have woken units behind it.
    for (std::uint64_t bits = armed_[word]; bits != 0;) {
      const unsigned bit = static_cast<unsigned>(__builtin_ctzll(bits));
      position_ = word * 64 + bit;
      if (const std::uint64_t behind = bits & (bits - 1); behind != 0)
        __builtin_prefetch(units_[word * 64 + static_cast<unsigned>(__builtin_ctzll(behind))]);
      if (due_[position_] <= cycle) {
        due_[position_] = base::never;
        armed_[word] &= ~(std::uint64_t{1} << bit);
        const base::Cycle next = turn(position_, cycle);
        if (next < due_[position_]) arm(position_, std::max(next, cycle + 1));
      }
      next_due_ = std::min(next_due_, due_[position_]);
      bits = bit == 63 ? 0 : armed_[word] & (~std::uint64_t{0} << (bit + 1));
    }
  }
  running_ = false;
  next_ps_ = next_due_ == base::never ? ~std::uint64_t{0} : ps_of(next_due_);
}

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

void Scheduler::end_of_elaboration() {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
    throw base::UserError("Syncline needs SystemC's default time resolution of 1 ps");
  std::sort(domains_.begin(), domains_.end(), [](const auto& a, const auto& b) { return a->name() < b->name(); });
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    domains_[i]->index_ = i;
    domains_[i]->freeze();
  }
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
  for (position_ = 0; position_ < domains_.size(); ++position_) {
    ClockDomain& domain = *domains_[position_];
    if (domain.next_ps_ <= now) domain.run(domain.next_due_);
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
