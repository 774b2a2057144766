#include "models/dram/channel.h"

#include <algorithm>
#include <iterator>

#include "base/taps.h"

namespace syncline::models {

DramChannel::DramChannel(const DramSpec& spec, DramCompletion& completion, base::Cycle first_refresh)
    : spec_(spec),
      addressing_(spec),
      timing_(spec),
      order_(make_request_order(spec)),
      completion_(completion),
      slots_(spec.queue),
      banks_(spec.banks),
      next_(spec.banks),
      next_refresh_(spec.timing.refresh ? first_refresh : base::never) {
  for (std::uint32_t slot = spec.queue; slot-- > 0;) free_.push_back(slot);
  for (auto& bank : banks_) bank.reserve(spec.queue);
  candidates_.reserve(spec.banks);
  unblocked_.reserve(spec.banks);
}

void DramChannel::add(std::uint32_t tag, bool write, std::uint64_t address, std::uint32_t bytes, base::Cycle now) {
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  DramRequest& request = slots_[slot];
  request = {};
  request.sequence = next_sequence_++;
  request.accepted = now;
  request.burst = address / spec_.burst_bytes();
  request.bursts_left = static_cast<std::uint32_t>((address + bytes - 1) / spec_.burst_bytes() - request.burst + 1);
  request.place = addressing_.place(address);
  request.write = write;
  request.tag = tag;
  join_bank(slot);
}

void DramChannel::join_bank(std::uint32_t slot) {
  const std::uint32_t bank = slots_[slot].place.bank;
  auto& queue = banks_[bank];
  if (queue.empty()) candidates_.push_back({0, 0, DramCommandKind::activate, bank, slot});
  // Newcomers go last; a request that moves on from another bank keeps its age.
  auto place = queue.end();
  while (place != queue.begin() && slots_[*(place - 1)].sequence > slots_[slot].sequence) --place;
  queue.insert(place, slot);
  changed(bank);
}

void DramChannel::leave_bank(std::uint32_t slot, std::uint32_t bank) {
  auto& queue = banks_[bank];
  queue.erase(std::find(queue.begin(), queue.end(), slot));
  changed(bank);
  if (!queue.empty()) return;
  *std::find_if(candidates_.begin(), candidates_.end(), [bank](const DramCandidate& one) { return one.bank == bank; }) =
      candidates_.back();
  candidates_.pop_back();
}

base::Cycle DramChannel::step(base::Cycle now) {
  for (;;) {
    refresh_until(now);
    collect(now);
    const std::vector<DramCandidate>& candidates = allowed_candidates();
    if (candidates.empty()) return base::never;
    const DramChoice choice = order_->choose(candidates, now);
    if (choice.candidate < 0) return choice.retry;
    issue(candidates[static_cast<std::size_t>(choice.candidate)], now);
  }
}

void DramChannel::refresh_until(base::Cycle now) {
  // An idle channel sleeps through its refreshes; they are made up for, with their own cycles, when it is needed again.
  if (next_refresh_ > now) return;
  for (Next& next : next_) next.until = 0;
  collected_until_ = 0;
  while (next_refresh_ <= now) {
    if (timing_.any_open()) {
      const base::Cycle at = timing_.earliest_precharge_all(next_refresh_);
      timing_.issue(DramCommandKind::precharge_all, 0, 0, at);
      tell(at, DramCommandKind::precharge_all, 0);
    }
    const base::Cycle at = timing_.earliest_refresh(next_refresh_);
    timing_.issue(DramCommandKind::refresh, 0, 0, at);
    tell(at, DramCommandKind::refresh, 0);
    statistics_.refreshes.add();
    next_refresh_ += spec_.timing.t_refi;
  }
}

void DramChannel::collect(base::Cycle now) {
  if (now < collected_until_) return;
  collected_until_ = base::never;
  for (DramCandidate& candidate : candidates_) {
    Next& next = next_[candidate.bank];
    if (next.until <= now) next = next_of(now, candidate);
    collected_until_ = std::min(collected_until_, next.until);
    candidate.earliest = std::max(next.allowed, timing_.channel_allows(candidate.kind, candidate.bank));
  }
}

const std::vector<DramCandidate>& DramChannel::allowed_candidates() {
  if (!completion_.answers_blocked()) return candidates_;
  unblocked_.clear();
  std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(unblocked_),
               [](const DramCandidate& candidate) { return !candidate.column(); });
  return unblocked_;
}

DramChannel::Next DramChannel::next_of(base::Cycle now, DramCandidate& candidate) const {
  const std::uint32_t bank = candidate.bank;
  const std::int64_t open = timing_.open_row(bank);
  const DramPick pick = order_->pick(slots_, banks_[bank], open, now);
  const std::uint32_t slot = banks_[bank][pick.place];
  const DramRequest& request = slots_[slot];
  DramCommandKind kind = DramCommandKind::precharge;
  if (open == DramTimingState::closed) {
    kind = DramCommandKind::activate;
  } else if (open == request.place.row) {
    kind = request.write ? DramCommandKind::write : DramCommandKind::read;
  }
  candidate = {request.sequence, 0, kind, bank, slot};
  // A request may be in the queue before its annotated time.
  return {std::max(timing_.bank_allows(kind, bank), request.accepted), pick.until};
}

void DramChannel::issue(DramCandidate candidate, base::Cycle now) {
  changed(candidate.bank);
  DramRequest& request = slots_[candidate.request];
  if (candidate.column()) {
    issue_column(candidate, now);
    return;
  }
  timing_.issue(candidate.kind, candidate.bank, request.place.row, now);
  tell(now, candidate.kind, candidate.bank, request.place.row);
  if (candidate.kind == DramCommandKind::activate) {
    statistics_.activates.add();
    request.activated = true;
  } else {
    statistics_.precharges.add();
    request.conflicted = true;
  }
}

void DramChannel::issue_column(const DramCandidate& candidate, base::Cycle now) {
  DramRequest& request = slots_[candidate.request];
  timing_.issue(candidate.kind, candidate.bank, request.place.row, now);
  tell(now, candidate.kind, candidate.bank, request.place.row, request.place.column);
  statistics_.data_cycles.add(spec_.burst_cycles());
  if (!request.started) {
    request.started = true;
    (request.conflicted  ? statistics_.row_conflicts
     : request.activated ? statistics_.row_misses
                         : statistics_.row_hits)
        .add();
  }

  const base::Cycle data_end = now + (request.write ? spec_.timing.t_wl : spec_.timing.t_cl) + spec_.burst_cycles();
  const std::int64_t row = request.place.row;
  if (--request.bursts_left == 0) {
    leave_bank(candidate.request, candidate.bank);
    free_.push_back(candidate.request);
    const DramRequest done = request;  // the listener may put another one into the slot
    completion_.on_scheduled(done, data_end);
  } else {
    request.place = addressing_.place(++request.burst * spec_.burst_bytes());
    if (request.place.bank != candidate.bank) {
      leave_bank(candidate.request, candidate.bank);
      join_bank(candidate.request);
    }
  }
  if (spec_.page_policy == PagePolicy::closed && !row_is_wanted(candidate.bank, row)) {
    const base::Cycle at = timing_.auto_precharge(candidate.bank);
    statistics_.precharges.add();
    tell(at, DramCommandKind::auto_precharge, candidate.bank);
  }
}

bool DramChannel::row_is_wanted(std::uint32_t bank, std::int64_t row) const {
  const auto& queue = banks_[bank];
  return std::any_of(queue.begin(), queue.end(), [&](std::uint32_t slot) { return slots_[slot].place.row == row; });
}

void DramChannel::tell(base::Cycle cycle, DramCommandKind kind, std::uint32_t bank, std::uint32_t row,
                       std::uint32_t column) {
  if (base::has_taps && listener_ != nullptr) listener_->on_command({cycle, kind, bank, row, column});
}

std::vector<DramRequest> DramChannel::waiting() const {
  std::vector<DramRequest> list;
  for (const auto& bank : banks_) {
    for (const std::uint32_t slot : bank) list.push_back(slots_[slot]);
  }
  std::sort(list.begin(), list.end(),
            [](const DramRequest& a, const DramRequest& b) { return a.sequence < b.sequence; });
  return list;
}

}  // namespace syncline::models
