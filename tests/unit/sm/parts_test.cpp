// The parts of an SM that are plain C++: scoreboard, wake wheel, pipelines, bank conflicts, coalescer, caches, maps.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "models/sm/bank_conflicts.h"
#include "models/sm/coalescer.h"
#include "models/sm/constant_cache.h"
#include "models/sm/functional_units.h"
#include "models/sm/local_memory.h"
#include "models/sm/scoreboard.h"
#include "models/sm/shared_memory.h"
#include "models/sm/wake_wheel.h"

namespace syncline::models {
namespace {

isa::Op op_with(std::vector<std::uint16_t> reads, std::vector<std::uint16_t> writes) {
  isa::Op op;
  op.registers.reads = static_cast<std::uint8_t>(reads.size());
  op.registers.writes = static_cast<std::uint8_t>(writes.size());
  std::copy(reads.begin(), reads.end(), op.registers.ids.begin());
  std::copy(writes.begin(), writes.end(), op.registers.ids.begin() + op.registers.reads);
  return op;
}

TEST(Scoreboard, HoldsReadersAndWritersOfARegisterUntilItIsThere) {
  Scoreboard board;
  board.reset(4);
  const isa::Op producer = op_with({0}, {1});
  board.write(producer, 18);
  EXPECT_EQ(board.ready(op_with({1}, {2})), 18U) << "read after write";
  EXPECT_EQ(board.ready(op_with({2}, {1})), 18U) << "write after write";
  EXPECT_EQ(board.ready(op_with({2, 3}, {0})), 0U) << "write after read is no hazard: operands are read at issue";
}

TEST(Scoreboard, MemoryAnswersWhenItAnswers) {
  Scoreboard board;
  board.reset(4);
  const isa::Op load = op_with({0}, {1, 2});
  board.wait(load);
  EXPECT_EQ(board.ready(op_with({2}, {3})), base::never);
  EXPECT_EQ(board.pending(), 1U);
  isa::Op leave = op_with({}, {});
  leave.drains = true;
  EXPECT_EQ(board.ready(leave), base::never) << "an exit waits for everything";
  board.arrived(load, 99);
  EXPECT_EQ(board.ready(op_with({2}, {3})), 99U);
  EXPECT_EQ(board.ready(leave), 99U);
}

RC_GTEST_PROP(WakeWheel, GivesEveryWarpAtItsCycleInOrder, ()) {
  WakeWheel wheel;
  std::map<base::Cycle, WarpMask> expected;
  const base::Cycle start = *rc::gen::inRange<base::Cycle>(0, 10000);
  const auto delays = *rc::gen::container<std::vector<unsigned>>(64, rc::gen::inRange(1u, WakeWheel::horizon));
  for (unsigned warp = 0; warp < 64; ++warp) {
    wheel.set(warp, start, start + delays[warp]);
    expected[start + delays[warp]] |= warp_bit(warp);
  }
  base::Cycle now = start;
  for (const auto& [cycle, warps] : expected) {
    RC_ASSERT(wheel.next(now) == cycle);
    now = cycle;
    RC_ASSERT(wheel.take(now) == warps);
  }
  RC_ASSERT(wheel.next(now) == base::never);
}

TEST(WakeWheel, EntersWhatLiesBehindItsHorizonAtTheFarEnd) {
  WakeWheel wheel;
  wheel.set(5, 100, 100 + 3 * WakeWheel::horizon);
  EXPECT_EQ(wheel.next(100), 100 + WakeWheel::horizon - 1);
}

TEST(FunctionalUnits, AWarpKeepsAPipelineForAsLongAsItsLanesNeed) {
  UnitsSpec spec;
  spec.sp = {2, 16};
  FunctionalUnits units(spec, 32);
  EXPECT_EQ(units.timing(isa::FunctionalUnit::single).occupied, 2U);
  EXPECT_EQ(FunctionalUnits(spec, 64).timing(isa::FunctionalUnit::single).occupied, 4U);
  units.occupy(Pipe::sp, 10, 2);
  EXPECT_LE(units.free_at(Pipe::sp), 10U) << "the second pipeline is free";
  units.occupy(Pipe::sp, 10, 2);
  EXPECT_EQ(units.free_at(Pipe::sp), 12U);
  EXPECT_EQ(units.busy_cycles(Pipe::sp), 4U);
}

isa::MemoryAccess shared_access(unsigned bytes, unsigned lanes, std::uint64_t (*address)(unsigned)) {
  isa::MemoryAccess access;
  access.space = isa::Space::shared;
  access.element_bytes = static_cast<std::uint8_t>(bytes);
  access.stride = static_cast<std::uint8_t>(bytes);
  access.lanes = base::all_lanes(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) access.address[lane] = address(lane);
  return access;
}

struct ConflictCase {
  const char* what;
  unsigned bytes;
  std::uint64_t (*address)(unsigned);
  unsigned passes;
};

void PrintTo(const ConflictCase& c, std::ostream* out) {
  *out << c.what;
}

class BankConflicts : public testing::TestWithParam<ConflictCase> {};

TEST_P(BankConflicts, TakesAsManyPassesAsTheProgrammingGuideSays) {
  const ConflictCase& c = GetParam();
  const isa::MemoryAccess access = shared_access(c.bytes, 32, c.address);
  EXPECT_EQ(shared_passes(access, access.lanes, {32, 4}, 32), c.passes) << c.what;
  EXPECT_EQ(shared_passes(access, access.lanes, {0, 1 << 20, 0}, {32, 4}, 32), c.passes) << "of a range of more lanes";
}

INSTANTIATE_TEST_SUITE_P(
    Guide, BankConflicts,
    testing::Values(
        ConflictCase{"stride of one word", 4, [](unsigned l) { return std::uint64_t{l} * 4; }, 1},
        ConflictCase{"stride of two words", 4, [](unsigned l) { return std::uint64_t{l} * 8; }, 2},
        ConflictCase{"stride of three words", 4, [](unsigned l) { return std::uint64_t{l} * 12; }, 1},
        ConflictCase{"stride of 32 words: one bank", 4, [](unsigned l) { return std::uint64_t{l} * 128; }, 32},
        ConflictCase{"stride of 33 words: padded tile", 4, [](unsigned l) { return std::uint64_t{l} * 132; }, 1},
        ConflictCase{"all lanes one word", 4, [](unsigned) { return std::uint64_t{64}; }, 1},
        ConflictCase{"two words of one bank, both broadcast", 4, [](unsigned l) { return std::uint64_t{l % 2} * 128; },
                     2},
        ConflictCase{"bytes of the same words", 1, [](unsigned l) { return std::uint64_t{l}; }, 1},
        ConflictCase{"permuted words", 4, [](unsigned l) { return std::uint64_t{(l * 5) % 32} * 4; }, 1},
        ConflictCase{"8 bytes in a row: one pass for each half warp", 8,
                     [](unsigned l) { return std::uint64_t{l} * 8; }, 2},
        ConflictCase{"8 bytes with a stride of 16", 8, [](unsigned l) { return std::uint64_t{l} * 16; }, 4},
        ConflictCase{"16 bytes in a row: one pass for each quarter", 16,
                     [](unsigned l) { return std::uint64_t{l} * 16; }, 4}));

TEST(BankConflictsOfAtomics, LanesOnOneWordFollowEachOther) {
  EXPECT_EQ(shared_atomic_passes(shared_access(4, 32, [](unsigned l) { return std::uint64_t{l} * 4; }), {32, 4}), 1U);
  EXPECT_EQ(shared_atomic_passes(shared_access(4, 32, [](unsigned) { return std::uint64_t{0}; }), {32, 4}), 32U);
  EXPECT_EQ(shared_atomic_passes(shared_access(4, 32, [](unsigned l) { return std::uint64_t{l / 8} * 4; }), {32, 4}),
            8U);
}

TEST(SharedMemory, AtomicsOfOneWordAddUpAndReturnTheValuesBetween) {
  isa::MemoryAccess access = shared_access(4, 32, [](unsigned) { return std::uint64_t{8}; });
  access.kind = isa::AccessKind::atomic;
  access.atomic = isa::AtomicOp::add;
  access.type = isa::Type::u32;
  for (unsigned lane = 0; lane < 32; ++lane) access.data[lane * 4] = 1;
  std::vector<std::uint8_t> bytes(16);
  perform_shared(access, bytes);
  EXPECT_EQ(bytes[8], 32);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(access.data[lane * 4], lane);
}

TEST(SharedMemory, TheAccessSaysWhetherSubnormalsCountAsZero) {
  isa::MemoryAccess access = shared_access(4, 1, [](unsigned) { return std::uint64_t{0}; });
  access.kind = isa::AccessKind::reduction;
  access.atomic = isa::AtomicOp::add;
  access.type = isa::Type::f32;
  access.data[0] = 1;  // the smallest subnormal
  std::vector<std::uint8_t> bytes = {2, 0, 0, 0};
  perform_shared(access, bytes);
  EXPECT_EQ(bytes[0], 3);
  access.data[0] = 1;
  access.ftz = true;
  perform_shared(access, bytes);
  EXPECT_EQ(bytes[0], 0);
}

RC_GTEST_PROP(Coalescer, PartsCoverEachLaneOnceWithinOneSegment, ()) {
  CoalescerSpec spec;
  spec.segment_bytes = *rc::gen::element(32u, 64u, 128u);
  spec.mode = *rc::gen::element(CoalesceMode::warp, CoalesceMode::half_warp, CoalesceMode::lane);
  const unsigned warp = *rc::gen::element(32u, 64u), bytes = *rc::gen::element(1u, 2u, 4u, 8u, 16u, 32u);
  const base::LaneMask lanes = *rc::gen::arbitrary<std::uint64_t>() & base::all_lanes(warp);
  std::array<std::uint64_t, 64> address{};
  for (auto& a : address) a = 0x1000 + *rc::gen::inRange<std::uint64_t>(0, 2048) / bytes * bytes;
  std::vector<LinePart> parts;
  coalesce(spec, 128, warp, lanes, address.data(), bytes, 0, parts);

  base::LaneMask covered = 0;
  std::set<std::pair<std::uint64_t, unsigned>> segments;
  for (const LinePart& part : parts) {
    RC_ASSERT((covered & part.lanes) == 0U);
    covered |= part.lanes;
    base::ByteMask wanted;
    base::for_each_lane(part.lanes, [&](unsigned lane) {
      RC_ASSERT(address[lane] / 128 * 128 == part.line.value());
      RC_ASSERT(address[lane] / spec.segment_bytes == address[base::first_lane(part.lanes)] / spec.segment_bytes);
      wanted.set(static_cast<unsigned>(address[lane] % 128), bytes);
    });
    RC_ASSERT(part.mask == wanted);
    const unsigned group = spec.mode == CoalesceMode::half_warp ? base::first_lane(part.lanes) / (warp / 2) : 0;
    if (spec.mode != CoalesceMode::lane)
      RC_ASSERT(segments.insert({address[base::first_lane(part.lanes)] / spec.segment_bytes, group}).second);
    else
      RC_ASSERT(base::lane_count(part.lanes) == 1U);
  }
  RC_ASSERT(covered == lanes);
}

TEST(Coalescer, CountsThatArchitectsKnow) {
  std::array<std::uint64_t, 64> row{}, column{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    row[lane] = 0x2000 + lane * 4;
    column[lane] = 0x2000 + lane * 1024;
  }
  const auto parts_of = [](const CoalescerSpec& spec, const std::uint64_t* address) {
    std::vector<LinePart> parts;
    coalesce(spec, 128, 32, base::all_lanes(32), address, 4, 0, parts);
    return parts.size();
  };
  EXPECT_EQ(parts_of({128, CoalesceMode::warp}, row.data()), 1U);
  EXPECT_EQ(parts_of({32, CoalesceMode::warp}, row.data()), 4U);
  EXPECT_EQ(parts_of({128, CoalesceMode::half_warp}, row.data()), 2U);
  EXPECT_EQ(parts_of({128, CoalesceMode::warp}, column.data()), 32U);
}

TEST(ConstantCache, ReplacesTheLineThatWasUsedLongestAgo) {
  ConstantCache cache(256, 2, 128);  // one set
  base::LineData data{};
  for (const std::uint8_t n : {1, 2}) {
    data[0] = n;
    cache.fill(base::LineAddress(n * 128u), data);
  }
  ASSERT_NE(cache.find(base::LineAddress(128)), nullptr);
  data[0] = 3;
  cache.fill(base::LineAddress(3 * 128), data);
  EXPECT_EQ(cache.find(base::LineAddress(2 * 128)), nullptr);
  ASSERT_NE(cache.find(base::LineAddress(128)), nullptr);
  EXPECT_EQ((*cache.find(base::LineAddress(3 * 128)))[0], 3);
  cache.invalidate();
  EXPECT_EQ(cache.find(base::LineAddress(128)), nullptr);
}

TEST(LocalMap, PutsTheSameWordOfAllLanesSideBySideAndNothingTwice) {
  const LocalMap map({0x1000, 16, 3}, 32);
  EXPECT_EQ(map.physical(0, 0, 0), 0x1000U);
  EXPECT_EQ(map.physical(0, 1, 0), 0x1004U);
  EXPECT_EQ(map.physical(1, 0, 0), 0x1000U + 128);
  EXPECT_EQ(map.physical(0, 0, 5), 0x1000U + 3 * 128 + 1);
  EXPECT_EQ(map.physical(0, 0, 4 + 4), map.physical(0, 0, 4) + std::uint64_t{4} * map.shift_per_byte());
  std::set<std::uint64_t> seen;
  for (unsigned slot = 0; slot < 3; ++slot)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned byte = 0; byte < 16; ++byte) seen.insert(map.physical(slot, lane, byte));
  EXPECT_EQ(seen.size(), 3U * 32 * 16);
  EXPECT_EQ(*seen.rbegin(), 0x1000 + LocalRegion::size(3, 32, 16) - 1);
}

/// Of a cache of 64 sets, for any word and any size of a thread's memory.
TEST(LocalMap, WarpsAtOneVariableMeetInNoSet) {
  for (const std::uint64_t bytes : {std::uint64_t{1} << 10, std::uint64_t{64} << 10, std::uint64_t{3} << 12})
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{4}, bytes - 4}) {
      const LocalMap map({0, bytes, 48}, 32);
      std::set<std::uint64_t> sets;
      for (unsigned place = 0; place < 48; ++place) sets.insert(map.physical(place, 0, offset) / 128 % 64);
      EXPECT_EQ(sets.size(), 48U) << bytes << " bytes, at " << offset;
    }
}

}  // namespace
}  // namespace syncline::models
