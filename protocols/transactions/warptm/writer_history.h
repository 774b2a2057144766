// Who has written, or is to write, a word last (last-writer history): a set-associative table of words of 4
// bytes, behind which a recency filter keeps an upper bound of what left it.
#pragma once

#include <vector>

#include "protocols/transactions/recency_filter.h"
#include "protocols/transactions/warptm/log.h"
#include "protocols/transactions/warptm/spec.h"

namespace syncline::protocols::warptm {

class WriterHistory {
 public:
  explicit WriterHistory(const WarptmSpec& spec);

  /// Tickets of later calls are not smaller.
  void note(std::uint64_t word, Ticket writer);
  /// The youngest that has been noted for the word, or a younger one; 0: nobody.
  Ticket last(std::uint64_t word) const;
  void encode(Encoder& to) const;

 private:
  struct Entry {
    std::uint64_t word = 0;
    Ticket writer = 0;  ///< 0: free
  };
  struct Filter : transactions::RecencyFilter<transactions::Latest> {
    using RecencyFilter::RecencyFilter;
    void encode(Encoder& to) const;
  };
  std::size_t first_of(std::uint64_t word) const { return (*hash_)[0].row(word, sets_) * ways_; }

  std::size_t sets_, ways_;
  std::shared_ptr<const std::vector<transactions::H3>> hash_;
  std::vector<Entry> entries_;
  Filter left_;
};

}  // namespace syncline::protocols::warptm
