// The online checker against the axioms, on random executions.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/unit/consistency/random_execution.h"

namespace syncline::consistency {
namespace {

bool finds(const RandomExecution& random, OnlineModel model, std::size_t window = 1000) {
  OnlineChecker checker({model, window});
  tell(random, checker);
  return checker.violation() != nullptr;
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

/// The words of an access have no order among themselves, here as little as in the model, which has one event for each
/// and joins them by program order with what is before and behind.
TEST(OnlineSc, WhatItFindsOfSeveralWordsTheAxiomsForbid) {
  unsigned found = 0, forbidden = 0;
  EXPECT_TRUE(rc::check([&] {
    const RandomExecution random = any_execution(RandomExecution::words);
    const bool is_forbidden = !judged_by_axioms(random, Model::sc).allowed();
    const bool is_found = finds(random, OnlineModel::sc);
    if (is_found) RC_ASSERT(is_forbidden);
    found += is_found ? 1 : 0;
    forbidden += is_forbidden ? 1 : 0;
  }));
  EXPECT_GT(found, 10U);
  EXPECT_GE(forbidden, found);
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
    const RandomExecution random = any_execution(RandomExecution::words);
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
        RC_ASSERT(a.access.bytes.overlaps(b.access.bytes));
        RC_ASSERT((a.kind != OnlineKind::read || b.kind != OnlineKind::read));
        RC_ASSERT((a.kind == OnlineKind::read) == (a.reason == OrderReason::from_reads));
      }
    }
  }));
}

/// Executions of which `make` is one: what the checker finds is forbidden. Returns how many it found, of how many.
template <class Make>
std::pair<unsigned, unsigned> compare_with_ptx(Make&& make) {
  unsigned found = 0, forbidden = 0;
  EXPECT_TRUE(rc::check([&] {
    RandomExecution random = make();
    const bool is_forbidden = !judged_by_axioms(random, Model::ptx75).allowed();
    RC_LOG() << text_of(random);
    const bool is_found = finds(random, OnlineModel::wo, *rc::gen::element<std::size_t>(2, 4, 1000));
    if (is_found) RC_ASSERT(is_forbidden);
    found += is_found ? 1 : 0;
    forbidden += is_forbidden ? 1 : 0;
  }));
  return {found, forbidden};
}

TEST(OnlineWo, WhatItFindsThePtxModelForbids) {
  const auto [found, forbidden] = compare_with_ptx([] {
    RandomExecution random = any_execution(*rc::gen::inRange(1U, 3U));
    weaken(random);
    return random;
  });
  EXPECT_GT(found, 5U);
  EXPECT_GE(forbidden, found);
}

TEST(OnlineWo, WhatItFindsAcrossBarriersThePtxModelForbids) {
  const auto [found, forbidden] = compare_with_ptx([] {
    RandomExecution random = any_execution();
    meet(random);
    delay(random);
    return random;
  });
  EXPECT_GT(found, 5U);
  EXPECT_GE(forbidden, found);
}

TEST(OnlineWo, WhatItFindsOfAcquiresAndReleasesThePtxModelForbids) {
  const auto [found, forbidden] = compare_with_ptx([] {
    RandomExecution random = any_execution();
    synchronize(random);
    if (*rc::gen::arbitrary<bool>()) meet(random);
    delay(random);
    return random;
  });
  EXPECT_GT(found, 5U);
  EXPECT_GE(forbidden, found);
}

/// Of accesses that are told in program order nothing else is forbidden: barriers, acquires and releases of all scopes,
/// and fences that are not fence.sc. Patterns of two accesses are not followed.
TEST(OnlineWo, AgreesWithTheAxiomsOnCausality) {
  unsigned allowed = 0, forbidden = 0;
  EXPECT_TRUE(rc::check([&] {
    RandomExecution random = any_execution();
    synchronize(random);
    if (*rc::gen::arbitrary<bool>()) meet(random);
    for (unsigned i = 0; i < random.items.size(); ++i) {
      auto& item = random.items[i];
      if (item.semantics == Semantics::sc) item.semantics = Semantics::acq_rel;
      if (item.read_of[0] > i) item.read_of[0] = 0;  // of writes to come the thread's own order is not asked
    }
    RC_PRE(!has_patterns_of_two_accesses(random));
    const bool is_allowed = judged_by_axioms(random, Model::ptx75).allowed();
    RC_LOG() << text_of(random);
    RC_ASSERT(finds(random, OnlineModel::wo) == !is_allowed);
    ++(is_allowed ? allowed : forbidden);
  }));
  EXPECT_GT(allowed, 10U);
  EXPECT_GT(forbidden, 2U);
}

TEST(OnlineWo, FencesEverywhereGiveSequentialConsistency) {
  EXPECT_TRUE(rc::check([] {
    const RandomExecution random = any_execution();
    OnlineChecker checker({OnlineModel::wo, 1000});
    std::vector<LineVersion> versions(random.items.size() + 1);
    for (unsigned i = 0; i < random.items.size(); ++i) {
      const auto& item = random.items[i];
      const base::ByteMask word = RandomExecution::bytes(1);
      const OnlineAccess access{item.thread, 2 * i, item.line, word, i};
      const unsigned of = item.read_of[0];
      if (item.kind == OnlineKind::read)
        checker.read(access, {{word, versions[of], of > i ? of : 0U}});
      else
        versions[i + 1] = item.kind == OnlineKind::write ? checker.write(access, i + 1) : checker.atomic(access, i + 1);
      checker.fence({item.thread, 2 * i + 1, 0, {}, 0, {Reach::all, 0, 0, true, true}});
    }
    RC_ASSERT((checker.violation() == nullptr) == judged_by_axioms(random, Model::sc).allowed());
  }));
}

}  // namespace
}  // namespace syncline::consistency
