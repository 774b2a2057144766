// The messages that went between caches last: what a broken rule of a protocol is explained by.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/transport/message.h"
#include "protocols/coherence/engine/vocabulary.h"

namespace syncline::models {

/// A ring that the caches of one platform share. Noting a message allocates nothing.
class MessageJournal {
 public:
  /// Messages. What is noted all the time should stay in the host's cache.
  static constexpr std::size_t capacity = 4096;

  /// `message` leaves `sender`, whose name and whose policy's `kinds` outlive the journal.
  void note(const Message& message, const char* sender, const std::vector<protocols::MessageKind>& kinds,
            std::uint64_t now_ps);
  /// The last `count` messages about `line` that are still known, oldest first, a line of text each:
  /// "1200 ps: gpu.sm0.l1 sends GETS to home 3 for l1 0".
  std::vector<std::string> about(base::LineAddress line, std::size_t count) const;

 private:
  struct Entry {
    const char* sender = nullptr;
    const protocols::MessageKind* kind = nullptr;
    std::uint64_t ps = 0;
    base::LineAddress line;
    NodeId destination;
    NodeId requester;
  };
  std::vector<Entry> entries_ = std::vector<Entry>(capacity);
  std::size_t noted_ = 0;  ///< also those that were overwritten
};

}  // namespace syncline::models
