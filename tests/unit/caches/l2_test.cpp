// The L2 slice under the policy `none`: allocation, partial lines, write-backs, atomics, debug access.
#include <gmock/gmock.h>

#include "tests/support/systemc_reports.h"
#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

using isa::Scope;
using isa::Semantics;
using models::L1Kind;
using models::Message;
using models::MessageClass;
using testing::Contains;
using testing::HasSubstr;

class L2 : public HierarchyFixture {
 protected:
  static constexpr std::uint64_t a = 0x1000;
  L2() { spec.coherence.none.l1 = protocols::NoneL1::bypass; }
  /// Core cycles from a load to its data.
  double load_cycles(std::uint64_t address) {
    const std::uint64_t start = sc_core::sc_time_stamp().value();
    load(0, address);
    return static_cast<double>(cores[0]->last_reply_ps - start) * 1.4e9 / 1e12;
  }
};

TEST_F(L2, AHitTakesTheLatency) {
  spec.l2.latency = 100;
  build();
  load(0, a);
  EXPECT_NEAR(load_cycles(a), 200, 8);  // 100 cycles of half the core's clock, and edges waited for
}

TEST_F(L2, TheQueueIsAPartOfTheLatency) {
  spec.l2.latency = 100;
  spec.l2.queue_latency = 70;
  build();
  load(0, a);
  EXPECT_NEAR(load_cycles(a), 200, 8);
}

TEST_F(L2, RequestsInTheQueueTakeNoPlaceInTheInputQueue) {
  spec.l2.latency = 100;
  spec.l2.queue_latency = 70;
  spec.l2.input_queue = 1;
  build();
  load(0, a);
  unsigned answered = 0;
  const std::uint64_t start = sc_core::sc_time_stamp().value();
  for (unsigned i = 0; i < 8; ++i) cores[0]->send(load_message(0, a), [&answered](Message&) { ++answered; });
  run_ns(2000);
  EXPECT_EQ(answered, 8U);
  EXPECT_LT(static_cast<double>(cores[0]->last_reply_ps - start) * 1.4e9 / 1e12, 250) << "one behind the other";
}

TEST_F(L2, AStoreThatMissesReadsNothing) {
  build();
  store(0, a, 5);
  EXPECT_EQ(stat("part0_l2.memory_reads"), 0);
  EXPECT_EQ(load(0, a), 5U);
  EXPECT_EQ(stat("part0_l2.memory_reads"), 1) << "the sector's other bytes are in memory";
}

TEST_F(L2, AWholeLineNeedsNoMemory) {
  build();
  Message& m = cores[0]->request(MessageClass::store_request, L1Kind::global, a);
  m.mask = base::ByteMask::all(128);
  m.data.fill(0x11);
  cores[0]->send(m, [](Message&) {});
  EXPECT_EQ(load(0, a + 64), 0x11111111U);
  EXPECT_EQ(stat("part0_l2.memory_reads"), 0);
  expect_clean();
}

TEST_F(L2, AnEvictedPartialLineLeavesTheOtherBytesInMemory) {
  spec.l2.size = 128;
  spec.l2.ways = 1;
  build();
  system->debug_word(a, 1);
  system->debug_word(a + 4, 2);
  store(0, a + 4, 22);
  store(0, a + 0x1000, 33);  // evicts
  EXPECT_EQ(stat("part0_l2.memory_writes"), 1);
  EXPECT_EQ(stat("part0_l2.memory_written_bytes"), 4);
  EXPECT_EQ(load(0, a), 1U);
  EXPECT_EQ(load(0, a + 4), 22U);
  EXPECT_EQ(load(0, a + 0x1000), 33U);
}

TEST_F(L2, CleanLinesLeaveSilently) {
  spec.l2.size = 128;
  spec.l2.ways = 1;
  build();
  load(0, a);
  load(0, a + 0x1000);
  EXPECT_EQ(stat("part0_l2.evictions"), 1);
  EXPECT_EQ(stat("part0_l2.memory_writes"), 0);
}

TEST_F(L2, ContendedAtomicsTakeLonger) {
  build();
  atomic(0, a, 1, false);
  const double one = atomic(0, a, 1, false), spread = atomic(0, a, 32, true), same = atomic(0, a, 32, false);
  EXPECT_GT(same, spread + 40) << "31 more rounds of an L2 cycle, at half the core's clock";
  EXPECT_LT(spread, one + 10);
  EXPECT_EQ(system->debug_word(a), 1U + 1 + 1 + 32);
  EXPECT_EQ(system->debug_word(a + 4), 1U);
  EXPECT_EQ(stat("part0_l2.atomic_operations"), 66);
}

TEST_F(L2, DebugAccessSeesAndChangesWhatTheSliceHolds) {
  build();
  store(0, a, 5);  // dirty, and memory lacks it
  EXPECT_EQ(system->debug_word(a), 5U);
  system->debug_word(a, 6);
  EXPECT_EQ(load(0, a), 6U);
  system->debug_word(a + 8, 7);  // a byte that the frame does not hold
  EXPECT_EQ(load(0, a + 8), 7U);
}

TEST_F(L2, DebugAccessCrossesLines) {
  build();
  std::vector<std::uint8_t> bytes(300);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
  ASSERT_TRUE(system->slices[0]->debug_write(base::ByteAddress(a + 60), bytes.data(), bytes.size()));
  std::vector<std::uint8_t> back(bytes.size());
  ASSERT_TRUE(system->slices[0]->debug_read(base::ByteAddress(a + 60), back.data(), back.size()));
  EXPECT_EQ(back, bytes);
}

TEST_F(L2, DebugAccessBeyondTheMemoryFails) {
  build();
  std::uint8_t byte = 0;
  EXPECT_FALSE(system->slices[0]->debug_read(base::ByteAddress(1 << 20), &byte, 1));
  EXPECT_FALSE(system->slices[0]->debug_write(base::ByteAddress(1 << 20), &byte, 1));
}

TEST_F(L2, DebugWritesWhileALineIsOnItsWayAreSeen) {
  spec.max_memory_delay_ps = 1'000'000;
  build();
  system->debug_word(a, 1);
  std::uint32_t got = 0;
  cores[0]->send(load_message(0, a), [&got](Message& reply) { std::memcpy(&got, reply.data.data(), 4); });
  run_ns(30);
  system->debug_word(a, 2);
  run_ns(5000);
  EXPECT_EQ(got, 2U);
}

TEST_F(L2, DebugTransportGoesThroughTheSocket) {
  struct Host : sc_core::sc_module {
    explicit Host(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {}
    tlm_utils::simple_initiator_socket<Host> socket;
  } host("host");
  build();
  host.socket.bind(system->slices[0]->debug);
  store(0, a, 5);
  std::uint32_t word = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(a);
  payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(&word));
  payload.set_data_length(4);
  EXPECT_EQ(host.socket->transport_dbg(payload), 4U);
  EXPECT_EQ(word, 5U);
  word = 8;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  EXPECT_EQ(host.socket->transport_dbg(payload), 4U);
  EXPECT_EQ(load(0, a), 8U);
  payload.set_address(1 << 20);
  EXPECT_EQ(host.socket->transport_dbg(payload), 0U);
}

TEST_F(L2, NamesWhatIsLeftOverAndWhoWaits) {
  spec.max_memory_delay_ps = 900'000'000;
  build();
  cores[0]->send(load_message(0, a), [](Message&) {});
  run_ns(50);
  EXPECT_THAT(system->slices[0]->check_end_of_run(), Contains(HasSubstr("miss register of line 0x1000 in F")));
  EXPECT_THAT(system->slices[0]->describe_waiting(), Contains(HasSubstr("read of line 0x1000 waits for memory")));
}

TEST_F(L2, AMemoryThatFailsIsAModelError) {
  spec.memory_bytes = 0x1000;
  build();
  cores[0]->send(load_message(0, 0x5000), [](Message&) {});
  expect_model_error("memory answered a read of line 0x5000 with TLM_ADDRESS_ERROR_RESPONSE");
}

}  // namespace
}  // namespace syncline::tests
