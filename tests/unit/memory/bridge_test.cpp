// Both bridges: a loosely timed memory behind the base protocol, and a foreign initiator in front of the whole
// hierarchy (bridge, L1, crossbars, L2 slices, DRAM), each held to the contract of memories.
#include "models/bridge/foreign_bridge.h"
#include "models/bridge/lt_memory_adapter.h"

#include "base/error.h"
#include "models/dram/payload_access.h"
#include "platform/gpu/foreign_port.h"
#include "tests/support/memory_contract.h"
#include "tests/support/message_endpoints.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What a user might bring: b_transport only, which even waits.
struct UserMemory : sc_core::sc_module {
  UserMemory(const sc_core::sc_module_name& name, std::uint64_t capacity)
      : sc_core::sc_module(name), socket("socket"), bytes(capacity) {
    socket.register_b_transport(this, &UserMemory::b_transport);
    socket.register_transport_dbg(this, &UserMemory::debug);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const tlm::tlm_response_status status = check_access(bytes.capacity(), payload);
    payload.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) return;
    sc_core::wait(delay + sc_core::sc_time(20, sc_core::SC_NS));
    perform_access(bytes, payload);
    delay = sc_core::sc_time(7, sc_core::SC_NS);
  }
  unsigned debug(tlm::tlm_generic_payload& payload) { return debug_access(bytes, payload); }
  tlm_utils::simple_target_socket<UserMemory> socket;
  SparseMemory bytes;
};

struct LtTarget {
  static constexpr std::uint64_t capacity = 1 << 20;
  explicit LtTarget(PlatformContext& context) : adapter("adapter", context, 8), memory("user_memory", capacity) {
    adapter.initiator.bind(memory.socket);
  }
  void bind(tlm_utils::simple_initiator_socket<BaseProtocolChecker>& socket) { socket.bind(adapter.target); }
  LtMemoryAdapter adapter;
  UserMemory memory;
};

/// A memory side without SMs: foreign initiators, each with an L1 of its own, and two partitions.
struct Machine {
  static constexpr std::uint64_t capacity = 2 << 20;
  Machine(PlatformContext& context, unsigned initiators) : plan(context, spec(), options(initiators)), side(plan) {
    platform::ForeignPortOptions port;
    port.size = capacity;
    for (unsigned i = 0; i < initiators; ++i)
      ports.push_back(std::make_unique<platform::ForeignPort>("port" + std::to_string(i), side, i, port));
  }
  static platform::PlatformSpec spec() {
    platform::PlatformSpec spec;
    spec.sms = 0;
    spec.memory.partitions = 2;
    spec.host.memory = capacity;
    return spec;
  }
  static platform::PlanOptions options(unsigned initiators) {
    platform::PlanOptions options;
    options.foreign_ports = initiators;
    return options;
  }
  const platform::GpuPlan plan;
  platform::MemorySide side;
  std::vector<std::unique_ptr<platform::ForeignPort>> ports;
};

struct ForeignTarget {
  static constexpr std::uint64_t capacity = Machine::capacity;
  explicit ForeignTarget(PlatformContext& context) : machine(context, 1) {}
  void bind(tlm_utils::simple_initiator_socket<BaseProtocolChecker>& socket) { socket.bind(machine.ports[0]->socket); }
  Machine machine;
};

using BridgeContracts = testing::Types<LtTarget, ForeignTarget>;

}  // namespace
}  // namespace syncline::models

namespace syncline::tests {
INSTANTIATE_TYPED_TEST_SUITE_P(Bridge, MemoryContract, models::BridgeContracts);
}  // namespace syncline::tests

namespace syncline::models {
namespace {

/// A loosely timed initiator that runs a script in a thread.
struct Initiator : sc_core::sc_module {
  SC_HAS_PROCESS(Initiator);
  explicit Initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
    SC_THREAD(run);
  }
  void run() {
    if (script) script();
    finished = true;
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                                  unsigned width = 0, std::vector<std::uint8_t> enables = {}) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(width == 0 ? bytes : width);
    if (!enables.empty()) {
      payload.set_byte_enable_ptr(enables.data());
      payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    }
    sc_core::sc_time delay(5, sc_core::SC_NS);
    socket->b_transport(payload, delay);
    EXPECT_TRUE(payload.get_response_status() != tlm::TLM_OK_RESPONSE || delay == sc_core::SC_ZERO_TIME ||
                payload.get_command() == tlm::TLM_IGNORE_COMMAND || !enables.empty());
    return payload.get_response_status();
  }
  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::function<void()> script;
  bool finished = false;
};

class ForeignBridgeTest : public tests::PlatformFixture {
 protected:
  Machine machine{context, 2};
  Initiator a{"a"}, b{"b"};
  void run() {
    a.socket.bind(machine.ports[0]->socket);
    b.socket.bind(machine.ports[1]->socket);
    for (int i = 0; i < 200 && !(a.finished && b.finished); ++i) run_ns(1000);
    EXPECT_TRUE(a.finished && b.finished);
    run_ns(2000);
    expect_clean();
  }
};

TEST_F(ForeignBridgeTest, AnyLengthIsSplitIntoLinesAndPartitions) {
  std::vector<std::uint8_t> out(1000), in(1500);
  for (unsigned i = 0; i < 1000; ++i) out[i] = static_cast<std::uint8_t>(i * 7 + 3);
  a.script = [&] {
    EXPECT_EQ(a.access(tlm::TLM_WRITE_COMMAND, 77, out.data(), 1000), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(a.access(tlm::TLM_READ_COMMAND, 77, in.data(), 1500), tlm::TLM_OK_RESPONSE);
  };
  run();
  out.resize(1500);  // behind what was written, memory is zero
  EXPECT_EQ(in, out);
  EXPECT_EQ(statistic("port0_bridge.line_accesses"), 9 + 13);
  EXPECT_EQ(statistic("port0_bridge.written_bytes"), 1000);
  EXPECT_GT(statistic("part0_dram.reads"), 0);
  EXPECT_GT(statistic("part1_dram.reads"), 0);
}

TEST_F(ForeignBridgeTest, TwoInitiatorsSeeEachOthersWrites) {
  // Flag and data in different partitions: b polls the flag and must then see the data.
  std::uint32_t seen = 0;
  a.script = [&] {
    std::uint32_t data = 0xdeadbeef, flag = 1;
    sc_core::wait(500, sc_core::SC_NS);
    a.access(tlm::TLM_WRITE_COMMAND, 0, reinterpret_cast<std::uint8_t*>(&data), 4);
    a.access(tlm::TLM_WRITE_COMMAND, 256, reinterpret_cast<std::uint8_t*>(&flag), 4);
  };
  b.script = [&] {
    std::uint32_t flag = 0;
    b.access(tlm::TLM_READ_COMMAND, 0, reinterpret_cast<std::uint8_t*>(&seen), 4);  // an old copy, if anybody keeps one
    EXPECT_EQ(seen, 0U);
    for (int i = 0; i < 50 && flag == 0; ++i)
      b.access(tlm::TLM_READ_COMMAND, 256, reinterpret_cast<std::uint8_t*>(&flag), 4);
    EXPECT_EQ(flag, 1U);
    b.access(tlm::TLM_READ_COMMAND, 0, reinterpret_cast<std::uint8_t*>(&seen), 4);
  };
  run();
  EXPECT_EQ(seen, 0xdeadbeefU);
}

TEST_F(ForeignBridgeTest, StreamsAndByteEnablesAreThoseOfTheLrm) {
  std::uint8_t out[8] = {1, 2, 3, 4, 5, 6, 7, 8}, in[8] = {}, untouched[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  std::uint8_t nothing[8] = {};
  a.script = [&] {
    a.access(tlm::TLM_WRITE_COMMAND, 126, out, 8, 4);  // wraps over a line's end
    a.access(tlm::TLM_READ_COMMAND, 126, in, 8);
    a.access(tlm::TLM_WRITE_COMMAND, 300, out, 8, 8, {TLM_BYTE_DISABLED, TLM_BYTE_ENABLED});
    a.access(tlm::TLM_READ_COMMAND, 300, untouched, 8, 8,
             {TLM_BYTE_ENABLED, TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED});
    EXPECT_EQ(a.access(tlm::TLM_WRITE_COMMAND, 400, out, 8, 8, {TLM_BYTE_DISABLED}), tlm::TLM_OK_RESPONSE);
    a.access(tlm::TLM_READ_COMMAND, 400, nothing, 8);
  };
  run();
  EXPECT_THAT(in, ElementsAre(5, 6, 7, 8, 0, 0, 0, 0));
  EXPECT_THAT(untouched, ElementsAre(0, 2, 9, 4, 0, 6, 9, 8));
  EXPECT_THAT(nothing, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
}

TEST_F(ForeignBridgeTest, ErrorsAreAnsweredNotThrown) {
  std::uint8_t data[8] = {};
  a.script = [&] {
    EXPECT_EQ(a.access(tlm::TLM_READ_COMMAND, Machine::capacity, data, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(a.access(tlm::TLM_READ_COMMAND, Machine::capacity - 2, data, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(a.access(tlm::TLM_READ_COMMAND, 0, nullptr, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(a.access(tlm::TLM_IGNORE_COMMAND, 0, data, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(a.access(static_cast<tlm::tlm_command>(3), 0, data, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
  };
  run();
  EXPECT_EQ(statistic("port0_bridge.line_accesses"), 0);
}

TEST_F(ForeignBridgeTest, EachInitiatorLooksIntoAllPartitions) {
  std::vector<std::uint8_t> out(600), in(600);
  for (unsigned i = 0; i < 600; ++i) out[i] = static_cast<std::uint8_t>(i * 5 + 1);
  a.script = [&] { a.access(tlm::TLM_WRITE_COMMAND, 100, out.data(), 600); };
  run();
  tlm::tlm_generic_payload payload;
  payload.set_address(100);
  payload.set_data_ptr(in.data());
  payload.set_data_length(600);
  for (Initiator* const initiator : {&a, &b}) {
    payload.set_read();
    EXPECT_EQ(initiator->socket->transport_dbg(payload), 600U);
    EXPECT_EQ(in, out);
    out[0] = in[0] = 77;
    payload.set_write();
    EXPECT_EQ(initiator->socket->transport_dbg(payload), 600U);
  }
}

TEST_F(ForeignBridgeTest, DirectMemoryIsRefusedForAllAddresses) {
  run();
  tlm::tlm_generic_payload payload;
  payload.set_read();
  payload.set_address(0x100);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(a.socket->get_direct_mem_ptr(payload, dmi));
  EXPECT_EQ(dmi.get_start_address(), 0U);
  EXPECT_EQ(dmi.get_end_address(), ~sc_dt::uint64{0}) << "nobody need ask again (LRM 11.2.5)";
}

using ForeignBridgeAloneTest = tests::PlatformFixture;

TEST_F(ForeignBridgeAloneTest, ARequestTakesPlaceAtItsAnnotatedTime) {
  Machine machine(context, 2);
  tests::MemoryTester early("early"), late("late");
  late.annotated_ps = 3'000'000;
  early.socket.bind(machine.ports[0]->socket);
  late.socket.bind(machine.ports[1]->socket);
  run_ns(1);
  const auto write = late.write(0, {7});
  run_ns(2900);
  const auto before = early.read(0, 1);
  run_ns(1500);
  const auto after = early.read(0, 1);
  run_ns(1500);
  EXPECT_GE(late.results.at(write).at_ps, 3'001'000U);
  EXPECT_THAT(early.results.at(before).data, ElementsAre(0)) << "nothing is written 100 ns before its time";
  EXPECT_LT(early.results.at(before).at_ps, late.results.at(write).at_ps);
  EXPECT_THAT(early.results.at(after).data, ElementsAre(7));
  expect_clean();
}

TEST_F(ForeignBridgeAloneTest, AReplyThatNobodyAskedForIsAModelError) {
  const AddressMap map(Machine::spec().memory);
  ForeignBridge bridge("bridge", context, {}, map, Machine::capacity);
  tests::MemoryTester initiator("initiator");
  tests::MessageSink l1_in("l1_in");
  tests::MessageSource l1_out("l1_out");
  initiator.socket.bind(bridge.socket);
  bridge.to_l1.socket.bind(l1_in.port.socket);
  l1_out.port.socket.bind(bridge.from_l1.socket);
  run_ns(1);
  Message& m = pool.get();
  m.message_class = MessageClass::store_ack;
  m.tag = 3;
  try {
    l1_out.send(m);
    FAIL();
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bridge: a store_ack of line 0x0 for an access that was never made"));
  }
  m.payload()->release();
}

class LtMemoryAdapterTest : public tests::PlatformFixture {};

TEST_F(LtMemoryAdapterTest, TheMemorysTimesAreKept) {
  LtTarget target(context);
  BaseProtocolChecker checker("checker", OnViolation::keep);
  tests::MemoryTester initiator("initiator");
  initiator.socket.bind(checker.target);
  target.bind(checker.initiator);
  run_ns(10);
  const auto first = initiator.read(0, 4);
  const auto second = initiator.read(128, 4);
  run_ns(100);
  EXPECT_EQ(initiator.results.at(first).at_ps, 10'000U + 20'000 + 7'000) << "20 ns waited, 7 ns annotated";
  EXPECT_EQ(initiator.results.at(second).at_ps, 10'000U + 2 * 20'000 + 7'000);
  const auto outside = initiator.read(LtTarget::capacity, 4);
  run_ns(100);
  EXPECT_EQ(initiator.results.at(outside).status, tlm::TLM_ADDRESS_ERROR_RESPONSE) << "errors come through";
  EXPECT_THAT(checker.violations(), IsEmpty());
  expect_clean();
}

TEST_F(LtMemoryAdapterTest, TellsWhatItWaitsFor) {
  LtTarget target(context);
  tests::MemoryTester initiator("initiator");
  initiator.socket.bind(target.adapter.target);
  run_ns(1);
  for (unsigned i = 0; i < 12; ++i) initiator.read(i * 128, 4);
  run_ns(1);
  const auto lines = target.adapter.describe_waiting();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0], HasSubstr("adapter: 8 requests wait"));
  EXPECT_THAT(lines[1], HasSubstr("the initiator waits for END_REQ"));
  EXPECT_THAT(lines[2], HasSubstr("the memory is in b_transport at 0x0"));
  run_ns(1000);
  expect_clean();
}

TEST_F(LtMemoryAdapterTest, RefusesAQueueWithoutRoom) {
  EXPECT_THROW(LtMemoryAdapter("none", context, 0), base::UserError);
}

}  // namespace
}  // namespace syncline::models
