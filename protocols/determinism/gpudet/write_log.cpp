#include "protocols/determinism/gpudet/write_log.h"

#include <cstring>
#include <type_traits>

namespace syncline::protocols::gpudet {
namespace {

// A rank: the chunk, the epoch, and whether the mask behind it has a bit for each byte instead of each word.
constexpr unsigned epoch_bits = 23;
constexpr std::uint64_t epochs = (std::uint64_t{1} << epoch_bits) - 1;

constexpr std::uint64_t first_of_words = 0x1111'1111'1111'1111;

/// Bit n: bit 4 n.
std::uint32_t every_fourth(std::uint64_t bits) {
  bits &= first_of_words;
  bits = (bits | bits >> 3) & 0x0303'0303'0303'0303;
  bits = (bits | bits >> 6) & 0x000f'000f'000f'000f;
  bits = (bits | bits >> 12) & 0x0000'00ff'0000'00ff;
  return static_cast<std::uint32_t>((bits | bits >> 24) & 0xffff);
}

/// Bits 4 n to 4 n + 3: bit n of 16.
std::uint64_t four_each(std::uint32_t words) {
  std::uint64_t bits = words & 0xffff;
  bits = (bits | bits << 24) & 0x0000'00ff'0000'00ff;
  bits = (bits | bits << 12) & 0x000f'000f'000f'000f;
  bits = (bits | bits << 6) & 0x0303'0303'0303'0303;
  bits = (bits | bits << 3) & first_of_words;
  return bits * 0xf;
}

}  // namespace

bool has_partial_word(const base::ByteMask& mask) {
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t bytes = mask.word(half);
    const std::uint64_t any = bytes | bytes >> 1 | bytes >> 2 | bytes >> 3;
    const std::uint64_t all = bytes & bytes >> 1 & bytes >> 2 & bytes >> 3;
    if (((any ^ all) & first_of_words) != 0) return true;
  }
  return false;
}

base::ByteMask LogLayout::header(std::uint32_t entry, const base::ByteMask& mask) const {
  base::ByteMask written = base::ByteMask::range(offset(entry), cells(mask) * cell_bytes);
  if (entry % cells_per_line_ == 0) written.set(0, place_bytes);
  return written;
}

void LogLayout::encode(const LogHeader& header, std::uint32_t entry, base::LineData& to) const {
  const bool by_byte = has_partial_word(header.mask);
  std::uint8_t* bytes = to.data() + offset(entry);
  const std::uint64_t rank = header.chunk << (epoch_bits + 1) | std::uint64_t{header.epoch} << 1 | (by_byte ? 1U : 0U);
  std::memset(bytes, 0, std::size_t{cells(header.mask)} * cell_bytes);
  static_assert(sizeof(rank) == rank_bytes && sizeof(header.place) == place_bytes);
  std::memcpy(bytes, &rank, rank_bytes);
  if (by_byte) {
    static_assert(std::is_trivially_copyable_v<base::ByteMask> && sizeof(header.mask) * 8 == base::max_line_bytes);
    std::memcpy(bytes + rank_bytes, &header.mask, line_ / 8);
  } else {
    const std::uint32_t words = every_fourth(header.mask.word(0)) | every_fourth(header.mask.word(1)) << 16;
    static_assert(rank_bytes + sizeof(words) == cell_bytes);
    std::memcpy(bytes + rank_bytes, &words, sizeof(words));
  }
  if (entry % cells_per_line_ == 0) std::memcpy(to.data(), &header.place, place_bytes);
}

std::uint64_t LogLayout::first_place(const base::LineData& line) {
  std::uint64_t place;
  std::memcpy(&place, line.data(), place_bytes);
  return place;
}

LogHeader LogLayout::decode(const base::LineData& from, std::uint32_t entry) const {
  const std::uint8_t* bytes = from.data() + offset(entry);
  std::uint64_t rank;
  std::memcpy(&rank, bytes, rank_bytes);
  LogHeader header{rank >> (epoch_bits + 1), static_cast<std::uint32_t>(rank >> 1 & epochs), {}, 0};
  if ((rank & 1U) != 0) {
    std::memcpy(&header.mask, bytes + rank_bytes, line_ / 8);
  } else {
    std::uint32_t words;
    std::memcpy(&words, bytes + rank_bytes, sizeof(words));
    const std::uint64_t mask[] = {four_each(words), four_each(words >> 16)};
    std::memcpy(&header.mask, mask, sizeof(mask));
  }
  return header;
}

template <class Visit>
void LogLayout::for_each_byte(const LogHeader& header, Visit visit) const {
  auto next = static_cast<unsigned>(header.place % line_);
  for (unsigned half = 0; half < 2; ++half) {
    for (std::uint64_t bits = header.mask.word(half); bits != 0; bits &= bits - 1) {
      const unsigned byte = half * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
      visit(byte, data_ == LogData::packed ? next++ : byte);
    }
  }
}

base::ByteMask LogLayout::stored(const LogHeader& header, const base::ByteMask& of) const {
  if (lies_as_in_chunk(header)) return of;
  base::ByteMask mask;
  for_each_byte(header, [&](unsigned from, unsigned to) {
    if (of.test(from)) mask.set(to, 1);
  });
  return mask;
}

base::ByteMask LogLayout::stored_so_far(const LogHeader& header) const {
  if (data_ == LogData::chunk) return header.mask;
  return base::ByteMask::range(0, static_cast<unsigned>(header.place % line_) + header.mask.count());
}

void LogLayout::pack(const LogHeader& header, const base::LineData& chunk, base::LineData& line) const {
  if (lies_as_in_chunk(header)) return header.mask.merge(line, chunk);
  for_each_byte(header, [&](unsigned from, unsigned to) { line[to] = chunk[from]; });
}

void LogLayout::unpack(const LogHeader& header, const base::ByteMask& of, const base::LineData& line,
                       base::LineData& chunk) const {
  if (lies_as_in_chunk(header)) return (of & header.mask).merge(chunk, line);
  for_each_byte(header, [&](unsigned to, unsigned from) {
    if (of.test(to)) chunk[to] = line[from];
  });
}

}  // namespace syncline::protocols::gpudet
