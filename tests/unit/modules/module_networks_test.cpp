// The networks of a device of several modules: everybody reaches everybody, in order, over links and switches that are
// named and counted; and what a way costs.
#include "models/modules/module_networks.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <map>
#include <memory>
#include <tuple>

#include "tests/support/apart.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"

namespace syncline::models {
namespace {

using tests::MessageSink;
using tests::MessageSource;

/// Sources and sinks at all nodes of a device.
class Machine {
 public:
  Machine(PlatformContext& context, ClockDomain& clock, MessagePool& pool, const ModulesSpec& spec,
          const CrossbarSpec& crossbar, unsigned l1s_of_module, unsigned homes_of_module, unsigned foreign = 0)
      : pool_(pool),
        l1s(l1s_of_module * spec.count() + foreign),
        homes(homes_of_module * spec.count()),
        map_(spec, l1s - foreign, l1s, homes),
        networks_({context, clock, "", spec, crossbar, map_, l1s, homes, true, false, false, perturbation_}) {
    attach("up", networks_.ports(Direction::up), up_from, up_to);
    attach("down", networks_.ports(Direction::down), down_from, down_to);
  }
  void request(unsigned l1, unsigned home, std::uint32_t tag, unsigned bytes = 8, VirtualNetwork network = 0) {
    send(*up_from[l1], l1_node(number(l1)), home_of(home), tag, bytes, network);
  }
  void answer(unsigned home, unsigned l1, std::uint32_t tag, unsigned bytes = 136, VirtualNetwork network = 0) {
    send(*down_from[home], home_of(home), l1_node(number(l1)), tag, bytes, network);
  }
  void tell_peer(unsigned from, unsigned to, std::uint32_t tag) {
    send(*down_from[homes + from], l1_node(number(from)), l1_node(number(to)), tag, 8, 1);
  }

 private:
  static base::SmId number(unsigned l1) { return base::SmId(static_cast<std::uint16_t>(l1)); }
  static NodeId home_of(unsigned home) { return home_node(base::PartitionId(static_cast<std::uint16_t>(home))); }
  void attach(const std::string& name, const NetworkPorts& ports, std::vector<std::unique_ptr<MessageSource>>& from,
              std::vector<std::unique_ptr<MessageSink>>& to) {
    for (InSocket* const input : ports.inputs) {
      from.push_back(std::make_unique<MessageSource>((name + "_from" + std::to_string(from.size())).c_str()));
      from.back()->port.socket.bind(*input);
    }
    for (OutSocket* const output : ports.outputs) {
      to.push_back(std::make_unique<MessageSink>((name + "_to" + std::to_string(to.size())).c_str()));
      output->bind(to.back()->port.socket);
    }
  }
  void send(MessageSource& source, const NodeId& from, const NodeId& to, std::uint32_t tag, unsigned bytes,
            VirtualNetwork network) {
    Message& m = pool_.get();
    m.message_class = bytes > 8 ? MessageClass::data_reply : MessageClass::load_request;
    m.source = from;
    m.destination = to;
    m.tag = tag;
    m.bytes = static_cast<std::uint16_t>(bytes);
    m.network = network;
    source.send(m, sc_core::sc_time(10, sc_core::SC_NS));
  }

  MessagePool& pool_;

 public:
  const unsigned l1s, homes;
  std::vector<std::unique_ptr<MessageSource>> up_from, down_from;
  std::vector<std::unique_ptr<MessageSink>> up_to, down_to;

 private:
  PerturbationSpec perturbation_;
  ModuleMap map_;
  ModuleNetworks networks_;
};

class ModuleNetworksTest : public tests::PlatformFixture {
 protected:
  ModuleNetworksTest() : clock(scheduler.add_domain("icnt", 1'000'000'000)) {
    spec.gpus = 2;
    spec.gpms = 2;
    spec.network = {32, 20, 64};
    spec.nvlink_switch = {32, 70, 64};
    spec.spine = {32, 90, 64};
    spec.link.bandwidth = 32e9;
    spec.link.latency = 250e-9;
  }
  Machine& build(unsigned l1s_of_module = 2, unsigned homes_of_module = 2, unsigned foreign = 0) {
    machine = std::make_unique<Machine>(context, clock, pool, spec, crossbar, l1s_of_module, homes_of_module, foreign);
    run_ns(0);
    return *machine;
  }
  double arrival(const MessageSink& sink) const {
    return sink.arrivals.empty() ? 0 : static_cast<double>(sink.arrivals.back().at_ps) / 1000;
  }

  ClockDomain& clock;
  ModulesSpec spec;
  CrossbarSpec crossbar;
  std::unique_ptr<Machine> machine;
};

TEST_F(ModuleNetworksTest, AWayCostsWhatLiesOnIt) {
  Machine& m = build();
  m.request(0, 1, 1);
  m.request(2, 0, 2);
  m.request(4, 2, 3);
  run_ns(2000);
  EXPECT_EQ(arrival(*m.up_to[1]), 10 + 5) << "in its module";
  EXPECT_EQ(arrival(*m.up_to[0]), 10 + 5 + 20 + 5) << "from the other module of the GPU";
  EXPECT_EQ(arrival(*m.up_to[2]), 10 + 5 + 20 + 250.25 + 0.75 + 70 + 250.25 + 0.75 + 20 + 5)
      << "from another GPU: a link, the switch, and a link; 8 bytes take a quarter of a nanosecond on each";
  expect_clean();
}

TEST_F(ModuleNetworksTest, AllToAllLeavesTheSwitchOut) {
  spec.topology = Topology::all_to_all;
  Machine& m = build();
  m.answer(7, 0, 1, 8);
  run_ns(2000);
  EXPECT_EQ(arrival(*m.down_to[0]), 10 + 5 + 20 + 251 + 20 + 5);
  EXPECT_EQ(statistic("nvlink1_to0.bytes_to_gpu0"), 8);
  EXPECT_EQ(statistic("nvlink0_to1.bytes_to_gpu1"), 0);
  expect_clean();
}

TEST_F(ModuleNetworksTest, ARingIsGoneRoundTheShorterWay) {
  spec.topology = Topology::ring;
  spec.gpus = 4;
  spec.gpms = 1;
  Machine& m = build(1, 1);
  m.request(3, 1, 1);  // both ways are as long: clockwise, over GPU 0
  run_ns(3000);
  m.answer(1, 0, 2, 8);
  run_ns(3000);
  EXPECT_EQ(arrival(*m.up_to[1]), 10 + 5 + 20 + 251 + 20 + 251 + 20 + 5);
  EXPECT_EQ(statistic("nvlink3_to0.bytes_to_gpu1"), 8);
  EXPECT_EQ(statistic("nvlink0_to1.bytes_to_gpu1"), 8);
  EXPECT_EQ(statistic("nvlink1_to0.bytes_to_gpu0"), 8);
  EXPECT_EQ(statistic("nvlink3_to2.bytes_to_gpu1"), 0);
  expect_clean();
}

TEST_F(ModuleNetworksTest, TwoGpusAreARingOfOneLinkEachWay) {
  spec.topology = Topology::ring;
  Machine& m = build();
  m.request(0, 7, 1);
  m.request(7, 0, 2);
  run_ns(3000);
  EXPECT_EQ(statistic("nvlink0_to1.bytes_to_gpu1"), 8);
  EXPECT_EQ(statistic("nvlink1_to0.bytes_to_gpu0"), 8);
  expect_clean();
}

/// Everybody sends to who is farthest, far more than all queues and credits hold, so that the links want to be a circle
/// of full queues.
TEST_F(ModuleNetworksTest, AFullRingOfEightMovesOn) {
  spec.topology = Topology::ring;
  spec.gpus = 8;
  spec.gpms = 1;
  spec.network.queue = spec.link.queue = spec.link.credits = 5;
  spec.link.latency = 5e-9;  // a message waits for the credits of the one before it
  crossbar.input_queue = crossbar.output_queue = 5;
  Machine& m = build(1, 1);
  constexpr unsigned messages = 400;
  for (unsigned i = 0; i < messages; ++i) {
    for (unsigned gpu = 0; gpu < 8; ++gpu) {
      m.request(gpu, (gpu + 4) % 8, i, 136);
      m.request(gpu, (gpu + 5) % 8, messages + i, 136);
      m.answer(gpu, (gpu + 4) % 8, i, 136);
      m.answer(gpu, (gpu + 5) % 8, messages + i, 136);
    }
  }
  run_ns(400'000);
  for (unsigned gpu = 0; gpu < 8; ++gpu) {
    EXPECT_EQ(m.up_to[gpu]->arrivals.size(), 2 * messages) << gpu;
    EXPECT_EQ(m.down_to[gpu]->arrivals.size(), 2 * messages) << gpu;
  }
  expect_clean();
}

TEST_F(ModuleNetworksTest, SwitchesAreJoinedByASpine) {
  spec.gpus = 3;
  spec.gpms = 1;
  spec.gpus_of_switch = 2;
  Machine& m = build();
  m.request(0, 2, 1);  // at the same switch
  m.request(1, 4, 2);  // at the other one
  run_ns(3000);
  EXPECT_EQ(arrival(*m.up_to[2]), 10 + 5 + 20 + 251 + 70 + 251 + 20 + 5);
  EXPECT_EQ(statistic("spine_link0_out.bytes_to_gpu2"), 8);
  EXPECT_EQ(statistic("spine_link1_in.bytes_to_gpu2"), 8);
  EXPECT_EQ(statistic("spine_link0_out.bytes_to_gpu1"), 0);
  EXPECT_EQ(arrival(*m.up_to[4]), 10 + 5 + 20 + 251 + 70 + 251 + 90 + 251 + 70 + 251 + 20 + 5 + 1)
      << "a cycle behind the other one on the way out";
  expect_clean();
}

TEST_F(ModuleNetworksTest, BothDirectionsShareAWireAndNothingElse) {
  crossbar.output_queue = 2;
  spec.link.queue = 4;
  spec.link.credits = 4;
  Machine& m = build(1, 1);
  for (auto& sink : m.up_to) sink->open = false;
  for (std::uint32_t i = 0; i < 100; ++i) m.request(0, 3, i, 136);
  run_ns(5000);
  m.answer(0, 3, 7);
  run_ns(5000);
  EXPECT_EQ(m.down_to[3]->arrivals.size(), 1U) << "it passes requests that nobody takes";
  EXPECT_TRUE(m.up_to[3]->arrivals.empty());
  m.up_to[3]->open = true;
  m.up_to[3]->resume();
  run_ns(200'000);
  EXPECT_EQ(m.up_to[3]->arrivals.size(), 100U);
  expect_clean();
}

TEST_F(ModuleNetworksTest, ForeignInitiatorsAreInTheFirstModule) {
  Machine& m = build(1, 1, 1);
  m.request(4, 0, 1);
  m.answer(3, 4, 2);
  run_ns(2000);
  EXPECT_EQ(arrival(*m.up_to[0]), 15);
  EXPECT_EQ(m.down_to[4]->arrivals.size(), 1U);
  expect_clean();
}

/// Any machine, any traffic: all of it arrives where it is to, and what has the same way keeps its order.
TEST(ModuleNetworks, LosesAndReordersNothing) {
  rc::check("random machines and traffic", [] {
    struct Sent {
      bool up;
      unsigned from, to;
      VirtualNetwork network;
    };
    const auto gpus = *rc::gen::inRange(1U, 7U), gpms = *rc::gen::inRange(1U, 4U);
    const auto of_switch = *rc::gen::inRange(1U, 5U);
    const auto topology = *rc::gen::element(Topology::switched, Topology::all_to_all, Topology::ring);
    const auto queue = *rc::gen::element(5U, 16U), credits = *rc::gen::element(1U, 5U, 300U);
    const unsigned modules = gpus * gpms;
    const auto traffic = *rc::gen::container<std::vector<Sent>>(
        rc::gen::construct<Sent>(rc::gen::arbitrary<bool>(), rc::gen::inRange(0U, 2 * modules),
                                 rc::gen::inRange(0U, 2 * modules), rc::gen::inRange<VirtualNetwork>(0, 2)));
    const std::string found = tests::apart([&] {
      Scheduler scheduler{"scheduler"};
      MessagePool pool;
      base::StatisticsRegistry statistics;
      PlatformContext context{scheduler, pool, statistics};
      ClockDomain& clock = scheduler.add_domain("icnt", 1'000'000'000);
      ModulesSpec spec;
      spec.gpus = gpus;
      spec.gpms = gpms;
      spec.gpus_of_switch = of_switch;
      spec.topology = topology;
      spec.network.queue = spec.nvlink_switch.queue = spec.spine.queue = spec.link.queue = queue;
      spec.link.credits = credits;
      Machine m(context, clock, pool, spec, {}, 2, 2);
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
      std::map<std::tuple<bool, unsigned, unsigned, unsigned>, std::vector<std::uint32_t>> sent, arrived;
      for (std::uint32_t i = 0; i < traffic.size(); ++i) {
        const Sent& s = traffic[i];
        sent[{s.up, s.from, s.to, s.network}].push_back(i);
        if (s.up)
          m.request(s.from, s.to, i, 8 + i % 130, s.network);
        else
          m.answer(s.from, s.to, i, 8 + i % 130, s.network);
      }
      sc_core::sc_start(1, sc_core::SC_MS);
      for (const bool up : {true, false}) {
        const auto& sinks = up ? m.up_to : m.down_to;
        for (unsigned to = 0; to < sinks.size(); ++to) {
          for (const auto& a : sinks[to]->arrivals) arrived[{up, a.source.index, to, a.network}].push_back(a.tag);
        }
      }
      std::string left;
      for (const Block* const block : context.blocks) {
        for (const std::string& line : block->check_end_of_run()) left += line + "\n";
      }
      return (arrived == sent ? "" : "lost or out of order ") + left;
    });
    RC_ASSERT(found.empty());
  });
}

}  // namespace
}  // namespace syncline::models
