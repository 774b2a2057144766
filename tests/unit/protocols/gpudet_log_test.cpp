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
  std::vector<LogHeader> headers;
  std::vector<base::LineData> chunks;
  std::uint64_t free = 0;

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
    const auto entry = static_cast<std::uint32_t>(headers.size());
    header.place = layout.place(free, header.mask);
    free = layout.end(header);
    base::LineData bytes{};
    layout.pack(header, chunk, bytes);
    write(layout.data_line(header), layout.stored(header, header.mask), bytes);
    layout.encode(header, entry, bytes);
    write(layout.header_line(layout.header_line_of(entry)), layout.header(entry), bytes);
    headers.push_back(header);
    chunks.push_back(chunk);
  }
};

LogHeader any_header(unsigned line) {
  LogHeader header;
  header.chunk = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40);
  header.epoch = *rc::gen::inRange<std::uint32_t>(0, 1 << 24);
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
  std::uint32_t next = 0;
  for (std::uint32_t number = 0; number < log.layout.header_lines(count); ++number) {
    const std::uint64_t address = log.layout.header_line(number);
    RC_ASSERT(log.layout.headers(number, count) == log.written[address]);
    log.layout.decode(log.lines[address], number, count, [&](std::uint32_t entry, const LogHeader& header) {
      const LogHeader& wanted = log.headers[entry];
      RC_ASSERT(entry == next++);
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
  RC_ASSERT(next == count);
}

RC_GTEST_PROP(WriteLog, ALineOfDataIsReadWholeByItsLastEntry, ()) {
  const LogData form = *rc::gen::element(LogData::chunk, LogData::packed);
  LogInMemory log(128, 40, form);
  for (unsigned entry = 0; entry < 40; ++entry) log.append(any_header(128), {});
  for (std::size_t entry = 0; entry < 40; ++entry) {
    const std::uint64_t line = log.layout.data_line(log.headers[entry]);
    if (entry + 1 < 40 && log.layout.data_line(log.headers[entry + 1]) == line) continue;
    RC_ASSERT(log.layout.stored_so_far(log.headers[entry]) == log.written[line]);
  }
}

TEST(WriteLog, PackedStoresTakeWhatTheyStore) {
  const auto lines = [](LogData form, unsigned bytes) {
    LogInMemory log(128, 320, form);
    for (unsigned entry = 0; entry < 320; ++entry)
      log.append({entry, 0, base::ByteMask::range(entry % 128 / bytes * bytes, bytes), 0}, {});
    return log.written.size() - log.layout.header_lines(320);
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
    EXPECT_EQ(log.written.size(), log.layout.header_lines(77) + 77);
    EXPECT_EQ(log.written.begin()->first, 4096U);
    EXPECT_EQ(log.written.rbegin()->first + line, 4096 + LogLayout::bytes(line, 77));
  }
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
