// Temporal conflict detection in a partition: when a word was last written for a transaction, or later. A recency
// filter.
#pragma once

#include "protocols/transactions/recency_filter.h"
#include "protocols/transactions/warptm/commit_unit.h"
#include "protocols/transactions/warptm/spec.h"

namespace syncline::protocols::warptm {

class WriteTimes : transactions::RecencyFilter<transactions::Latest> {
 public:
  explicit WriteTimes(const WarptmSpec& spec)
      : RecencyFilter("warptm.write_times", spec.tcd_ways, spec.tcd_entries), words_(spec.tcd_granularity / 4) {}

  /// A word is written, at a cycle of the whole GPU.
  void note(std::uint64_t word, Time now) { insert(word / words_, {now}); }
  /// No earlier than the last cycle in which it was written; 0: never.
  Time last(std::uint64_t word) const { return bound(word / words_).at; }
  void encode(Encoder& to) const {
    for (const transactions::Latest& latest : cells()) to.time(latest.at);
  }

 private:
  std::uint64_t words_;
};

/// What a partition says of a word that it reads at `now` for a transaction.
inline Time last_write(const WarptmSpec& spec, const CommitUnit& unit, const WriteTimes& times, std::uint64_t word,
                       Time now) {
  if (!spec.tcd) return now;
  return spec.tcd_rule == TcdRule::pending && unit.awaits_write(word) ? now : times.last(word);
}

}  // namespace syncline::protocols::warptm
