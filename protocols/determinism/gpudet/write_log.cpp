#include "protocols/determinism/gpudet/write_log.h"

#include <cstring>
#include <type_traits>

namespace syncline::protocols::gpudet {
namespace {

constexpr unsigned epoch_bits = 24;
constexpr std::uint64_t epochs = (std::uint64_t{1} << epoch_bits) - 1;

}  // namespace

base::ByteMask LogLayout::header(std::uint32_t entry) const {
  base::ByteMask mask = base::ByteMask::range(header_offset(entry), header_bytes);
  if (entry % headers_per_line() == 0) mask.set(0, place_bytes);
  return mask;
}

void LogLayout::encode(const LogHeader& header, std::uint32_t entry, base::LineData& to) const {
  std::uint8_t* bytes = to.data() + header_offset(entry);
  const std::uint64_t rank = header.chunk << epoch_bits | header.epoch;
  std::memcpy(bytes, &rank, sizeof(rank));
  std::memcpy(bytes + sizeof(rank), &header.mask, sizeof(header.mask));
  static_assert(sizeof(header.place) == place_bytes);
  if (entry % headers_per_line() == 0) std::memcpy(to.data(), &header.place, place_bytes);
}

std::uint64_t LogLayout::first_place(const base::LineData& line) {
  std::uint64_t place;
  std::memcpy(&place, line.data(), place_bytes);
  return place;
}

LogHeader LogLayout::decode(const base::LineData& from, std::uint32_t entry) const {
  const std::uint8_t* bytes = from.data() + header_offset(entry);
  std::uint64_t rank;
  std::memcpy(&rank, bytes, sizeof(rank));
  LogHeader header{rank >> epoch_bits, static_cast<std::uint32_t>(rank & epochs), {}, 0};
  static_assert(std::is_trivially_copyable_v<base::ByteMask> && sizeof(rank) + sizeof(header.mask) == header_bytes);
  std::memcpy(&header.mask, bytes + sizeof(rank), sizeof(header.mask));
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
