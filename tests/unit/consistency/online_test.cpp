// The online checker on the classic shapes, on forgetting, and against the axioms on random executions.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "consistency/model.h"
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

TEST(OnlineWo, ALocationIsCoherentForEachThread) {
  const auto word = Words::word;
  const auto verdict = [&](bool strong, auto&& tell) {
    OnlineChecker checker({OnlineModel::wo, 100});
    checker.write({9, 0, x, word, 0, strong});
    tell(checker);
    return checker.violation() == nullptr;
  };
  // What is told first is performed first; the steps say what comes first in the program.
  for (const bool strong : {false, true}) {
    const auto at = [&](std::uint64_t step) { return OnlineAccess{0, step, x, word, 0, strong}; };
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
                        c.write({8, 0, x, word, 0, strong});
                        c.read(at(1), 3);
                      }),
              !strong);
  }
}

/// A random execution: which thread does what, in which order it is performed, and what it reads.
struct RandomExecution {
  struct Item {
    unsigned thread;
    OnlineKind kind;  ///< join: a barrier of the CTA of threads 0 and 1
    std::uint64_t line;
    unsigned id;       ///< of a write, from 1
    unsigned read_of;  ///< of a read: id of the write, 0 the initial one
    std::uint64_t step = 0;
    bool strong = true;
  };
  std::vector<Item> items;  ///< as performed

  BarrierPhase phase_of(const Item& item) const {
    if (item.thread > 1) return {};
    const auto met = std::count_if(items.begin(), items.end(), [&](const Item& other) {
      return other.kind == OnlineKind::join && other.step < item.step;
    });
    return {1, static_cast<std::uint32_t>(met)};
  }
};

RandomExecution any_execution() {
  RandomExecution e;
  const unsigned threads = *rc::gen::inRange(2U, 5U);
  const unsigned length = *rc::gen::inRange(4U, 13U);
  for (unsigned i = 0; i < length; ++i) {
    RandomExecution::Item item;
    item.thread = *rc::gen::inRange(0U, threads);
    item.kind = *rc::gen::element(OnlineKind::read, OnlineKind::read, OnlineKind::read, OnlineKind::write,
                                  OnlineKind::write, OnlineKind::atomic);
    item.line = *rc::gen::inRange(0U, 2U);
    item.id = i + 1;
    item.read_of = 0;
    item.step = i;
    e.items.push_back(item);
  }
  const bool may_read_early = *rc::gen::inRange(0, 4) == 0;
  for (unsigned i = 0; i < length; ++i) {
    if (e.items[i].kind != OnlineKind::read) continue;
    std::vector<unsigned> sources{0};
    for (unsigned j = 0; j < length; ++j) {
      if (e.items[j].kind != OnlineKind::read && e.items[j].line == e.items[i].line && (j < i || may_read_early))
        sources.push_back(j + 1);
    }
    // The newest more often than not, or else hardly any execution were consistent.
    e.items[i].read_of = *rc::gen::inRange(0, 3) == 0 ? *rc::gen::elementOf(sources) : sources.back();
  }
  return e;
}

/// Some items become fences, and between fences of its thread an item may change places with another.
void weaken(RandomExecution& random) {
  auto& items = random.items;
  unsigned fences = 0;
  for (auto& item : items) {
    if (item.kind != OnlineKind::read || *rc::gen::inRange(0, 3) != 0 || fences == 4) continue;
    item.kind = OnlineKind::fence;
    ++fences;
  }
  for (unsigned i = 0; i < items.size(); ++i) {
    if (items[i].kind == OnlineKind::fence) continue;
    for (unsigned j = i + 1; j < items.size(); ++j) {
      if (items[j].thread != items[i].thread) continue;
      if (items[j].kind == OnlineKind::fence) break;
      if (*rc::gen::inRange(0, 4) == 0) std::swap(items[i].step, items[j].step);
    }
  }
}

/// Some items become barriers, some reads weak.
void meet(RandomExecution& random) {
  auto& items = random.items;
  unsigned barriers = 0;
  for (auto& item : items) {
    if (item.kind == OnlineKind::read && *rc::gen::inRange(0, 3) == 0 && barriers < 3) {
      item.kind = OnlineKind::join;
      ++barriers;
    } else if (item.kind == OnlineKind::read) {
      item.strong = *rc::gen::arbitrary<bool>();
    }
  }
}

/// Items of a thread change places, across barriers, too.
void delay(RandomExecution& random) {
  auto& items = random.items;
  for (unsigned i = 0; i < items.size(); ++i) {
    for (unsigned j = i + 1; j < items.size(); ++j) {
      if (items[i].kind == OnlineKind::join || items[j].kind == OnlineKind::join) continue;
      if (items[j].thread == items[i].thread && *rc::gen::inRange(0, 6) == 0) std::swap(items[i].step, items[j].step);
    }
  }
}

Verdict judged_by_axioms(const RandomExecution& random, Model model) {
  Execution e;
  for (unsigned thread = 0; thread < 4; ++thread) e.places.push_back({std::max(thread, 1U), 0});
  unsigned initial[2], last[2];
  for (unsigned line = 0; line < 2; ++line) {
    Event w;
    w.kind = Event::Kind::write;
    w.location = line;
    initial[line] = last[line] = e.add(w);
  }
  std::vector<unsigned> write_event(random.items.size() + 1), read_event(random.items.size() + 1);
  std::vector<unsigned> order(random.items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](unsigned a, unsigned b) { return random.items[a].step < random.items[b].step; });
  for (const unsigned i : order) {
    const auto& item = random.items[i];
    Event event;
    event.thread = item.thread;
    event.location = static_cast<unsigned>(item.line);
    event.semantics = item.kind == OnlineKind::fence ? Semantics::sc : Semantics::relaxed;
    event.scope = Scope::gpu;
    if (!item.strong) event.semantics = Semantics::weak;
    if (item.kind == OnlineKind::join) {
      event.kind = Event::Kind::barrier;
      event.semantics = Semantics::weak;
      event.instance = i;
      for (event.thread = 0; event.thread < 2; ++event.thread) e.add(event);
      continue;
    }
    if (item.kind == OnlineKind::fence) {
      event.kind = Event::Kind::fence;
      e.add(event);
      continue;
    }
    if (item.kind != OnlineKind::write) {
      event.kind = Event::Kind::read;
      read_event[i] = e.add(event);
    }
    if (item.kind != OnlineKind::read) {
      event.kind = Event::Kind::write;
      write_event[i + 1] = e.add(event);
    }
    if (item.kind == OnlineKind::atomic) e.rmw.add(read_event[i], write_event[i + 1]);
  }
  Relation co(static_cast<unsigned>(e.events.size()));
  for (unsigned i = 0; i < random.items.size(); ++i) {
    const auto& item = random.items[i];
    if (item.kind == OnlineKind::fence || item.kind == OnlineKind::join) continue;
    if (item.kind == OnlineKind::read) {
      e.rf.add(item.read_of == 0 ? initial[item.line] : write_event[item.read_of], read_event[i]);
      continue;
    }
    if (item.kind == OnlineKind::atomic) e.rf.add(last[item.line], read_event[i]);
    co.add(last[item.line], write_event[i + 1]);
    last[item.line] = write_event[i + 1];
  }
  e.co = co.closure();
  return judge(e, model);
}

/// The same, told to the online checker.
void tell(const RandomExecution& random, OnlineChecker& checker) {
  std::vector<LineVersion> versions(random.items.size() + 1);
  std::vector<bool> performed(random.items.size() + 1);
  performed[0] = true;
  for (unsigned i = 0; i < random.items.size(); ++i) {
    const auto& item = random.items[i];
    const OnlineAccess access{item.thread, item.step, item.line, Words::word, i, item.strong, random.phase_of(item)};
    if (item.kind == OnlineKind::join) continue;
    if (item.kind == OnlineKind::fence) {
      checker.fence(access);
    } else if (item.kind == OnlineKind::read) {
      checker.read(access, {{Words::word, versions[item.read_of], performed[item.read_of] ? 0U : item.read_of}});
    } else {
      versions[i + 1] = item.kind == OnlineKind::write ? checker.write(access, i + 1) : checker.atomic(access, i + 1);
      performed[i + 1] = true;
    }
  }
}

TEST(OnlineSc, AgreesWithTheAxioms) {
  unsigned allowed = 0, forbidden = 0;
  EXPECT_TRUE(rc::check([&] {
    const RandomExecution random = any_execution();
    OnlineChecker checker({OnlineModel::sc, 1000});
    tell(random, checker);
    const bool is_allowed = judged_by_axioms(random, Model::sc).allowed();
    RC_ASSERT((checker.violation() == nullptr) == is_allowed);
    RC_ASSERT(checker.counts().not_judged == 0U);
    ++(is_allowed ? allowed : forbidden);
  }));
  EXPECT_GT(allowed, 10U);
  EXPECT_GT(forbidden, 10U);
}

TEST(OnlineSc, ForgettingMakesNoViolationAndHidesNoneSilently) {
  EXPECT_TRUE(rc::check([] {
    const RandomExecution random = any_execution();
    OnlineChecker checker({OnlineModel::sc, *rc::gen::inRange<std::size_t>(1, 5)});
    tell(random, checker);
    const bool is_allowed = judged_by_axioms(random, Model::sc).allowed();
    if (checker.violation() != nullptr) RC_ASSERT(!is_allowed);
    if (!is_allowed && checker.violation() == nullptr) RC_ASSERT(checker.counts().not_judged != 0U);
  }));
}

/// A violation is a cycle whose edges are what they say.
TEST(OnlineSc, TheCycleIsOne) {
  EXPECT_TRUE(rc::check([] {
    const RandomExecution random = any_execution();
    OnlineChecker checker({OnlineModel::sc, 1000});
    tell(random, checker);
    if (checker.violation() == nullptr) return;
    const auto& steps = checker.violation()->steps;
    RC_ASSERT(!steps.empty());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto& a = steps[i];
      const auto& b = steps[(i + 1) % steps.size()];
      if (a.reason == OrderReason::program_order) {
        RC_ASSERT(a.access.thread == b.access.thread);
        RC_ASSERT(a.access.step < b.access.step);
      } else {
        RC_ASSERT(a.access.line == b.access.line);
        RC_ASSERT((a.kind != OnlineKind::read || b.kind != OnlineKind::read));
        RC_ASSERT((a.kind == OnlineKind::read) == (a.reason == OrderReason::from_reads));
      }
    }
  }));
}

TEST(OnlineWo, WhatItFindsThePtxModelForbids) {
  unsigned found = 0, forbidden = 0;
  EXPECT_TRUE(rc::check([&] {
    RandomExecution random = any_execution();
    weaken(random);
    OnlineChecker checker({OnlineModel::wo, *rc::gen::element<std::size_t>(2, 1000)});
    tell(random, checker);
    const bool is_forbidden = !judged_by_axioms(random, Model::ptx75).allowed();
    if (checker.violation() != nullptr) RC_ASSERT(is_forbidden);
    found += checker.violation() != nullptr ? 1 : 0;
    forbidden += is_forbidden ? 1 : 0;
  }));
  EXPECT_GT(found, 5U);
  EXPECT_GE(forbidden, found);
}

TEST(OnlineWo, WhatItFindsAcrossBarriersThePtxModelForbids) {
  unsigned found = 0;
  EXPECT_TRUE(rc::check([&] {
    RandomExecution random = any_execution();
    meet(random);
    delay(random);
    OnlineChecker checker({OnlineModel::wo, *rc::gen::element<std::size_t>(2, 4, 1000)});
    tell(random, checker);
    if (checker.violation() == nullptr) return;
    RC_ASSERT(!judged_by_axioms(random, Model::ptx75).allowed());
    const auto& steps = checker.violation()->steps;
    found += steps.front().reason == OrderReason::barrier ? 1 : 0;
  }));
  EXPECT_GT(found, 2U);
}

/// One CTA and barriers only: then one location at a time is all that the model speaks of.
TEST(OnlineWo, AgreesWithTheAxiomsOnOneCta) {
  unsigned allowed = 0, forbidden = 0;
  EXPECT_TRUE(rc::check([&] {
    RandomExecution random = any_execution();
    meet(random);
    for (unsigned i = 0; i < random.items.size(); ++i) {
      auto& item = random.items[i];
      item.thread %= 2;
      item.strong = true;
      if (item.read_of > i) item.read_of = 0;  // of writes to come the thread's own order is not asked
    }
    OnlineChecker checker({OnlineModel::wo, 1000});
    tell(random, checker);
    const bool is_allowed = judged_by_axioms(random, Model::ptx75).allowed();
    RC_ASSERT((checker.violation() == nullptr) == is_allowed);
    ++(is_allowed ? allowed : forbidden);
  }));
  EXPECT_GT(allowed, 10U);
  EXPECT_GT(forbidden, 10U);
}

TEST(OnlineWo, FencesEverywhereGiveSequentialConsistency) {
  EXPECT_TRUE(rc::check([] {
    const RandomExecution random = any_execution();
    OnlineChecker checker({OnlineModel::wo, 1000});
    std::vector<LineVersion> versions(random.items.size() + 1);
    for (unsigned i = 0; i < random.items.size(); ++i) {
      const auto& item = random.items[i];
      const OnlineAccess access{item.thread, 2 * i, item.line, Words::word, i};
      if (item.kind == OnlineKind::read)
        checker.read(access, {{Words::word, versions[item.read_of], item.read_of > i ? item.read_of : 0U}});
      else
        versions[i + 1] = item.kind == OnlineKind::write ? checker.write(access, i + 1) : checker.atomic(access, i + 1);
      checker.fence({item.thread, 2 * i + 1, 0, {}});
    }
    RC_ASSERT((checker.violation() == nullptr) == judged_by_axioms(random, Model::sc).allowed());
  }));
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
