// A line is locked while the atomic unit works on it: what comes for it waits, and the rest of the slice goes on.
#include <gmock/gmock.h>

#include "tests/support/foreign_atomic_units.h"
#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

using models::Message;
using models::MessageClass;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Answers when the test says so.
class HandUnit : public sc_core::sc_module {
 public:
  explicit HandUnit(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
    socket.register_nb_transport_fw(this, &HandUnit::nb_transport_fw);
  }
  void answer() {
    ASSERT_FALSE(asked.empty());
    tlm::tlm_generic_payload& payload = *asked.front();
    asked.pop_front();
    perform_foreign(payload);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(socket->nb_transport_bw(payload, phase, none), tlm::TLM_UPDATED);
    EXPECT_EQ(phase, tlm::END_RESP);
    payload.release();
  }
  tlm_utils::simple_target_socket<HandUnit, 32, models::AtomicProtocol> socket;
  std::deque<tlm::tlm_generic_payload*> asked;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    payload.acquire();
    asked.push_back(&payload);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
};

class AtomicLock : public HierarchyFixture {
 protected:
  static constexpr std::uint64_t a = 0x1000, b = 0x2000;
  AtomicLock() {
    spec.coherence.none.l1 = protocols::NoneL1::bypass;
    spec.atomic_unit = [this](unsigned, models::PlatformContext&, models::ClockDomain&, models::AtomicLink& link) {
      link.bind(unit.socket);
    };
  }
  /// An add of 1 that is under way; true once it is answered.
  void add(unsigned core, std::uint64_t address, bool& done) {
    Message& m = cores[core]->request(MessageClass::atomic_request, models::L1Kind::global, address);
    m.atomic = isa::AtomicOp::add;
    m.atomic_type = isa::Type::u32;
    m.atomic_count = 1;
    m.atomics[0] = {0, 0, false, 1, 0};
    m.mask.set(0, 4);
    m.returns_value = true;
    cores[core]->send(m, [&done, this](Message& reply) {
      done = true;
      found.push_back(reply.atomics[0].operand);
    });
    run_ns(1000);
  }
  void read(unsigned core, std::uint64_t address, std::optional<std::uint32_t>& got) {
    Message& m = load_message(core, address);
    cores[core]->send(m, [&got, address](Message& reply) {
      std::uint32_t value = 0;
      std::memcpy(&value, reply.data.data() + address % 128, 4);
      got = value;
    });
    run_ns(1000);
  }
  models::L2Slice& slice() { return *system->slices[0]; }

  HandUnit unit{"hand_unit"};
  std::vector<std::uint64_t> found;
};

TEST_F(AtomicLock, RequestsForTheLineWaitAndOthersDoNot) {
  build();
  system->debug_word(a, 5);
  load(0, b);
  bool added = false;
  add(0, a, added);
  ASSERT_EQ(unit.asked.size(), 1U);
  std::optional<std::uint32_t> of_line;
  read(1, a, of_line);
  EXPECT_EQ(load(0, b), 0U) << "another line is served";
  store(0, b, 7);
  EXPECT_EQ(load(1, b), 7U);
  EXPECT_FALSE(added);
  EXPECT_FALSE(of_line) << "a load got the line while the unit works on it";
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(added);
  EXPECT_EQ(of_line, 6U);
  EXPECT_THAT(found, ElementsAre(5));
  EXPECT_EQ(stat("part0_l2.hits"), 3) << "loads of b and the store; what waited is no hit";
  expect_clean();
}

TEST_F(AtomicLock, AtomicsOfALineAreDoneOneAfterTheOther) {
  build();
  bool first = false, second = false, third = false;
  add(0, a, first);
  add(1, a, second);
  add(0, a, third);
  EXPECT_EQ(unit.asked.size(), 1U) << "the second needs the bytes of the first";
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(first);
  ASSERT_EQ(unit.asked.size(), 1U);
  unit.answer();
  run_ns(1000);
  ASSERT_EQ(unit.asked.size(), 1U);
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(second && third);
  EXPECT_THAT(found, ElementsAre(0, 1, 2));
  EXPECT_EQ(system->debug_word(a), 3U);
  expect_clean();
}

TEST_F(AtomicLock, LinesAreWorkedOnAtATime) {
  build();
  bool first = false, second = false;
  add(0, a, first);
  add(1, b, second);
  EXPECT_EQ(unit.asked.size(), 2U);
  std::swap(unit.asked[0], unit.asked[1]);
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(second) << "answers may come in any order";
  EXPECT_FALSE(first);
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(first);
  expect_clean();
}

TEST_F(AtomicLock, WithoutALockAnAtomicWaitsInItsQueue) {
  spec.l2.locks = 1;
  build();
  bool first = false, second = false;
  add(0, a, first);
  add(1, b, second);
  EXPECT_EQ(unit.asked.size(), 1U);
  EXPECT_THAT(slice().describe_waiting(), Contains(HasSubstr("locks_full")));
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(first);
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(second);
  expect_clean();
}

TEST_F(AtomicLock, ALockedLineIsNotReplaced) {
  spec.l2.size = 2 * 128;
  spec.l2.ways = 2;
  build();
  bool added = false;
  add(0, a, added);
  load(1, a + 0x1000);
  load(1, a + 0x2000);  // a is the older one
  EXPECT_EQ(slice().lines().locate(base::LineAddress(a)).frame == models::nowhere, false);
  EXPECT_EQ(slice().lines().locate(base::LineAddress(a + 0x1000)).frame, models::nowhere);
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(added);
  EXPECT_EQ(system->debug_word(a), 1U);
  expect_clean();
}

TEST_F(AtomicLock, WhenAllWaysAreLockedWhoNeedsOneWaits) {
  spec.l2.size = 128;
  spec.l2.ways = 1;
  build();
  bool added = false;
  add(0, a, added);
  std::optional<std::uint32_t> other;
  read(1, b, other);
  EXPECT_FALSE(other);
  EXPECT_THAT(slice().describe_waiting(), Contains(HasSubstr("no_frame")));
  unit.answer();
  run_ns(2000);
  EXPECT_TRUE(added);
  EXPECT_TRUE(other);
  EXPECT_EQ(system->debug_word(a), 1U) << "written back";
  expect_clean();
}

TEST_F(AtomicLock, TheHostSeesTheAtomicWhenItIsPerformed) {
  build();
  system->debug_word(a, 5);
  bool added = false;
  add(0, a, added);
  EXPECT_EQ(system->debug_word(a), 5U);
  unit.answer();
  run_ns(1000);
  EXPECT_EQ(system->debug_word(a), 6U);
}

TEST_F(AtomicLock, WhatTheHostWritesMeanwhileIsNotLost) {
  build();
  bool added = false;
  add(0, a, added);
  system->debug_word(a + 64, 9);
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(added) << "other bytes of the line are no concern of the unit's";
  EXPECT_EQ(system->debug_word(a + 64), 9U);
  EXPECT_EQ(load(0, a + 64), 9U);

  added = false;
  add(0, a, added);
  system->debug_word(a, 100);  // the bytes that the unit has
  unit.answer();
  run_ns(1000);
  EXPECT_FALSE(added) << "it is asked again, with the new bytes";
  unit.answer();
  run_ns(1000);
  EXPECT_TRUE(added);
  EXPECT_THAT(found, ElementsAre(0, 100));
  EXPECT_EQ(system->debug_word(a), 101U);
  expect_clean();
}

TEST_F(AtomicLock, TheSliceSaysWhatWaits) {
  build();
  bool added = false;
  add(0, a, added);
  std::optional<std::uint32_t> got;
  read(1, a, got);
  EXPECT_THAT(slice().describe_waiting(), Contains(HasSubstr("the atomic on line 0x1000 waits for the answer")));
  EXPECT_THAT(slice().describe_waiting(), Contains(HasSubstr("line 0x1000 is locked since cycle")));
  EXPECT_THAT(slice().check_end_of_run(), Contains(HasSubstr("0x1000 is locked")));
  EXPECT_THAT(slice().check_end_of_run(), Contains(HasSubstr("1 accesses wait")));
  unit.answer();
  run_ns(1000);
  EXPECT_THAT(slice().check_end_of_run(), IsEmpty());
  EXPECT_THAT(slice().describe_waiting(), IsEmpty());
}

TEST_F(AtomicLock, AUnitThatRefusesTheOperationEndsTheRun) {
  build();
  Message& m = cores[0]->request(MessageClass::atomic_request, models::L1Kind::global, a);
  m.atomic = isa::AtomicOp::max;
  m.atomic_type = isa::Type::u32;
  m.atomic_count = 1;
  m.atomics[0] = {0, 0, false, 1, 0};
  m.mask.set(0, 4);
  cores[0]->send(m, [](Message&) {});
  run_ns(1000);
  ASSERT_EQ(unit.asked.size(), 1U);
  EXPECT_THROW(unit.answer(), base::ModelError);
}

}  // namespace
}  // namespace syncline::tests
