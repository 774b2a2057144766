// What barriers order at one location, as the online checker judges it.
#include <gtest/gtest.h>

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

/// Threads 0 to 3 are of CTA 1 and meet at 15 barriers. What is told first is performed first; the step of an access
/// says between which barriers its thread issued it.
class Cta {
 public:
  explicit Cta(std::size_t window = 1000) : checker({OnlineModel::wo, window}) {
    for (std::uint64_t barrier = 1; barrier <= 15; ++barrier) {
      std::vector<OnlineChecker::Arrival> arrived;
      for (std::uint32_t thread = 0; thread < 4; ++thread)
        arrived.push_back(checker.arrive({thread, barrier * 1000 - 1}));
      const OnlineChecker::Meeting meeting = checker.meet(arrived);
      for (const auto& arrival : arrived) checker.leave(arrival.place, meeting);
    }
  }
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
    const std::uint32_t thread = by.thread + (by.group == 1 ? 0 : 100 * (by.group + 1));
    const Manner manner{by.strong ? Reach::all : Reach::weak, by.group};
    return {thread, by.phase * 1000U + steps_++, line, by.bytes, 0, manner};
  }
  std::uint64_t steps_ = 0;
};

using Reasons = std::vector<OrderReason>;
const By other_cta{9, 0, true, 2};

TEST(Barriers, AWriteIsSeenBehindABarrier) {
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

TEST(Barriers, TheCycleNamesTheBarrier) {
  Cta cta;
  cta.st({0, 0});
  cta.ld({1, 1}, 0);
  ASSERT_FALSE(cta.consistent());
  EXPECT_EQ(cta.cycle(), (Reasons{OrderReason::synchronization, OrderReason::from_reads}));
  EXPECT_EQ(cta.checker.violation()->steps[0].access.thread, 0U);
  EXPECT_EQ(cta.checker.violation()->steps[1].access.thread, 1U);
}

TEST(Barriers, AWriteIsPerformedBeforeThoseBehindABarrier) {
  for (const bool in_time : {false, true}) {
    Cta cta;
    if (in_time) cta.st({0, 0});
    cta.st({1, 1});
    EXPECT_TRUE(cta.consistent());
    cta.add({2, in_time ? 1U : 0U});
    EXPECT_EQ(cta.consistent(), in_time);
    if (in_time) continue;
    EXPECT_EQ(cta.cycle(), (Reasons{OrderReason::synchronization, OrderReason::coherence_order}));
  }
}

TEST(Barriers, WhatIsToldLateIsHeldAgainstWhatCameBehind) {
  Cta write;
  write.ld({1, 1}, 0);
  EXPECT_TRUE(write.consistent());
  write.st({0, 0});
  EXPECT_FALSE(write.consistent());

  Cta read;  // of what a thread has written behind the barrier
  read.ld({0, 0}, read.st({1, 1}));
  EXPECT_FALSE(read.consistent());
  EXPECT_EQ(read.cycle(), (Reasons{OrderReason::synchronization, OrderReason::reads_from}));

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

TEST(Barriers, AnEarlyReadCountsFromItsWriteOn) {
  for (const bool is_strong : {false, true}) {
    Cta cta;
    cta.ld_early(strong({0, 0}, is_strong), 7);
    cta.checker.write({9, 0, x, low}, 7);
    cta.ld({1, 1}, 0);
    EXPECT_EQ(cta.consistent(), !is_strong);
  }
}

/// Only a strong read of a strong write makes the write come before what is behind the barrier; who reads then may be
/// weak (PTX ISA: causality order begins with observation order).
TEST(Barriers, WhatAReadHasSeenIsSeenBehindABarrier) {
  for (const bool strong_write : {false, true}) {
    for (const bool strong_read : {false, true}) {
      const bool ordered = strong_write && strong_read;
      Cta reads;
      reads.st(strong(other_cta, strong_write));
      reads.ld(strong({0, 0}, strong_read), 1);
      reads.ld({1, 1}, 0);
      EXPECT_EQ(reads.consistent(), !ordered);
      if (ordered) {
        EXPECT_EQ(reads.cycle(),
                  (Reasons{OrderReason::synchronization, OrderReason::from_reads, OrderReason::reads_from}));
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
TEST(Barriers, AReadHasSeenTheNewestWriteOfEachByte) {
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

TEST(Barriers, ABarrierIsNoFence) {
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

TEST(Barriers, ManyPhases) {
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

/// Of very many that came behind it the last ones are held against what is told late.
TEST(Barriers, WhatIsToldVeryLate) {
  const auto verdict = [](unsigned reads) {
    Cta cta;
    for (std::uint32_t i = 0; i < reads; ++i) cta.ld({1 + i % 3, 5 + i % 5}, 0, y);
    cta.st({0, 2}, y);
    return cta.consistent();
  };
  EXPECT_FALSE(verdict(1));
  EXPECT_FALSE(verdict(100)) << "readers of what it overwrites";

  Cta old;
  old.st({0, 1, true}, y);
  for (std::uint32_t i = 0; i < 100; ++i) old.ld({1 + i % 3, 5 + i % 5}, 0, y);
  EXPECT_FALSE(old.consistent());

  Cta read;
  const LineVersion version = read.st(other_cta, y);
  for (std::uint32_t i = 5; i < 10; ++i) read.ld({1, i}, version - 1, y);
  EXPECT_TRUE(read.consistent());
  read.ld({0, 2, true}, version, y);
  EXPECT_FALSE(read.consistent()) << "what it has observed is not seen behind the barrier";
}

TEST(Barriers, ForgetsWithTheWindow) {
  Cta cta(100);
  cta.st({0, 0});
  for (unsigned i = 0; i < 300; ++i) cta.st({2, 0, false, 0}, y);
  cta.ld({1, 1}, 0);
  EXPECT_TRUE(cta.consistent());
}

}  // namespace
}  // namespace syncline::consistency
