#include "models/transport/message_journal.h"

#include <fmt/format.h>

#include <algorithm>

namespace syncline::models {

void MessageJournal::note(const Message& message, const char* sender, const std::vector<protocols::MessageKind>& kinds,
                          std::uint64_t now_ps) {
  entries_[noted_++ % capacity] = {sender,       &kinds[message.kind], now_ps,
                                   message.line, message.destination,  message.requester};
}

std::vector<std::string> MessageJournal::about(base::LineAddress line, std::size_t count) const {
  std::vector<std::string> found;
  const std::size_t oldest = noted_ > capacity ? noted_ - capacity : 0;
  for (std::size_t at = noted_; at > oldest && found.size() < count; --at) {
    const Entry& entry = entries_[(at - 1) % capacity];
    if (entry.line != line) continue;
    found.push_back(fmt::format("{} ps: {} sends {} to {} for {}", entry.ps, entry.sender, entry.kind->name,
                                name(entry.destination), name(entry.requester)));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace syncline::models
