// What barriers of a CTA order at one location, as the online checker judges it.
#include <gtest/gtest.h>

#include <algorithm>

#include "consistency/online/online_checker.h"

namespace syncline::consistency {
namespace {

constexpr std::uint64_t x = 0, y = 1;
const base::ByteMask low = base::ByteMask::range(0, 4), high = base::ByteMask::range(4, 4),
                     both = base::ByteMask::range(0, 8);

/// Who does something, behind how many barriers of its CTA, and how.
struct By {
  std::uint32_t thread;
  std::uint32_t phase;
  bool strong = false;
  std::uint32_t group = 1;  ///< CTA
  base::ByteMask bytes = low;
};
By strong(By by, bool is_strong = true) {
  by.strong = is_strong;
  return by;
}

/// What is told first is performed first. Threads issue in the order of the phases.
class Cta {
 public:
  explicit Cta(std::size_t window = 1000) : checker({OnlineModel::wo, window}) {}
  LineVersion st(const By& by, std::uint64_t line = x, std::uint64_t early = 0) {
    return checker.write(access(by, line), early);
  }
  LineVersion add(const By& by, std::uint64_t line = x) { return checker.atomic(access(by, line)); }
  void ld(const By& by, LineVersion version, std::uint64_t line = x) { checker.read(access(by, line), version); }
  void ld_early(const By& by, std::uint64_t early) { checker.read(access(by, x), {{by.bytes, 0, early}}); }
  bool consistent() const { return checker.violation() == nullptr; }
  std::vector<OrderReason> cycle() const {
    std::vector<OrderReason> reasons;
    if (consistent()) return reasons;
    for (const auto& step : checker.violation()->steps) reasons.push_back(step.reason);
    return reasons;
  }

  OnlineChecker checker;

 private:
  OnlineAccess access(const By& by, std::uint64_t line) {
    return {by.thread, by.phase * 1000U + steps_++, line, by.bytes, 0, by.strong, {by.group, by.phase}};
  }
  std::uint64_t steps_ = 0;
};

using Reasons = std::vector<OrderReason>;
const By other_cta{9, 0, true, 2};

TEST(PhaseCoherence, AWriteIsSeenBehindABarrier) {
  const auto verdict = [](const By& writer, const By& reader) {
    Cta cta;
    cta.st(writer);
    cta.ld(reader, 0);
    return cta.consistent();
  };
  EXPECT_FALSE(verdict({0, 0}, {1, 1}));
  EXPECT_FALSE(verdict({0, 0}, {1, 7}));
  EXPECT_FALSE(verdict({0, 0, true}, {1, 1, true}));
  EXPECT_TRUE(verdict({0, 0}, {1, 0})) << "no barrier";
  EXPECT_TRUE(verdict({0, 1}, {1, 0})) << "the barrier is between them the other way round";
  EXPECT_TRUE(verdict({0, 0}, {1, 1, false, 2})) << "a barrier of another CTA";
  EXPECT_TRUE(verdict({0, 0, false, 0}, {1, 1, false, 0})) << "of no CTA";
  EXPECT_TRUE(verdict({0, 0}, {1, 1, false, 1, high})) << "other bytes";
}

TEST(PhaseCoherence, TheCycleNamesTheBarrier) {
  Cta cta;
  cta.st({0, 0});
  cta.ld({1, 1}, 0);
  ASSERT_FALSE(cta.consistent());
  EXPECT_EQ(cta.cycle(), (Reasons{OrderReason::barrier, OrderReason::from_reads}));
  EXPECT_EQ(cta.checker.violation()->steps[0].access.thread, 0U);
  EXPECT_EQ(cta.checker.violation()->steps[1].access.thread, 1U);
}

TEST(PhaseCoherence, AWriteIsPerformedBeforeThoseBehindABarrier) {
  for (const bool in_time : {false, true}) {
    Cta cta;
    if (in_time) cta.st({0, 0});
    cta.st({1, 1});
    EXPECT_TRUE(cta.consistent());
    cta.add({2, in_time ? 1U : 0U});
    EXPECT_EQ(cta.consistent(), in_time);
    if (in_time) continue;
    EXPECT_EQ(cta.cycle(), (Reasons{OrderReason::barrier, OrderReason::coherence_order}));
  }
}

TEST(PhaseCoherence, WhatIsToldLateIsHeldAgainstWhatCameBehind) {
  Cta write;
  write.ld({1, 1}, 0);
  EXPECT_TRUE(write.consistent());
  write.st({0, 0});
  EXPECT_FALSE(write.consistent());

  Cta read;  // of what a thread has written behind the barrier
  read.ld({0, 0}, read.st({1, 1}));
  EXPECT_FALSE(read.consistent());
  EXPECT_EQ(read.cycle(), (Reasons{OrderReason::barrier, OrderReason::reads_from}));

  Cta early;
  early.ld_early({0, 0}, 7);
  early.st({1, 1}, x, 7);
  EXPECT_FALSE(early.consistent());

  Cta fine;
  fine.ld_early({2, 0}, 7);
  fine.st({0, 0}, x, 7);
  fine.st({1, 1});
  fine.ld({2, 0}, 1);
  EXPECT_TRUE(fine.consistent());
}

TEST(PhaseCoherence, AnEarlyReadCountsFromItsWriteOn) {
  for (const bool is_strong : {false, true}) {
    Cta cta;
    cta.ld_early(strong({0, 0}, is_strong), 7);
    cta.checker.write({9, 0, x, low, 0, true}, 7);
    cta.ld({1, 1}, 0);
    EXPECT_EQ(cta.consistent(), !is_strong);
  }
}

/// Only a strong read of a strong write makes the write come before what is behind the barrier; who reads then may be
/// weak (PTX ISA: causality order begins with observation order).
TEST(PhaseCoherence, WhatAReadHasSeenIsSeenBehindABarrier) {
  for (const bool strong_write : {false, true}) {
    for (const bool strong_read : {false, true}) {
      const bool ordered = strong_write && strong_read;
      Cta reads;
      reads.st(strong(other_cta, strong_write));
      reads.ld(strong({0, 0}, strong_read), 1);
      reads.ld({1, 1}, 0);
      EXPECT_EQ(reads.consistent(), !ordered);
      if (ordered) {
        EXPECT_EQ(reads.cycle(), (Reasons{OrderReason::barrier, OrderReason::from_reads, OrderReason::reads_from}));
      }

      Cta late;
      late.st(strong(other_cta, strong_write));
      late.ld({1, 1}, 0);
      late.ld(strong({0, 0}, strong_read), 1);
      EXPECT_EQ(late.consistent(), !ordered);

      Cta write;
      write.st(strong({1, 1}));
      write.st(strong(other_cta, strong_write));
      write.ld(strong({0, 0}, strong_read), 2);
      EXPECT_EQ(write.consistent(), !ordered);
    }
  }
}

/// The write that a read saw counts, and of each byte that is another one.
TEST(PhaseCoherence, AReadHasSeenTheNewestWriteOfEachByte) {
  const auto verdict = [](const base::ByteMask& bytes, LineVersion version, bool newest_is_strong) {
    Cta cta;
    cta.st({9, 0, true, 2, both});
    cta.st({9, 0, newest_is_strong, 2, low});
    cta.ld({0, 0, true, 1, both}, 2);
    cta.ld({1, 1, false, 1, bytes}, version);
    return cta.consistent();
  };
  EXPECT_FALSE(verdict(low, 1, true));
  EXPECT_TRUE(verdict(low, 1, false));
  EXPECT_TRUE(verdict(low, 0, false)) << "the strong write is hidden behind one that races";
  EXPECT_TRUE(verdict(high, 1, true));
  EXPECT_FALSE(verdict(high, 0, true));
  EXPECT_FALSE(verdict(high, 0, false));
}

TEST(PhaseCoherence, ABarrierIsNoFence) {
  Cta buffers;  // SB with a thread of another CTA
  buffers.st({0, 0, true});
  buffers.st({2, 0, true, 2}, y);
  buffers.ld({0, 1, true}, 0, y);
  buffers.ld({1, 1, true}, 0, y);
  buffers.ld({2, 1, true, 2}, 0, x);
  buffers.ld({3, 1, true, 2}, 0, x);
  EXPECT_TRUE(buffers.consistent());

  Cta message;  // MP: nothing tells the other CTA that there was a barrier
  message.st({0, 0, true});
  message.st({1, 1, true}, y);
  message.ld({2, 0, true, 2}, 1, y);
  message.ld({2, 0, true, 2}, 0, x);
  EXPECT_TRUE(message.consistent());
}

TEST(PhaseCoherence, ManyPhases) {
  const auto run = [](std::uint32_t phase, LineVersion version, const By& first) {
    Cta cta;
    cta.st(first);
    cta.st(other_cta);
    for (std::uint32_t i = 1; i < 10; ++i) cta.ld({i % 3, i}, i < first.phase ? 0 : 2);
    EXPECT_TRUE(cta.consistent());
    cta.ld({1, phase}, version);
    return cta.consistent();
  };
  EXPECT_FALSE(run(10, 0, {0, 0}));
  EXPECT_TRUE(run(10, 1, {0, 0})) << "the other CTA's write races with the reads";
  EXPECT_TRUE(run(0, 0, {0, 0})) << "of long ago, told late";
  EXPECT_FALSE(run(8, 0, {0, 0}));
  EXPECT_FALSE(run(10, 0, {0, 5}));
  EXPECT_TRUE(run(5, 0, {0, 5}));
}

/// A write of a phase that is no longer kept apart is not held against those that came in the phases behind it.
TEST(PhaseCoherence, WhatIsToldTooLateIsJudgedByWhatComesLater) {
  Cta cta;
  for (std::uint32_t i = 5; i < 10; ++i) cta.ld({0, i}, 0, y);
  cta.st({1, 2}, y);
  EXPECT_FALSE(cta.consistent());

  Cta kept;
  for (std::uint32_t i = 5; i < 10; ++i) kept.st({0, i}, y);
  kept.ld({1, 2}, 0, y);
  kept.ld({1, 3}, 0, y);
  kept.ld({2, 4}, 0, y);
  EXPECT_TRUE(kept.consistent());
  kept.ld({2, 10}, 4, y);
  EXPECT_FALSE(kept.consistent());

  Cta before;
  before.st({3, 3, true}, y);
  for (std::uint32_t i = 5; i < 10; ++i) before.ld({0, i}, 1, y);
  before.ld({1, 2}, 0, y);
  before.ld({2, 4, true}, 1, y);
  EXPECT_TRUE(before.consistent());
}

TEST(PhaseCoherence, ForgetsWithTheWindow) {
  Cta cta(100);
  cta.st({0, 0});
  for (unsigned i = 0; i < 300; ++i) cta.st({2, 0, false, 0}, y);
  cta.ld({1, 1}, 0);
  EXPECT_TRUE(cta.consistent());

  DynamicOrder order;
  PhaseCoherence coherence;
  std::size_t most = 0;
  for (unsigned i = 0; i < 5000; ++i) {
    const base::ByteMask word = base::ByteMask::range(i % 32 * 4, 4);
    EXPECT_TRUE(coherence.add({1, i / 500}, i % 7, {word, i, i % 2 == 0, order.add()}, {}, order).empty());
    if (order.size() > 100) order.forget_first();
    if (i % 100 == 99) coherence.forget(order);
    most = std::max(most, coherence.size());
  }
  EXPECT_GT(most, 50U);
  EXPECT_LE(most, 4 * 100U);
  while (order.size() > 0) order.forget_first();
  coherence.forget(order);
  EXPECT_EQ(coherence.size(), 0U);
}

}  // namespace
}  // namespace syncline::consistency
