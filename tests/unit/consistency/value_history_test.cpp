// The bytes of versions: what is learnt, what differs, what is forgotten; and all of it against a history that keeps
// everything.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "consistency/online/value_history.h"

namespace syncline::consistency {
namespace {

using Kind = ValueVerdict::Kind;

constexpr std::uint64_t x = 0, y = 128;

base::LineData filled(std::uint8_t value) {
  base::LineData bytes;
  bytes.fill(value);
  return bytes;
}

const base::ByteMask low = base::ByteMask::range(0, 4), high = base::ByteMask::range(4, 4),
                     both = base::ByteMask::range(0, 8), all = base::ByteMask::all(base::max_line_bytes);

void expect_differs(const ValueVerdict& verdict, unsigned byte, unsigned expected, unsigned found) {
  EXPECT_EQ(verdict.kind, Kind::differs);
  EXPECT_EQ(verdict.byte, byte);
  EXPECT_EQ(verdict.expected, expected);
  EXPECT_EQ(verdict.found, found);
}

TEST(ValueHistory, TellsWhatAVersionHolds) {
  ValueHistory history(100);
  EXPECT_EQ(history.version_of(x), 0U);
  EXPECT_EQ(history.write(x, both, filled(1)), 1U);
  EXPECT_EQ(history.write(x, high, filled(2)), 2U);
  EXPECT_EQ(history.write(y, all, filled(9)), 1U);
  EXPECT_EQ(history.version_of(x), 2U);
  EXPECT_EQ(history.check(x, 1, both, filled(1)).kind, Kind::agrees);
  EXPECT_EQ(history.check(x, 2, high, filled(2)).kind, Kind::agrees);
  EXPECT_EQ(history.check(y, 1, all, filled(9)).kind, Kind::agrees);
  expect_differs(history.check(x, 2, both, filled(1)), 4, 2, 1);
  expect_differs(history.check(x, 1, high, filled(2)), 4, 1, 2);
  base::LineData torn = filled(9);
  torn[127] = 8;
  expect_differs(history.check(y, 1, all, torn), 127, 9, 8);
}

TEST(ValueHistory, TheFirstByteIsTold) {
  ValueHistory history(100);
  history.write(x, both, filled(1));
  history.write(x, high, filled(2));
  history.write(x, low, filled(3));
  expect_differs(history.check(x, 1, both, filled(7)), 0, 1, 7);  // overwritten by the later one of the two
}

TEST(ValueHistory, TheFirstReaderTellsWhatMemoryHeld) {
  ValueHistory history(100);
  EXPECT_EQ(history.check(x, 0, low, filled(5)).kind, Kind::agrees);
  expect_differs(history.check(x, 0, both, filled(6)), 0, 5, 6);
  expect_differs(history.check(x, 0, high, filled(5)), 4, 6, 5);  // learnt from the reader that was wrong elsewhere
  EXPECT_EQ(history.lines(), 1U);
}

TEST(ValueHistory, WhatWasThereBeforeTheFirstWriteIsLearntLater) {
  ValueHistory history(100);
  history.write(x, low, filled(1));
  history.write(x, high, filled(2));
  EXPECT_EQ(history.check(x, 1, high, filled(7)).kind, Kind::agrees);
  expect_differs(history.check(x, 0, high, filled(8)), 4, 7, 8);  // the same bytes, one version earlier
  EXPECT_EQ(history.check(x, 0, low, filled(9)).kind, Kind::agrees);
  expect_differs(history.check(x, 0, low, filled(1)), 0, 9, 1);
  EXPECT_EQ(history.check(x, 2, both - high, filled(1)).kind, Kind::agrees);
}

TEST(ValueHistory, RemembersNoMoreThanItsWindow) {
  ValueHistory history(10);
  for (unsigned i = 0; i < 1000; ++i) history.write(i % 2 == 0 ? x : y, low, filled(static_cast<std::uint8_t>(i)));
  EXPECT_EQ(history.remembered(), 10U);
  EXPECT_EQ(history.lines(), 2U);
  EXPECT_EQ(history.version_of(x), 500U);
  EXPECT_EQ(history.check(x, 500, low, filled(998 % 256)).kind, Kind::agrees);
  EXPECT_EQ(history.check(x, 495, low, filled(988 % 256)).kind, Kind::agrees);
  EXPECT_EQ(history.check(x, 494, low, filled(0)).kind, Kind::forgotten);
  EXPECT_EQ(history.check(x, 0, low, filled(0)).kind, Kind::forgotten);
  EXPECT_EQ(history.check(x, 501, low, filled(0)).kind, Kind::forgotten);
  EXPECT_EQ(history.check(0x1000, 1, low, filled(0)).kind, Kind::forgotten);
  expect_differs(history.check(x, 495, low, filled(0)), 0, 988 % 256, 0);
}

/// All writes to all lines, and what the first readers saw of bytes before their first write.
class FullHistory {
 public:
  void write(std::uint64_t line, const base::ByteMask& mask, const base::LineData& bytes) {
    writes_[line].push_back({mask, bytes, written_++});
  }
  LineVersion newest(std::uint64_t line) { return writes_[line].size(); }

  ValueVerdict check(std::uint64_t line, LineVersion version, const base::ByteMask& mask, const base::LineData& bytes,
                     std::size_t window) {
    const auto& writes = writes_[line];
    if (version < writes.size() && writes[version].number + window < written_) return {Kind::forgotten};
    ValueVerdict verdict;
    for (unsigned byte = 0; byte < base::max_line_bytes; ++byte) {
      if (!mask.test(byte)) continue;
      std::optional<std::uint8_t> expected;
      for (LineVersion v = 0; v < version; ++v) {
        if (writes[v].mask.test(byte)) expected = writes[v].bytes[byte];
      }
      if (!expected) expected = first_.try_emplace({line, byte}, bytes[byte]).first->second;
      if (*expected != bytes[byte] && verdict.kind == Kind::agrees)
        verdict = {Kind::differs, byte, *expected, bytes[byte]};
    }
    return verdict;
  }

 private:
  struct Write {
    base::ByteMask mask;
    base::LineData bytes;
    std::size_t number;
  };
  std::map<std::uint64_t, std::vector<Write>> writes_;
  std::map<std::pair<std::uint64_t, unsigned>, std::uint8_t> first_;
  std::size_t written_ = 0;
};

TEST(ValueHistory, AgreesWithAHistoryThatKeepsEverything) {
  unsigned agreed = 0, differed = 0, forgotten = 0;
  EXPECT_TRUE(rc::check([&] {
    const std::size_t window = *rc::gen::element<std::size_t>(1, 2, 5, 1000);
    ValueHistory history(window);
    FullHistory full;
    const unsigned length = *rc::gen::inRange(1U, 60U);
    for (unsigned i = 0; i < length; ++i) {
      const std::uint64_t line = *rc::gen::element(x, y);
      base::ByteMask mask;
      base::LineData bytes{};
      // Few bytes, at the ends of the words of a mask, and few values: or else hardly anything would ever agree.
      for (const unsigned byte : {0U, 1U, 63U, 64U, 127U}) {
        if (*rc::gen::arbitrary<bool>()) mask.set(byte, 1);
        bytes[byte] = *rc::gen::element<std::uint8_t>(0, 0, 0, 1);
      }
      if (*rc::gen::inRange(0, 8) == 0) mask = all;
      if (*rc::gen::inRange(0, 2) == 0) {
        full.write(line, mask, bytes);
        RC_ASSERT(history.write(line, mask, bytes) == full.newest(line));
        continue;
      }
      const LineVersion version =
          full.newest(line) - std::min<LineVersion>(full.newest(line), *rc::gen::element(0U, 0U, 1U, 2U, 7U));
      const ValueVerdict expected = full.check(line, version, mask, bytes, window);
      const ValueVerdict told = history.check(line, version, mask, bytes);
      RC_ASSERT(told.kind == expected.kind);
      RC_ASSERT(told.byte == expected.byte);
      RC_ASSERT(told.expected == expected.expected);
      RC_ASSERT(told.found == expected.found);
      ++(told.kind == Kind::agrees ? agreed : told.kind == Kind::differs ? differed : forgotten);
    }
    RC_ASSERT(history.remembered() <= window);
  }));
  EXPECT_GT(agreed, 10U);
  EXPECT_GT(differed, 10U);
  EXPECT_GT(forgotten, 10U);
}

}  // namespace
}  // namespace syncline::consistency
