#include "models/transactions/lane_words.h"

namespace syncline::models {

LaneWords words_of(const isa::MemoryAccess& access, unsigned lane) {
  LaneWords words;
  const std::uint8_t* const data = &access.data[std::size_t{lane} * access.stride];
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
