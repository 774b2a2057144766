// The core's side of one warp: what its lanes have read and written, and the walk that commits it when all of them have
// come to the end: conflicts within the warp, commit IDs, logs, replies, outcomes, until all that commits is in memory.
//
// The host (an SM) begins an attempt with the lanes that run a transaction; asks what a load needs of memory and tells
// what it read; tells stores, which stay in the log; and which lanes have come to the end. When `complete`, it resolves
// the warp, takes commit IDs when there are any, sends the packets, tells the replies, sends the outcomes, and tells
// when partitions have written. When `done`, the attempt ends, and the lanes that have aborted may begin another one.
#pragma once

#include <boost/container/flat_map.hpp>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "protocols/transactions/warptm/conflict_tables.h"
#include "protocols/transactions/warptm/log.h"
#include "protocols/transactions/warptm/spec.h"

namespace syncline::protocols::warptm {

class WarpTransaction {
 public:
  /// `warp`: its number among all of the GPU.
  WarpTransaction(const WarptmSpec& spec, Warp warp) : spec_(&spec), warp_(warp) {}

  enum class Walk : std::uint8_t {
    idle,     ///< no attempt
    running,  ///< lanes execute
    acquire,  ///< commit IDs are wanted
    replies,  ///< logs are sent, not every partition has replied
    drain,    ///< outcomes are sent, not all writes are in memory
    done
  };
  Warp number() const { return warp_; }
  Walk walk() const { return walk_; }
  base::LaneMask lanes() const { return lanes_; }      ///< of the attempt
  base::LaneMask aborted() const { return aborted_; }  ///< of these
  base::LaneMask live() const { return lanes_ & ~aborted_; }

  /// ModelError unless `idle`; `lanes` is not empty.
  void begin(base::LaneMask lanes);

  // While it runs; lanes that are not live do nothing.
  /// Of the bytes that a lane loads, those that its own log does not have.
  std::uint8_t missing(const LoggedWord& load) const;
  /// The lane's own word, if it has written to any byte of it.
  std::optional<LoggedWord> logged(unsigned lane, std::uint64_t word) const;
  /// A lane asks memory for a word. With the first it begins, as far as silent commits go.
  void asks(unsigned lane, Time now);
  /// What memory held of the `missing` bytes, and when the word was written last (last_write).
  void loaded(const LoggedWord& read, Time written);
  void store(const LoggedWord& write);
  void abort(base::LaneMask lanes) { aborted_ |= lanes & live(); }
  /// Lanes that are live have come to the end of their transaction. What they load must have been answered.
  void finish(base::LaneMask lanes) { finished_ |= lanes & live(); }
  base::LaneMask at_end() const { return finished_ & live(); }
  /// Every lane has come to the end or aborted.
  bool complete() const { return walk_ == Walk::running && live() == at_end(); }
  const std::vector<LoggedWord>& writes() const { return writes_; }
  const std::vector<LoggedWord>& reads() const { return reads_; }
  /// Entries of the log of the lane that has the most.
  unsigned read_lines() const { return longest(reads_); }
  unsigned written_lines() const { return longest(writes_); }

  // The walk.
  struct Resolved {
    base::LaneMask silent = 0;      ///< commit now: they have no log, or TCD says that what they read is of one time
    base::LaneMask intra_warp = 0;  ///< abort
    base::LaneMask early = 0;       ///< abort
  };
  /// `conflicts`: the core's, where spec.early_abort says so. ModelError unless `complete`.
  Resolved resolve(const ConflictTable* conflicts = nullptr);
  /// Commit IDs that it wants, one after the other.
  unsigned wants() const;
  using Home = std::function<unsigned(std::uint64_t word)>;
  /// What it sends to each partition, in order; `home`: that of a word.
  std::vector<std::pair<unsigned, Packet>> send(Ticket first, unsigned partitions, const Home& home);

  struct Outcomes {
    Outcome outcome;
    std::vector<std::pair<unsigned, bool>> to;  ///< partitions, and whether it writes there
  };
  /// A partition replies. Nothing: others are still to reply for the ID.
  std::optional<Outcomes> replied(const Reply& reply);
  /// A partition has written all of a commit ID.
  void drained(Ticket ticket);

  bool done() const { return walk_ == Walk::done; }
  struct Ended {
    base::LaneMask committed = 0, aborted = 0;
  };
  /// ModelError unless `done`.
  Ended end();

  /// Loads with which live lanes have begun (Encoder).
  std::vector<Time> began() const;
  void encode(Encoder& to) const;

 private:
  /// A commit ID under way.
  struct Commit {
    Ticket ticket = 0;
    base::LaneMask lanes = 0, failed = 0;
    std::vector<std::pair<unsigned, base::LaneMask>> homes;  ///< partitions that have a log, and lanes that write there
    std::uint32_t replies = 0, drains = 0;                   ///< to come
  };
  static unsigned longest(const std::vector<LoggedWord>& log);
  Commit& commit_of(Ticket ticket);
  /// By partition.
  std::vector<std::vector<Packet>> packets(const Commit& commit, unsigned partitions, const Home& home) const;
  bool may_be_silent(unsigned lane) const;
  base::LaneMask early(base::LaneMask lanes, const ConflictTable& conflicts) const;
  void settle();

  const WarptmSpec* spec_;
  Warp warp_;
  Walk walk_ = Walk::idle;
  base::LaneMask lanes_ = 0, aborted_ = 0, finished_ = 0;
  base::LaneMask silent_ = 0;
  base::LaneMask young_ = 0;        ///< lanes that have read what may be younger than their first load
  std::vector<LoggedWord> reads_;   ///< lane by lane
  std::vector<LoggedWord> writes_;  ///< lane by lane, one for each word
  boost::container::flat_map<unsigned, Time> began_;
  std::vector<Commit> commits_;
};

}  // namespace syncline::protocols::warptm
