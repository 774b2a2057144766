#include "models/dram/dram.h"

#include <set>

#include "base/error.h"
#include "tests/support/dram_timing_checker.h"
#include "tests/support/memory_contract.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::MemoryTester;

template <DramScheduling scheduling, PagePolicy page_policy>
struct DramTarget {
  static constexpr std::uint64_t capacity = 1 << 20;
  explicit DramTarget(PlatformContext& context)
      : dram("dram", context, context.scheduler.add_domain("dram", 924'000'000), spec()) {}
  static DramSpec spec() {
    DramSpec s;
    s.capacity = capacity;
    s.scheduling = scheduling;
    s.page_policy = page_policy;
    return s;
  }
  void bind(tlm_utils::simple_initiator_socket<BaseProtocolChecker>& socket) { socket.bind(dram.socket); }
  Dram dram;
};
using Contracts = testing::Types<DramTarget<DramScheduling::fr_fcfs, PagePolicy::open>,
                                 DramTarget<DramScheduling::fcfs, PagePolicy::closed>>;
}  // namespace
}  // namespace syncline::models

namespace syncline::tests {
INSTANTIATE_TYPED_TEST_SUITE_P(Dram, MemoryContract, models::Contracts);
}  // namespace syncline::tests

namespace syncline::models {
namespace {

/// Collects the commands of a channel.
struct CommandLog : tlm::tlm_analysis_if<DramCommand> {
  void write(const DramCommand& command) override { commands.push_back(command); }
  std::vector<DramCommand> commands;
};

class DramTest : public tests::PlatformFixture {
 protected:
  DramTest() { spec.capacity = 1 << 20; }
  void build() {
    dram = std::make_unique<Dram>("dram", context, scheduler.add_domain("dram", 1'000'000'000), spec, perturbation);
    initiator.socket.bind(checker.target);
    checker.initiator.bind(dram->socket);
    dram->commands.bind(log);
    dram->watch_commands();
    run_ns(10.5);
  }
  void drain() {
    for (int i = 0; i < 500 && !initiator.done(); ++i) run_ns(1000);
    EXPECT_TRUE(initiator.done());
    expect_clean();
    EXPECT_THAT(checker.violations(), IsEmpty());
  }
  double latency_ns(std::uint32_t tag, std::uint64_t from_ns) const {
    return static_cast<double>(initiator.results.at(tag).at_ps) / 1000 - static_cast<double>(from_ns);
  }

  DramSpec spec;
  PerturbationSpec perturbation;
  CommandLog log;
  std::unique_ptr<Dram> dram;
  BaseProtocolChecker checker{"checker", OnViolation::keep};
  MemoryTester initiator{"initiator"};
};

TEST_F(DramTest, TheMinimumLatencyIsThatOfAnOpenRow) {
  spec.minimum_latency = 200;
  build();
  const auto miss = initiator.read(0, 64);  // cycle 11
  drain();
  const std::uint64_t start = static_cast<std::uint64_t>(sc_core::sc_time_stamp().value() / 1000) + 1;
  const auto hit = initiator.read(64, 64);
  drain();
  EXPECT_EQ(latency_ns(miss, 11), 212) << "the row costs tRCD more";
  EXPECT_EQ(latency_ns(hit, start), 200);
  EXPECT_EQ(statistic("dram.row_misses"), 1);
  EXPECT_EQ(statistic("dram.row_hits"), 1);
}

TEST_F(DramTest, AMinimumBelowTheArrayChangesNothing) {
  spec.minimum_latency = 0;
  build();
  const auto tag = initiator.read(0, 64);
  drain();
  EXPECT_EQ(latency_ns(tag, 11), 26) << "tRCD 12 + tCL 12 + 2 cycles of data";
}

TEST_F(DramTest, AFullQueueWithholdsEndReq) {
  spec.queue = 4;
  build();
  for (unsigned i = 0; i < 6; ++i) initiator.read(i * 65536, 64);
  EXPECT_FALSE(initiator.ready());
  EXPECT_EQ(initiator.unsent(), 1U);
  EXPECT_EQ(statistic("dram.back_pressure"), 1);
  const auto waiting = dram->describe_waiting();
  ASSERT_EQ(waiting.size(), 2U);
  EXPECT_THAT(waiting[0], HasSubstr("dram: 4 requests in the queue, the oldest is a read of bank 0 row 0"));
  EXPECT_THAT(waiting[1], HasSubstr("the initiator waits for END_REQ"));
  drain();
  EXPECT_EQ(initiator.results.size(), 6U);
}

TEST_F(DramTest, RandomTrafficBreaksNoRule) {
  build();
  base::Random random(3);
  for (unsigned n = 0; n < 2000; ++n) {
    const std::uint64_t address = std::uint64_t{random.below(random.below(2) == 0 ? 64 : 8192)} * 128;
    if (random.below(3) == 0) {
      initiator.write(address, std::vector<std::uint8_t>(128, 1));
    } else {
      initiator.read(address, 128);
    }
    if (random.below(4) == 0) run_ns(1 + random.below(60));
  }
  drain();
  EXPECT_GT(log.commands.size(), 4000U);
  EXPECT_THAT(tests::broken_dram_rules(spec, log.commands), IsEmpty());
  EXPECT_EQ(statistic("dram.reads") + statistic("dram.writes"), 2000);
  EXPECT_EQ(statistic("dram.row_hits") + statistic("dram.row_misses") + statistic("dram.row_conflicts"), 2000);
  EXPECT_EQ(statistic("dram.data_cycles"), 2000 * 4);
  EXPECT_GT(statistic("dram.refreshes"), 1);
  EXPECT_GT(statistic("dram.bus_utilisation"), 0.0);
  EXPECT_LT(statistic("dram.bus_utilisation"), 1.0);
}

TEST_F(DramTest, JitterDelaysAnswersAndKeepsTheirOrder) {
  spec.minimum_latency = 200;
  spec.timing.refresh = false;
  perturbation.dram_jitter = 7;
  build();
  std::set<double> latencies;
  std::uint64_t last_ps = 0;
  for (unsigned n = 0; n < 40; ++n) {
    const auto start = static_cast<std::uint64_t>(sc_core::sc_time_stamp().value() / 1000) + 1;
    const auto first = initiator.read(n % 8 * 64, 64), second = initiator.read(n % 8 * 64, 64);
    drain();
    if (n != 0) latencies.insert(latency_ns(first, start));
    EXPECT_LE(initiator.results.at(first).at_ps, initiator.results.at(second).at_ps);
    EXPECT_LE(last_ps, initiator.results.at(first).at_ps);
    last_ps = initiator.results.at(second).at_ps;
    run_ns(300);
  }
  EXPECT_EQ(*latencies.begin(), 200) << "an open row, undisturbed";
  EXPECT_EQ(*latencies.rbegin(), 207);
  EXPECT_EQ(latencies.size(), 8U) << "each delay up to the largest was drawn in 39 reads";
}

TEST_F(DramTest, TheFirstRefreshComesWhereTheSeedSays) {
  perturbation.refresh_phase = true;
  perturbation.seed = 5;
  build();
  run_ns(3 * 3600);
  initiator.read(0, 64);
  drain();
  std::vector<base::Cycle> refreshes;
  for (const DramCommand& command : log.commands) {
    if (command.kind == DramCommandKind::refresh) refreshes.push_back(command.cycle);
  }
  ASSERT_GE(refreshes.size(), 3U);
  const base::Cycle expected = 1 + perturbation.random(1, "dram.refresh_phase").below(3600);
  EXPECT_NE(expected, 3600U) << "a seed whose phase shows";
  EXPECT_EQ(refreshes[0], expected);
  EXPECT_EQ(refreshes[1], expected + 3600);
}

TEST_F(DramTest, ASleepingChannelCostsNoEvents) {
  build();
  const std::uint64_t before = sc_core::sc_delta_count();
  run_ns(1'000'000);
  EXPECT_LE(sc_core::sc_delta_count() - before, 1U) << "refreshes of an idle channel are made up for later";
}

/// A raw initiator that sends what a MemoryPort never would, and may hold END_RESP back.
struct RawInitiator : sc_core::sc_module, tlm::tlm_mm_interface {
  explicit RawInitiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
    socket.register_nb_transport_bw(this, &RawInitiator::backward);
    socket.register_invalidate_direct_mem_ptr(this, &RawInitiator::invalidated);
  }
  ~RawInitiator() override {
    for (auto* p : made) delete p;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::BEGIN_RESP) {
      answered.push_back(&p);
      if (!hold) return tlm::TLM_COMPLETED;
    }
    return tlm::TLM_ACCEPTED;
  }
  void invalidated(sc_dt::uint64 first, sc_dt::uint64 last) { invalid.emplace_back(first, last); }
  void free(tlm::tlm_generic_payload*) override { ++freed; }
  tlm::tlm_generic_payload& payload(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    made.push_back(new tlm::tlm_generic_payload(this));
    auto& p = *made.back();
    p.acquire();
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(buffer.data());
    p.set_data_length(bytes);
    p.set_streaming_width(bytes);
    return p;
  }
  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& p, tlm::tlm_phase phase = tlm::BEGIN_REQ) {
    sc_core::sc_time delay;
    return socket->nb_transport_fw(p, phase, delay);
  }
  tlm_utils::simple_initiator_socket<RawInitiator> socket;
  std::array<std::uint8_t, 256> buffer{};
  std::vector<tlm::tlm_generic_payload*> made, answered;
  std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>> invalid;
  bool hold = false;
  unsigned freed = 0;
};

class DramProtocolTest : public tests::PlatformFixture {
 protected:
  void build() {
    dram = std::make_unique<Dram>("dram", context, scheduler.add_domain("dram", 1'000'000'000), spec);
    raw.socket.bind(dram->socket);
    run_ns(1);
  }
  tlm::tlm_response_status status_of(tlm::tlm_generic_payload& p) {
    EXPECT_EQ(raw.send(p), tlm::TLM_COMPLETED);
    return p.get_response_status();
  }
  DramSpec spec = [] {
    DramSpec s;
    s.capacity = 1 << 20;
    return s;
  }();
  std::unique_ptr<Dram> dram;
  RawInitiator raw{"raw"};
};

TEST_F(DramProtocolTest, BadAttributesGetTheResponsesOfTheLrm) {
  build();
  using tlm::TLM_READ_COMMAND;
  EXPECT_EQ(status_of(raw.payload(TLM_READ_COMMAND, 1 << 20, 4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status_of(raw.payload(TLM_READ_COMMAND, (1 << 20) - 2, 4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status_of(raw.payload(TLM_READ_COMMAND, ~std::uint64_t{0}, 4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status_of(raw.payload(TLM_READ_COMMAND, 0, 0)), tlm::TLM_BURST_ERROR_RESPONSE);
  auto& no_data = raw.payload(TLM_READ_COMMAND, 0, 4);
  no_data.set_data_ptr(nullptr);
  EXPECT_EQ(status_of(no_data), tlm::TLM_BURST_ERROR_RESPONSE);
  auto& no_width = raw.payload(TLM_READ_COMMAND, 0, 4);
  no_width.set_streaming_width(0);
  EXPECT_EQ(status_of(no_width), tlm::TLM_BURST_ERROR_RESPONSE);
  auto& no_enables = raw.payload(TLM_READ_COMMAND, 0, 4);
  no_enables.set_byte_enable_ptr(raw.buffer.data());
  no_enables.set_byte_enable_length(0);
  EXPECT_EQ(status_of(no_enables), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(status_of(raw.payload(static_cast<tlm::tlm_command>(3), 0, 4)), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(status_of(raw.payload(tlm::TLM_IGNORE_COMMAND, 0, 4)), tlm::TLM_OK_RESPONSE);
  expect_clean();
}

TEST_F(DramProtocolTest, StreamsAndRepeatingByteEnables) {
  build();
  for (unsigned i = 0; i < 8; ++i) raw.buffer[i] = static_cast<std::uint8_t>(i + 1);
  auto& stream = raw.payload(tlm::TLM_WRITE_COMMAND, 0, 8);
  stream.set_streaming_width(4);
  raw.send(stream);
  std::uint8_t enables[2] = {TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
  auto& odd = raw.payload(tlm::TLM_WRITE_COMMAND, 16, 8);
  odd.set_byte_enable_ptr(enables);
  odd.set_byte_enable_length(2);
  raw.send(odd);
  run_ns(1000);
  std::uint8_t seen[24];
  dram->memory().read(0, seen, 24);
  EXPECT_THAT(std::vector<int>(seen, seen + 8), ElementsAre(5, 6, 7, 8, 0, 0, 0, 0)) << "the stream wraps (LRM 14.15)";
  EXPECT_THAT(std::vector<int>(seen + 16, seen + 24), ElementsAre(0, 2, 0, 4, 0, 6, 0, 8));
  expect_clean();
}

TEST_F(DramProtocolTest, AHeldEndRespStopsFurtherAnswersAndThenTheChannel) {
  spec.response_queue = 2;
  build();
  raw.hold = true;
  for (unsigned i = 0; i < 8; ++i) raw.send(raw.payload(tlm::TLM_READ_COMMAND, i * 64, 64));
  run_ns(2000);
  EXPECT_EQ(raw.answered.size(), 1U);
  EXPECT_EQ(statistic("dram.data_cycles"), 3 * 2) << "one answer out, two behind it, the rest stays in the chips";
  ASSERT_EQ(dram->describe_waiting().size(), 2U);
  EXPECT_THAT(dram->describe_waiting()[1], HasSubstr("BEGIN_RESP waits for END_RESP, 2 more answers behind it"));
  for (unsigned i = 0; i < 8; ++i) {
    ASSERT_EQ(raw.answered.size(), i + 1);
    raw.send(*raw.answered.back(), tlm::END_RESP);
    run_ns(500);
  }
  expect_clean();
  for (auto* p : raw.made) p->release();
  EXPECT_EQ(raw.freed, 8U) << "the channel keeps no reference";
}

TEST_F(DramProtocolTest, BrokenProtocolIsAModelError) {
  spec.queue = 1;
  build();
  auto& p = raw.payload(tlm::TLM_READ_COMMAND, 0, 4);
  EXPECT_THROW(raw.send(p, tlm::END_RESP), base::ModelError);
  EXPECT_THROW(raw.send(p, tlm::BEGIN_RESP), base::ModelError);
  raw.send(p);
  raw.send(raw.payload(tlm::TLM_READ_COMMAND, 0, 4));
  EXPECT_THROW(raw.send(raw.payload(tlm::TLM_READ_COMMAND, 0, 4)), base::ModelError) << "LRM 15.2.6";
}

TEST_F(DramProtocolTest, BlockingTransportTakesTheLatencyAsAnnotation) {
  build();
  raw.buffer[0] = 42;
  auto& w = raw.payload(tlm::TLM_WRITE_COMMAND, 7, 1);
  sc_core::sc_time delay;
  raw.socket->b_transport(w, delay);
  EXPECT_EQ(w.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(delay.value() / 1000, spec.minimum_latency);
  auto& beyond = raw.payload(tlm::TLM_WRITE_COMMAND, 1 << 20, 1);
  raw.socket->b_transport(beyond, delay);
  EXPECT_EQ(beyond.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  std::uint8_t seen = 0;
  dram->memory().read(7, &seen, 1);
  EXPECT_EQ(seen, 42);
}

TEST_F(DramProtocolTest, WhoLooksAtTheMemorySeesEveryWriteThatWasAccepted) {
  build();
  std::uint8_t seen = 0;
  const auto write = [&](std::uint8_t value) {
    raw.buffer[0] = value;
    raw.send(raw.payload(tlm::TLM_WRITE_COMMAND, 7, 1));
  };
  auto& look = raw.payload(tlm::TLM_READ_COMMAND, 7, 1);
  look.set_data_ptr(&seen);
  write(1);
  EXPECT_EQ(raw.socket->transport_dbg(look), 1U);
  EXPECT_EQ(seen, 1);
  write(2);
  sc_core::sc_time delay;
  raw.socket->b_transport(look, delay);
  EXPECT_EQ(seen, 2);
  write(3);
  dram->allow_dmi(true);
  tlm::tlm_dmi dmi;
  ASSERT_TRUE(raw.socket->get_direct_mem_ptr(look, dmi));
  const std::uint8_t& byte = dmi.get_dmi_ptr()[7 - dmi.get_start_address()];
  EXPECT_EQ(byte, 3);
  write(4);
  EXPECT_EQ(byte, 4);
  run_ns(1000);
  expect_clean();
}

TEST_F(DramProtocolTest, DmiIsGivenOnRequestAndTakenBack) {
  build();
  auto& p = raw.payload(tlm::TLM_READ_COMMAND, 100, 4);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(raw.socket->get_direct_mem_ptr(p, dmi)) << "off at first";
  dram->allow_dmi(true);
  ASSERT_TRUE(raw.socket->get_direct_mem_ptr(p, dmi));
  EXPECT_TRUE(dmi.is_read_write_allowed());
  EXPECT_LE(dmi.get_start_address(), 100U);
  EXPECT_GE(dmi.get_end_address(), 103U);
  dmi.get_dmi_ptr()[100 - dmi.get_start_address()] = 5;
  std::uint8_t seen = 0;
  dram->memory().read(100, &seen, 1);
  EXPECT_EQ(seen, 5);
  raw.send(p);
  EXPECT_TRUE(p.is_dmi_allowed()) << "the hint of LRM 14.16";
  EXPECT_TRUE(raw.invalid.empty());
  dram->allow_dmi(false);
  EXPECT_THAT(raw.invalid, ElementsAre(std::pair<sc_dt::uint64, sc_dt::uint64>(0, (1 << 20) - 1)));
  auto& outside = raw.payload(tlm::TLM_READ_COMMAND, 1 << 20, 4);
  EXPECT_FALSE(raw.socket->get_direct_mem_ptr(outside, dmi));
  run_ns(1000);
}

TEST(SparseMemory, AllocatesOnTouchAndCrossesPages) {
  SparseMemory memory(std::uint64_t{1} << 36);
  std::vector<std::uint8_t> bytes(300), seen(300);
  for (unsigned i = 0; i < 300; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  const std::uint64_t address = SparseMemory::page_bytes * 1000 - 100;
  memory.read(address, seen.data(), 300);
  EXPECT_EQ(seen, std::vector<std::uint8_t>(300, 0));
  EXPECT_EQ(memory.pages_in_use(), 0U) << "reading allocates nothing";
  memory.write(address, bytes.data(), 300);
  memory.read(address, seen.data(), 300);
  EXPECT_EQ(seen, bytes);
  EXPECT_EQ(memory.pages_in_use(), 2U);
}

TEST(SparseMemory, ABlockOfAPageThatHoldsDataLiesBesideTheOneTouchedBefore) {
  SparseMemory memory(std::uint64_t{1} << 32);
  std::uint8_t* const first = memory.block(5 * SparseMemory::page_bytes + 17);
  std::uint8_t* const second = memory.block(900 * SparseMemory::page_bytes);
  EXPECT_EQ(second, first + SparseMemory::block_bytes);
  EXPECT_EQ(memory.block(5 * SparseMemory::page_bytes), first) << "it stays where it is";
  const std::uint64_t many = 2000;  // beyond the first stretch of a huge page of the host
  for (std::uint64_t n = 0; n < many; ++n) {
    const std::uint64_t block = n * 7 * SparseMemory::block_bytes;
    memory.write(block + 128, reinterpret_cast<const std::uint8_t*>(&n), sizeof(n));
  }
  for (std::uint64_t n = 0; n < many; ++n) {
    std::uint64_t seen[2];
    memory.read(n * 7 * SparseMemory::block_bytes + 120, reinterpret_cast<std::uint8_t*>(seen), sizeof(seen));
    EXPECT_EQ(seen[0], 0U) << "block " << n;
    EXPECT_EQ(seen[1], n);
  }
}

}  // namespace
}  // namespace syncline::models
