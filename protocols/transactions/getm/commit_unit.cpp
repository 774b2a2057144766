#include "protocols/transactions/getm/commit_unit.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::protocols::getm {

void CommitUnit::accept(const WarpLog& log) {
  for (const LogEntry& entry : log) {
    const auto region = std::find_if(regions_.begin(), regions_.end(), [&entry](const LogEntry& one) {
      return one.who == entry.who && one.granule == entry.granule;
    });
    if (!coalesces_ || region == regions_.end()) {
      regions_.push_back(entry);
      continue;
    }
    region->writes += entry.writes;
    region->commits = region->commits || entry.commits;
    region->words.insert(region->words.end(), entry.words.begin(), entry.words.end());
  }
}

CommitUnit::Applied CommitUnit::take() {
  if (regions_.empty()) throw base::ModelError("a commit unit has nothing to apply");
  Applied applied{std::move(regions_.front()), true};
  regions_.pop_front();
  for (const LogEntry& other : regions_) applied.completes = applied.completes && other.who != applied.region.who;
  return applied;
}

void CommitUnit::encode(TimeEncoder& to) const {
  to.put(regions_.size());
  for (const LogEntry& region : regions_) getm::encode(region, to);
}

void encode(const LogEntry& entry, TimeEncoder& to) {
  to.put(entry.granule);
  to.put(entry.who);
  to.put(entry.writes * 2 + (entry.commits ? 1 : 0));
  to.put(entry.words.size());
  for (const LoggedWord& word : entry.words) {
    to.put(word.word);
    to.put(word.value);
    to.put(word.lane * 16U + word.bytes);
  }
}

}  // namespace syncline::protocols::getm
