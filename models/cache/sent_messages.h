// What a cache sends to other caches: counted by the policy's message kinds, and noted in the platform's journal.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/stats.h"
#include "models/transport/message_journal.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

class SentMessages {
 public:
  /// `sender`, the cache's name, outlives the journal.
  SentMessages(MessageJournal& journal, const protocols::CoherencePolicy& policy, const char* sender)
      : journal_(journal), sender_(sender), kinds_(policy.messages), messages_(kinds_.size()), bytes_(kinds_.size()) {}

  void note(const Message& message, std::uint64_t now_ps) {
    messages_[message.kind].add();
    bytes_[message.kind].add(message.bytes);
    journal_.note(message, sender_, kinds_, now_ps);
  }
  /// What the journal knows of a line, to stand behind an error message.
  std::string history(base::LineAddress line) const {
    std::string text = "\nlast messages about the line:";
    for (const std::string& one : journal_.about(line, 10)) text += "\n  " + one;
    return text;
  }
  /// Calls `add(name, unit, meaning, counter)` for the kinds whose class `sends` accepts.
  template <class Sends, class Add>
  void statistics(Sends&& sends, Add&& add) const {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (!sends(kinds_[kind].traffic_class)) continue;
      add(fmt::format("sent_{}", kinds_[kind].name), "messages", kinds_[kind].meaning, messages_[kind]);
      add(fmt::format("sent_{}_bytes", kinds_[kind].name), "bytes", kinds_[kind].meaning, bytes_[kind]);
    }
  }

 private:
  MessageJournal& journal_;
  const char* sender_;
  const std::vector<protocols::MessageKind>& kinds_;
  std::vector<base::Counter> messages_, bytes_;  ///< by kind
};

}  // namespace syncline::models
