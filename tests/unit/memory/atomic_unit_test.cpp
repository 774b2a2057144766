// The atomic unit: its arithmetic, its time, and how it answers.
#include "models/atomic_unit/atomic_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "base/error.h"
#include "isa/lanes/atomic_value.h"
#include "models/bridge/base_protocol_checker.h"
#include "models/transport/four_phases.h"
#include "tests/support/platform_fixture.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A request, its operands and its line.
struct Asked : tlm::tlm_mm_interface {
  Asked() {
    payload.set_mm(this);
    payload.acquire();
    payload.set_extension(&work);
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    payload.set_address(0x80);
    payload.set_data_ptr(line.data());
    payload.set_data_length(128);
    payload.set_streaming_width(128);
    work.lanes = lanes.data();
    work.old = old.data();
  }
  ~Asked() override { payload.clear_extension(&work); }
  void free(tlm::tlm_generic_payload*) override {}
  void lane(unsigned number, unsigned offset, std::uint64_t operand, std::uint64_t compare = 0) {
    lanes[work.count++] = {static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(offset), false, operand,
                           compare};
    work.worst_address = worst_address(lanes.data(), work.count);
  }
  void store(unsigned offset, std::uint32_t value) { std::memcpy(line.data() + offset, &value, 4); }
  std::uint32_t load(unsigned offset) const {
    std::uint32_t value = 0;
    std::memcpy(&value, line.data() + offset, 4);
    return value;
  }
  void apply() { apply_atomics(work, line.data(), 128); }
  /// As many adds of 1 as there are lanes, to one address or to as many.
  void adds(unsigned count, bool spread) {
    work.operation = isa::AtomicOp::add;
    work.type = isa::Type::u32;
    for (unsigned i = 0; i < count; ++i) lane(i, spread ? i * 4 : 0, 1);
  }

  AtomicWork work;
  std::array<AtomicLane, 32> lanes{};
  std::array<AtomicValue, 32> old{};
  base::LineData line{};
  tlm::tlm_generic_payload payload;
};

class AtomicUnitTest : public testing::Test, protected Asked {};

TEST_F(AtomicUnitTest, LanesAreAppliedInOrderAndGetTheOldValues) {
  work.operation = isa::AtomicOp::add;
  work.type = isa::Type::u32;
  store(8, 100);
  lane(0, 8, 1);
  lane(5, 8, 2);
  lane(9, 12, 7);
  lane(31, 8, 4);
  apply();
  EXPECT_EQ(load(8), 107U);
  EXPECT_EQ(load(12), 7U);
  EXPECT_EQ(old[0], 100U);
  EXPECT_EQ(old[1], 101U);
  EXPECT_EQ(old[2], 0U);
  EXPECT_EQ(old[3], 103U);
  EXPECT_EQ(work.bytes(), base::ByteMask::range(8, 8));
}

TEST_F(AtomicUnitTest, ExchangeShowsTheOrder) {
  work.operation = isa::AtomicOp::exch;
  work.type = isa::Type::b32;
  for (unsigned i = 0; i < 32; ++i) lane(i, 0, i + 1);
  apply();
  EXPECT_EQ(load(0), 32U);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(old[i], i);
}

TEST_F(AtomicUnitTest, CompareAndSwapOnlyTheFirstWins) {
  work.operation = isa::AtomicOp::cas;
  work.type = isa::Type::b32;
  for (unsigned i = 0; i < 4; ++i) lane(i, 4, 0, 10 + i);
  apply();
  EXPECT_EQ(load(4), 10U) << "operand b is what is compared with, c what is stored";
  EXPECT_EQ(old[0], 0U);
  EXPECT_EQ(old[3], 10U);
}

TEST_F(AtomicUnitTest, Adds64BitsAtTheEndOfTheLine) {
  work.operation = isa::AtomicOp::add;
  work.type = isa::Type::u64;
  lane(0, 120, 0x1'0000'0001ULL);
  lane(1, 120, 0x1'0000'0001ULL);
  apply();
  EXPECT_EQ(load(120), 2U);
  EXPECT_EQ(load(124), 2U);
}

TEST_F(AtomicUnitTest, TheMessageSaysWhetherSubnormalsCountAsZero) {
  work.operation = isa::AtomicOp::add;
  work.type = isa::Type::f32;
  lane(0, 4, 1);  // the smallest subnormal
  store(4, 2);
  apply();
  EXPECT_EQ(load(4), 3U);
  work.ftz = true;
  apply();
  EXPECT_EQ(load(4), 0U);
}

TEST_F(AtomicUnitTest, AnAccessThatLeavesTheLineOrIsNotAlignedIsAModelError) {
  work.operation = isa::AtomicOp::add;
  work.type = isa::Type::u64;
  lane(3, 124, 1);
  try {
    apply();
    FAIL();
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("atomic of 8 bytes at offset 124 of a line of 128"));
    EXPECT_THAT(error.what(), testing::HasSubstr("lane 3"));
  }
  lanes[0].offset = 128;
  EXPECT_THROW(apply(), base::ModelError);
  work.type = isa::Type::none;
  EXPECT_THROW(apply(), base::ModelError);
}

TEST_F(AtomicUnitTest, LanesOperandsAndMessagesStay) {
  adds(2, false);
  const auto before = lanes;
  apply();
  EXPECT_EQ(lanes[0].operand, before[0].operand);
  EXPECT_EQ(lanes[1].operand, before[1].operand);
}

// The unit against a reference that keeps memory as a map of words.
RC_GTEST_PROP(AtomicUnit, AgreesWithLaneByLaneArithmetic, ()) {
  Asked asked;
  AtomicWork& work = asked.work;
  using isa::AtomicOp;
  work.operation = *rc::gen::element(AtomicOp::add, AtomicOp::min, AtomicOp::max, AtomicOp::and_, AtomicOp::or_,
                                     AtomicOp::xor_, AtomicOp::inc, AtomicOp::dec, AtomicOp::exch, AtomicOp::cas);
  const bool bits = work.operation == AtomicOp::exch || work.operation == AtomicOp::cas ||
                    work.operation == AtomicOp::and_ || work.operation == AtomicOp::or_ ||
                    work.operation == AtomicOp::xor_;
  work.type = bits ? isa::Type::b32 : isa::Type::u32;
  std::array<std::uint32_t, 32> words{};
  const auto lanes = *rc::gen::inRange(1, 33);
  for (int i = 0; i < lanes; ++i)
    asked.lane(static_cast<unsigned>(i), static_cast<unsigned>(*rc::gen::inRange(0, 4)) * 4,
               static_cast<std::uint64_t>(*rc::gen::inRange(0, 4)),
               static_cast<std::uint64_t>(*rc::gen::inRange(0, 4)));
  asked.apply();
  base::ByteMask touched;
  for (std::size_t i = 0; i < static_cast<std::size_t>(lanes); ++i) {
    const AtomicLane& lane = asked.lanes[i];
    std::uint32_t& word = words[lane.offset / 4];
    RC_ASSERT(asked.old[i] == word);
    word = static_cast<std::uint32_t>(
        isa::apply_atomic(work.operation, work.type, work.ftz, word, lane.operand, lane.compare));
    touched.set(lane.offset, 4);
  }
  RC_ASSERT(std::memcmp(words.data(), asked.line.data(), 128) == 0);
  RC_ASSERT(work.bytes() == touched);
}

constexpr std::uint64_t cycle_ps = 1000;

/// Asks a unit as an L2 slice does.
class Asker : public sc_core::sc_module, private FourPhases<AtomicProtocol>::Listener {
 public:
  explicit Asker(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  FourPhases<AtomicProtocol> link{"link", *this};
  std::vector<double> answers;  ///< cycles
  unsigned taken = 0;

 private:
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) override {
    EXPECT_TRUE(payload.is_response_ok());
    answers.push_back(static_cast<double>(at.value()) / cycle_ps);
  }
  void request_taken(const sc_core::sc_time&) override { ++taken; }
};

/// A unit behind a checker of the phases.
class AtomicUnitOnALink : public tests::PlatformFixture {
 protected:
  void build() {
    unit = std::make_unique<AtomicUnit>("unit", context, clock, spec);
    link.socket.bind(checker.target);
    checker.initiator.bind(unit->socket);
    for (int i = 0; i < 8; ++i) asked.push_back(std::make_unique<Asked>());
    run_ns(100);  // 100 cycles
  }
  /// The cycle in which the answer is due that came in the call.
  double cycle_at_once(Asked& a) {
    const auto at = link.begin(a.payload);
    return at ? static_cast<double>(at->value()) / cycle_ps : -1;
  }
  void ask(Asked& a) { EXPECT_FALSE(link.begin(a.payload)); }

  ClockDomain& clock = scheduler.add_domain("l2", 1'000'000'000);
  AtomicUnitSpec spec;
  std::unique_ptr<AtomicUnit> unit;
  Asker asker{"asker"};
  FourPhases<AtomicProtocol>& link = asker.link;
  PhaseChecker<AtomicProtocol> checker{"checker", OnViolation::keep};
  std::vector<std::unique_ptr<Asked>> asked;
  const std::vector<double>& answers = asker.answers;
};

TEST_F(AtomicUnitOnALink, ContentionCostsTime) {
  build();
  asked[0]->adds(32, false);
  asked[1]->adds(32, true);
  asked[2]->adds(1, false);
  EXPECT_EQ(cycle_at_once(*asked[0]), 100 + 31 + 4) << "one address: one lane a cycle";
  run_ns(1);
  EXPECT_EQ(cycle_at_once(*asked[1]), 132 + 1 + 4) << "waits for the unit, then 32 lanes at 16 a cycle";
  EXPECT_EQ(asked[1]->work.queueing, 31U);
  EXPECT_EQ(asked[1]->work.busy, 2U);
  run_ns(399);
  EXPECT_EQ(cycle_at_once(*asked[2]), 504);
  EXPECT_EQ(asked[0]->load(0), 32U) << "the bytes came with the answer";
  EXPECT_EQ(statistic("unit.requests"), 3);
  EXPECT_EQ(statistic("unit.operations"), 65);
  EXPECT_EQ(statistic("unit.busy_cycles"), 35);
  EXPECT_THAT(checker.violations(), IsEmpty());
  expect_clean();
}

TEST_F(AtomicUnitOnALink, RatesAreKeys) {
  spec.same_address_rate = 4;
  spec.line_rate = 8;
  build();
  EXPECT_EQ(unit->occupancy(32, 32), 8U);
  EXPECT_EQ(unit->occupancy(32, 1), 4U);
  EXPECT_EQ(unit->occupancy(1, 1), 1U);
}

TEST_F(AtomicUnitOnALink, WithoutForwardingTheAnswerComesWhenTheTimeHasCome) {
  spec.forwarding = false;
  build();
  asked[0]->adds(32, false);
  asked[1]->adds(32, true);
  ask(*asked[0]);
  ask(*asked[1]);
  EXPECT_THAT(unit->describe_waiting(),
              ElementsAre(HasSubstr("the atomic of line 0x80 is done in cycle 135"), HasSubstr("done in cycle 137")));
  run_ns(34.5);
  EXPECT_THAT(answers, IsEmpty());
  EXPECT_EQ(asked[0]->load(0), 0U) << "the unit works on it";
  run_ns(10);
  EXPECT_THAT(answers, ElementsAre(135, 137));
  EXPECT_EQ(asked[0]->load(0), 32U);
  EXPECT_THAT(checker.violations(), IsEmpty());
  expect_clean();
}

TEST_F(AtomicUnitOnALink, AFullQueueWithholdsTheEndOfARequest) {
  spec.forwarding = false;
  spec.queue = 2;
  build();
  for (auto& a : asked) a->adds(10, false);
  ask(*asked[0]);
  ask(*asked[1]);
  EXPECT_FALSE(link.busy());
  ask(*asked[2]);
  EXPECT_TRUE(link.busy());
  EXPECT_THAT(unit->describe_waiting(), testing::Contains(HasSubstr("waits for room in the queue")));
  EXPECT_EQ(unit->check_end_of_run().size(), 3U);
  run_ns(12.5);
  EXPECT_TRUE(link.busy());
  run_ns(1);
  EXPECT_FALSE(link.busy()) << "the first is done in cycle 113";
  EXPECT_EQ(asker.taken, 1U);
  run_ns(100);
  EXPECT_THAT(answers, ElementsAre(113, 123, 133)) << "the queue being full has not kept the unit waiting";
  EXPECT_EQ(statistic("unit.full"), 1);
  EXPECT_THAT(checker.violations(), IsEmpty());
  expect_clean();
}

TEST_F(AtomicUnitOnALink, AFullQueueDelaysAnswersThatWouldBeForwarded) {
  spec.queue = 1;
  build();
  asked[0]->adds(10, false);
  asked[1]->adds(10, false);
  EXPECT_EQ(cycle_at_once(*asked[0]), 113);
  ask(*asked[1]);
  EXPECT_TRUE(link.busy());
  run_ns(100);
  EXPECT_FALSE(link.busy());
  EXPECT_THAT(answers, ElementsAre(126)) << "it came to the unit in cycle 113";
  EXPECT_THAT(checker.violations(), IsEmpty());
  expect_clean();
}

TEST_F(AtomicUnitOnALink, WhatWaitedForRoomIsAnsweredBehindOthersThatWereAtOnce) {
  spec.queue = 3;
  build();
  for (unsigned i = 0; i < 3; ++i) {
    asked[i]->adds(10, false);
    EXPECT_EQ(cycle_at_once(*asked[i]), 113 + 10 * i);
  }
  asked[3]->adds(10, false);
  ask(*asked[3]);
  EXPECT_TRUE(link.busy());
  run_ns(100);
  EXPECT_THAT(answers, ElementsAre(143)) << "there was room in cycle 113, and its turn came in cycle 130";
  EXPECT_EQ(asked[3]->load(0), 10U);
  EXPECT_THAT(checker.violations(), IsEmpty());
  expect_clean();
}

TEST_F(AtomicUnitOnALink, APayloadWithoutWorkIsAModelError) {
  build();
  asked[0]->payload.clear_extension(&asked[0]->work);
  EXPECT_THROW(link.begin(asked[0]->payload), base::ModelError);
}

}  // namespace
}  // namespace syncline::models
