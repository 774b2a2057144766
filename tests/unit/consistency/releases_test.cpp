// What releases and acquires order at one location, as the online checker judges it: with whom, and what early writes
// hand over.
#include <gtest/gtest.h>

#include <algorithm>

#include "consistency/online/online_checker.h"

namespace syncline::consistency {
namespace {

constexpr std::uint64_t x = 0, y = 1;
const base::ByteMask low = base::ByteMask::range(0, 4);

/// Threads of CTAs of their own, but for those whose number is below 2.
class Threads {
 public:
  void st(std::uint32_t thread, std::uint64_t line, const Manner& manner) {
    checker.write({thread, steps_++, line, low, 0, placed(thread, manner)});
  }
  void add(std::uint32_t thread, std::uint64_t line, const Manner& manner, bool returns = true) {
    checker.atomic({thread, steps_++, line, low, 0, placed(thread, manner), returns});
  }
  void ld(std::uint32_t thread, std::uint64_t line, LineVersion version, const Manner& manner) {
    checker.read({thread, steps_++, line, low, 0, placed(thread, manner)}, version);
  }
  void fence(std::uint32_t thread, const Manner& manner) {
    checker.fence({thread, steps_++, 0, {}, 0, placed(thread, manner)}, false);
  }
  bool consistent() const { return checker.violation() == nullptr; }

  OnlineChecker checker{{OnlineModel::wo, 1000}};

 private:
  static Manner placed(std::uint32_t thread, Manner manner) {
    manner.cta = std::max(thread, 1U);
    manner.gpu = thread < 4 ? 1 : 2;
    return manner;
  }
  std::uint64_t steps_ = 0;
};

constexpr Manner weak{Reach::weak}, relaxed{Reach::all}, near{Reach::cta};
constexpr Manner acquire{Reach::all, 0, 0, true}, release{Reach::all, 0, 0, false, true};
constexpr Manner both_ways{Reach::all, 0, 0, true, true};
constexpr Manner acquire_near{Reach::cta, 0, 0, true}, release_near{Reach::cta, 0, 0, false, true};
constexpr Manner acquire_gpu{Reach::gpu, 0, 0, true}, release_gpu{Reach::gpu, 0, 0, false, true};

/// Message passing: whether the data may be old where the flag is `written` and `read` so.
bool may_be_old(std::uint32_t writer, const Manner& written, std::uint32_t reader, const Manner& read) {
  Threads t;
  t.st(writer, x, weak);
  t.st(writer, y, written);
  t.ld(reader, y, 1, read);
  t.ld(reader, x, 0, weak);
  return t.consistent();
}

TEST(Releases, AnAcquireSeesWhatWasReleased) {
  EXPECT_FALSE(may_be_old(2, release, 3, acquire));
  EXPECT_TRUE(may_be_old(2, relaxed, 3, acquire));
  EXPECT_TRUE(may_be_old(2, release, 3, relaxed));
  EXPECT_TRUE(may_be_old(2, release, 3, weak));
}

TEST(Releases, HaveAScope) {
  EXPECT_FALSE(may_be_old(0, release_near, 1, acquire_near));
  EXPECT_FALSE(may_be_old(0, release_near, 1, acquire));
  EXPECT_FALSE(may_be_old(0, release, 1, acquire_near));
  EXPECT_TRUE(may_be_old(0, release_near, 2, acquire));
  EXPECT_TRUE(may_be_old(0, release, 2, acquire_near));
  EXPECT_FALSE(may_be_old(2, release_gpu, 3, acquire_gpu));
  EXPECT_FALSE(may_be_old(2, release_gpu, 3, acquire));
  EXPECT_FALSE(may_be_old(2, release, 3, acquire_gpu));
  EXPECT_FALSE(may_be_old(0, release_near, 1, acquire_gpu));
  EXPECT_TRUE(may_be_old(0, release_near, 2, acquire_gpu));
  EXPECT_TRUE(may_be_old(2, release_gpu, 4, acquire)) << "of another GPU";
  EXPECT_TRUE(may_be_old(2, release, 4, acquire_gpu));
  EXPECT_FALSE(may_be_old(2, release, 4, acquire));
}

/// A wider fence before stays; a wider one behind stands for both.
TEST(Releases, NarrowFencesKeepWhatWiderOnesLetGo) {
  constexpr Manner sys{Reach::all, 0, 0, true, true}, gpu{Reach::gpu, 0, 0, true, true};
  for (const auto& [first, second] : {std::pair{sys, gpu}, {gpu, sys}}) {
    for (const std::uint32_t reader : {3U, 4U}) {
      Threads t;
      t.st(2, x, weak);
      t.fence(2, first);
      constexpr std::uint64_t z = 2;
      t.st(2, z, weak);
      t.fence(2, second);
      t.st(2, y, relaxed);
      t.ld(reader, y, 1, acquire);
      t.ld(reader, z, 0, weak);
      EXPECT_EQ(t.consistent(), reader == 4 && second.reach == Reach::gpu) << "the second fence's";
      t.ld(reader, x, 0, weak);
      EXPECT_FALSE(t.consistent()) << "the first fence's";
    }
  }
}

/// Atomics of both GPUs pass on what the first has let go for its own.
TEST(Releases, AtomicsOfAnotherGpuPassThemOn) {
  for (const std::uint32_t reader : {3U, 5U}) {
    Threads t;
    t.st(2, x, weak);
    t.fence(2, {Reach::gpu, 0, 0, false, true});
    t.add(2, y, relaxed);
    t.add(4, y, both_ways);
    t.ld(reader, y, 2, acquire);
    t.ld(reader, x, 0, weak);
    EXPECT_EQ(t.consistent(), reader == 5);
  }
}

/// And release what they know for their own GPU beside it.
TEST(Releases, AtomicsOfAnotherGpuKeepTheirOwn) {
  constexpr std::uint64_t z = 2;
  Threads t;
  t.fence(3, {Reach::gpu, 0, 0, false, true});
  t.add(3, y, relaxed);
  t.st(4, z, weak);
  t.add(4, y, both_ways);
  t.ld(5, y, 2, acquire_gpu);
  t.ld(5, z, 0, weak);
  EXPECT_FALSE(t.consistent());
}

/// A write that is read before it is performed: who acquires it has what it carries at once.
TEST(Releases, MayBeReadEarly) {
  for (const bool is_announced : {false, true}) {
    Threads t;
    t.st(2, x, weak);
    constexpr std::uint64_t flag = 7;
    const OnlineAccess store{2, 10, y, low, 0, {Reach::gpu, 2, 1, false, true}};
    if (is_announced) t.checker.announce(store, flag);
    t.checker.read({3, 11, y, low, 0, {Reach::gpu, 3, 1, true}}, {{low, 0, flag}});
    t.checker.read({3, 12, x, low, 0, {Reach::weak, 3, 1}}, 0);
    EXPECT_EQ(t.consistent(), !is_announced);
    if (is_announced) continue;
    t.checker.write(store, flag);
    EXPECT_TRUE(t.consistent()) << "what it had when it loaded is not asked again";
  }
}

/// Who is not strong with such a write has nothing of it, whatever a fence lets it carry.
TEST(Releases, AreNothingToWhoeverIsNotReachedWhenReadEarly) {
  constexpr std::uint64_t early = 7;
  for (const std::uint32_t reader : {3U, 4U}) {
    Threads t;
    t.st(2, x, weak);
    t.fence(2, both_ways);
    t.checker.announce({2, 100, y, low, 0, {Reach::gpu, 2, 1}}, early);
    const std::uint32_t gpu = reader == 3 ? 1 : 2;
    t.checker.read({reader, 101, y, low, 0, {Reach::all, reader, gpu, true}}, {{low, 0, early}});
    t.checker.read({reader, 102, x, low, 0, {Reach::weak, reader, gpu}}, 0);
    EXPECT_EQ(t.consistent(), reader == 4);
  }
}

/// One that is told when it is performed at last, behind those who have read what came behind it.
TEST(Releases, LetEarlyOnesKnowOfEarlyOnes) {
  constexpr std::uint64_t data = 6, flag = 7;
  const OnlineAccess first{2, 10, x, low, 0, {Reach::weak, 2, 1}};
  const OnlineAccess second{2, 11, y, low, 0, {Reach::gpu, 2, 1, false, true}};
  for (const bool sees_it : {false, true}) {
    Threads t;
    t.checker.announce(first, data);
    t.checker.announce(second, flag);
    t.checker.read({3, 12, y, low, 0, {Reach::gpu, 3, 1, true}}, {{low, 0, flag}});
    t.checker.read({3, 13, x, low, 0, {Reach::weak, 3, 1}}, {{low, 0, sees_it ? data : 0}});
    EXPECT_TRUE(t.consistent());
    t.checker.write(first, data);
    EXPECT_EQ(t.consistent(), sees_it);
  }
}

/// An atomic that is answered before it is performed passes on what it has found.
TEST(Releases, ArePassedOnByEarlyAtomics) {
  constexpr std::uint64_t early = 7;
  constexpr Manner relaxed_gpu{Reach::gpu, 3, 1};
  for (const Manner& of_read : {Manner{Reach::gpu, 1, 1, true}, Manner{Reach::gpu, 9, 2, true}}) {
    Threads t;
    t.st(2, x, weak);
    t.st(2, y, release_gpu);
    t.checker.announce({3, 10, y, low, 0, relaxed_gpu}, early, {{low, 1, 0}});
    t.checker.read({of_read.cta, 11, y, low, 0, of_read}, {{low, 0, early}});
    t.checker.read({of_read.cta, 12, x, low, 0, {Reach::weak, of_read.cta, of_read.gpu}}, 0);
    EXPECT_EQ(t.consistent(), of_read.gpu == 2);
  }
}

TEST(Releases, MayBeFences) {
  for (const bool released : {false, true}) {
    for (const bool acquired : {false, true}) {
      for (const Manner& fence : {both_ways, Manner{Reach::cta, 0, 0, true, true}}) {
        Threads t;
        t.st(2, x, weak);
        if (released) t.fence(2, fence);
        t.st(2, y, relaxed);
        t.ld(3, y, 1, relaxed);
        if (acquired) t.fence(3, fence);
        t.ld(3, x, 0, weak);
        EXPECT_EQ(t.consistent(), !released || !acquired || fence.reach == Reach::cta);
      }
    }
  }
}

TEST(Releases, AtomicsPassThemOn) {
  for (const bool returns : {false, true}) {
    Threads t;
    t.st(2, x, weak);
    t.st(2, y, release);
    t.add(3, y, relaxed, returns);
    t.ld(4, y, 2, acquire);
    t.ld(4, x, 0, weak);
    EXPECT_FALSE(t.consistent());
  }
  Threads ended;
  ended.st(2, x, weak);
  ended.st(2, y, release);
  ended.st(3, y, relaxed);
  ended.ld(4, y, 2, acquire);
  ended.ld(4, x, 0, weak);
  EXPECT_TRUE(ended.consistent()) << "a store does not";
}

TEST(Releases, AReductionAcquiresNothing) {
  for (const bool returns : {false, true}) {
    Threads t;
    t.st(2, x, weak);
    t.st(2, y, release);
    t.add(3, y, acquire, returns);
    t.ld(3, x, 0, weak);
    EXPECT_EQ(t.consistent(), !returns);
  }
}

TEST(Releases, GoOnThroughThreads) {
  for (const bool second : {false, true}) {
    Threads t;  // ISA2
    constexpr std::uint64_t z = 2;
    t.st(2, x, weak);
    t.st(2, y, release);
    t.ld(3, y, 1, acquire);
    t.st(3, z, second ? release : relaxed);
    t.ld(4, z, 1, acquire);
    t.ld(4, x, 0, weak);
    EXPECT_EQ(t.consistent(), !second);
  }
}

/// WRC: who releases tells of what it has observed, if that was strong.
TEST(Releases, TellOfWhatWasObserved) {
  for (const Manner& written : {weak, relaxed}) {
    for (const Manner& observed : {weak, relaxed, near}) {
      Threads t;
      t.st(2, x, written);
      t.ld(3, x, 1, observed);
      t.st(3, y, release);
      t.ld(4, y, 1, acquire);
      t.ld(4, x, 0, weak);
      EXPECT_EQ(t.consistent(), written.reach == Reach::weak || observed.reach != Reach::all);
    }
  }
}

/// As long as the one who observes is in the GPU.
TEST(Releases, TellOfWhatWasObservedInTheGpu) {
  constexpr Manner relaxed_gpu{Reach::gpu};
  for (const std::uint32_t observer : {3U, 4U}) {
    Threads t;
    t.st(2, x, relaxed_gpu);
    t.ld(observer, x, 1, relaxed_gpu);
    t.st(observer, y, release);
    t.ld(5, y, 1, acquire);
    t.ld(5, x, 0, weak);
    EXPECT_EQ(t.consistent(), observer == 4);
  }
}

/// What a fence acquires is what was released to whom it reaches, however wide the load was that has seen it.
TEST(Releases, AreAcquiredByFencesOfTheirScope) {
  constexpr Manner cta{Reach::cta, 0, 0, true}, gpu{Reach::gpu, 0, 0, true}, sys{Reach::all, 0, 0, true};
  for (const std::uint32_t reader : {3U, 4U}) {
    for (const Manner& fence : {cta, gpu, sys}) {
      Threads t;
      t.st(2, x, weak);
      t.st(2, y, release);
      t.ld(reader, y, 1, relaxed);
      t.fence(reader, fence);
      t.ld(reader, x, 0, weak);
      EXPECT_EQ(t.consistent(), fence.reach == Reach::cta || (fence.reach == Reach::gpu && reader == 4));
    }
  }
}

/// Also a load that is told behind the acquire: it was issued before it.
TEST(Releases, AreNothingToWhatCameBeforeTheAcquire) {
  for (const std::uint64_t step : {99U, 101U}) {
    Threads t;
    t.st(2, x, weak);
    t.st(2, y, release);
    t.checker.read({3, 100, y, low, 0, acquire}, 1);
    t.checker.read({3, step, x, low, 0, weak}, 0);
    EXPECT_EQ(t.consistent(), step == 99);
  }
}

TEST(Releases, OrderNothingElse) {
  Threads t;  // IRIW: no fence.sc, so the readers may see the writes in different orders
  t.st(2, x, release);
  t.st(3, y, release);
  t.ld(4, x, 1, acquire);
  t.ld(4, y, 0, acquire);
  t.ld(5, y, 1, acquire);
  t.ld(5, x, 0, acquire);
  EXPECT_TRUE(t.consistent());
}

TEST(Releases, ABarrierIsOne) {
  for (const bool meets : {false, true}) {
    Threads t;
    t.st(0, x, weak);
    if (meets) {
      const auto meeting = t.checker.meet({t.checker.arrive({0, 0}), t.checker.arrive({1, 0})});
      t.checker.leave({1, 0}, meeting);
    }
    t.st(1, y, release);
    t.ld(2, y, 1, acquire);
    t.ld(2, x, 0, weak);
    EXPECT_EQ(t.consistent(), !meets);
  }
}

TEST(VectorClock, KnowsThreadsUpToAStep) {
  const Clock a = VectorClock::with(VectorClock::with(nullptr, 3, 10), 1, 5), b = VectorClock::with(a, 2, 0);
  EXPECT_TRUE(covers(a, 3, 10));
  EXPECT_FALSE(covers(a, 3, 11));
  EXPECT_FALSE(covers(a, 2, 0));
  EXPECT_TRUE(covers(b, 2, 0));
  EXPECT_FALSE(covers(nullptr, 0, 0));
  EXPECT_EQ(VectorClock::join(a, b), b) << "who knows no more adds nothing";
  const Clock joined = VectorClock::join(VectorClock::with(nullptr, 3, 20), b);
  for (const auto& [thread, step] : {std::pair{1U, 5U}, {2U, 0U}, {3U, 20U}}) {
    EXPECT_TRUE(covers(joined, thread, step));
    EXPECT_FALSE(covers(joined, thread, step + 1));
  }
}

}  // namespace
}  // namespace syncline::consistency
