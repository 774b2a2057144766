// What cores and commit units of WarpTM say to each other: bodies of messages of transaction_family.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "models/families/transaction_family.h"
#include "protocols/transactions/warptm/conflict_tables.h"

namespace syncline::models {

/// Of `read`.
struct WarptmReadBody {
  std::uint64_t told = 0;  ///< what TransactionListener knows the read by
};
/// Of `words`.
struct WarptmWordsBody {
  std::uint64_t written = 0;  ///< protocols::warptm::last_write of the words, the latest
};
/// Of `read_set` and `write_set`: up to 16 words, an address and a value in 8 bytes of the line each.
struct WarptmLogBody {
  static constexpr unsigned entry_bytes = 8, most = base::max_line_bytes / entry_bytes;
  std::uint32_t ticket = 0;
  std::array<std::uint16_t, most> lanes{};  ///< lane * 16 + bytes of the word
};
/// Of `log_end`, `no_log`, `outcome`, `validated` and `written`.
struct WarptmTicketBody {
  std::uint64_t ticket = 0;
  std::uint64_t lanes = 0;  ///< that commit, or that have failed
};

inline void put_word(Message& message, unsigned n, const protocols::warptm::LoggedWord& word) {
  const auto address = static_cast<std::uint32_t>(word.word);
  std::memcpy(message.data.data() + std::size_t{n} * WarptmLogBody::entry_bytes, &address, sizeof(address));
  std::memcpy(message.data.data() + std::size_t{n} * WarptmLogBody::entry_bytes + sizeof(address), &word.value,
              sizeof(word.value));
  message.mask |= base::ByteMask::range(n * WarptmLogBody::entry_bytes, WarptmLogBody::entry_bytes);
  body<WarptmLogBody>(message).lanes.at(n) = static_cast<std::uint16_t>(word.lane * 16U + word.bytes);
}
inline std::vector<protocols::warptm::LoggedWord> words_of(const Message& message) {
  std::vector<protocols::warptm::LoggedWord> words(message.mask.count() / WarptmLogBody::entry_bytes);
  for (std::size_t n = 0; n < words.size(); ++n) {
    std::uint32_t address = 0;
    std::memcpy(&address, message.data.data() + n * WarptmLogBody::entry_bytes, sizeof(address));
    std::memcpy(&words[n].value, message.data.data() + n * WarptmLogBody::entry_bytes + sizeof(address),
                sizeof(std::uint32_t));
    words[n].word = address;
    const std::uint16_t lane = body<WarptmLogBody>(message).lanes.at(n);
    words[n].lane = static_cast<std::uint8_t>(lane / 16U);
    words[n].bytes = lane % 16U;
  }
  return words;
}

/// Of `hint`: words of 4 bytes in the line, kind after kind. How many there are costs nothing (thesis 4.6).
struct WarptmHintBody {
  static constexpr unsigned most = base::max_line_bytes / 4;
  /// Of protocols::warptm::Broadcast: read, written, no_more_read, no_more_written.
  std::array<std::uint8_t, 4> counts{};
};
using HintLists = std::array<std::vector<std::uint64_t> protocols::warptm::Broadcast::*, 4>;
constexpr HintLists hint_lists{&protocols::warptm::Broadcast::read, &protocols::warptm::Broadcast::written,
                               &protocols::warptm::Broadcast::no_more_read,
                               &protocols::warptm::Broadcast::no_more_written};

/// As many words of `broadcast` as fit go into the message, and out of the broadcast.
inline void put_hint(Message& message, protocols::warptm::Broadcast& broadcast) {
  WarptmHintBody body;
  unsigned n = 0;
  for (std::size_t list = 0; list < hint_lists.size(); ++list) {
    auto& words = broadcast.*hint_lists[list];
    for (; !words.empty() && n < WarptmHintBody::most; ++n, ++body.counts[list], words.pop_back()) {
      const auto word = static_cast<std::uint32_t>(words.back());
      std::memcpy(message.data.data() + std::size_t{n} * sizeof(word), &word, sizeof(word));
    }
  }
  models::body<WarptmHintBody>(message) = body;
}
inline protocols::warptm::Broadcast broadcast_of(const Message& message) {
  protocols::warptm::Broadcast broadcast;
  std::size_t n = 0;
  for (std::size_t list = 0; list < hint_lists.size(); ++list) {
    for (unsigned count = body<WarptmHintBody>(message).counts[list]; count != 0; --count, ++n) {
      std::uint32_t word = 0;
      std::memcpy(&word, message.data.data() + n * sizeof(word), sizeof(word));
      (broadcast.*hint_lists[list]).push_back(word);
    }
  }
  return broadcast;
}

/// What TransactionListener knows writes of a commit ID by.
inline std::uint64_t warptm_write_ticket(protocols::warptm::Ticket ticket, std::uint64_t word) {
  return std::uint64_t{1} << 63U | ticket << 34U | word;
}

}  // namespace syncline::models
