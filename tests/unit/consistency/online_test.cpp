// The online checker on the classic shapes, on forgetting, and on bytes of which a line is made.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "consistency/online/online_checker.h"

namespace syncline::consistency {
namespace {

constexpr std::uint64_t x = 0, y = 1;

/// Threads that read and write words, each a line of its own.
class Words {
 public:
  explicit Words(std::size_t window = 1000, OnlineModel model = OnlineModel::sc) : checker({model, window}) {}
  LineVersion st(std::uint32_t thread, std::uint64_t line, std::uint64_t early = 0) {
    return checker.write(next(thread, line), early);
  }
  LineVersion add(std::uint32_t thread, std::uint64_t line) { return checker.atomic(next(thread, line)); }
  void ld(std::uint32_t thread, std::uint64_t line, LineVersion version) { checker.read(next(thread, line), version); }
  void ld_early(std::uint32_t thread, std::uint64_t line, std::uint64_t early) {
    checker.read(next(thread, line), {{word, 0, early}});
  }
  void fence(std::uint32_t thread) { checker.fence(next(thread, 0)); }
  bool consistent() const { return checker.violation() == nullptr; }

  OnlineChecker checker;
  static inline const base::ByteMask word = base::ByteMask::range(0, 4);

 private:
  OnlineAccess next(std::uint32_t thread, std::uint64_t line) {
    if (steps_.size() <= thread) steps_.resize(thread + 1);
    return {thread, steps_[thread]++, line, word, 0};
  }
  std::vector<std::uint64_t> steps_;
};

TEST(OnlineSc, StoreBuffering) {
  Words t;
  t.st(0, x);
  t.st(1, y);
  t.ld(0, y, 0);
  EXPECT_TRUE(t.consistent());
  t.ld(1, x, 0);
  ASSERT_FALSE(t.consistent());
  const auto& steps = t.checker.violation()->steps;
  ASSERT_EQ(steps.size(), 4U);  // st, ld, st, ld, from wherever
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(), [](const auto& s) { return s.kind == OnlineKind::write; }), 2);
  EXPECT_EQ(
      std::count_if(steps.begin(), steps.end(), [](const auto& s) { return s.reason == OrderReason::program_order; }),
      2);
  EXPECT_EQ(
      std::count_if(steps.begin(), steps.end(), [](const auto& s) { return s.reason == OrderReason::from_reads; }), 2);
}

TEST(OnlineSc, StoreBufferingWithOneThatSees) {
  Words t;
  t.st(0, x);
  t.st(1, y);
  t.ld(0, y, 0);
  t.ld(1, x, 1);
  EXPECT_TRUE(t.consistent());
}

TEST(OnlineSc, MessagePassing) {
  for (const LineVersion data : {0U, 1U}) {
    Words t;
    t.st(0, x);
    t.st(0, y);
    t.ld(1, y, 1);
    t.ld(1, x, data);
    EXPECT_EQ(t.consistent(), data == 1);
  }
}

TEST(OnlineSc, LoadBuffering) {
  Words t;
  t.ld_early(0, x, 7);
  t.st(0, y);
  t.ld(1, y, 1);
  EXPECT_TRUE(t.consistent());
  t.st(1, x, 7);
  EXPECT_FALSE(t.consistent());
}

TEST(OnlineSc, AnEarlyReadThatNothingSpeaksAgainst) {
  Words t;
  t.ld_early(0, x, 7);
  t.st(0, y);
  t.st(1, x, 7);
  t.ld(1, y, 1);
  EXPECT_TRUE(t.consistent());
  t.ld(2, y, 1);
  t.ld(2, x, 0);  // behind the early reader, before the write that it read
  EXPECT_FALSE(t.consistent());
}

TEST(OnlineSc, IndependentReadsOfIndependentWrites) {
  for (const LineVersion second : {0U, 1U}) {
    Words t;
    t.st(0, x);
    t.st(1, y);
    t.ld(2, x, 1);
    t.ld(2, y, 0);
    t.ld(3, y, 1);
    EXPECT_TRUE(t.consistent());
    t.ld(3, x, second);
    EXPECT_EQ(t.consistent(), second == 1);
  }
}

TEST(OnlineSc, WriteToReadCausality) {
  for (const LineVersion last : {0U, 1U}) {
    Words t;
    t.st(0, x);
    t.ld(1, x, 1);
    t.st(1, y);
    t.ld(2, y, 1);
    t.ld(2, x, last);
    EXPECT_EQ(t.consistent(), last == 1);
  }
}

TEST(OnlineSc, CoherenceOfOneLocation) {
  Words reads;  // CoRR
  reads.st(0, x);
  reads.ld(1, x, 1);
  reads.ld(1, x, 0);
  EXPECT_FALSE(reads.consistent());

  Words own;  // CoWR
  own.st(0, x);
  own.ld(0, x, 0);
  EXPECT_FALSE(own.consistent());

  Words later;  // CoRW: reads what it writes later
  later.ld_early(0, x, 5);
  later.st(0, x, 5);
  EXPECT_FALSE(later.consistent());

  Words stale;  // an old copy, read by somebody who has seen nothing newer
  stale.st(0, x);
  stale.st(0, x);
  stale.ld(1, x, 0);
  stale.ld(1, x, 1);
  stale.ld(1, x, 2);
  EXPECT_TRUE(stale.consistent());
}

TEST(OnlineSc, AtomicsReadAndWrite) {
  Words t;
  t.st(0, x);
  t.add(1, y);
  t.add(0, y);  // behind the other one
  t.ld(1, x, 0);
  EXPECT_TRUE(t.consistent());
  t.ld(2, y, 2);
  t.ld(2, x, 0);
  EXPECT_FALSE(t.consistent());
}

TEST(OnlineSc, BytesOfALineAreLocations) {
  const auto low = base::ByteMask::range(0, 4), high = base::ByteMask::range(4, 4), both = base::ByteMask::range(0, 8);
  OnlineChecker checker({OnlineModel::sc, 100});
  checker.write({0, 0, x, low});
  const LineVersion between = checker.write({0, 1, y, low});
  checker.write({0, 2, x, high});
  checker.read({1, 0, y, low}, between);
  checker.read({1, 1, x, low}, 1);  // lacks the second write, which it does not ask for
  EXPECT_EQ(checker.violation(), nullptr);
  checker.read({1, 2, x, both}, 2);
  checker.read({1, 3, x, high}, 1);
  EXPECT_NE(checker.violation(), nullptr);
}

TEST(OnlineSc, AccessesOfOneStepAreUnordered) {
  OnlineChecker checker({OnlineModel::sc, 100});
  const auto word = Words::word;
  checker.write({0, 0, x, word});
  checker.write({0, 1, y, word});
  checker.read({1, 0, y, word}, 1);
  checker.read({1, 0, x, word}, 0);
  EXPECT_EQ(checker.violation(), nullptr);
  checker.read({1, 1, x, word}, 0);  // behind both
  ASSERT_NE(checker.violation(), nullptr);
}

TEST(OnlineSc, ProgramOrderIsTheOrderOfSteps) {
  OnlineChecker checker({OnlineModel::sc, 100});
  checker.write({0, 1, x, Words::word});
  EXPECT_THROW(checker.write({0, 0, x, Words::word}), base::ModelError);
}

TEST(OnlineSc, ABoundaryOrdersWhatIsBeforeWithWhatIsBehind) {
  for (const bool boundary : {false, true}) {
    Words t;
    t.st(0, x);
    t.checker.end_thread(0);
    if (boundary) t.checker.boundary();
    t.ld(1, x, 0);
    EXPECT_EQ(t.consistent(), !boundary);
  }
}

TEST(OnlineSc, RemembersNoMoreThanItsWindow) {
  Words t(100);
  for (unsigned i = 0; i < 5000; ++i) {
    const LineVersion version = t.st(i % 3, i % 7);
    t.ld((i + 1) % 3, i % 7, version);
    t.ld(5, 1000 + i, 0);  // lines that are read once
  }
  EXPECT_TRUE(t.consistent());
  EXPECT_EQ(t.checker.counts().not_judged, 0U);
  EXPECT_LE(t.checker.counts().peak_accesses, 102U);
  EXPECT_LE(t.checker.counts().peak_lines, 107U);
  EXPECT_EQ(t.checker.judged(), 15000U);
}

TEST(OnlineSc, CountsWhatItCannotJudge) {
  Words t(10);
  t.st(0, x);
  for (unsigned i = 0; i < 20; ++i) t.st(0, y);
  t.ld(1, x, 1);  // the newest still, however long ago
  EXPECT_EQ(t.checker.counts().not_judged, 0U);
  t.ld(2, y, 3);
  EXPECT_EQ(t.checker.counts().not_judged, 1U);
  t.ld(2, y, 19);
  EXPECT_EQ(t.checker.counts().not_judged, 1U);
  EXPECT_TRUE(t.consistent());
}

/// Threads that meet. An access has the step that its thread had when it issued it, and may be told later.
class MeetingThreads {
 public:
  static OnlineAccess at(std::uint32_t thread, std::uint64_t step, std::uint64_t line) {
    return {thread, step, line, Words::word, 0};
  }
  void st(std::uint32_t thread, std::uint64_t step, std::uint64_t line) { checker.write(at(thread, step, line)); }
  void ld(std::uint32_t thread, std::uint64_t step, std::uint64_t line, LineVersion version) {
    checker.read(at(thread, step, line), version);
  }
  /// All arrive behind their access of `step`, and the first so many leave.
  void meet(std::uint64_t step, const std::vector<std::uint32_t>& threads, std::size_t leave) {
    std::vector<OnlineChecker::Arrival> arrived;
    for (const std::uint32_t thread : threads) arrived.push_back(checker.arrive({thread, step}));
    const auto meeting = checker.meet(arrived);
    for (std::size_t i = 0; i < leave; ++i) checker.leave({threads[i], step}, meeting);
  }
  bool consistent() const { return checker.violation() == nullptr; }
  OnlineChecker checker{{OnlineModel::sc, 1000}};
};

TEST(OnlineSc, ABarrierOrdersThoseWhoMeet) {
  for (const bool meets : {false, true}) {
    MeetingThreads t;
    t.st(0, 1, x);
    if (meets) t.meet(1, {0, 1}, 2);
    t.ld(1, 2, x, 0);
    EXPECT_EQ(t.consistent(), !meets);
    if (!meets) continue;
    const auto& steps = t.checker.violation()->steps;
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(),
                            [](const auto& s) { return s.reason == OrderReason::synchronization; }));
  }
}

TEST(OnlineSc, ABarrierOrdersWhatIsToldLate) {
  MeetingThreads t;
  t.meet(1, {0, 1}, 2);
  t.ld(1, 2, x, 0);
  EXPECT_TRUE(t.consistent());
  t.st(0, 1, x);  // issued before the barrier
  EXPECT_FALSE(t.consistent());

  MeetingThreads early;
  early.meet(1, {0, 1}, 2);
  early.st(1, 2, x);
  early.ld(0, 1, x, 1);
  EXPECT_FALSE(early.consistent()) << "a load sees what is behind its barrier";
}

TEST(OnlineSc, ABarrierOrdersNobodyElse) {
  MeetingThreads t;
  t.st(0, 1, x);
  t.meet(1, {0, 1}, 2);
  t.ld(2, 2, x, 0);
  EXPECT_TRUE(t.consistent());
  t.ld(1, 2, x, 1);
  EXPECT_TRUE(t.consistent());
}

TEST(OnlineSc, WhoOnlyArrivesKnowsNobody) {
  MeetingThreads t;
  t.st(1, 1, x);
  t.meet(1, {1, 0}, 1);  // thread 0 only arrives
  t.ld(0, 2, x, 0);
  EXPECT_TRUE(t.consistent());
  t.st(0, 3, y);
  t.meet(3, {1, 0}, 1);
  t.ld(1, 4, y, 0);
  EXPECT_FALSE(t.consistent());
}

TEST(OnlineSc, BarriersPassOnWhatBarriersOrdered) {
  MeetingThreads t;
  t.st(0, 1, x);
  t.meet(1, {0, 1}, 2);
  t.meet(1, {1, 2}, 2);  // with nothing between
  t.ld(2, 2, x, 0);
  EXPECT_FALSE(t.consistent());
}

TEST(OnlineWo, OnlyFencesOrder) {
  for (const bool fenced : {false, true}) {
    Words t(100, OnlineModel::wo);  // SB
    t.st(0, x);
    t.st(1, y);
    if (fenced) t.fence(0), t.fence(1);
    t.ld(0, y, 0);
    t.ld(1, x, 0);
    EXPECT_EQ(t.consistent(), !fenced);
  }
  for (const bool fenced : {false, true}) {
    Words t(100, OnlineModel::wo);  // MP
    t.st(0, x);
    if (fenced) t.fence(0);
    t.st(0, y);
    t.ld(1, y, 1);
    if (fenced) t.fence(1);
    t.ld(1, x, 0);
    EXPECT_EQ(t.consistent(), !fenced);
  }
  for (const bool fenced : {false, true}) {
    Words t(100, OnlineModel::wo);  // IRIW
    t.st(0, x);
    t.st(1, y);
    t.ld(2, x, 1);
    if (fenced) t.fence(2);
    t.ld(2, y, 0);
    t.ld(3, y, 1);
    if (fenced) t.fence(3);
    t.ld(3, x, 0);
    EXPECT_EQ(t.consistent(), !fenced);
  }
}

TEST(OnlineWo, AFenceThatDoesNotWaitOrdersWhatIsToldLater) {
  for (const bool both : {false, true}) {
    OnlineChecker checker({OnlineModel::wo, 1000});
    const auto at = [](std::uint32_t thread, std::uint64_t step, std::uint64_t line) {
      return OnlineAccess{thread, step, line, Words::word, 0};
    };
    checker.fence(at(0, 2, 0));
    if (both) checker.fence(at(1, 2, 0));
    checker.read(at(0, 3, y), 0);
    checker.read(at(1, 3, x), 0);
    checker.atomic(at(0, 1, x));  // issued before its fence
    EXPECT_EQ(checker.violation(), nullptr);
    checker.atomic(at(1, 1, y));
    EXPECT_EQ(checker.violation() == nullptr, !both);
  }
}

TEST(OnlineWo, ALocationIsCoherentForEachThread) {
  const auto word = Words::word;
  const auto by = [](bool strong) { return Manner{strong ? Reach::all : Reach::weak}; };
  const auto verdict = [&](bool strong, auto&& tell) {
    OnlineChecker checker({OnlineModel::wo, 100});
    checker.write({9, 0, x, word, 0, by(strong)});
    tell(checker);
    return checker.violation() == nullptr;
  };
  // What is told first is performed first; the steps say what comes first in the program.
  for (const bool strong : {false, true}) {
    const auto at = [&](std::uint64_t step) { return OnlineAccess{0, step, x, word, 0, by(strong)}; };
    EXPECT_EQ(verdict(strong, [&](OnlineChecker& c) { c.read(at(1), 1), c.read(at(2), 0); }), !strong);  // CoRR
    EXPECT_TRUE(verdict(strong, [&](OnlineChecker& c) { c.read(at(2), 1), c.read(at(1), 0); }));
    EXPECT_FALSE(verdict(strong, [&](OnlineChecker& c) { c.write(at(1)), c.read(at(2), 1); }));  // CoWR
    EXPECT_TRUE(verdict(strong, [&](OnlineChecker& c) { c.write(at(2)), c.read(at(1), 1); }));
    EXPECT_FALSE(verdict(strong, [&](OnlineChecker& c) { c.write(at(2)), c.read(at(1), 2); }));  // CoRW
    EXPECT_FALSE(verdict(strong, [&](OnlineChecker& c) { c.write(at(2)), c.write(at(1)); }));    // CoWW
    EXPECT_TRUE(verdict(strong, [&](OnlineChecker& c) { c.write(at(1)), c.write(at(2)); }));
    EXPECT_EQ(verdict(strong,
                      [&](OnlineChecker& c) {  // CoRW: what another has written behind the thread's own write
                        c.write(at(2));
                        c.write({8, 0, x, word, 0, by(strong)});
                        c.read(at(1), 3);
                      }),
              !strong);
  }
}

/// A copy that is old in some bytes and has its SM's store of others; each two of the three accesses share other bytes.
TEST(OnlineWo, AnAccessIsOneToEachOfItsBytes) {
  const auto a = base::ByteMask::range(0, 4), b = base::ByteMask::range(4, 4), c = base::ByteMask::range(8, 4);
  for (const OnlineModel model : {OnlineModel::wo, OnlineModel::sc}) {
    OnlineChecker checker({model, 100});
    checker.write({0, 0, x, a | b});
    checker.write({1, 0, x, b | c});
    checker.read({2, 0, x, a | c}, {{c, 2, 0}, {a, 0, 0}});
    EXPECT_EQ(checker.violation(), nullptr);
  }
}

TEST(OnlineWo, FencesJoinTheBytesOfAnAccess) {
  const auto a = base::ByteMask::range(0, 4), b = base::ByteMask::range(4, 4);
  for (const bool fenced : {false, true}) {
    OnlineChecker checker({OnlineModel::wo, 100});
    checker.write({0, 0, x, a | b});
    if (fenced) checker.fence({0, 1, x, {}});
    checker.read({0, 2, y, a | b}, 0);
    checker.write({1, 0, y, a});
    checker.write({2, 0, y, b});
    if (fenced) checker.fence({1, 1, x, {}}), checker.fence({2, 1, x, {}});
    checker.read({1, 2, x, b}, 0);
    EXPECT_EQ(checker.violation() == nullptr, !fenced);
  }
}

/// A read that is made at two versions, between fences: the parts are ordered each for itself, and with the fences.
TEST(OnlineWo, ASplitAccessKeepsItsPlaceBetweenFences) {
  const auto a = base::ByteMask::range(0, 4), b = base::ByteMask::range(4, 4);
  for (const LineVersion late : {0U, 1U}) {
    OnlineChecker checker({OnlineModel::wo, 100});
    checker.write({0, 0, x, a | b});
    checker.write({1, 0, x, b});
    checker.read({2, 0, x, a | b}, {{b, 2, 0}, {a, 0, 0}});
    EXPECT_EQ(checker.violation(), nullptr);
    checker.fence({2, 1, x, {}});
    checker.read({2, 2, y, a}, 0);
    checker.write({3, 0, y, a});
    checker.fence({3, 1, x, {}});
    checker.read({3, 2, x, b}, late);
    EXPECT_EQ(checker.violation() == nullptr, false) << "version 2 of the second word is behind the fence";
  }
}

TEST(DynamicOrder, KeepsEdgesAgainstTheOrder) {
  DynamicOrder order;
  std::vector<DynamicOrder::Node> nodes;
  for (int i = 0; i < 200; ++i) nodes.push_back(order.add());
  for (std::size_t i = 199; i > 0; --i)
    ASSERT_EQ(order.insert(nodes[i], nodes[i - 1], OrderReason::fence), DynamicOrder::Insertion::done);
  EXPECT_EQ(order.first(), nodes[199]);
  EXPECT_EQ(order.insert(nodes[0], nodes[100], OrderReason::fence), DynamicOrder::Insertion::cycle);
  EXPECT_EQ(order.cycle().size(), 101U);
  EXPECT_GT(order.moved(), 0U);
  order.forget_first();
  EXPECT_EQ(order.first(), nodes[198]);
  EXPECT_EQ(order.insert(nodes[0], nodes[199], OrderReason::fence), DynamicOrder::Insertion::forgotten);
}

}  // namespace
}  // namespace syncline::consistency
