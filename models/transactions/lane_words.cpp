#include "models/transactions/lane_words.h"

#include <cstring>

namespace syncline::models {

LaneWords words_of(const isa::MemoryAccess& access, unsigned lane) {
  LaneWords words;
  const std::uint8_t* const data = &access.data[std::size_t{lane} * access.stride];
  if (access.skipped == 0 && access.stride % word_bytes == 0) {  // as nearly all: whole words
    for (unsigned i = 0; i < access.stride; i += word_bytes) {
      words.push_back({(access.address[lane] + i) / word_bytes, 0, 0xf});
      std::memcpy(&words.back().value, data + i, word_bytes);
    }
    return words;
  }
  for (unsigned i = 0; i < access.stride; ++i) {
    if ((access.skipped >> (i / access.element_bytes) & 1U) != 0) continue;
    const std::uint64_t address = access.address[lane] + i;
    const auto byte = static_cast<unsigned>(address % 4);
    if (words.empty() || words.back().word != address / 4) words.push_back({address / 4, 0, 0});
    words.back().value |= std::uint32_t{data[i]} << (8 * byte);
    words.back().bytes |= static_cast<std::uint8_t>(1U << byte);
  }
  return words;
}

}  // namespace syncline::models
