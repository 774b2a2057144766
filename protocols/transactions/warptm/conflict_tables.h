// What EAPG adds: each partition counts who reads and writes the words that are in validation, and tells all cores when
// a word comes in or leaves, so that a core knows with whom its transactions would conflict. Hints only: what they miss
// validation finds.
#pragma once

#include <boost/container/flat_map.hpp>
#include <vector>

#include "protocols/transactions/warptm/log.h"
#include "protocols/transactions/warptm/spec.h"

namespace syncline::protocols::warptm {

/// Partition to all cores: words of which the first reader or writer has come, or the last one has gone.
struct Broadcast {
  std::vector<std::uint64_t> read, written, no_more_read, no_more_written;
  bool empty() const { return read.empty() && written.empty() && no_more_read.empty() && no_more_written.empty(); }
};

/// `later` behind `first`: of a word that came in and left again nothing is said.
void merge(Broadcast& first, const Broadcast& later);

/// The reference count table of a partition.
class ReferenceCounts {
 public:
  explicit ReferenceCounts(const WarptmSpec& spec) : entries_(spec.conflict_entries) {}

  /// Words of a log come into validation. Words for which there is no room are not counted.
  Broadcast enter(const std::vector<LoggedWord>& reads, const std::vector<LoggedWord>& writes);
  /// Their validation has ended.
  Broadcast leave(const std::vector<LoggedWord>& reads, const std::vector<LoggedWord>& writes);
  std::size_t size() const { return counts_.size(); }
  void encode(Encoder& to) const;

 private:
  struct Count {
    std::uint32_t readers = 0, writers = 0;
  };
  void add(const LoggedWord& word, std::uint32_t Count::*count, std::vector<std::uint64_t>& first);
  void remove(const LoggedWord& word, std::uint32_t Count::*count, std::vector<std::uint64_t>& last);

  std::size_t entries_;
  boost::container::flat_map<std::uint64_t, Count> counts_;
};

/// The conflict address table of a core.
class ConflictTable {
 public:
  explicit ConflictTable(const WarptmSpec& spec) : entries_(spec.conflict_entries) {}

  void apply(const Broadcast& broadcast);
  /// A transaction that does this conflicts with one that is in validation.
  bool conflicts(Access access, std::uint64_t word) const;
  std::size_t size() const { return words_.size(); }
  void encode(Encoder& to) const;

 private:
  struct Use {
    bool read = false, written = false;
  };
  void set(const std::vector<std::uint64_t>& words, bool Use::*use, bool to);

  std::size_t entries_;
  boost::container::flat_map<std::uint64_t, Use> words_;
};

}  // namespace syncline::protocols::warptm
