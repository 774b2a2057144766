#include "models/z_unit/z_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "models/cache/translate.h"
#include "protocols/coherence/registry.h"

namespace syncline::models {
namespace {

protocols::PlainAccess plain_access(const protocols::CoherencePolicy& policy) {
  if (policy.plain) return *policy.plain;
  std::string able;
  for (const auto& entry : protocols::coherence_policies()) {
    if (entry.make({}, {}).plain) able += fmt::format("{}`{}`", able.empty() ? "" : ", ", entry.name);
  }
  throw base::UserError(
      fmt::format("a Z-unit reads and writes lines beside the home, which the coherence policy `{}` does not allow; "
                  "policies that do: {}",
                  policy.name, able));
}

std::uint32_t sets(const ZUnitSpec& spec, unsigned line_bytes) {
  const std::uint32_t way_bytes = spec.ways * line_bytes;
  if (way_bytes == 0 || spec.cache_size < way_bytes || spec.cache_size % way_bytes != 0)
    throw base::UserError(fmt::format("`cache_size` must be a whole number of sets of {} lines of {} B, not {} B",
                                      spec.ways, line_bytes, spec.cache_size));
  return spec.cache_size / way_bytes;
}

}  // namespace

ZUnit::ZUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const ZUnitSpec& spec,
             const protocols::CoherencePolicy& policy, base::PartitionId partition, const AddressMap& map,
             unsigned line_bytes, std::uint64_t depth_base)
    : PartitionUnit(name, context),
      spec_(spec),
      policy_(policy),
      plain_(plain_access(policy)),
      partition_(partition),
      map_(map),
      depths_(map, partition, line_bytes, spec.granule, depth_base),
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
  return request.message_class == MessageClass::z_commit && request.depth_op != DepthOp::none;
}

bool ZUnit::accept(Message& request, const sc_core::sc_time& arrival) {
  if (map_.partition(request.line) != partition_)
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
  if (request.depth_op == DepthOp::clear) {
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

bool ZUnit::accept_reply(Message& reply, const sc_core::sc_time& arrival) {
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  const Index index = reply.tag >> 8;
  switch (static_cast<Purpose>(reply.tag & 0xffU)) {
    case Purpose::depths: {
      const auto waiting = std::find_if(comparisons_.begin(), comparisons_.end(),
                                        [index](const Comparison& one) { return one.block == index; });
      if (waiting == comparisons_.end() || waiting->ready_at != base::never)
        throw base::ModelError(
            fmt::format("{}: depths {:#x} arrive that nobody waits for", name(), reply.line.value()));
      cache_.data(index) = reply.data;
      waiting->ready_at = at;
      break;
    }
    case Purpose::colour:
      --requests_[index].acks;
      answer_when_done(index, at);
      break;
    case Purpose::write_back:
      --write_backs_in_flight_;
      break;
  }
  reply.payload()->release();
  wake(at);
  return true;
}

base::Cycle ZUnit::tick(base::Cycle now) {
  now_ = now;
  schedule();  // before `compare`: what a comparison releases is seen in the next cycle
  compare();
  advance_clear();
  send_request();
  send_answer();
  if (!requests_.full()) {
    for (unsigned n = 0; n < max_virtual_networks; ++n) request_in.resume(static_cast<VirtualNetwork>(n));
  }
  return next_tick();
}

void ZUnit::compare() {
  if (room() == 0) return;
  const auto next = std::find_if(comparisons_.begin(), comparisons_.end(),
                                 [this](const Comparison& one) { return one.ready_at <= now_; });
  if (next == comparisons_.end()) return;
  const Comparison done = *next;
  comparisons_.erase(next);
  DepthRequest& request = requests_[done.request];
  const Message& write = *request.message;
  const DepthLines::Outcome outcome = depths_.compare(done.part, write.mask, write.depth, cache_.data(done.block));
  comparisons_done_.add();
  granules_written_.add(outcome.won);
  granules_lost_.add(outcome.lost);
  ++context().progress;
  request.parts &= ~(1U << done.part);
  if (!outcome.written.empty()) cache_.mark_dirty(done.block);
  if (request.parts == 0 && request.acks == 0 && !outcome.written.empty()) {
    pass_on(done.request, outcome.written);
  } else {
    if (!outcome.written.empty()) {
      Message& colour = to_l2(Purpose::colour, done.request, write.line, write);
      colour.mask = outcome.written;
      colour.data = write.data;
      dress(colour, policy_, plain_.store, depths_.line_bytes());
      ++request.acks;
    }
    request.status = request.parts != 0 ? RequestStatus::ready : RequestStatus::active;
    request.ready_at = now_ + 1;
    answer_when_done(done.request, now_);
  }
  release_block(done);
}

/// The request itself becomes its write, and the L2's acknowledgement of that is its answer.
void ZUnit::pass_on(Index index, const base::ByteMask& written) {
  Message& m = *requests_[index].message;
  release(index);
  m.depth_op = DepthOp::none;
  m.mask = written;
  dress(m, policy_, plain_.store, depths_.line_bytes());
  out_.push_back(&m);
}

void ZUnit::release(Index index) {
  residence_.sample(clock()->now() - requests_[index].accepted);
  requests_.release(index);
}

void ZUnit::release_block(const Comparison& done) {
  cache_.unlock(done.block);
  const std::uint64_t number = depths_.number(done.depth_line);
  requests_.unblock(now_ + 1, [&](const DepthRequest& request) {
    return request.waits_for_way ? cache_.same_set(depths_.number(request.waits_for), number)
                                 : request.waits_for == done.depth_line;
  });
}

void ZUnit::schedule() {
  if (comparisons_.size() == spec_.comparators || room() < room_of_a_probe) return;
  const Index index = requests_.schedulable(now_);
  if (index == nowhere) return;
  DepthRequest& request = requests_[index];
  if (request.message->depth_op == DepthOp::clear) {
    start_clear(index);
    return;
  }
  const unsigned part = request.part();
  const base::LineAddress depth_line = depths_.address(request.message->line, part);
  const ZCache::Found found = cache_.probe(depth_line, depths_.number(depth_line));
  if (found.probe == ZCache::Probe::locked || requests_.behind_older(index, part)) {
    block(request, depth_line, false);
  } else if (found.probe == ZCache::Probe::hit) {
    hits_.add();
    cache_.lock(found.block);
    request.status = RequestStatus::active;
    comparisons_.push_back({index, found.block, part, depth_line, now_ + 1});
  } else {
    fetch(index, part, depth_line);
  }
}

void ZUnit::fetch(Index index, unsigned part, base::LineAddress depth_line) {
  DepthRequest& request = requests_[index];
  const ZCache::Allocated allocated = cache_.allocate(depth_line, depths_.number(depth_line));
  if (allocated.block == nowhere) {
    block(request, depth_line, true);
    return;
  }
  misses_.add();
  const base::ByteMask whole = base::ByteMask::all(depths_.line_bytes());
  if (allocated.write_back) {
    Message& victim = to_l2(Purpose::write_back, 0, allocated.write_back->line, *request.message);
    victim.mask = whole;
    victim.data = allocated.write_back->data;
    dress(victim, policy_, plain_.store, depths_.line_bytes());
    written_lines_.insert(victim.line);
    write_backs_.add();
    ++write_backs_in_flight_;
  }
  Message& read = to_l2(Purpose::depths, allocated.block, depth_line, *request.message);
  read.mask = whole;
  dress(read, policy_, plain_.load, depths_.line_bytes());
  request.status = RequestStatus::active;
  comparisons_.push_back({index, allocated.block, part, depth_line, base::never});
}

void ZUnit::block(DepthRequest& request, base::LineAddress depth_line, bool for_way) {
  blocked_.add();
  request.status = RequestStatus::blocked;
  request.waits_for = depth_line;
  request.waits_for_way = for_way;
}

/// Nothing else is in the unit: what the cache holds is forgotten, what memory holds is written over.
void ZUnit::start_clear(Index index) {
  cache_.clear();
  requests_[index].status = RequestStatus::active;
  clear_ = Clear{index, {written_lines_.rbegin(), written_lines_.rend()}};
  written_lines_.clear();
}

void ZUnit::advance_clear() {
  if (!clear_) return;
  const Index index = clear_->request;
  DepthRequest& request = requests_[index];
  if (!clear_->lines.empty()) {
    if (room() == 0) return;
    Message& farthest = to_l2(Purpose::colour, index, clear_->lines.back(), *request.message);
    farthest.mask = base::ByteMask::all(depths_.line_bytes());
    farthest.data.fill(0);
    dress(farthest, policy_, plain_.store, depths_.line_bytes());
    ++request.acks;
    cleared_lines_.add();
    clear_->lines.pop_back();
  }
  if (!clear_->lines.empty()) return;
  request.parts = 0;
  clear_.reset();
  answer_when_done(index, now_);
}

Message& ZUnit::to_l2(Purpose purpose, Index index, base::LineAddress line, const Message& cause) {
  Message& m = context().messages.get();
  m.line = line;
  m.source = node;
  m.destination = partition_.value();
  m.requester = cause.requester;
  m.warp = cause.warp;
  m.pc = cause.pc;
  m.tag = index << 8U | static_cast<std::uint32_t>(purpose);
  out_.push_back(&m);
  return m;
}

void ZUnit::answer_when_done(Index index, base::Cycle at) {
  const DepthRequest& request = requests_[index];
  if (request.parts == 0 && request.acks == 0) answers_.push_back({index, at});
}

bool ZUnit::send_request() {
  if (out_.empty() || !can_forward(out_.front()->network)) return false;
  Message& m = *out_.front();
  out_.pop_front();
  sent_.note(m, sc_core::sc_time_stamp().value());
  forward(m, sc_core::sc_time_stamp());
  return true;
}

bool ZUnit::send_answer() {
  if (answers_.empty() || answers_.front().ready_at > clock()->now()) return false;
  Message& m = *requests_[answers_.front().request].message;
  const VirtualNetwork network = policy_.messages[plain_.store_ack].network;
  if (!can_reply(network)) return false;
  release(answers_.front().request);
  answers_.pop_front();
  m.destination = m.source;
  m.source = partition_.value();
  m.depth_op = DepthOp::none;
  m.acks = 0;
  m.stamps = {};
  dress(m, policy_, plain_.store_ack, depths_.line_bytes());
  sent_.note(m, sc_core::sc_time_stamp().value());
  reply(m, sc_core::sc_time_stamp());
  ++context().progress;
  return true;
}

/// A link that is shared goes by turns, so that neither side starves.
void ZUnit::on_can_forward(VirtualNetwork network) {
  if (own_request_next_ || !request_in.waiting(network)) send_request();
  own_request_next_ = !own_request_next_;
  wake(clock()->now());
}

void ZUnit::on_can_reply(VirtualNetwork network) {
  if (own_answer_next_ || !reply_in.waiting(network)) send_answer();
  own_answer_next_ = !own_answer_next_;
  wake(clock()->now());
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
    if (clear_) at(now_ + 1);
  }
  if (room() >= room_of_a_probe && comparisons_.size() < spec_.comparators) at(requests_.next_schedulable(now_));
  return next;
}

}  // namespace syncline::models
