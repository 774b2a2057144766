// Which accesses to shared memory are told as races: those that no chain of barriers orders and whose order shows.
#include "models/gpudet/shared_races.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "base/random.h"

namespace syncline::models {
namespace {

using isa::AccessKind;
using isa::AtomicOp;
using isa::Type;

isa::MemoryAccess access(AccessKind kind, std::uint64_t address, unsigned bytes = 4) {
  isa::MemoryAccess one;
  one.kind = kind;
  one.space = isa::Space::shared;
  one.lanes = 1;
  one.address[0] = address;
  one.element_bytes = one.stride = static_cast<std::uint8_t>(bytes);
  return one;
}
isa::MemoryAccess read(std::uint64_t address, unsigned bytes = 4) {
  return access(AccessKind::load, address, bytes);
}
isa::MemoryAccess write(std::uint64_t address, unsigned bytes = 4) {
  return access(AccessKind::store, address, bytes);
}
isa::MemoryAccess reduction(AtomicOp op, Type type, std::uint64_t address, std::uint32_t operand = 1,
                            unsigned bytes = 4) {
  isa::MemoryAccess one = access(AccessKind::reduction, address, bytes);
  one.atomic = op;
  one.type = type;
  std::memcpy(one.data.data(), &operand, sizeof operand);
  return one;
}

struct SharedRacesTest : ::testing::Test {
  static constexpr unsigned warps = 4;
  SharedRacesTest() { races.start(warps, 4, true); }
  /// These warps come to a barrier and wait for it.
  void meet(unsigned barrier, const std::vector<unsigned>& who, bool whole = false) {
    for (const unsigned warp : who) races.arrived(warp, barrier);
    races.passed(barrier, whole);
    for (const unsigned warp : who) races.opened(warp, barrier);
  }
  /// Two accesses of two warps, one behind the other.
  bool race(const isa::MemoryAccess& first, const isa::MemoryAccess& second) {
    races.start(warps, 4, true);
    EXPECT_FALSE(races.access(0, first));
    return races.access(1, second);
  }
  SharedRaces races;
};

TEST_F(SharedRacesTest, OneOfTwoAccessesHasToWrite) {
  EXPECT_FALSE(race(read(8), read(8)));
  EXPECT_TRUE(race(read(8), write(8)));
  EXPECT_TRUE(race(write(8), read(8)));
  EXPECT_TRUE(race(write(8), write(8)));
  EXPECT_TRUE(race(access(AccessKind::atomic, 8), access(AccessKind::atomic, 8)));
  EXPECT_FALSE(race(write(8), write(12)));
  EXPECT_TRUE(race(write(8, 8), read(12)));
}

TEST_F(SharedRacesTest, ReductionsThatDoTheSameHaveNoOrder) {
  for (const AtomicOp op : {AtomicOp::add, AtomicOp::and_, AtomicOp::or_, AtomicOp::xor_, AtomicOp::min, AtomicOp::max})
    EXPECT_FALSE(race(reduction(op, Type::u32, 0, 3), reduction(op, Type::u32, 0, 5))) << static_cast<int>(op);
  EXPECT_FALSE(race(reduction(AtomicOp::add, Type::u32, 0), reduction(AtomicOp::add, Type::s32, 0)));
  EXPECT_FALSE(race(reduction(AtomicOp::inc, Type::u32, 0, 7), reduction(AtomicOp::inc, Type::u32, 0, 7)));
  EXPECT_TRUE(race(reduction(AtomicOp::inc, Type::u32, 0, 7), reduction(AtomicOp::inc, Type::u32, 0, 9)));
  EXPECT_TRUE(race(reduction(AtomicOp::add, Type::u32, 0), reduction(AtomicOp::and_, Type::u32, 0)));
  EXPECT_TRUE(race(reduction(AtomicOp::min, Type::u32, 0), reduction(AtomicOp::min, Type::s32, 0)));
  EXPECT_TRUE(race(reduction(AtomicOp::add, Type::u64, 0, 1, 8), reduction(AtomicOp::add, Type::u32, 4)));
  for (const Type type : {Type::f32, Type::f16x2, Type::bf16x2})
    EXPECT_TRUE(race(reduction(AtomicOp::add, type, 0), reduction(AtomicOp::add, type, 0))) << "it is rounded";
  EXPECT_TRUE(race(reduction(AtomicOp::cas, Type::b32, 0), reduction(AtomicOp::cas, Type::b32, 0)));
  EXPECT_TRUE(race(reduction(AtomicOp::add, Type::u32, 0), read(0)));
  EXPECT_TRUE(race(read(0), reduction(AtomicOp::add, Type::u32, 0)));
}

TEST_F(SharedRacesTest, LanesThatCountToDifferentBoundsDoDifferentThings) {
  isa::MemoryAccess counting = reduction(AtomicOp::inc, Type::u32, 0, 7);
  counting.lanes = 3;
  const std::uint32_t other = 8;
  std::memcpy(counting.data.data() + 4, &other, sizeof other);
  counting.address[1] = 0;
  EXPECT_TRUE(race(counting, counting));
}

TEST_F(SharedRacesTest, AnotherReductionMayFollowBehindABarrier) {
  EXPECT_FALSE(races.access(0, reduction(AtomicOp::add, Type::u32, 0)));
  EXPECT_FALSE(races.access(1, reduction(AtomicOp::add, Type::u32, 0)));
  meet(1, {0, 1});
  EXPECT_FALSE(races.access(0, reduction(AtomicOp::max, Type::u32, 0)));
  EXPECT_FALSE(races.access(1, reduction(AtomicOp::max, Type::u32, 0)));
  EXPECT_TRUE(races.access(2, reduction(AtomicOp::max, Type::u32, 0))) << "it has not heard of the sum";
}

TEST_F(SharedRacesTest, OnlyWhoWasAtABarrierHasHeard) {
  EXPECT_FALSE(races.access(0, write(0)));
  meet(3, {0, 1});
  EXPECT_FALSE(races.access(1, read(0)));
  EXPECT_TRUE(races.access(2, read(0)));
}

TEST_F(SharedRacesTest, WhatCameBehindTheArrivalIsNotHeardOf) {
  races.arrived(0, 1);
  EXPECT_FALSE(races.access(0, write(0)));
  races.arrived(1, 1);
  races.passed(1, false);
  races.opened(1, 1);
  EXPECT_TRUE(races.access(1, read(0)));
}

TEST_F(SharedRacesTest, NewsPassOn) {
  EXPECT_FALSE(races.access(0, write(0)));
  meet(1, {0, 1});
  meet(2, {1, 2});
  EXPECT_FALSE(races.access(2, write(0)));
  EXPECT_TRUE(races.access(0, read(0))) << "but not back";
}

TEST_F(SharedRacesTest, TheNextPhaseOfABarrierIsAnother) {
  races.arrived(0, 1);
  races.arrived(1, 1);
  races.passed(1, false);  // nobody waits
  EXPECT_FALSE(races.access(0, write(4)));
  races.start(warps, 4, true);
  EXPECT_FALSE(races.access(0, write(0)));
  races.arrived(0, 1);
  races.passed(1, false);
  races.arrived(1, 1);
  races.passed(1, false);
  races.opened(1, 1);
  EXPECT_TRUE(races.access(1, read(0))) << "warp 0 was at the phase before";
}

TEST_F(SharedRacesTest, BehindABarrierOfTheWholeCtaNothingRaces) {
  EXPECT_FALSE(races.access(3, write(0)));  // and ends
  meet(0, {0, 1, 2}, true);
  for (const unsigned warp : {0U, 1U, 2U}) EXPECT_FALSE(races.access(warp, read(0)));
  EXPECT_TRUE(races.access(2, write(0)));
}

TEST_F(SharedRacesTest, BytesOfAWordAreApartWhereAProgramHasSuch) {
  EXPECT_TRUE(race(write(0, 1), write(1, 1)));
  races.start(warps, 1, true);
  EXPECT_FALSE(races.access(0, write(0, 1)));
  EXPECT_FALSE(races.access(1, write(1, 1)));
  EXPECT_FALSE(races.access(2, write(2, 2)));
  EXPECT_TRUE(races.access(3, read(0)));
}

TEST_F(SharedRacesTest, AVectorWithGapsLeavesThemAlone) {
  isa::MemoryAccess vector = write(0, 4);
  vector.elements = 4;
  vector.stride = 16;
  vector.skipped = 0b0110;
  EXPECT_FALSE(race(vector, write(4, 4)));
  EXPECT_FALSE(race(vector, write(8, 4)));
  EXPECT_TRUE(race(vector, write(12, 4)));
}

/// All accesses with all clocks, compared each with each.
class Everything {
 public:
  explicit Everything(unsigned warps) : heard_(warps, std::vector<unsigned>(warps, 0)) {
    for (unsigned warp = 0; warp < warps; ++warp) heard_[warp][warp] = 1;
  }
  void arrived(unsigned warp, unsigned barrier) {
    auto& told = told_[barrier];
    told.resize(heard_.size());
    for (unsigned i = 0; i < heard_.size(); ++i) told[i] = std::max(told[i], heard_[warp][i]);
    ++heard_[warp][warp];
  }
  void passed(unsigned barrier, const std::vector<unsigned>& waited) {
    for (const unsigned warp : waited) {
      for (unsigned i = 0; i < heard_.size(); ++i) heard_[warp][i] = std::max(heard_[warp][i], told_[barrier][i]);
    }
    told_.erase(barrier);
  }
  bool access(unsigned warp, unsigned word, unsigned what) {
    const bool races = std::any_of(all_.begin(), all_.end(), [&](const One& one) {
      const bool commute = what != 1 && what == one.what;  // reads, or reductions of a kind
      return one.warp != warp && one.word == word && !commute && heard_[warp][one.warp] < one.at;
    });
    all_.push_back({warp, word, what, heard_[warp][warp]});
    return races;
  }

 private:
  struct One {
    unsigned warp, word, what, at;
  };
  std::vector<std::vector<unsigned>> heard_;
  std::map<unsigned, std::vector<unsigned>> told_;
  std::vector<One> all_;
};

TEST(SharedRacesAtRandom, AreTheFirstPairThatNothingOrders) {
  constexpr unsigned warps = 4, barriers = 2, runs = 3000;
  const isa::MemoryAccess kinds[] = {read(0), write(0), reduction(AtomicOp::add, Type::u32, 0),
                                     reduction(AtomicOp::max, Type::u32, 0)};
  unsigned racy = 0;
  for (unsigned run = 0; run < runs; ++run) {
    base::Random random(run, "shared races");
    SharedRaces races;
    const bool parts = run % 2 == 0;
    races.start(warps, 4, parts);
    Everything all(warps);
    std::vector<unsigned> at(barriers, 0);                 // have arrived
    std::vector<std::vector<unsigned>> waiting(barriers);  // of them
    std::vector<bool> waits(warps, false);
    for (unsigned step = 0; step < 60; ++step) {
      const unsigned warp = static_cast<unsigned>(random.below(warps));
      if (waits[warp]) continue;
      const bool nobody_waits = std::count(waits.begin(), waits.end(), true) == 0;
      if (nobody_waits && at[0] == 0 && random.below(12) == 0) {  // all meet
        const std::vector<unsigned> everybody{0, 1, 2, 3};
        for (const unsigned one : everybody) {
          races.arrived(one, 0);
          all.arrived(one, 0);
        }
        races.passed(0, true);
        for (const unsigned one : everybody) races.opened(one, 0);
        all.passed(0, everybody);
        continue;
      }
      if (parts && random.below(3) == 0) {
        const unsigned barrier = static_cast<unsigned>(random.below(barriers));
        races.arrived(warp, barrier);
        all.arrived(warp, barrier);
        if (random.below(4) != 0) {
          waits[warp] = true;
          waiting[barrier].push_back(warp);
        }
        if (++at[barrier] < 2) continue;
        races.passed(barrier, false);
        for (const unsigned one : waiting[barrier]) {
          races.opened(one, barrier);
          waits[one] = false;
        }
        all.passed(barrier, waiting[barrier]);
        at[barrier] = 0;
        waiting[barrier].clear();
        continue;
      }
      // Mostly what does not race with others of its kind, so that some runs come far.
      const unsigned word = static_cast<unsigned>(random.below(3));
      const unsigned what = random.below(8) == 0 ? 1 : word == 0 ? 0 : static_cast<unsigned>(2 + random.below(16) / 15);
      isa::MemoryAccess one = kinds[what];
      one.address[0] = word * 4;
      const bool wanted = all.access(warp, word, what);
      ASSERT_EQ(races.access(warp, one), wanted) << "run " << run << ", step " << step;
      if (!wanted) continue;
      ++racy;
      break;
    }
  }
  EXPECT_GT(racy, runs / 4);
  EXPECT_LT(racy, runs) << "some runs have no race";
}

}  // namespace
}  // namespace syncline::models
