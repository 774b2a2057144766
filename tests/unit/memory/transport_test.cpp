#include <gmock/gmock.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <optional>

#include "base/error.h"
#include "models/transport/four_phases.h"
#include "models/transport/message_port.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"

namespace syncline::models {
namespace {

using testing::HasSubstr;
using tests::MessageSink;
using tests::MessageSource;

class TransportTest : public tests::PlatformFixture {
 protected:
  Message& message(std::uint32_t tag, VirtualNetwork network = 0) {
    Message& m = pool.get();
    m.tag = tag;
    m.network = network;
    return m;
  }
};

TEST(MessagePool, HandsOutMessagesWithDefaultsAgainAndAgainWithoutGrowing) {
  MessagePool pool;
  for (int round = 0; round < 3; ++round) {
    std::vector<Message*> taken;
    for (unsigned i = 0; i < 10; ++i) {
      Message& m = pool.get();
      EXPECT_EQ(m.tag, 0U);
      EXPECT_TRUE(m.mask.empty());
      EXPECT_EQ(m.atomic_count, 0);
      EXPECT_EQ(m.family, &coherence_family);
      EXPECT_EQ(body<std::uint64_t>(m), 0U);
      EXPECT_EQ(&message_of(*m.payload()), &m);
      EXPECT_EQ(m.payload()->get_ref_count(), 1);
      m.tag = 7;
      m.mask = base::ByteMask::all(128);
      m.atomic_count = 3;
      m.family = nullptr;
      body<std::uint64_t>(m) = 4;
      taken.push_back(&m);
    }
    EXPECT_EQ(pool.in_flight(), 10U);
    for (Message* m : taken) m->payload()->release();
    EXPECT_EQ(pool.in_flight(), 0U);
    EXPECT_EQ(pool.capacity(), 10U);
  }
}

TEST(MessagePool, AMessageKeepsNoAtomicsOfAnEarlierOne) {
  MessagePool pool;
  for (int round = 0; round < 2; ++round) {
    Message& m = pool.get();
    const Message& read_only = m;
    for (unsigned lane = 0; lane < base::max_lanes; ++lane) EXPECT_EQ(read_only.atomics[lane].operand, 0U);
    m.atomic_count = 2;
    m.atomics[0].operand = 5;
    m.atomics.at(1).compare = 6;
    Message copy;
    copy.copy_from(m);
    EXPECT_EQ(copy.atomics[0].operand, 5U);
    EXPECT_EQ(copy.atomics[1].compare, 6U);
    m.atomics[0].operand = 7;
    EXPECT_EQ(copy.atomics[0].operand, 5U) << "a copy is its own";
    copy = Message();
    EXPECT_EQ(copy.atomics[0].operand, 0U);
    EXPECT_THROW(m.atomics.at(base::max_lanes), std::out_of_range);
    m.payload()->release();
  }
}

/// All bytes of a value, but for those that mean nothing: an assignment leaves or takes them.
template <class T>
std::vector<std::optional<std::uint8_t>> bytes_that_count(const T& value) {
  std::array<T, 2> places;
  std::vector<std::optional<std::uint8_t>> bytes;
  for (const int rest : {0x00, 0xFF}) {
    T& place = places[rest == 0 ? 0 : 1];
    std::memset(static_cast<void*>(&place), rest, sizeof(T));
    place = value;
  }
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    const auto byte = [i](const T& of) { return reinterpret_cast<const std::uint8_t*>(&of)[i]; };
    bytes.push_back(byte(places[0]) == byte(places[1]) ? std::optional(byte(places[0])) : std::nullopt);
  }
  return bytes;
}

TEST(MessagePool, AMessageKeepsNothingOfWhatItWasBefore) {
  MessagePool pool;
  const auto wanted = bytes_that_count(MessageFields{});
  ASSERT_GT(wanted.size(), 100U);
  for (unsigned count : {0U, 1U, base::max_lanes}) {
    Message& before = pool.get();
    std::memset(static_cast<void*>(static_cast<MessageFields*>(&before)), 0xA5, sizeof(MessageFields));
    before.data.fill(0xA5);
    before.atomic_count = static_cast<std::uint8_t>(count);
    for (unsigned i = 0; i < count; ++i) before.atomics[i] = {3, 7, true, 0xA5, 0xA5};
    tlm::tlm_generic_payload& payload = *before.payload();
    std::uint8_t enable = TLM_BYTE_DISABLED;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(0xA5);
    payload.set_data_ptr(&enable);
    payload.set_data_length(9);
    payload.set_streaming_width(9);
    payload.set_byte_enable_ptr(&enable);
    payload.set_byte_enable_length(1);
    payload.set_dmi_allowed(true);
    payload.set_gp_option(tlm::TLM_FULL_PAYLOAD);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    payload.release();

    Message& m = pool.get();
    ASSERT_EQ(&m, &before) << "the pool has one message";
    const auto* const found = reinterpret_cast<const std::uint8_t*>(static_cast<const MessageFields*>(&m));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i]) {
        EXPECT_EQ(found[i], *wanted[i]) << "byte " << i << " of the fields";
      }
    }
    EXPECT_THAT(m.data, testing::Each(0));
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_EQ(m.atomics[i].lane, 0) << i;
      EXPECT_EQ(m.atomics[i].offset, 0) << i;
      EXPECT_EQ(m.atomics[i].operand, 0U) << i;
      EXPECT_EQ(m.atomics[i].compare, 0U) << i;
    }
    EXPECT_EQ(payload.get_command(), tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(payload.get_address(), 0U);
    EXPECT_EQ(payload.get_data_ptr(), m.data.data());
    EXPECT_EQ(payload.get_data_length(), 0U);
    EXPECT_EQ(payload.get_streaming_width(), 0U);
    EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
    EXPECT_EQ(payload.get_byte_enable_length(), 0U);
    EXPECT_FALSE(payload.is_dmi_allowed());
    EXPECT_EQ(payload.get_gp_option(), tlm::TLM_MIN_PAYLOAD);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
    payload.release();
  }
}

TEST(MessagePool, ACopyIsAValueAndKeepsItsOwnPayload) {
  MessagePool pool;
  Message& a = pool.get();
  Message& b = pool.get();
  a.tag = 5;
  a.data[3] = 9;
  a.kind = 3;
  body<std::uint64_t>(a) = 12;
  b.copy_from(a);
  EXPECT_EQ(b.tag, 5U);
  EXPECT_EQ(b.data[3], 9);
  EXPECT_EQ(b.kind, 3);
  EXPECT_EQ(body<std::uint64_t>(b), 12U);
  EXPECT_EQ(&message_of(*b.payload()), &b);
  a.payload()->release();
  b.payload()->release();
  EXPECT_EQ(pool.in_flight(), 0U);
}

TEST(MessagePool, APayloadWithoutMessageIsAModelError) {
  tlm::tlm_generic_payload bare;
  EXPECT_THROW(message_of(bare), base::ModelError);
}

TEST(Message, EveryClassHasAName) {
  for (unsigned i = 0; i < static_cast<unsigned>(MessageClass::count_); ++i)
    EXPECT_STRNE(name(static_cast<MessageClass>(i)), "");
  EXPECT_STREQ(name(MessageClass::control), "control");
}

TEST_F(TransportTest, ATakenMessageLeavesTheLinkFree) {
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(sink.port.socket);
  run_ns(0);
  EXPECT_TRUE(source.port.send(message(1), sc_core::sc_time(7, sc_core::SC_PS)));
  EXPECT_TRUE(source.port.send(message(2)));
  ASSERT_EQ(sink.arrivals.size(), 2U);
  EXPECT_EQ(sink.arrivals[0].at_ps, 7U) << "the annotated delay is part of the arrival";
  expect_clean();
}

TEST_F(TransportTest, ARefusedMessageWaitsOnTheLinkUntilTheReceiverResumes) {
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(sink.port.socket);
  run_ns(0);
  sink.open = false;
  source.send(message(1), sc_core::sc_time(3, sc_core::SC_NS));
  source.send(message(2));
  EXPECT_FALSE(source.port.ready(0));
  EXPECT_TRUE(source.port.ready(1)) << "virtual networks do not block each other";
  EXPECT_TRUE(sink.port.waiting(0));
  sink.resume();
  EXPECT_TRUE(sink.arrivals.empty()) << "still closed";
  run_ns(1);
  sink.open = true;
  sink.limit = 1;
  sink.resume();
  ASSERT_EQ(sink.arrivals.size(), 1U);
  EXPECT_EQ(sink.arrivals[0].at_ps, 3000U) << "it was annotated to arrive later than the receiver had room";
  EXPECT_FALSE(source.port.ready(0)) << "the second took its place on the link";
  run_ns(9);
  sink.limit.reset();
  sink.resume();
  ASSERT_EQ(sink.arrivals.size(), 2U);
  EXPECT_EQ(sink.arrivals[1].at_ps, 10'000U) << "a message that waited arrives when it is taken";
  EXPECT_FALSE(source.port.any_busy());
  EXPECT_FALSE(sink.port.any_waiting());
  expect_clean();
}

TEST_F(TransportTest, BreakingTheExclusionRuleIsAModelError) {
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(sink.port.socket);
  run_ns(0);
  sink.open = false;
  source.port.send(message(1));
  Message& second = message(2);
  EXPECT_THROW(source.port.send(second), base::ModelError);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  EXPECT_THROW(source.port.socket->nb_transport_fw(*second.payload(), phase, delay), base::ModelError)
      << "also when somebody goes around the port";
}

TEST_F(TransportTest, OtherPhasesAndNetworksAreModelErrors) {
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(sink.port.socket);
  run_ns(0);
  Message& m = message(1);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  EXPECT_THROW(sink.port.socket->nb_transport_bw(*m.payload(), phase, delay), base::ModelError);
  phase = tlm::END_RESP;
  EXPECT_THROW(source.port.socket->nb_transport_fw(*m.payload(), phase, delay), base::ModelError);
  m.network = max_virtual_networks;
  EXPECT_THROW(source.port.send(m), base::ModelError);
  phase = tlm::BEGIN_REQ;
  EXPECT_THROW(source.port.socket->nb_transport_fw(*m.payload(), phase, delay), base::ModelError);
  m.payload()->release();
}

/// Says in the call that END_REQ comes 9 ns later, and answers when the test says so.
struct SlowlyAccepting : sc_core::sc_module {
  explicit SlowlyAccepting(const sc_core::sc_module_name& module_name)
      : sc_core::sc_module(module_name), socket("socket") {
    socket.register_nb_transport_fw(this, &SlowlyAccepting::nb_transport_fw);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    begun.push_back((sc_core::sc_time_stamp() + delay).value());
    phase = tlm::END_REQ;
    delay += sc_core::sc_time(9, sc_core::SC_NS);
    return tlm::TLM_UPDATED;
  }
  tlm_utils::simple_target_socket<SlowlyAccepting> socket;
  std::vector<std::uint64_t> begun;
};
struct Requester : sc_core::sc_module, FourPhases<>::Listener {
  explicit Requester(const sc_core::sc_module_name& module_name) : sc_core::sc_module(module_name) {}
  void answered(tlm::tlm_generic_payload&, const sc_core::sc_time& at) override { answer_ps = at.value(); }
  void request_taken(const sc_core::sc_time&) override {}
  FourPhases<> link{"link", *this};
  std::uint64_t answer_ps = 0;
};

class FourPhasesTest : public tests::PlatformFixture {
 protected:
  FourPhasesTest() {
    requester.link.socket.bind(target.socket);
    run_ns(1);
  }
  Requester requester{"requester"};
  SlowlyAccepting target{"target"};
  tlm::tlm_generic_payload first, second;
};

TEST_F(FourPhasesTest, TheNextRequestBeginsWhenTheOneBeforeIsTaken) {
  EXPECT_FALSE(requester.link.begin(first));
  EXPECT_FALSE(requester.link.begin(second));
  EXPECT_THAT(target.begun, testing::ElementsAre(1000U, 10'000U));
}

TEST_F(FourPhasesTest, AResponseIsEndedOnTheReturnPath) {
  requester.link.begin(first);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay(3, sc_core::SC_NS);
  EXPECT_EQ(target.socket->nb_transport_bw(first, phase, delay), tlm::TLM_UPDATED);
  EXPECT_EQ(phase, tlm::END_RESP);
  EXPECT_EQ(delay, sc_core::sc_time(3, sc_core::SC_NS));
  EXPECT_EQ(requester.answer_ps, 4000U);
}

}  // namespace
}  // namespace syncline::models
