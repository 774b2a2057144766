#include "models/atomic_unit/atomic_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "isa/lanes/atomic_value.h"
#include "models/transport/message_pool.h"

namespace syncline::models {
namespace {

class AtomicUnitTest : public testing::Test {
 protected:
  ~AtomicUnitTest() override { message.payload()->release(); }
  void lane(unsigned number, unsigned offset, std::uint64_t operand, std::uint64_t compare = 0) {
    message.atomics[message.atomic_count++] = {static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(offset),
                                               operand, compare};
  }
  void store(unsigned offset, std::uint32_t value) { std::memcpy(line.data() + offset, &value, 4); }
  std::uint32_t load(unsigned offset) const {
    std::uint32_t value = 0;
    std::memcpy(&value, line.data() + offset, 4);
    return value;
  }
  MessagePool pool;
  Message& message = pool.get();
  base::LineData line{};
};

TEST_F(AtomicUnitTest, LanesAreAppliedInOrderAndGetTheOldValues) {
  message.atomic = isa::AtomicOp::add;
  message.atomic_type = isa::Type::u32;
  message.returns_value = true;
  store(8, 100);
  lane(0, 8, 1);
  lane(5, 8, 2);
  lane(9, 12, 7);
  lane(31, 8, 4);
  apply_atomics(message, line);
  EXPECT_EQ(load(8), 107U);
  EXPECT_EQ(load(12), 7U);
  EXPECT_EQ(message.atomics[0].operand, 100U);
  EXPECT_EQ(message.atomics[1].operand, 101U);
  EXPECT_EQ(message.atomics[2].operand, 0U);
  EXPECT_EQ(message.atomics[3].operand, 103U);
  EXPECT_EQ(message.mask, base::ByteMask::range(8, 8));
}

TEST_F(AtomicUnitTest, ExchangeShowsTheOrder) {
  message.atomic = isa::AtomicOp::exch;
  message.atomic_type = isa::Type::b32;
  message.returns_value = true;
  for (unsigned i = 0; i < 32; ++i) lane(i, 0, i + 1);
  apply_atomics(message, line);
  EXPECT_EQ(load(0), 32U);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(message.atomics[i].operand, i);
}

TEST_F(AtomicUnitTest, CompareAndSwapOnlyTheFirstWins) {
  message.atomic = isa::AtomicOp::cas;
  message.atomic_type = isa::Type::b32;
  message.returns_value = true;
  for (unsigned i = 0; i < 4; ++i) lane(i, 4, 0, 10 + i);
  apply_atomics(message, line);
  EXPECT_EQ(load(4), 10U) << "operand b is what is compared with, c what is stored";
  EXPECT_EQ(message.atomics[0].operand, 0U);
  EXPECT_EQ(message.atomics[3].operand, 10U);
}

TEST_F(AtomicUnitTest, ReductionsKeepTheirOperands) {
  message.atomic = isa::AtomicOp::max;
  message.atomic_type = isa::Type::s32;
  store(0, static_cast<std::uint32_t>(-5));
  lane(0, 0, 3);
  apply_atomics(message, line);
  EXPECT_EQ(load(0), 3U);
  EXPECT_EQ(message.atomics[0].operand, 3U);
}

TEST_F(AtomicUnitTest, Adds64BitsAtTheEndOfTheLine) {
  message.atomic = isa::AtomicOp::add;
  message.atomic_type = isa::Type::u64;
  lane(0, 120, 0x1'0000'0001ULL);
  lane(1, 120, 0x1'0000'0001ULL);
  apply_atomics(message, line);
  EXPECT_EQ(load(120), 2U);
  EXPECT_EQ(load(124), 2U);
}

TEST_F(AtomicUnitTest, TheMessageSaysWhetherSubnormalsCountAsZero) {
  message.atomic = isa::AtomicOp::add;
  message.atomic_type = isa::Type::f32;
  lane(0, 4, 1);  // the smallest subnormal
  store(4, 2);
  apply_atomics(message, line);
  EXPECT_EQ(load(4), 3U);
  message.ftz = true;
  apply_atomics(message, line);
  EXPECT_EQ(load(4), 0U);
}

TEST_F(AtomicUnitTest, AnAccessThatLeavesTheLineOrIsNotAlignedIsAModelError) {
  message.atomic = isa::AtomicOp::add;
  message.atomic_type = isa::Type::u64;
  lane(3, 124, 1);
  try {
    apply_atomics(message, line);
    FAIL();
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("atomic of 8 bytes at offset 124"));
    EXPECT_THAT(error.what(), testing::HasSubstr("lane 3"));
  }
  message.atomics[0].offset = 128;
  EXPECT_THROW(apply_atomics(message, line), base::ModelError);
  message.atomic_type = isa::Type::none;
  EXPECT_THROW(apply_atomics(message, line), base::ModelError);
}

TEST_F(AtomicUnitTest, ContentionCostsTime) {
  AtomicUnitSpec spec;
  spec.latency = 4;
  spec.same_address_rate = 1;
  spec.line_rate = 16;
  AtomicUnit unit(spec);
  for (unsigned i = 0; i < 32; ++i) lane(i, 0, 1);
  EXPECT_EQ(unit.reserve(message, 100), 100U + 31 + 4) << "one address: one lane a cycle";
  for (unsigned i = 0; i < 32; ++i) message.atomics[i].offset = static_cast<std::uint8_t>(i * 4);
  EXPECT_EQ(unit.free_at(), 132U);
  EXPECT_EQ(unit.reserve(message, 101), 132U + 1 + 4) << "waits for the unit, then 32 lanes at 16 a cycle";
  message.atomic_count = 1;
  EXPECT_EQ(unit.reserve(message, 500), 504U);
  EXPECT_EQ(unit.requests().value(), 3U);
  EXPECT_EQ(unit.operations().value(), 65U);
  EXPECT_EQ(unit.busy_cycles().value(), 35U);
  EXPECT_EQ(unit.queueing().max(), 31U);
  EXPECT_EQ(unit.contention().max(), 32U);
}

TEST_F(AtomicUnitTest, RatesAreKeys) {
  AtomicUnitSpec spec;
  spec.same_address_rate = 4;
  spec.line_rate = 8;
  const AtomicUnit unit(spec);
  EXPECT_EQ(unit.occupancy({32, 32}), 8U);
  EXPECT_EQ(unit.occupancy({32, 1}), 4U);
  EXPECT_EQ(unit.occupancy({1, 1}), 1U);
}

// The unit against a reference that keeps memory as a map of words.
RC_GTEST_PROP(AtomicUnit, AgreesWithLaneByLaneArithmetic, ()) {
  MessagePool pool;
  Message& message = pool.get();
  message.atomic = *rc::gen::element(isa::AtomicOp::add, isa::AtomicOp::min, isa::AtomicOp::max, isa::AtomicOp::and_,
                                     isa::AtomicOp::or_, isa::AtomicOp::xor_, isa::AtomicOp::inc, isa::AtomicOp::dec,
                                     isa::AtomicOp::exch, isa::AtomicOp::cas);
  message.atomic_type = message.atomic == isa::AtomicOp::exch || message.atomic == isa::AtomicOp::cas ||
                                message.atomic == isa::AtomicOp::and_ || message.atomic == isa::AtomicOp::or_ ||
                                message.atomic == isa::AtomicOp::xor_
                            ? isa::Type::b32
                            : isa::Type::u32;
  message.returns_value = true;
  base::LineData line{};
  std::array<std::uint32_t, 32> words{};
  const auto lanes = *rc::gen::inRange(1, 33);
  for (int i = 0; i < lanes; ++i) {
    const auto word = *rc::gen::inRange(0, 4);
    message.atomics[message.atomic_count++] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(word * 4),
                                               static_cast<std::uint64_t>(*rc::gen::inRange(0, 4)),
                                               static_cast<std::uint64_t>(*rc::gen::inRange(0, 4))};
  }
  const auto requests = message.atomics;
  apply_atomics(message, line);
  base::ByteMask touched;
  for (int i = 0; i < lanes; ++i) {
    const AtomicLane& request = requests[static_cast<std::size_t>(i)];
    std::uint32_t& word = words[request.offset / 4];
    RC_ASSERT(message.atomics[static_cast<std::size_t>(i)].operand == word);
    word = static_cast<std::uint32_t>(
        isa::apply_atomic(message.atomic, message.atomic_type, message.ftz, word, request.operand, request.compare));
    touched.set(request.offset, 4);
  }
  RC_ASSERT(std::memcmp(words.data(), line.data(), 128) == 0);
  RC_ASSERT(message.mask == touched);
  message.payload()->release();
}

}  // namespace
}  // namespace syncline::models
