#include "platform/observe/line_copies.h"

#include <algorithm>

namespace syncline::platform {

void EarlyStore::became(consistency::LineVersion version) const {
  for (LineCopy* const copy : copies) {
    for (LineCopy::Own& own : copy->own) {
      if (own.early != this) continue;
      own.early = nullptr;
      own.version = version;
    }
    // A copy that lacks nothing is one of the newest version again.
    if (copy->version + 1 == version && copy->own.size() == 1 && copy->own.front().version == version) {
      copy->version = version;
      copy->own.clear();
    }
  }
}

void LineCopy::forget(const base::ByteMask& bytes) {
  for (Own& one : own) one.bytes -= bytes;
  own.erase(std::remove_if(own.begin(), own.end(), [](const auto& one) { return one.bytes.empty(); }), own.end());
}

void LineCopy::hold(const base::ByteMask& bytes, Version of_bytes, EarlyStore* early) {
  forget(bytes);
  own.push_back({bytes, of_bytes, early});
}

LineCopy& LineCopies::in_frame(const models::LineEvent& event) {
  const std::size_t first = event.cache.kind == models::NodeKind::home ? l1s_ : 0;
  return frames_[first + event.cache.index][event.frame];
}

const LineCopy* LineCopies::carried_by(const models::Message& message) const {
  const auto found = carried_.find(&message);
  return found == carried_.end() || found->second.at_home_ps != message.at_home_ps ? nullptr : &found->second.bytes;
}

LineCopy& LineCopies::carry(const models::Message& message) {
  const auto [found, is_new] = carried_.try_emplace(&message);
  if (is_new || found->second.at_home_ps != message.at_home_ps)
    found->second = {message.at_home_ps, {message.line, LineCopy::unknown, {}}};
  return found->second.bytes;
}

void LineCopies::hand_on(const LineCopy& from, LineCopy& to) {
  to = from;
  for (const LineCopy::Own& own : to.own) {
    if (own.early != nullptr) own.early->copies.push_back(&to);
  }
}

}  // namespace syncline::platform
