// The steps of a request: schedule, probe, fetch, compare; and the clear.
#include <algorithm>

#include "models/cache/translate.h"
#include "models/z_unit/z_unit.h"

namespace syncline::models {

void ZUnit::compare() {
  if (room() == 0) return;
  const auto next = std::find_if(comparisons_.begin(), comparisons_.end(),
                                 [this](const Comparison& one) { return one.ready_at <= now_; });
  if (next == comparisons_.end()) return;
  const Comparison done = *next;
  comparisons_.erase(next);
  DepthRequest& request = requests_[done.request];
  const Message& write = *request.message;
  const DepthLines::Outcome outcome =
      depths_.compare(done.part, write.mask, body<DepthBody>(write).depth, cache_.data(done.block));
  comparisons_done_.add();
  granules_written_.add(outcome.won);
  granules_lost_.add(outcome.lost);
  ++tile().progress;
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
  m.coherence = {};
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
  if (request.clears) {
    clear(index);
    return;
  }
  const unsigned part = request.part();
  const base::LineAddress depth_line = depths_.address(request.line, part);
  const ZCache::Found found = cache_.probe(depth_line, depths_.number(depth_line));
  if (found.probe == ZCache::Probe::locked || requests_.behind_older(index, part)) {
    block(request, depth_line, false);
  } else if (found.probe == ZCache::Probe::hit) {
    hits_.add();
    cache_.lock(found.block);
    request.status = RequestStatus::active;
    comparisons_.push_back({index, found.block, part, depth_line, now_ + 1});
  } else {
    allocate(index, part, depth_line);
  }
}

void ZUnit::allocate(Index index, unsigned part, base::LineAddress depth_line) {
  DepthRequest& request = requests_[index];
  const ZCache::Allocated allocated = cache_.allocate(depth_line, depths_.number(depth_line));
  if (allocated.block == nowhere) {
    block(request, depth_line, true);
    return;
  }
  misses_.add();
  request.status = RequestStatus::active;
  comparisons_.push_back({index, allocated.block, part, depth_line, base::never});
  const base::ByteMask whole = base::ByteMask::all(depths_.line_bytes());
  if (allocated.write_back) {
    Message& victim = to_l2(Purpose::write_back, 0, allocated.write_back->line, *request.message);
    victim.mask = whole;
    victim.data = *allocated.write_back->data;
    dress(victim, policy_, plain_.store, depths_.line_bytes());
    written_lines_.insert(depths_.place(victim.line));
    write_backs_.add();
    ++write_backs_in_flight_;
  }
  if (!written_lines_.contains(depths_.place(depth_line))) {
    unwritten_.add();
    cache_.data(allocated.block).fill(DepthLines::farthest_byte);
    comparisons_.back().ready_at = now_ + 1;
    return;
  }
  Message& read = to_l2(Purpose::depths, allocated.block, depth_line, *request.message);
  read.mask = whole;
  dress(read, policy_, plain_.load, depths_.line_bytes());
}

void ZUnit::block(DepthRequest& request, base::LineAddress depth_line, bool for_way) {
  blocked_.add();
  request.status = RequestStatus::blocked;
  request.waits_for = depth_line;
  request.waits_for_way = for_way;
}

/// Nothing else is in the unit: what the cache and memory hold is forgotten.
void ZUnit::clear(Index index) {
  cache_.clear();
  written_lines_.clear();
  DepthRequest& request = requests_[index];
  request.status = RequestStatus::active;
  request.parts = 0;
  answer_when_done(index, now_);
}

void ZUnit::answer_when_done(Index index, base::Cycle at) {
  const DepthRequest& request = requests_[index];
  if (request.parts == 0 && request.acks == 0) answers_.push_back({index, at});
}

}  // namespace syncline::models
