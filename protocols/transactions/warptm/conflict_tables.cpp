#include "protocols/transactions/warptm/conflict_tables.h"

#include <algorithm>

namespace syncline::protocols::warptm {

void merge(Broadcast& first, const Broadcast& later) {
  using Words = std::vector<std::uint64_t>;
  const auto add = [](Words& to, Words& opposite, const Words& words) {
    for (const std::uint64_t word : words) {
      const auto undone = std::find(opposite.begin(), opposite.end(), word);
      if (undone != opposite.end())
        opposite.erase(undone);
      else
        to.push_back(word);
    }
  };
  add(first.read, first.no_more_read, later.read);
  add(first.written, first.no_more_written, later.written);
  add(first.no_more_read, first.read, later.no_more_read);
  add(first.no_more_written, first.written, later.no_more_written);
}

void ReferenceCounts::add(const LoggedWord& word, std::uint32_t Count::*count, std::vector<std::uint64_t>& first) {
  if (counts_.size() == entries_ && counts_.count(word.word) == 0) return;
  if (counts_[word.word].*count += 1; counts_[word.word].*count == 1) first.push_back(word.word);
}

void ReferenceCounts::remove(const LoggedWord& word, std::uint32_t Count::*count, std::vector<std::uint64_t>& last) {
  const auto found = counts_.find(word.word);
  if (found == counts_.end() || found->second.*count == 0) return;
  if (--(found->second.*count) == 0) last.push_back(word.word);
  if (found->second.readers == 0 && found->second.writers == 0) counts_.erase(found);
}

Broadcast ReferenceCounts::enter(const std::vector<LoggedWord>& reads, const std::vector<LoggedWord>& writes) {
  Broadcast broadcast;
  for (const LoggedWord& word : reads) add(word, &Count::readers, broadcast.read);
  for (const LoggedWord& word : writes) add(word, &Count::writers, broadcast.written);
  return broadcast;
}

Broadcast ReferenceCounts::leave(const std::vector<LoggedWord>& reads, const std::vector<LoggedWord>& writes) {
  Broadcast broadcast;
  for (const LoggedWord& word : reads) remove(word, &Count::readers, broadcast.no_more_read);
  for (const LoggedWord& word : writes) remove(word, &Count::writers, broadcast.no_more_written);
  return broadcast;
}

void ReferenceCounts::encode(Encoder& to) const {
  to.put(counts_.size());
  for (const auto& [word, count] : counts_) {
    to.put(word);
    to.put(count.readers);
    to.put(count.writers);
  }
}

void ConflictTable::set(const std::vector<std::uint64_t>& words, bool Use::*use, bool to) {
  for (const std::uint64_t word : words) {
    const auto found = words_.find(word);
    if (found == words_.end()) {
      if (to && words_.size() < entries_) words_[word].*use = true;
      continue;
    }
    found->second.*use = to;
    if (!found->second.read && !found->second.written) words_.erase(found);
  }
}

void ConflictTable::apply(const Broadcast& broadcast) {
  set(broadcast.read, &Use::read, true);
  set(broadcast.written, &Use::written, true);
  set(broadcast.no_more_read, &Use::read, false);
  set(broadcast.no_more_written, &Use::written, false);
}

bool ConflictTable::conflicts(Access access, std::uint64_t word) const {
  const auto found = words_.find(word);
  return found != words_.end() && (access == Access::store || found->second.written);
}

void ConflictTable::encode(Encoder& to) const {
  to.put(words_.size());
  for (const auto& [word, use] : words_) to.put(word * 4 + (use.read ? 2U : 0U) + (use.written ? 1U : 0U));
}

}  // namespace syncline::protocols::warptm
