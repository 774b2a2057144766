#include "protocols/determinism/gpudet/write_log.h"

#include <cstring>

namespace syncline::protocols::gpudet {
namespace {

constexpr unsigned epoch_bits = 24;
constexpr std::uint64_t epochs = (std::uint64_t{1} << epoch_bits) - 1;

}  // namespace

void LogLayout::encode(const LogHeader& header, std::uint32_t entry, base::LineData& to) const {
  const std::uint64_t words[] = {header.chunk << epoch_bits | header.epoch, header.mask.word(0), header.mask.word(1)};
  static_assert(sizeof(words) == header_bytes);
  std::memcpy(to.data() + header_offset(entry), words, sizeof(words));
}

LogHeader LogLayout::decode(const base::LineData& from, std::uint32_t entry) const {
  std::uint64_t words[3];
  std::memcpy(words, from.data() + header_offset(entry), sizeof(words));
  LogHeader header;
  header.chunk = words[0] >> epoch_bits;
  header.epoch = static_cast<std::uint32_t>(words[0] & epochs);
  for (unsigned byte = 0; byte < base::max_line_bytes; ++byte) {
    if ((words[1 + byte / 64] >> (byte % 64) & 1U) != 0) header.mask.set(byte, 1);
  }
  return header;
}

}  // namespace syncline::protocols::gpudet
