// What a warp keeps of its stores: filters, logs as they lie in memory, and the depths of commits.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

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

RC_GTEST_PROP(WriteLog, HeadersComeBackAsTheyWere, ()) {
  const LogLayout layout(1 << 20, 128, 100);
  const auto entry = *rc::gen::inRange<std::uint32_t>(0, 100);
  LogHeader header;
  header.chunk = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40);
  header.epoch = *rc::gen::inRange<std::uint32_t>(0, 1 << 24);
  for (const unsigned byte : *rc::gen::container<std::set<unsigned>>(rc::gen::inRange(0U, 128U)))
    header.mask.set(byte, 1);
  base::LineData line;
  line.fill(0xA5);
  layout.encode(header, entry, line);
  const LogHeader back = layout.decode(line, entry);
  RC_ASSERT(back.chunk == header.chunk);
  RC_ASSERT(back.epoch == header.epoch);
  RC_ASSERT(back.mask == header.mask);
  for (unsigned byte = 0; byte < 128; ++byte) {
    const unsigned offset = layout.header_offset(entry);
    if (byte < offset || byte >= offset + LogLayout::header_bytes) RC_ASSERT(line[byte] == 0xA5);
  }
}

TEST(WriteLog, LinesOfHeadersAndChunksLieApart) {
  for (const unsigned line : {32U, 64U, 128U}) {
    const LogLayout layout(4096, line, 77);
    std::set<std::uint64_t> used;
    for (std::uint32_t n = 0; n < layout.header_lines(77); ++n) EXPECT_TRUE(used.insert(layout.header_line(n)).second);
    for (std::uint32_t entry = 0; entry < 77; ++entry) {
      EXPECT_TRUE(used.insert(layout.data_line(entry)).second);
      EXPECT_LE(layout.header_offset(entry) + LogLayout::header_bytes, line);
      EXPECT_LT(layout.header_line_of(entry), layout.header_lines(77));
    }
    EXPECT_EQ(*used.begin(), 4096U);
    EXPECT_EQ(*used.rbegin() + line, 4096 + LogLayout::bytes(line, 77));
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
