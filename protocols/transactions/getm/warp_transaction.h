// The core's side of one warp (sections 4.4.1, 4.5.1): the time at which it executes, what its lanes have read and
// written, which of them abort, and the logs that go to the partitions in the end.
//
// The host (an SM) begins an attempt with the lanes that run a transaction; tells each transactional access, and sends
// the requests that come of it; tells the answers, and which lanes have come to the end; when `complete`, takes the
// logs, sends them, and begins another attempt with the lanes that have aborted. Nested transactions are its affair.
#pragma once

#include <boost/container/flat_map.hpp>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/lane_mask.h"
#include "protocols/transactions/getm/commit_unit.h"
#include "protocols/transactions/getm/request.h"
#include "protocols/transactions/getm/spec.h"

namespace syncline::protocols::getm {

class WarpTransaction {
 public:
  /// `warp`: its number among all of the GPU.
  WarpTransaction(const GetmSpec& spec, std::uint32_t warp) : spec_(&spec), warp_(warp), acks_(spec.attempt_tags) {}

  /// The logical time at which it executes, or will.
  Timestamp warpts() const { return warpts_; }
  /// Under which it asks and reserves now.
  Requester who() const { return warp_ * static_cast<Requester>(acks_.size()) + tag_; }
  bool running() const { return lanes_ != 0; }
  base::LaneMask lanes() const { return lanes_; }      ///< of the attempt
  base::LaneMask aborted() const { return aborted_; }  ///< of these
  base::LaneMask live() const { return lanes_ & ~aborted_; }

  /// No attempt runs, no rollover is going on, and whoever might be taken for the next attempt has released everything.
  bool may_begin() const { return !running() && !rolling_ && acks_[next_tag()] == 0; }
  /// ModelError unless `may_begin`; `lanes` is not empty. `at`: the time at which the warp executes from now on, if it
  /// is later than its own.
  void begin(base::LaneMask lanes, Timestamp at = first_timestamp);

  /// A word of 4 bytes that a lane accesses: byte address / 4.
  struct Touch {
    unsigned lane = 0;
    std::uint64_t word = 0;
    std::uint32_t value = 0;   ///< store
    std::uint8_t bytes = 0xf;  ///< of the word
  };
  struct Issued {
    base::LaneMask aborted = 0;         ///< lanes that met words of others of the warp
    std::vector<Request> requests;      ///< one a granule
    std::vector<base::LaneMask> lanes;  ///< for which each is; a lane's access has happened when all of its are done
  };
  /// Lanes access memory, in the order of `touches`, which has those of a lane together; of lanes that conflict the one
  /// that came first goes on. Lanes that are not live do nothing. Words that a load finds whole in the lane's own log
  /// are not asked for. ModelError while a rollover is going on.
  Issued access(Access access, const std::vector<Touch>& touches);
  /// The lane's own word, if it has written to any byte of it.
  std::optional<LoggedWord> logged(unsigned lane, std::uint64_t word) const;

  struct Served {
    base::LaneMask lanes = 0;  ///< that the request was for, as far as they are live
    bool aborted = false;
  };
  /// The answer to a request, other than `queued`.
  Served answered(const Answer& answer);
  /// Lanes that are live have come to the end of their transaction.
  void finish(base::LaneMask lanes) { finished_ |= lanes & live(); }
  base::LaneMask at_end() const { return finished_; }
  /// Every lane has come to the end or aborted, every request is answered.
  bool complete() const { return running() && live() == finished_ && outstanding_ == 0 && !rolling_; }

  struct Ended {
    base::LaneMask committed = 0, aborted = 0;
    Requester who = 0;
    std::map<unsigned, WarpLog> logs;  ///< by partition
  };
  /// The attempt ends: its logs, each of which is acknowledged when it has been applied. Lanes that have not aborted
  /// have committed. ModelError unless `complete`. `home`: the partition of a granule.
  Ended end(const std::function<unsigned(Granule)>& home);
  /// A partition has applied the log of `who`. True: the last one, what has been committed stands in memory.
  bool acknowledged(Requester who);

  // Rollover.
  /// From now on no attempt begins, none ends, and no request may be sent.
  void stop() { rolling_ = true; }
  bool stopping() const { return rolling_; }
  /// Nothing of the warp is under way.
  bool stopped() const;
  /// Time begins anew. Returns the lanes of the attempt that was given up, none of which has committed.
  base::LaneMask restart();

  void encode(TimeEncoder& to) const;

 private:
  struct Users {
    base::LaneMask readers = 0, writers = 0;
  };
  struct Pending {
    base::LaneMask lanes = 0;  ///< 0: the label is free
    Access access{};
    Granule granule = 0;
  };
  std::uint32_t next_tag() const { return (tag_ + 1) % static_cast<std::uint32_t>(acks_.size()); }
  Granule granule_of(std::uint64_t word) const { return word * 4 / spec_->granularity; }
  std::uint64_t entry_of(std::uint64_t word) const {
    return spec_->ownership_entries == 0 ? word : word % spec_->ownership_entries;
  }
  bool conflicts(Access access, const Touch& touch);
  void log(const Touch& touch);
  bool is_whole_in_log(const Touch& touch) const;
  std::uint32_t pend(Access access, Granule granule, base::LaneMask lanes);
  void add_words(LogEntry& entry, unsigned lane) const;
  void clear();

  const GetmSpec* spec_;
  std::uint32_t warp_;
  std::uint32_t tag_ = 0;
  std::vector<std::uint32_t> acks_;  ///< by tag: partitions that have not acknowledged yet
  Timestamp warpts_ = first_timestamp;
  Timestamp seen_ = 0;  ///< the latest that answers told of in this attempt
  base::LaneMask lanes_ = 0, aborted_ = 0, finished_ = 0;
  unsigned outstanding_ = 0;
  bool rolling_ = false;
  std::vector<Pending> pending_;  ///< by label
  template <class Key, class Value>
  using Table = boost::container::flat_map<Key, Value>;
  Table<std::uint64_t, Users> users_;                                    ///< by entry of the ownership table
  Table<std::pair<unsigned, std::uint64_t>, LoggedWord> log_;            ///< by lane and word
  Table<std::pair<Granule, std::uint8_t>, std::uint32_t> write_counts_;  ///< by granule and lane
};

}  // namespace syncline::protocols::getm
