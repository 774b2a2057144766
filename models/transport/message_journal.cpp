#include "models/transport/message_journal.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/clock/lane.h"

namespace syncline::models {

void MessageJournal::note(const Message& message, const char* sender, const std::vector<protocols::MessageKind>& kinds,
                          std::uint64_t now_ps) {
  Ring& ring = of_lane();
  ring.entries[ring.noted++ % capacity] = {sender,       &kinds[message.kind], now_ps,
                                           message.line, message.destination,  message.requester};
}

MessageJournal::Ring& MessageJournal::of_lane() {
  if (this_turn.lane == nullptr) return sequential_;
  std::unique_ptr<Ring>& ring = of_lanes_.at(this_turn.lane->number());
  if (ring == nullptr) ring = std::make_unique<Ring>();
  return *ring;
}

void MessageJournal::gather(const Ring& ring, base::LineAddress line, std::vector<const Entry*>& found) {
  const std::size_t oldest = ring.noted > capacity ? ring.noted - capacity : 0;
  for (std::size_t at = oldest; at < ring.noted; ++at) {
    const Entry& entry = ring.entries[at % capacity];
    if (entry.line == line) found.push_back(&entry);
  }
}

std::vector<std::string> MessageJournal::about(base::LineAddress line, std::size_t count) const {
  std::vector<const Entry*> found;
  gather(sequential_, line, found);
  for (std::size_t lane = 0; lane < of_lanes_.size(); ++lane) {
    // Others may be writing to theirs.
    const bool stands_still = this_turn.lane == nullptr || this_turn.lane->number() == lane;
    if (stands_still && of_lanes_[lane] != nullptr) gather(*of_lanes_[lane], line, found);
  }
  std::stable_sort(found.begin(), found.end(), [](const Entry* a, const Entry* b) { return a->ps < b->ps; });
  if (found.size() > count) found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(count));
  std::vector<std::string> lines;
  for (const Entry* const entry : found)
    lines.push_back(fmt::format("{} ps: {} sends {} to {} for {}", entry->ps, entry->sender, entry->kind->name,
                                name(entry->destination), name(entry->requester)));
  return lines;
}

}  // namespace syncline::models
