#include "models/z_unit/z_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "models/partition/plain_access.h"

namespace syncline::models {
namespace {

std::uint32_t sets(const ZUnitSpec& spec, unsigned line_bytes) {
  const std::uint32_t way_bytes = spec.ways * line_bytes;
  if (way_bytes == 0 || spec.cache_size < way_bytes || spec.cache_size % way_bytes != 0)
    throw base::UserError(fmt::format("`cache_size` must be a whole number of sets of {} lines of {} B, not {} B",
                                      spec.ways, line_bytes, spec.cache_size));
  return spec.cache_size / way_bytes;
}

}  // namespace

ZUnit::ZUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const ZUnitSpec& spec,
             const protocols::CoherencePolicy& policy, base::PartitionId partition, const HomeMap& homes,
             unsigned line_bytes, std::uint64_t depth_base, GpuPlace place)
    : PartitionUnit(name, context),
      spec_(spec),
      policy_(policy),
      plain_(plain_access(policy, "a Z-unit")),
      place_(home_node(partition, place)),
      homes_(homes),
      depths_(homes, place_, line_bytes, spec.granule, depth_base),
      requests_(spec.requests),
      cache_(sets(spec, line_bytes), spec.ways),
      out_(request_queue),
      answers_(spec.requests),
      sent_(context.journal, policy, this->name()) {
  comparisons_.reserve(spec.comparators);
  clock.add(*this, TickRank::partition, this->name());
  add_statistics();
}

bool ZUnit::claims(const Message& request) const {
  return request.family == &depth_family;
}

bool ZUnit::accept(Message& request, const sc_core::sc_time& arrival) {
  if (homes_.home(request.line.value()) != place_)
    throw base::ModelError(fmt::format("{}: line {:#x} is of another partition", name(), request.line.value()));
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  if (requests_.full()) {
    if (full_since_ == base::never) full_since_ = at;
    return false;
  }
  if (at < accept_from_) {
    wake(accept_from_);
    return false;
  }
  if (full_since_ != base::never) full_cycles_.add(at - std::exchange(full_since_, base::never));
  accept_from_ = at + 1;
  occupancy_.sample(requests_.size());
  if (depth_kind(request) == DepthKind::clear) {
    clears_.add();
    requests_.insert(request, 1, at);
  } else {
    writes_.add();
    const unsigned parts = depths_.touched(request.mask);
    const Index index = requests_.insert(request, parts, at);
    if (parts == 0) requests_[index].status = RequestStatus::active;
    answer_when_done(index, at + 1);
  }
  wake(at + 1);
  return true;
}

base::Cycle ZUnit::tick(base::Cycle now) {
  now_ = now;
  schedule();  // before `compare`: what a comparison releases is seen in the next cycle
  compare();
  send_request();
  send_answer();
  if (!requests_.full()) request_in.resume_all();
  return next_tick();
}

base::Cycle ZUnit::next_tick() const {
  base::Cycle next = base::never;
  const auto at = [&](base::Cycle cycle) { next = std::min(next, std::max(cycle, now_ + 1)); };
  if (!out_.empty() && can_forward(out_.front()->network)) at(now_ + 1);
  if (!answers_.empty() && can_reply(policy_.messages[plain_.store_ack].network)) at(answers_.front().ready_at);
  if (room() != 0) {
    for (const Comparison& one : comparisons_) {
      if (one.ready_at != base::never) at(one.ready_at);
    }
  }
  if (room() >= room_of_a_probe && comparisons_.size() < spec_.comparators) at(requests_.next_schedulable(now_));
  return next;
}

}  // namespace syncline::models
