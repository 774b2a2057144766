// The memory side without a compute side: whoever has an end of the networks is served.
#include "platform/gpu/memory_side.h"

#include <gmock/gmock.h>

#include <cstring>
#include <vector>

#include "tests/support/error_of.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"
#include "tests/unit/sides/own_memory_blocks.h"

namespace syncline::tests {
namespace {

using platform::GpuPlan;
using platform::MemorySide;
using test::error_of;
using testing::HasSubstr;

/// Reads and writes words by the policy's messages, without an L1.
struct Traffic {
  Traffic(models::PlatformContext& context, const GpuPlan& plan, std::uint16_t number)
      : requests(("requests" + std::to_string(number)).c_str()),
        replies(("replies" + std::to_string(number)).c_str()),
        pool(context.messages),
        plan_(plan),
        node(models::l1_node(base::SmId(number), plan.place())) {
    replies.on_message = [this](models::Message& m, const sc_core::sc_time&) {
      if (m.message_class == models::MessageClass::data_reply) values.push_back(word_of(m));
    };
  }
  models::NetworkEnd end() { return {&requests.port.socket, &replies.port.socket, nullptr}; }
  void send(std::uint64_t address, std::optional<std::uint32_t> stored) {
    const std::uint64_t line = address / 128 * 128;
    models::Message& m = pool.get();
    m.line = base::LineAddress(line);
    m.source = node;
    m.destination = plan_.homes().home(m.line, isa::Scope::none, node);
    m.requester = node;
    m.mask.set(static_cast<unsigned>(address - line), 4);
    m.tag = static_cast<std::uint32_t>(address - line);
    if (stored) std::memcpy(m.data.data() + m.tag, &*stored, 4);
    models::dress(m, plan_.policy(), stored ? plan_.policy().plain->store : plan_.policy().plain->load, 128);
    requests.send(m);
  }
  static std::uint32_t word_of(const models::Message& m) {
    std::uint32_t word = 0;
    std::memcpy(&word, m.data.data() + m.tag, 4);
    return word;
  }
  MessageSource requests;
  MessageSink replies;
  models::MessagePool& pool;
  const GpuPlan& plan_;
  const models::NodeId node;
  std::vector<std::uint32_t> values;
};

class MemorySideAlone : public PlatformFixture {
 protected:
  MemorySideAlone() {
    spec.sms = 0;
    options.foreign_ports = 2;
  }
  platform::PlatformSpec spec;
  platform::PlanOptions options;
};

TEST_F(MemorySideAlone, ServesTrafficGenerators) {
  const GpuPlan plan(context, spec, options);
  MemorySide side(plan);
  Traffic one(context, plan, 0), two(context, plan, 1);
  side.bind_l1(one.end(), 0);
  side.bind_l1(two.end(), 1);
  side.debug_write(0x4000, "\x07\0\0", 4);
  for (unsigned i = 0; i < 64; ++i) one.send(0x10000 + i * 132, i);
  run_ns(10'000);
  for (unsigned i = 0; i < 64; ++i) two.send(0x10000 + i * 132, std::nullopt);
  two.send(0x4000, std::nullopt);
  run_ns(10'000);
  ASSERT_EQ(two.values.size(), 65U);
  EXPECT_EQ(one.replies.arrivals.size(), 64U) << "acknowledgements";
  std::vector<std::uint32_t> stored{7};
  for (unsigned i = 0; i < 64; ++i) stored.push_back(i);
  EXPECT_THAT(two.values, testing::UnorderedElementsAreArray(stored));
  std::uint32_t word = 0;
  side.debug_read(0x10000 + 9 * 132, &word, sizeof word);
  EXPECT_EQ(word, 9U);
  EXPECT_EQ(statistic("up.messages_store_request"), 64);
  EXPECT_EQ(statistic("part4_dram.reads"), 1) << "what nobody has stored";
  EXPECT_GT(statistic("part5_l2.loads"), 0);
  expect_clean();
}

TEST_F(MemorySideAlone, HasNoMemoryBeyondThatOfItsPartitions) {
  spec.host.memory = 1 << 20;
  spec.dram.capacity = 1 << 20;
  const GpuPlan plan(context, spec, options);
  const MemorySide side(plan);
  std::uint32_t word = 0;
  EXPECT_THAT(error_of<base::ModelError>([&] { side.debug_read(std::uint64_t{1} << 40, &word, sizeof word); }),
              HasSubstr("no memory answers at device address 0x10000000000"));
}

TEST_F(MemorySideAlone, TellsWhoHasNoEndForItsNetworks) {
  const GpuPlan plan(context, spec, options);
  MemorySide side(plan);
  Traffic one(context, plan, 0);
  EXPECT_EQ(error_of([&] { side.bind_l1(one.end(), 2); }), "there is no L1 2: the networks join 2");
  EXPECT_EQ(error_of([&] {
              side.bind_l1({nullptr, &one.replies.port.socket, nullptr}, 0);
            }),
            "no port `to_network` is given for `L1 0`");
  EXPECT_EQ(error_of([&] {
              side.bind_l1({&one.requests.port.socket, &one.replies.port.socket, &one.requests.port.socket}, 1);
            }),
            "L1 1 has a socket `to_peers`, and the coherence policy `none` no messages between L1s");
}

TEST_F(MemorySideAlone, NeedsASocketForPeersWhereThePolicyHasThem) {
  spec.coherence.policy = "mesi";
  const GpuPlan plan(context, spec, options);
  MemorySide side(plan);
  Traffic one(context, plan, 0);
  EXPECT_EQ(error_of([&] { side.bind_l1(one.end(), 0); }), "no port `to_peers` is given for `L1 0`");
}

TEST_F(MemorySideAlone, TellsOfANetworkWithTooFewPorts) {
  const GpuPlan plan(context, spec, options);
  platform::MemorySideOptions own;
  own.network = [](const sc_core::sc_module_name& name, const models::NetworkSite& site) {
    auto network = std::make_unique<DirectNetwork>(name, site.inputs - 1, site.outputs);
    models::NetworkPorts ports = network->ports();
    return models::Made<models::NetworkPorts>{std::move(network), std::move(ports)};
  };
  EXPECT_EQ(error_of([&] { MemorySide(plan, own); }),
            "the factory of `up` gives 1 inputs and 6 outputs; there are to be 2 and 6");
}

TEST_F(MemorySideAlone, TellsOfAMemoryWithoutSocket) {
  const GpuPlan plan(context, spec, options);
  platform::MemorySideOptions own;
  own.memory = [](const sc_core::sc_module_name&, const models::MemorySite&) {
    return models::Made<models::MemoryPorts>{};
  };
  EXPECT_EQ(error_of([&] { MemorySide(plan, own); }), "no port `socket` is given for `part0_dram`");
}

TEST_F(MemorySideAlone, TellsOfAnL2WithoutSockets) {
  const GpuPlan plan(context, spec, options);
  platform::MemorySideOptions own;
  own.l2 = [](const sc_core::sc_module_name&, const models::L2Site&) { return models::Made<models::L2Ports>{}; };
  EXPECT_EQ(error_of([&] { MemorySide(plan, own); }), "no port `requests` is given for `part0_l2`");
}

}  // namespace
}  // namespace syncline::tests
