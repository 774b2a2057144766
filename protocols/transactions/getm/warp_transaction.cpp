#include "protocols/transactions/getm/warp_transaction.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::getm {

using base::LaneMask;

void WarpTransaction::begin(LaneMask lanes, Timestamp at) {
  if (!may_begin() || lanes == 0) throw base::ModelError("a warp begins a transaction where it may not");
  tag_ = next_tag();
  lanes_ = lanes;
  warpts_ = std::max(warpts_, at);
}

/// Two lanes that access a word, one of which writes, cannot both commit: they execute at one time. Lanes that have
/// aborted do not count, so a lane that does not conflict is noted at once, whatever becomes of its other words.
bool WarpTransaction::conflicts(Access access, const Touch& touch) {
  Users& users = users_[entry_of(touch.word)];
  const LaneMask own = base::lane_bit(touch.lane), others = live() & ~own;
  if (((access == Access::load ? users.writers : users.readers | users.writers) & others) != 0) return true;
  (access == Access::load ? users.readers : users.writers) |= own;
  return false;
}

void WarpTransaction::log(const Touch& touch) {
  LoggedWord& logged = log_[{touch.lane, touch.word}];
  logged.word = touch.word;
  logged.lane = static_cast<std::uint8_t>(touch.lane);
  transactions::overwrite(logged, {touch.word, touch.value, touch.bytes, logged.lane});
}

std::optional<LoggedWord> WarpTransaction::logged(unsigned lane, std::uint64_t word) const {
  const auto found = log_.find({lane, word});
  if (found == log_.end()) return std::nullopt;
  return found->second;
}

bool WarpTransaction::is_whole_in_log(const Touch& touch) const {
  const auto own = logged(touch.lane, touch.word);
  return own && (touch.bytes & ~own->bytes) == 0;
}

WarpTransaction::Issued WarpTransaction::access(Access access, const std::vector<Touch>& touches) {
  if (rolling_) throw base::ModelError("a transaction goes on while timestamps roll over");
  Issued issued;
  std::vector<std::pair<Granule, LaneMask>> granules;
  granules.reserve(touches.size());
  for (auto first = touches.begin(); first != touches.end();) {
    const unsigned lane = first->lane;
    const auto last = std::find_if(first, touches.end(), [lane](const Touch& touch) { return touch.lane != lane; });
    const auto range = std::make_pair(first, last);
    first = last;
    if (!base::has_lane(live(), lane)) continue;
    if (std::any_of(range.first, range.second, [&](const Touch& touch) { return conflicts(access, touch); })) {
      issued.aborted |= base::lane_bit(lane);
      aborted_ |= base::lane_bit(lane);
      continue;
    }
    for (auto touch = range.first; touch != range.second; ++touch) {
      if (access == Access::store)
        log(*touch);
      else if (is_whole_in_log(*touch))
        continue;
      const Granule granule = granule_of(touch->word);
      const auto known =
          std::find_if(granules.begin(), granules.end(), [granule](const auto& one) { return one.first == granule; });
      (known == granules.end() ? granules.emplace_back(granule, 0) : *known).second |= base::lane_bit(lane);
    }
  }
  issued.requests.reserve(granules.size());
  issued.lanes.reserve(granules.size());
  for (const auto& [granule, lanes] : granules) {
    const auto count = static_cast<std::uint16_t>(base::lane_count(lanes));
    issued.requests.push_back({access, granule, who(), warpts_, count, pend(access, granule, lanes)});
    issued.lanes.push_back(lanes);
  }
  return issued;
}

std::uint32_t WarpTransaction::pend(Access access, Granule granule, LaneMask lanes) {
  const auto free =
      std::find_if(pending_.begin(), pending_.end(), [](const Pending& pending) { return pending.lanes == 0; });
  const auto label = static_cast<std::uint32_t>(free - pending_.begin());
  (free == pending_.end() ? pending_.emplace_back() : *free) = {lanes, access, granule};
  ++outstanding_;
  return label;
}

WarpTransaction::Served WarpTransaction::answered(const Answer& answer) {
  const std::uint32_t label = answer.request.label;
  if (answer.verdict == Verdict::queued || label >= pending_.size() || pending_[label].lanes == 0)
    throw base::ModelError("a core is answered what it has not asked");
  const Pending pending = pending_[label];
  pending_[label] = {};
  --outstanding_;
  seen_ = std::max(seen_, answer.seen);
  const Served served{pending.lanes & live(), answer.verdict == Verdict::refused};
  if (served.aborted) {
    aborted_ |= pending.lanes;
    finished_ &= ~pending.lanes;
  } else if (pending.access == Access::store) {
    // Also for lanes that have aborted since: the granule is reserved for them.
    base::for_each_lane(pending.lanes, [&](unsigned lane) {
      ++write_counts_[{pending.granule, static_cast<std::uint8_t>(lane)}];
    });
  }
  return served;
}

WarpTransaction::Ended WarpTransaction::end(const std::function<unsigned(Granule)>& home) {
  if (!complete()) throw base::ModelError("a warp's transaction ends before it is complete");
  Ended ended{live(), aborted_, who(), {}};
  for (const auto& [place, writes] : write_counts_) {
    const auto& [granule, lane] = place;
    LogEntry entry{granule, who(), writes, base::has_lane(live(), lane), {}};
    if (entry.commits) add_words(entry, lane);
    ended.logs[home(granule)].push_back(std::move(entry));
  }
  acks_[tag_] = static_cast<std::uint32_t>(ended.logs.size());
  warpts_ = std::min(std::max(warpts_, seen_) + 1, spec_->last_timestamp());
  clear();
  return ended;
}

void WarpTransaction::add_words(LogEntry& entry, unsigned lane) const {
  const std::uint64_t words = spec_->granularity / 4;
  for (auto word = log_.lower_bound({lane, entry.granule * words});
       word != log_.end() && word->first.first == lane && word->first.second < (entry.granule + 1) * words; ++word)
    entry.words.push_back(word->second);
}

bool WarpTransaction::acknowledged(Requester who) {
  const std::uint32_t tag = who - warp_ * static_cast<Requester>(acks_.size());
  if (tag >= acks_.size() || acks_[tag] == 0) throw base::ModelError("a core hears of a log that it has not sent");
  return --acks_[tag] == 0;
}

bool WarpTransaction::stopped() const {
  return rolling_ && outstanding_ == 0 &&
         std::all_of(acks_.begin(), acks_.end(), [](std::uint32_t acks) { return acks == 0; });
}

LaneMask WarpTransaction::restart() {
  if (!stopped()) throw base::ModelError("a warp rolls over with something under way");
  const LaneMask given_up = lanes_;
  clear();
  warpts_ = first_timestamp;
  rolling_ = false;
  return given_up;
}

void WarpTransaction::clear() {
  lanes_ = aborted_ = finished_ = 0;
  seen_ = 0;
  pending_.clear();
  users_.clear();
  log_.clear();
  write_counts_.clear();
}

void WarpTransaction::encode(TimeEncoder& to) const {
  to.put(tag_);
  for (const std::uint32_t acks : acks_) to.put(acks);
  to.read_time(warpts_);
  to.read_time(std::max(seen_, warpts_));
  to.put(lanes_);
  to.put(aborted_);
  to.put(finished_);
  to.put(pending_.size() * 2 + (rolling_ ? 1 : 0));
  for (const Pending& pending : pending_) {
    to.put(pending.lanes);
    to.put(pending.granule * 2 + (pending.access == Access::store ? 1 : 0));
  }
  to.put(users_.size());
  for (const auto& [entry, users] : users_) {
    to.put(entry);
    to.put(users.readers);
    to.put(users.writers);
  }
  to.put(log_.size());
  for (const auto& [place, word] : log_) {
    to.put(place.first);
    to.put(word.word);
    to.put(std::uint64_t{word.value} * 16 + word.bytes);
  }
  to.put(write_counts_.size());
  for (const auto& [place, writes] : write_counts_) {
    to.put(place.first);
    to.put(place.second);
    to.put(writes);
  }
}

}  // namespace syncline::protocols::getm
