#include "protocols/transactions/warptm/warp_transaction.h"

#include <algorithm>

#include "base/error.h"
#include "protocols/transactions/warptm/intra_warp.h"

namespace syncline::protocols::warptm {

using base::LaneMask;

namespace {

LaneMask lanes_of(const std::vector<LoggedWord>& log) {
  LaneMask lanes = 0;
  for (const LoggedWord& word : log) lanes |= base::lane_bit(word.lane);
  return lanes;
}

/// Behind what the lane has logged before.
void append(std::vector<LoggedWord>& log, const LoggedWord& word) {
  log.insert(std::upper_bound(log.begin(), log.end(), word,
                              [](const LoggedWord& a, const LoggedWord& b) { return a.lane < b.lane; }),
             word);
}

}  // namespace

void WarpTransaction::begin(LaneMask lanes) {
  if (walk_ != Walk::idle || lanes == 0) throw base::ModelError("a warp begins a transaction where it may not");
  walk_ = Walk::running;
  lanes_ = lanes;
}

std::optional<LoggedWord> WarpTransaction::logged(unsigned lane, std::uint64_t word) const {
  const auto found = std::find_if(writes_.begin(), writes_.end(),
                                  [&](const LoggedWord& write) { return write.lane == lane && write.word == word; });
  if (found == writes_.end()) return std::nullopt;
  return *found;
}

std::uint8_t WarpTransaction::missing(const LoggedWord& load) const {
  const auto own = logged(load.lane, load.word);
  return static_cast<std::uint8_t>(own ? load.bytes & ~own->bytes : load.bytes);
}

void WarpTransaction::asks(unsigned lane, Time now) {
  if (base::has_lane(live(), lane)) began_.try_emplace(lane, now);
}

void WarpTransaction::loaded(const LoggedWord& read, Time written) {
  if (!base::has_lane(live(), read.lane)) return;
  append(reads_, read);
  if (written >= began_.at(read.lane)) young_ |= base::lane_bit(read.lane);
}

void WarpTransaction::store(const LoggedWord& write) {
  if (!base::has_lane(live(), write.lane)) return;
  const auto own = std::find_if(writes_.begin(), writes_.end(), [&write](const LoggedWord& other) {
    return other.lane == write.lane && other.word == write.word;
  });
  if (own != writes_.end()) return transactions::overwrite(*own, write);
  LoggedWord first{write.word, 0, 0, write.lane};
  transactions::overwrite(first, write);
  append(writes_, first);
}

unsigned WarpTransaction::longest(const std::vector<LoggedWord>& log) {
  unsigned most = 0, lane = 0, count = 0;
  for (const LoggedWord& word : log) {
    count = word.lane == lane ? count + 1 : 1;
    lane = word.lane;
    most = std::max(most, count);
  }
  return most;
}

/// What it has read is what memory held when it asked for the first word: all older than that.
bool WarpTransaction::may_be_silent(unsigned lane) const {
  const LaneMask own = base::lane_bit(lane);
  if ((lanes_of(writes_) & own) != 0) return false;
  return spec_->eager || (lanes_of(reads_) & own) == 0 || (spec_->tcd && (young_ & own) == 0);
}

LaneMask WarpTransaction::early(LaneMask lanes, const ConflictTable& conflicts) const {
  LaneMask aborted = 0;
  for (const LoggedWord& read : reads_) {
    if (conflicts.conflicts(Access::load, read.word)) aborted |= base::lane_bit(read.lane);
  }
  for (const LoggedWord& write : writes_) {
    if (conflicts.conflicts(Access::store, write.word)) aborted |= base::lane_bit(write.lane);
  }
  aborted &= lanes;
  if (aborted == lanes && lanes != 0) aborted &= ~base::lane_bit(base::first_lane(lanes));
  return aborted;
}

WarpTransaction::Resolved WarpTransaction::resolve(const ConflictTable* conflicts) {
  if (!complete()) throw base::ModelError("a warp's transaction commits before it is complete");
  Resolved resolved;
  base::for_each_lane(live(), [&](unsigned lane) {
    if (may_be_silent(lane)) resolved.silent |= base::lane_bit(lane);
  });
  silent_ = resolved.silent;
  resolved.intra_warp = conflicting_lanes(*spec_, live() & ~silent_, reads_, writes_);
  aborted_ |= resolved.intra_warp;
  if (spec_->early_abort && conflicts != nullptr) resolved.early = early(live() & ~silent_, *conflicts);
  aborted_ |= resolved.early;
  walk_ = wants() == 0 ? Walk::done : Walk::acquire;
  return resolved;
}

unsigned WarpTransaction::wants() const {
  const LaneMask lanes = live() & ~silent_;
  if (spec_->intra_warp == IntraWarp::none) return base::lane_count(lanes);
  return lanes == 0 ? 0 : 1;
}

std::vector<std::pair<unsigned, Packet>> WarpTransaction::send(Ticket first, unsigned partitions, const Home& home) {
  if (walk_ != Walk::acquire) throw base::ModelError("a warp sends its logs where it may not");
  walk_ = Walk::replies;
  const LaneMask lanes = live() & ~silent_;
  if (spec_->intra_warp == IntraWarp::none)
    base::for_each_lane(lanes, [&](unsigned lane) {
      commits_.push_back({first++, base::lane_bit(lane), 0, {}, 0, 0});
    });
  else
    commits_.push_back({first, lanes, 0, {}, 0, 0});
  std::vector<std::pair<unsigned, Packet>> sent;
  for (Commit& commit : commits_) {
    unsigned partition = 0;
    for (std::vector<Packet>& packets : packets(commit, partitions, home)) {
      if (!packets.back().skip) {
        LaneMask writers = 0;
        for (const Packet& packet : packets) writers |= lanes_of(packet.writes);
        commit.homes.emplace_back(partition, writers);
      }
      for (Packet& packet : packets) sent.emplace_back(partition, std::move(packet));
      ++partition;
    }
    commit.replies = static_cast<std::uint32_t>(commit.homes.size());
  }
  return sent;
}

std::vector<std::vector<Packet>> WarpTransaction::packets(const Commit& commit, unsigned partitions,
                                                          const Home& home) const {
  const Packet empty{commit.ticket, warp_, {}, {}, false, false};
  std::vector<std::vector<Packet>> by_partition(partitions, {empty});
  const auto add = [&](const std::vector<LoggedWord>& log, std::vector<LoggedWord> Packet::*to) {
    for (const LoggedWord& word : log) {
      if (!base::has_lane(commit.lanes, word.lane)) continue;
      std::vector<Packet>& all = by_partition[home(word.word)];
      (all.back().*to).push_back(word);
      if (!spec_->coalescing) all.push_back(empty);
    }
  };
  if (!spec_->eager) add(reads_, &Packet::reads);
  add(writes_, &Packet::writes);
  for (std::vector<Packet>& all : by_partition) {
    all.back().last = true;
    all.back().skip = all.size() == 1 && all.back().reads.empty() && all.back().writes.empty();
  }
  return by_partition;
}

WarpTransaction::Commit& WarpTransaction::commit_of(Ticket ticket) {
  const auto found =
      std::find_if(commits_.begin(), commits_.end(), [ticket](const Commit& one) { return one.ticket == ticket; });
  if (found == commits_.end()) throw base::ModelError("a core hears of a commit ID that it does not have");
  return *found;
}

std::optional<WarpTransaction::Outcomes> WarpTransaction::replied(const Reply& reply) {
  Commit& commit = commit_of(reply.ticket);
  if (commit.replies == 0) throw base::ModelError("a partition replies twice for a commit ID");
  commit.failed |= reply.failed;
  if (--commit.replies != 0) return std::nullopt;
  aborted_ |= commit.failed;
  Outcomes outcomes{{commit.ticket, commit.lanes & ~commit.failed}, {}};
  for (const auto& [partition, writers] : commit.homes) {
    const bool writes = (writers & outcomes.outcome.commits) != 0;
    outcomes.to.emplace_back(partition, writes);
    if (writes) ++commit.drains;
  }
  settle();
  return outcomes;
}

void WarpTransaction::drained(Ticket ticket) {
  Commit& commit = commit_of(ticket);
  if (commit.replies != 0 || commit.drains == 0)
    throw base::ModelError("a partition has written what its core has not let it write");
  --commit.drains;
  settle();
}

void WarpTransaction::settle() {
  bool replies = false, drains = false;
  for (const Commit& commit : commits_) {
    replies = replies || commit.replies != 0;
    drains = drains || commit.drains != 0;
  }
  walk_ = replies ? Walk::replies : drains ? Walk::drain : Walk::done;
}

WarpTransaction::Ended WarpTransaction::end() {
  if (!done()) throw base::ModelError("a warp's transaction ends before it is done");
  const Ended ended{live(), aborted_};
  walk_ = Walk::idle;
  lanes_ = aborted_ = finished_ = silent_ = young_ = 0;
  reads_.clear();
  writes_.clear();
  began_.clear();
  commits_.clear();
  return ended;
}

std::vector<Time> WarpTransaction::began() const {
  std::vector<Time> all;
  if (walk_ != Walk::running) return all;
  for (const auto& [lane, time] : began_) {
    if (base::has_lane(live(), lane)) all.push_back(time);
  }
  return all;
}

void WarpTransaction::encode(Encoder& to) const {
  to.put(static_cast<unsigned>(walk_));
  if (walk_ == Walk::idle) return;
  to.put(lanes_);
  to.put(aborted_);
  to.put(finished_);
  to.put(silent_);
  if (walk_ <= Walk::acquire) {
    to.put(young_);
    to.words(reads_);
    to.words(writes_);
    to.put(began_.size());
    for (const auto& [lane, time] : began_) {
      to.put(lane);
      if (walk_ == Walk::running && base::has_lane(live(), lane)) to.time(time);
    }
  }
  to.put(commits_.size());
  for (const Commit& commit : commits_) {
    to.ticket(commit.ticket);
    to.put(commit.lanes);
    to.put(commit.failed);
    to.put(commit.replies * 256U + commit.drains);
    for (const auto& [partition, writers] : commit.homes) {
      to.put(partition);
      to.put(writers);
    }
  }
}

}  // namespace syncline::protocols::warptm
