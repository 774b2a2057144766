// The messages that went between caches last: what a broken rule of a protocol is explained by.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/clock/lane.h"
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
  struct Ring {
    std::vector<Entry> entries = std::vector<Entry>(capacity);
    std::size_t noted = 0;  ///< also those that were overwritten
  };
  Ring& of_lane();
  static void gather(const Ring& ring, base::LineAddress line, std::vector<const Entry*>& found);

  Ring sequential_;
  std::array<std::unique_ptr<Ring>, max_lanes> of_lanes_;  ///< of what lanes send while they run side by side
};

}  // namespace syncline::models
