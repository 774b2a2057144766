#include "models/transactions/local/local_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace syncline::models {

using protocols::local::Access;
using protocols::local::Detector;
using protocols::local::Word;
using protocols::local::WorkItem;

LocalMemory::LocalMemory(const protocols::local::LocalTmSpec& machine, const LocalLatencies& latency,
                         protocols::local::WordMachine& words, unsigned warps, unsigned lanes,
                         std::vector<std::uint8_t>& bytes)
    : latency_(latency),
      has_signatures_(machine.has_signatures()),
      bytes_(bytes),
      backups_(bytes.size()),
      detector_(machine, words, warps, lanes, static_cast<Word>((bytes.size() + word_bytes - 1) / word_bytes)),
      asked_(std::size_t{warps} * lanes),
      busy_(machine.banks) {}

bool LocalMemory::access(WorkItem who, const LaneWords& words, Access access) {
  for (const LaneWord& one : words) {
    const auto word = static_cast<Word>(one.word);
    const Detector::Answer answer = detector_.access(who, word, access);
    const unsigned bank = detector_.bank_of(word);
    asked_[who] |= std::uint64_t{1} << bank;
    base::Cycle& busy = busy_[bank];
    ++busy;
    if (answer.looks_up) {
      busy += latency_.lookup;
      sum_.looked_up = true;
      if (has_signatures_) ++sum_.second_looks;
    }
    if (!answer.accesses) {
      lost_to_ = answer.lost_to;
      return false;
    }
    if (!answer.backs_up) continue;
    copy(word, /*back=*/false);
    busy += latency_.backup;
    ++sum_.backups;
  }
  return true;
}

void LocalMemory::abort(WorkItem who) {
  leave(who, [&](unsigned bank) {
    detector_.broadcast(who, bank, [&](Word word) {
      copy(word, /*back=*/true);
      busy_[bank] += latency_.restore;
      ++sum_.restored;
    });
  });
}

void LocalMemory::commit(WorkItem who) {
  leave(who, [&](unsigned bank) { detector_.release(who, bank); });
}

/// The last word may not be whole.
void LocalMemory::copy(Word word, bool back) {
  const std::size_t at = std::size_t{word} * word_bytes, bytes = std::min<std::size_t>(word_bytes, bytes_.size() - at);
  if (back)
    std::memcpy(&bytes_[at], &backups_[at], bytes);
  else
    std::memcpy(&backups_[at], &bytes_[at], bytes);
}

LocalMemory::Busy LocalMemory::take_busy() {
  Busy busy = std::exchange(sum_, {});
  busy.cycles = *std::max_element(busy_.begin(), busy_.end());
  std::fill(busy_.begin(), busy_.end(), 0);
  return busy;
}

}  // namespace syncline::models
