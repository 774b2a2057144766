#include "protocols/transactions/warptm/writer_history.h"

#include <algorithm>

namespace syncline::protocols::warptm {

WriterHistory::WriterHistory(const WarptmSpec& spec)
    : sets_(spec.history_sets),
      ways_(spec.history_ways),
      entries_(sets_ * ways_),
      left_("warptm.history_filter", spec.history_filter_ways, spec.history_filter_entries) {
  base::Random random(0, "warptm.history");
  hash_ = std::make_shared<const std::vector<transactions::H3>>(transactions::hash_functions(random, 1));
}

void WriterHistory::note(std::uint64_t word, Ticket writer) {
  Entry* const first = entries_.data() + first_of(word);
  Entry* oldest = first;
  for (Entry* entry = first; entry != first + ways_; ++entry) {
    if (entry->writer != 0 && entry->word == word) {
      entry->writer = writer;
      return;
    }
    if (entry->writer < oldest->writer || (entry->writer == oldest->writer && entry->word < oldest->word))
      oldest = entry;
  }
  if (oldest->writer != 0) left_.insert(oldest->word, {oldest->writer});
  *oldest = {word, writer};
}

Ticket WriterHistory::last(std::uint64_t word) const {
  const Entry* const first = entries_.data() + first_of(word);
  for (const Entry* entry = first; entry != first + ways_; ++entry) {
    if (entry->writer != 0 && entry->word == word) return entry->writer;
  }
  return left_.bound(word).at;
}

void WriterHistory::Filter::encode(Encoder& to) const {
  for (const transactions::Latest& latest : cells()) to.ticket(latest.at);
}

/// Where in its set an entry stands is all the same, and so is the word of one that is too old to matter.
void WriterHistory::encode(Encoder& to) const {
  for (std::size_t first = 0; first < entries_.size(); first += ways_) {
    std::vector<Entry> set(entries_.begin() + static_cast<std::ptrdiff_t>(first),
                           entries_.begin() + static_cast<std::ptrdiff_t>(first + ways_));
    for (Entry& entry : set) {
      if (to.is_past(entry.writer)) entry = {};
    }
    std::sort(set.begin(), set.end(), [](const Entry& a, const Entry& b) {
      return a.writer != b.writer ? a.writer < b.writer : a.word < b.word;
    });
    for (const Entry& entry : set) {
      to.ticket(entry.writer);
      to.put(entry.word);
    }
  }
  left_.encode(to);
}

}  // namespace syncline::protocols::warptm
