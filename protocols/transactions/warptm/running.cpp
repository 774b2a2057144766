#include "protocols/transactions/warptm/running.h"

#include <algorithm>

namespace syncline::protocols::warptm {
namespace {

using Lane = RunningAccesses::Lane;

bool has_other(const std::vector<Lane>& lanes, const Lane& by) {
  return std::any_of(lanes.begin(), lanes.end(), [&by](const Lane& lane) { return !(lane == by); });
}

void add(std::vector<Lane>& lanes, const Lane& by) {
  if (std::find(lanes.begin(), lanes.end(), by) == lanes.end()) lanes.push_back(by);
}

}  // namespace

bool RunningAccesses::access(Access access, std::uint64_t word, Lane by) {
  const auto found = words_.find(word);
  if (found != words_.end()) {
    const Users& users = found->second;
    if (has_other(users.writer, by) || (access == Access::store && has_other(users.readers, by))) return false;
  }
  Users& users = words_[word];
  add(access == Access::load ? users.readers : users.writer, by);
  return true;
}

void RunningAccesses::release(Lane by) {
  for (auto word = words_.begin(); word != words_.end();) {
    for (std::vector<Lane>* const lanes : {&word->second.readers, &word->second.writer})
      lanes->erase(std::remove(lanes->begin(), lanes->end(), by), lanes->end());
    word = word->second.readers.empty() && word->second.writer.empty() ? words_.erase(word) : word + 1;
  }
}

void RunningAccesses::encode(Encoder& to) const {
  to.put(words_.size());
  for (const auto& [word, users] : words_) {
    to.put(word);
    for (const std::vector<Lane>* const lanes : {&users.readers, &users.writer}) {
      std::vector<std::uint64_t> sorted;
      for (const Lane& lane : *lanes) sorted.push_back(lane.warp * std::uint64_t{base::max_lanes} + lane.lane);
      std::sort(sorted.begin(), sorted.end());
      to.put(sorted.size());
      for (const std::uint64_t one : sorted) to.put(one);
    }
  }
}

}  // namespace syncline::protocols::warptm
