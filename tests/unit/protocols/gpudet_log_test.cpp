// What a warp keeps of its stores: filters, logs as they lie in memory, and the depths of commits.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "protocols/determinism/gpudet/bloom_filter.h"
#include "protocols/determinism/gpudet/depth.h"
#include "protocols/determinism/gpudet/write_log.h"

namespace syncline::tests {
namespace {

using namespace protocols::gpudet;

RC_GTEST_PROP(BloomFilter, KnowsAllThatWasInserted, (const std::set<std::uint64_t>& chunks)) {
  for (const unsigned bits : {0U, 128U, 1024U}) {
    BloomFilter filter(bits);
    for (const std::uint64_t chunk : chunks) filter.insert(chunk);
    for (const std::uint64_t chunk : chunks) RC_ASSERT(filter.may_contain(chunk));
    filter.clear();
    for (const std::uint64_t chunk : chunks) RC_ASSERT(!filter.may_contain(chunk));
  }
}

TEST(BloomFilter, IsWrongLessOftenWithMoreBits) {
  const auto false_positives = [](unsigned bits) {
    BloomFilter filter(bits);
    for (std::uint64_t chunk = 0; chunk < 32; ++chunk) filter.insert(chunk * 7);
    unsigned wrong = 0;
    for (std::uint64_t chunk = 1'000; chunk < 11'000; ++chunk) wrong += filter.may_contain(chunk) ? 1 : 0;
    return wrong;
  };
  EXPECT_EQ(false_positives(0), 0U) << "ideal";
  EXPECT_GT(false_positives(128), 4 * false_positives(256));
  EXPECT_GT(false_positives(256), 2 * false_positives(1024));
  // (1 - (1 - 1/256)^32)^4 = 0.02 %: 32 chunks in four sub-arrays of 256 bits
  EXPECT_LT(false_positives(1024), 15U);
}

RC_GTEST_PROP(BloomFilter, OfSeveralInOneKnowWhatEachKnows,
              (const std::set<std::uint64_t>& some, const std::set<std::uint64_t>& others)) {
  for (const unsigned bits : {0U, 1024U}) {
    BloomFilter one(bits), other(bits), both(bits);
    for (const std::uint64_t chunk : some) one.insert(chunk);
    for (const std::uint64_t chunk : others) other.insert(chunk);
    for (const BloomFilter* part : {&one, &other}) both.merge(*part);
    for (std::uint64_t chunk = 0; chunk < 100; ++chunk) {
      const bool known = one.may_contain(chunk) || other.may_contain(chunk);
      RC_ASSERT(!known || both.may_contain(chunk));
      if (bits == 0) RC_ASSERT(known == both.may_contain(chunk));
    }
  }
}

/// A log as a warp writes it into memory, of which every byte is written once and no access leaves its line.
struct LogInMemory {
  LogLayout layout;
  unsigned line;
  std::map<std::uint64_t, base::LineData> lines;
  std::map<std::uint64_t, base::ByteMask> written;
  std::map<std::uint32_t, LogHeader> headers;  ///< by entry
  std::map<std::uint32_t, base::LineData> chunks;
  std::uint64_t free = 0;
  std::uint32_t cells = 0;

  LogInMemory(unsigned line_bytes, std::uint32_t entries, LogData data)
      : layout(4096, line_bytes, entries, data), line(line_bytes) {}
  void write(std::uint64_t address, const base::ByteMask& mask, const base::LineData& bytes) {
    RC_ASSERT(address % line == 0 && address >= 4096 && address < 4096 + LogLayout::bytes(line, layout.capacity()));
    RC_ASSERT(base::ByteMask::all(line).contains(mask));
    RC_ASSERT(!written[address].overlaps(mask));
    written[address] |= mask;
    mask.merge(lines[address], bytes);
  }
  void append(LogHeader header, const base::LineData& chunk) {
    header.place = layout.place(free, header.mask);
    free = layout.end(header);
    base::LineData bytes{};
    layout.pack(header, chunk, bytes);
    write(layout.data_line(header), layout.stored(header, header.mask), bytes);
    const std::uint32_t entry = layout.next_entry(cells, header.mask);
    if (entry != cells) write_header(layout.unused(), cells);
    write_header(header, entry);
    cells = entry + layout.cells(header.mask);
    headers[entry] = header;
    chunks[entry] = chunk;
  }
  void write_header(const LogHeader& header, std::uint32_t entry) {
    base::LineData bytes;
    bytes.fill(0x5A);
    layout.encode(header, entry, bytes);
    write(layout.header_line(layout.header_line_of(entry)), layout.header(entry, header.mask), bytes);
  }
};

LogHeader any_header(unsigned line) {
  LogHeader header;
  header.chunk = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40);
  header.epoch = *rc::gen::inRange<std::uint32_t>(0, 1 << 23);
  const unsigned size = *rc::gen::element(1U, 4U, 8U, line);
  const unsigned units = line / size;
  header.mask.set(*rc::gen::inRange(0U, units) * size, size);
  for (unsigned n = *rc::gen::inRange(0U, 2 * units); n-- > 0;)
    header.mask.set(*rc::gen::inRange(0U, units) * size, size);
  return header;
}

RC_GTEST_PROP(WriteLog, ComesBackAsItWasWritten, ()) {
  const unsigned line = *rc::gen::element(32U, 64U, 128U);
  const LogData form = *rc::gen::element(LogData::chunk, LogData::packed);
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 40);
  LogInMemory log(line, count, form);
  for (std::uint32_t entry = 0; entry < count; ++entry) {
    base::LineData chunk;
    for (std::uint8_t& byte : chunk) byte = static_cast<std::uint8_t>(*rc::gen::inRange(0, 256));
    log.append(any_header(line), chunk);
  }
  auto next = log.headers.begin();
  for (std::uint32_t number = 0; number < log.layout.header_lines(log.cells); ++number) {
    const std::uint64_t address = log.layout.header_line(number);
    RC_ASSERT(log.layout.headers(number, log.cells) == log.written[address]);
    log.layout.decode(log.lines[address], number, log.cells, [&](std::uint32_t entry, const LogHeader& header) {
      RC_ASSERT(next != log.headers.end());
      const LogHeader& wanted = next->second;
      RC_ASSERT(entry == next++->first);
      RC_ASSERT(header.chunk == wanted.chunk && header.epoch == wanted.epoch && header.mask == wanted.mask);
      RC_ASSERT(header.place == wanted.place);
      const base::ByteMask of = header.mask & any_header(line).mask;
      base::LineData back;
      back.fill(0xA5);
      log.layout.unpack(header, of, log.lines[log.layout.data_line(header)], back);
      for (unsigned byte = 0; byte < line; ++byte)
        RC_ASSERT(back[byte] == (of.test(byte) ? log.chunks[entry][byte] : 0xA5));
    });
  }
  RC_ASSERT(next == log.headers.end());
}

RC_GTEST_PROP(WriteLog, ALineOfDataIsReadWholeByItsLastEntry, ()) {
  const LogData form = *rc::gen::element(LogData::chunk, LogData::packed);
  LogInMemory log(128, 40, form);
  for (unsigned entry = 0; entry < 40; ++entry) log.append(any_header(128), {});
  for (auto entry = log.headers.begin(); entry != log.headers.end(); ++entry) {
    const std::uint64_t line = log.layout.data_line(entry->second);
    const auto behind = std::next(entry);
    if (behind != log.headers.end() && log.layout.data_line(behind->second) == line) continue;
    RC_ASSERT(log.layout.stored_so_far(entry->second) == log.written[line]);
  }
}

TEST(WriteLog, PackedStoresTakeWhatTheyStore) {
  const auto lines = [](LogData form, unsigned bytes) {
    LogInMemory log(128, 320, form);
    for (unsigned entry = 0; entry < 320; ++entry)
      log.append({entry, 0, base::ByteMask::range(entry % 128 / bytes * bytes, bytes), 0}, {});
    return log.written.size() - log.layout.header_lines(log.cells);
  };
  EXPECT_EQ(lines(LogData::chunk, 4), 320U);
  EXPECT_EQ(lines(LogData::packed, 4), 10U);
  EXPECT_EQ(lines(LogData::packed, 1), 3U);
  EXPECT_EQ(lines(LogData::packed, 128), 320U);
}

TEST(WriteLog, NoEntryCrossesTheEndOfALine) {
  const LogLayout layout(0, 128, 8, LogData::packed);
  EXPECT_EQ(layout.place(100, base::ByteMask::range(0, 28)), 100U);
  EXPECT_EQ(layout.place(100, base::ByteMask::range(0, 29)), 128U);
  EXPECT_EQ(layout.place(128, base::ByteMask::range(0, 128)), 128U);
}

TEST(WriteLog, LinesOfHeadersAndDataLieApart) {
  for (const unsigned line : {32U, 64U, 128U}) {
    LogInMemory log(line, 77, LogData::chunk);
    for (unsigned entry = 0; entry < 77; ++entry) log.append({entry, 0, base::ByteMask::all(line), 0}, {});
    EXPECT_EQ(log.written.size(), log.layout.header_lines(log.cells) + 77);
    EXPECT_EQ(log.written.begin()->first, 4096U);
    EXPECT_EQ(log.written.rbegin()->first + line, 4096 + LogLayout::bytes(line, 77));
  }
}

TEST(WriteLog, HeadersTakeMoreWhereAWordIsStoredInPart) {
  const auto header_lines = [](unsigned line, unsigned bytes) {
    LogInMemory log(line, 60, LogData::packed);
    for (unsigned entry = 0; entry < 60; ++entry) log.append({entry, 0, base::ByteMask::range(4, bytes), 0}, {});
    return log.layout.header_lines(log.cells);
  };
  EXPECT_EQ(header_lines(128, 4), 60U / 10);
  EXPECT_EQ(header_lines(128, 1), 60U / 5);
  EXPECT_EQ(header_lines(64, 8), 60U / 4);
  EXPECT_EQ(header_lines(64, 7), 60U / 2);
  EXPECT_EQ(header_lines(32, 4), 60U / 2);
  EXPECT_EQ(header_lines(32, 3), 60U / 2);
}

TEST(WriteLog, AViewOfTheFirstCellsHasTheEntriesInThem) {
  LogInMemory log(128, 20, LogData::packed);
  for (const unsigned bytes : {4U, 1U, 4U, 4U, 4U, 4U, 4U, 4U, 1U, 4U})  // the second last one has no room in cell 9
    log.append({7, 0, base::ByteMask::range(8, bytes), 0}, {});
  EXPECT_EQ(log.cells, 13U);
  std::vector<std::uint32_t> entries;
  const auto seen = [&](std::uint32_t number, std::uint32_t cells) {
    entries.clear();
    log.layout.decode(log.lines[log.layout.header_line(number)], number, cells,
                      [&](std::uint32_t entry, const LogHeader&) { entries.push_back(entry); });
    return entries;
  };
  using Entries = std::vector<std::uint32_t>;
  EXPECT_EQ(seen(0, 13), (Entries{0, 1, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(seen(0, 3), (Entries{0, 1}));
  EXPECT_EQ(seen(0, 1), (Entries{0}));
  EXPECT_EQ(seen(1, 13), (Entries{10, 12}));
}

RC_GTEST_PROP(DepthScale, OrdersAsRanksDo, ()) {
  const unsigned warps = *rc::gen::inRange(1U, 800U);
  const unsigned bits = *rc::gen::inRange(DepthScale::least_bits(warps), 33U);
  DepthScale scale(bits, warps);
  const auto first = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  scale.restart(first);
  const auto rank = [&] {
    const std::uint64_t rounds = std::min<std::uint64_t>(scale.rounds(), 50);
    return Rank{first + *rc::gen::inRange<std::uint64_t>(0, rounds), *rc::gen::inRange(0U, warps)};
  };
  const Rank a = rank(), b = rank();
  RC_ASSERT(wins(a, b) == (scale.depth(a) <= scale.depth(b)));
  RC_ASSERT(scale.depth(a) <= ~std::uint32_t{0} >> (32 - bits));
}

TEST(DepthScale, HasAnEnd) {
  DepthScale scale(DepthScale::least_bits(48), 48);
  EXPECT_EQ(scale.rounds(), 2U);
  scale.restart(10);
  EXPECT_TRUE(scale.fits(11));
  EXPECT_FALSE(scale.fits(12));
  EXPECT_THROW(scale.depth({12, 0}), base::ModelError);
  EXPECT_THROW(DepthScale(6, 48), base::ModelError) << "no bit is left for rounds";
}

}  // namespace
}  // namespace syncline::tests
