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
    decltype(logged(lane, std::uint64_t{})) word;
    for (unsigned byte = 0; byte < access.stride; ++byte) {
      const std::uint64_t at = access.address[lane] + byte;
      if (byte == 0 || at % word_bytes == 0) word = logged(lane, at / word_bytes);
      if (!word || (word->bytes >> at % word_bytes & 1U) == 0) continue;
      values[byte] = static_cast<std::uint8_t>(word->value >> (8 * (at % word_bytes)));
      bytes |= 1U << byte;
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
