// What lanes of a load find in their own logs, and what observers hear of the rest.
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "models/transactions/kept_accesses.h"
#include "models/transactions/lane_words.h"
#include "models/transactions/transaction_listener.h"
#include "protocols/transactions/access.h"

namespace syncline::models {

/// Bytes of the lanes' own logs go to `number`. `logged(lane, word)`: an optional LoggedWord. Returns the lanes that
/// find any.
template <class Logged>
base::LaneMask put_logged(KeptAccesses& kept, KeptAccesses::Number number, const isa::MemoryAccess& access,
                          base::LaneMask lanes, Logged&& logged) {
  base::LaneMask found = 0;
  base::for_each_lane(lanes, [&](unsigned lane) {
    std::array<std::uint8_t, isa::max_access_bytes> values{};
    std::uint32_t bytes = 0;
    for (const LaneWord& touched : words_of(access, lane)) {
      const auto own = logged(lane, touched.word);
      if (!own) continue;
      for (unsigned byte = 0; byte < word_bytes; ++byte) {
        if ((touched.bytes & own->bytes & 1U << byte) == 0) continue;
        const auto place = static_cast<unsigned>(touched.word * word_bytes + byte - access.address[lane]);
        values[place] = static_cast<std::uint8_t>(own->value >> (8 * byte));
        bytes |= 1U << place;
      }
    }
    if (bytes == 0) return;
    found |= base::lane_bit(lane);
    kept.put(number, lane, values.data(), bytes);
  });
  return found;
}

/// Calls `word(LoggedWord)` for the words that `lanes` get of a line that comes for `number`.
template <class Word>
void each_loaded(KeptAccesses& kept, KeptAccesses::Number number, base::LaneMask lanes, const base::ByteMask& mask,
                 const Message& reply, Word&& word) {
  kept.each_word(number, lanes, reply.line, mask, [&](unsigned lane, unsigned place, std::uint8_t bytes) {
    protocols::transactions::LoggedWord loaded{(reply.line.value() + place) / 4, 0, bytes,
                                               static_cast<std::uint8_t>(lane)};
    std::memcpy(&loaded.value, reply.data.data() + place, sizeof(loaded.value));
    word(loaded);
  });
}

}  // namespace syncline::models
