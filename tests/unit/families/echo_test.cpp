// A family and its units join a GPU by one line, without a change to any block: questions go from a core by L1 and
// crossbar to the units of the partitions, which ask the L2, and come back as answers.
#include "tests/unit/families/echo.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "models/transport/message_port.h"
#include "models/z_unit/depth_family.h"
#include "platform/config/configuration.h"
#include "platform/gpu/gpu.h"
#include "platform/stress/core.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using models::L1Kind;
using models::Message;
using models::MessageClass;

class EchoInAGpu : public PlatformFixture {
 protected:
  EchoInAGpu() {
    context.families.add(echo_family);  // the one line
    options.foreign_ports = 1;
  }
  void add_units() {
    options.partition_units = [this](unsigned partition, models::PlatformContext& shared, models::ClockDomain& clock) {
      platform::GpuOptions::PartitionUnits chain;
      for (const Echo kind : {Echo::low, Echo::high}) {
        const std::string name = "part" + std::to_string(partition) + (kind == Echo::low ? "_echo_low" : "_echo_high");
        units.push_back(std::make_unique<EchoUnit>(name.c_str(), shared, clock, policy, kind, spec.l2.line));
        chain.push_back(units.back().get());
      }
      return chain;
    };
  }
  void build() {
    gpu = std::make_unique<platform::Gpu>("gpu", context, spec, options);
    const base::SmId id(static_cast<std::uint16_t>(spec.sms));
    l1 = std::make_unique<models::L1Cache>("foreign_l1", context, gpu->core_clock(), spec.l1, gpu->coherence(), id,
                                           gpu->address_map());
    gpu->bind_foreign(models::ports_of(*l1).network, 0);
    core = std::make_unique<stress::Core>("foreign", pool);
    core->to_l1.socket.bind(l1->from_sm.socket);
    l1->to_sm.socket.bind(core->from_l1.socket);
  }
  void ask(Echo kind, std::uint64_t address, std::uint32_t add, std::uint32_t expected) {
    Message& m = core->request(MessageClass::control, L1Kind::global, address / spec.l1.line * spec.l1.line);
    models::set_kind(m, echo_family, static_cast<std::uint8_t>(kind));
    models::body<EchoBody>(m) = {static_cast<std::uint32_t>(address % spec.l1.line), add, 0};
    core->send(m, [=](Message& answer) {
      ++answered;
      EXPECT_EQ(static_cast<Echo>(answer.kind), Echo::answer);
      EXPECT_EQ(models::body<EchoBody>(answer).sum, expected) << address;
      const unsigned place = kind == Echo::low ? 0 : 1;
      const models::NodeId home = gpu->address_map().home(address);
      EXPECT_EQ(answer.source, models::unit_node(home, static_cast<std::uint8_t>(place + (options.z_units ? 1 : 0))));
    });
    ++asked;
  }
  void store(std::uint64_t address, std::uint32_t value, bool by_depth = false) {
    Message& m = core->request(MessageClass::store_request, L1Kind::global, address / spec.l1.line * spec.l1.line);
    m.mask.set(static_cast<unsigned>(address % spec.l1.line), 4);
    std::memcpy(m.data.data() + address % spec.l1.line, &value, 4);
    if (by_depth) models::order_by_depth(m, models::DepthKind::write, 5);
    core->send(m, [](Message&) {});
  }
  void drain() {
    for (int i = 0; i < 2000 && !core->idle(); ++i) run_ns(100);
    EXPECT_TRUE(core->idle());
  }
  /// Words of 0, 100, 200... at 132 bytes from each other, all asked for in both ways, faster than the units take them.
  void ask_for_many() {
    for (unsigned i = 0; i < 64; ++i) store(0x10000 + i * 132, i * 100);
    drain();
    for (unsigned i = 0; i < 64; ++i) {
      ask(Echo::low, 0x10000 + i * 132, i, i * 101);
      ask(Echo::high, 0x10000 + i * 132, i, i * 1100);
    }
    drain();
    EXPECT_EQ(answered, asked);
  }

  platform::PlatformSpec spec =
      platform::load_configuration<platform::PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml").spec;
  const protocols::CoherencePolicy policy = protocols::make_coherence_policy({});
  platform::GpuOptions options;
  std::vector<std::unique_ptr<EchoUnit>> units;
  std::unique_ptr<platform::Gpu> gpu;
  std::unique_ptr<models::L1Cache> l1;
  std::unique_ptr<stress::Core> core;
  unsigned asked = 0, answered = 0;
};

TEST_F(EchoInAGpu, TwoUnitsOfAPartitionAskItsL2AndGetTheirOwnReplies) {
  add_units();
  build();
  ask_for_many();
  EXPECT_EQ(statistic("gpu.up.messages_echo_question"), asked);
  EXPECT_EQ(statistic("gpu.up.bytes_echo_question"), asked * (policy.header_bytes + 8));
  EXPECT_EQ(statistic("gpu.down.messages_echo_answer"), asked);
  EXPECT_EQ(statistic("gpu.down.bytes_echo_answer"), asked * (policy.header_bytes + 12));
  EXPECT_EQ(statistic("gpu.up.messages_load_request"), 0) << "what a unit asks crosses no network";
  unsigned refused = 0;
  for (const auto& unit : units) refused += unit->refused;
  EXPECT_GT(refused, 0U) << "questions came faster than they were answered";
  run_ns(1000);
  expect_clean();
}

TEST_F(EchoInAGpu, SharesAPartitionWithAUnitOfAnotherFamily) {
  add_units();
  options.z_units = true;
  build();
  for (unsigned i = 0; i < 16; ++i) store(0x40000 + i * 256, i, true);
  ask_for_many();
  for (unsigned i = 0; i < 16; ++i) ask(Echo::low, 0x40000 + i * 256, 1, i + 1);
  drain();
  EXPECT_EQ(statistic("gpu.up.messages_z_commit"), 16);
  run_ns(1000);
  expect_clean();
}

TEST_F(EchoInAGpu, PassesAnL1WhoseWayToTheNetworkIsNarrow) {
  spec.l1.output_queue = 1;
  spec.l1.reply_queue = 1;
  spec.l1.send_latency = 7;
  spec.crossbar.input_queue = 1;
  add_units();
  build();
  ask_for_many();
  run_ns(1000);
  expect_clean();
}

TEST_F(EchoInAGpu, WithoutAUnitThatClaimsItIsAModelError) {
  build();
  ask(Echo::high, 0x10080, 1, 0);
  for (int i = 0; i < 100 && !scheduler.failure(); ++i) run_ns(100);
  ASSERT_TRUE(scheduler.failure());
  try {
    std::rethrow_exception(scheduler.failure());
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("_l2: no unit claims the message family `echo`; echo high of line "
                                                 "0x10080 has come to the home"));
  }
}

TEST_F(EchoInAGpu, AKindThatTheFamilyDoesNotHaveIsAModelError) {
  add_units();
  build();
  Message& m = core->request(MessageClass::control, L1Kind::global, 0);
  m.family = &echo_family;
  m.kind = 3;
  core->send(m, [](Message&) {});
  run_ns(100);
  ASSERT_TRUE(scheduler.failure());
  try {
    std::rethrow_exception(scheduler.failure());
  } catch (const base::ModelError& error) {
    EXPECT_STREQ(error.what(), "foreign_l1: the SM sends a message of the family `echo`, which has no kind 3");
  }
}

TEST_F(EchoInAGpu, AFamilyThatNobodyAddedIsAModelErrorAtTheFirstL1) {
  static const models::MessageFamily stranger{"stranger",
                                              "",
                                              {"its"},
                                              {{"stranger", ""}},
                                              {{"it", 0, protocols::Payload::none, 0, 0, models::Passage::by, ""}}};
  build();
  Message& m = core->request(MessageClass::control, L1Kind::global, 0);
  models::set_kind(m, stranger, 0);
  core->send(m, [](Message&) {});
  run_ns(100);
  ASSERT_TRUE(scheduler.failure());
  try {
    std::rethrow_exception(scheduler.failure());
  } catch (const base::ModelError& error) {
    EXPECT_STREQ(error.what(), "this platform does not speak the message family `stranger`");
  }
}

TEST_F(EchoInAGpu, NeedsAsManyNetworksAsALinkHas) {
  constexpr unsigned of_mesi = 5, of_echo = 2, more = models::max_virtual_networks - of_mesi - of_echo + 1;
  static const models::MessageFamily greedy{
      "greedy", "", std::vector<std::string_view>(more, "a"), {{"greedy", ""}}, {}};
  context.families.add(greedy);
  spec.coherence.policy = "mesi";
  try {
    build();
    FAIL() << "accepted";
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.what(), fmt::format("the coherence policy needs {} virtual networks, and families of messages {} "
                                        "(`echo` {}, `greedy` {}); a link has {}",
                                        of_mesi, of_echo + more, of_echo, more, models::max_virtual_networks));
  }
}

}  // namespace
}  // namespace syncline::tests
