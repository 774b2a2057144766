// The CPU sides against published vectors and against slower computations of the same thing.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>

#include "workloads/aes/reference.h"
#include "workloads/lib/reference.h"
#include "workloads/nqueens/reference.h"
#include "workloads/nw/reference.h"

namespace syncline::workloads {
namespace {

aes::Block block_of(std::uint64_t high, std::uint64_t low) {
  aes::Block block{};
  for (std::size_t i = 0; i < 16; ++i) block[i] = static_cast<std::uint8_t>((i < 8 ? high : low) >> (56 - 8 * (i % 8)));
  return block;
}

TEST(Aes, SubstitutesAsTheTableOfTheStandard) {  // FIPS 197, figure 7
  EXPECT_EQ(aes::substitute(0x00), 0x63);
  EXPECT_EQ(aes::substitute(0x01), 0x7c);
  EXPECT_EQ(aes::substitute(0x53), 0xed);
  EXPECT_EQ(aes::substitute(0x9a), 0xb8);
  EXPECT_EQ(aes::substitute(0xff), 0x16);
}

TEST(Aes, ExpandsTheKeyOfAppendixA) {
  const aes::KeySchedule keys = aes::expand_key(block_of(0x2b7e151628aed2a6, 0xabf7158809cf4f3c));
  EXPECT_EQ(keys[0], 0x2b7e1516U);
  EXPECT_EQ(keys[4], 0xa0fafe17U);
  EXPECT_EQ(keys[5], 0x88542cb1U);
  EXPECT_EQ(keys[40], 0xd014f9a8U);
  EXPECT_EQ(keys[43], 0xb6630ca6U);
}

TEST(Aes, EncryptsTheVectorsOfAppendicesBAndC) {
  EXPECT_EQ(aes::encrypt(block_of(0x3243f6a8885a308d, 0x313198a2e0370734),
                         aes::expand_key(block_of(0x2b7e151628aed2a6, 0xabf7158809cf4f3c))),
            block_of(0x3925841d02dc09fb, 0xdc118597196a0b32));
  EXPECT_EQ(aes::encrypt(block_of(0x0011223344556677, 0x8899aabbccddeeff),
                         aes::expand_key(block_of(0x0001020304050607, 0x08090a0b0c0d0e0f))),
            block_of(0x69c4e0d86a7b0430, 0xd8cdb78070b4c55a));
}

TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Queens, CountsTheKnownNumbers) {  // OEIS A000170
  const std::vector<std::uint64_t> known{1, 0, 0, 2, 10, 4, 40, 92, 352, 724};
  for (std::uint32_t n = 1; n <= known.size(); ++n) EXPECT_EQ(count_queens(n), known[n - 1]) << n << " queens";
}

/// Best score of aligning the rests of both sequences, by trying everything.
std::int32_t best_alignment(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b, std::size_t i,
                            std::size_t j, const std::vector<std::int32_t>& substitution, std::int32_t gap) {
  if (i == a.size()) return -gap * static_cast<std::int32_t>(b.size() - j);
  if (j == b.size()) return -gap * static_cast<std::int32_t>(a.size() - i);
  return std::max({best_alignment(a, b, i + 1, j + 1, substitution, gap) + substitution[b[j] * 20U + a[i]],
                   best_alignment(a, b, i + 1, j, substitution, gap) - gap,
                   best_alignment(a, b, i, j + 1, substitution, gap) - gap});
}

RC_GTEST_PROP(Alignment, IsTheBestOfAllAlignments, ()) {
  const auto letter = rc::gen::inRange<std::uint8_t>(0, 20);
  const auto across = *rc::gen::container<std::vector<std::uint8_t>>(5, letter);
  const auto down = *rc::gen::container<std::vector<std::uint8_t>>(6, letter);
  const auto substitution = *rc::gen::container<std::vector<std::int32_t>>(400, rc::gen::inRange(-5, 12));
  const auto gap = *rc::gen::inRange(0, 10);
  RC_ASSERT(alignment_scores(across, down, substitution, gap).back() ==
            best_alignment(across, down, 0, 0, substitution, gap));
}

}  // namespace
}  // namespace syncline::workloads
