// Judging histories by inference: the classic shapes, and random small histories against the judgement that tries every
// order of the writes and of the fences.
#include "consistency/history.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "consistency/model.h"

namespace syncline::consistency {
namespace {

using Kind = Access::Kind;

Access read(unsigned thread, unsigned location, std::uint32_t value, Semantics semantics = Semantics::relaxed) {
  return {Kind::read, thread, location, value, 0, semantics};
}
Access write(unsigned thread, unsigned location, std::uint32_t value, Semantics semantics = Semantics::relaxed) {
  return {Kind::write, thread, location, 0, value, semantics};
}
Access add(unsigned thread, unsigned location, std::uint32_t before) {
  return {Kind::update, thread, location, before, before + 1, Semantics::relaxed};
}
Access fence(unsigned thread) {
  return {Kind::fence, thread, 0, 0, 0, Semantics::sc};
}
History history(std::vector<Access> accesses) {
  return {std::move(accesses), {{0, {}}, {0, {}}}};
}
constexpr unsigned x = 0, y = 1;

TEST(Histories, StoreBufferingIsWeakAndFencesForbidIt) {
  const History plain = history({write(0, x, 1), read(0, y, 0), write(1, y, 1), read(1, x, 0)});
  EXPECT_TRUE(contradicts_sc(plain));
  EXPECT_FALSE(contradicts_ptx75(plain));
  const History fenced = history({write(0, x, 1), fence(0), read(0, y, 0), write(1, y, 1), fence(1), read(1, x, 0)});
  const auto found = contradicts_ptx75(fenced);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, "no order of the fences explains what was read");
}

TEST(Histories, MessagePassingNeedsAReleaseAndAnAcquire) {
  const History plain = history({write(0, x, 1), write(0, y, 1), read(1, y, 1), read(1, x, 0)});
  EXPECT_TRUE(contradicts_sc(plain));
  EXPECT_FALSE(contradicts_ptx75(plain));
  EXPECT_TRUE(contradicts_ptx75(history({write(0, x, 1), write(0, y, 1, Semantics::release),
                                         read(1, y, 1, Semantics::acquire), read(1, x, 0, Semantics::weak)})));
}

TEST(Histories, StrongReadsOfOneLocationNeverGoBack) {
  const std::vector<Access> back{write(0, x, 1), read(1, x, 1), read(1, x, 0)};
  EXPECT_TRUE(contradicts_ptx75(history(back)));
  const std::vector<Access> weak{write(0, x, 1), read(1, x, 1, Semantics::weak), read(1, x, 0, Semantics::weak)};
  EXPECT_FALSE(contradicts_ptx75(history(weak)));
  EXPECT_TRUE(contradicts_sc(history(weak)));
}

TEST(Histories, ReadersAgreeOnTheOrderOfWrites) {
  const History split =
      history({write(0, x, 1), write(1, x, 2), read(2, x, 1), read(2, x, 2), read(3, x, 2), read(3, x, 1)});
  EXPECT_TRUE(contradicts_sc(split));
  EXPECT_TRUE(contradicts_ptx75(split));
}

TEST(Histories, TwoAtomicsNeverReturnTheSame) {
  const auto found = contradicts_ptx75(history({add(0, x, 0), add(1, x, 0)}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, "two atomics returned the same value");
  EXPECT_EQ(found->accesses, (std::vector<unsigned>{0, 1}));
  EXPECT_FALSE(contradicts_sc(history({add(0, x, 0), add(1, x, 1), add(0, x, 2)})));
}

TEST(Histories, MemoryEndsWithALastWrite) {
  History h = history({write(0, x, 1), read(1, x, 1), write(1, x, 2)});
  h.locations[x].final = 2;
  EXPECT_FALSE(contradicts_sc(h));
  h.locations[x].final = 1;
  EXPECT_TRUE(contradicts_sc(h));
  EXPECT_TRUE(contradicts_ptx75(h));
}

TEST(Histories, AValueFromNowhereIsTold) {
  const auto found = contradicts_sc(history({read(0, x, 7)}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, "a value was read that nobody wrote");
}

TEST(Histories, EqualWritesCannotBeJudged) {
  EXPECT_THROW(contradicts_sc(history({write(0, x, 1), write(1, x, 1)})), base::ModelError);
}

/// Any small history: reads come from any write to their location.
class AnyHistory {
 public:
  explicit AnyHistory(std::uint64_t seed) : random_(seed, "history") {
    const unsigned threads = 2 + random_.below(2);
    for (unsigned t = 0; t < threads; ++t) {
      for (unsigned left = 1 + random_.below(4); left > 0; --left) add_access(t);
    }
    for (Access& a : history.accesses) {
      if (!a.reads()) continue;
      std::vector<std::uint32_t> values{0};
      for (const Access& other : history.accesses) {
        if (other.writes() && other.location == a.location && &other != &a) values.push_back(other.written);
      }
      a.returned = values[random_.below(static_cast<std::uint32_t>(values.size()))];
    }
  }

  /// The same as an execution of a litmus test.
  Execution execution() const {
    Execution e;
    std::vector<std::vector<std::pair<std::uint32_t, unsigned>>> writers(2);
    std::vector<std::pair<unsigned, const Access*>> reads;
    for (unsigned location = 0; location < 2; ++location) {
      Event initial;
      initial.kind = Event::Kind::write;
      initial.location = location;
      writers[location].emplace_back(0, e.add(initial));
    }
    for (const Access& a : history.accesses) {
      Event event;
      event.thread = a.thread;
      event.location = a.location;
      event.scope = Scope::gpu;
      event.semantics = a.semantics;
      if (a.kind == Kind::fence) {
        event.kind = Event::Kind::fence;
        e.add(event);
        continue;
      }
      unsigned reader = 0;
      if (a.reads()) {
        if (a.writes() && a.semantics == Semantics::acq_rel) event.semantics = Semantics::acquire;
        event.kind = Event::Kind::read;
        reads.emplace_back(reader = e.add(event), &a);
      }
      if (a.writes()) {
        event.semantics = a.semantics == Semantics::acq_rel ? Semantics::release : a.semantics;
        event.kind = Event::Kind::write;
        const unsigned writer = e.add(event);
        writers[a.location].emplace_back(a.written, writer);
        if (a.reads()) e.rmw.add(reader, writer);
      }
    }
    for (unsigned t = 0; t < 3; ++t) e.places.push_back({t, 0});
    for (const auto& [reader, a] : reads) {
      for (const auto& [value, writer] : writers[a->location]) {
        if (value == a->returned) e.rf.add(writer, reader);
      }
    }
    return e;
  }

  History history{{}, {{0, {}}, {0, {}}}};

 private:
  void add_access(unsigned thread) {
    Access a;
    a.thread = thread;
    a.location = random_.below(2);
    switch (random_.below(8)) {
      case 0:
        history.accesses.push_back(fence(thread));
        return;
      case 1:
        a.kind = Kind::update;
        a.semantics = random_.below(2) == 0 ? Semantics::relaxed : Semantics::acq_rel;
        break;
      case 2:
      case 3:
      case 4:
        a.kind = Kind::write;
        a.semantics = random_.below(3) == 0 ? Semantics::release : Semantics::relaxed;
        break;
      default: {
        constexpr Semantics all[] = {Semantics::weak, Semantics::relaxed, Semantics::acquire};
        a.semantics = all[random_.below(3)];
        break;
      }
    }
    if (a.writes()) a.written = ++values_;
    history.accesses.push_back(a);
  }

  base::Random random_;
  std::uint32_t values_ = 0;
};

struct Agreement {
  unsigned allowed = 0, forbidden = 0, missed = 0;
};

template <class Contradicts>
Agreement compare(Model model, unsigned histories, Contradicts&& contradicts) {
  Agreement agreement;
  for (unsigned seed = 0; seed < histories; ++seed) {
    const AnyHistory any(seed);
    const bool allowed = judge(any.execution(), model).allowed();
    const bool found = contradicts(any.history).has_value();
    EXPECT_FALSE(found && allowed) << "history " << seed << " is allowed";
    ++(allowed ? agreement.allowed : agreement.forbidden);
    agreement.missed += !allowed && !found ? 1 : 0;
  }
  return agreement;
}

TEST(Histories, InferenceAgreesWithAllOrdersUnderSc) {
  const Agreement agreement = compare(Model::sc, 4000, contradicts_sc);
  EXPECT_GT(agreement.allowed, 800U);
  EXPECT_GT(agreement.forbidden, 800U);
  EXPECT_EQ(agreement.missed, 0U);
}

TEST(Histories, InferenceAgreesWithAllOrdersUnderPtx) {
  const Agreement agreement = compare(Model::ptx75, 4000, contradicts_ptx75);
  EXPECT_GT(agreement.allowed, 800U);
  EXPECT_GT(agreement.forbidden, 800U);
  EXPECT_EQ(agreement.missed, 0U);
}

}  // namespace
}  // namespace syncline::consistency
