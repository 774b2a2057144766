// A crossbar between sources and sinks, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/crossbar/crossbar.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"

namespace syncline::models {

class CrossbarTest : public tests::PlatformFixture {
 protected:
  CrossbarTest() : clock(scheduler.add_domain("icnt", 1'000'000'000)) {}  // 1 ns a cycle

  void build(unsigned inputs, unsigned outputs) {
    crossbar = std::make_unique<Crossbar>("crossbar", context, clock, spec, inputs, Router::to(NodeKind::home, outputs),
                                          perturbation);
    for (unsigned i = 0; i < inputs; ++i) {
      sources.push_back(std::make_unique<tests::MessageSource>(("source" + std::to_string(i)).c_str()));
      sources.back()->port.socket.bind(crossbar->input(i).socket);
    }
    for (unsigned i = 0; i < outputs; ++i) {
      sinks.push_back(std::make_unique<tests::MessageSink>(("sink" + std::to_string(i)).c_str()));
      crossbar->output(i).socket.bind(sinks.back()->port.socket);
    }
    run_ns(0);
  }
  void send(unsigned from, unsigned to, std::uint32_t tag, unsigned bytes = 8, VirtualNetwork network = 0,
            double at_ns = 10, bool ideal = false) {
    Message& m = pool.get();
    m.ideal = ideal;
    m.message_class = bytes > 8 ? MessageClass::data_reply : MessageClass::load_request;
    m.source = l1_node(base::SmId(static_cast<std::uint16_t>(from)));
    m.destination = home_node(base::PartitionId(static_cast<std::uint16_t>(to)));
    m.tag = tag;
    m.bytes = static_cast<std::uint16_t>(bytes);
    m.network = network;
    sources[from]->send(m, sc_core::sc_time(at_ns, sc_core::SC_NS));
  }
  std::vector<std::pair<std::uint32_t, std::uint64_t>> arrivals(unsigned sink) const {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> list;
    for (const auto& a : sinks[sink]->arrivals) list.emplace_back(a.tag, a.at_ps / 1000);
    return list;
  }
  /// The tags alone.
  std::vector<std::uint32_t> order_at(unsigned sink) const {
    std::vector<std::uint32_t> tags;
    for (const auto& a : sinks[sink]->arrivals) tags.push_back(a.tag);
    return tags;
  }

  ClockDomain& clock;
  CrossbarSpec spec;
  PerturbationSpec perturbation;
  std::unique_ptr<Crossbar> crossbar;
  std::vector<std::unique_ptr<tests::MessageSource>> sources;
  std::vector<std::unique_ptr<tests::MessageSink>> sinks;
};

/// Random traffic from all inputs to all outputs on two networks.
class CrossbarTraffic : public CrossbarTest {
 protected:
  void run_traffic(std::uint64_t seed, unsigned messages) {
    base::Random random(seed);
    for (unsigned i = 0; i < messages; ++i) {
      const unsigned from = random.below(5), to = random.below(3), bytes = random.below(2) == 0 ? 8 : 136;
      send(from, to, i, bytes, static_cast<VirtualNetwork>(random.below(2)), random.below(400));
    }
    for (unsigned step = 0; step < 200; ++step) {
      for (auto& sink : sinks) {
        sink->open = random.below(3) != 0;
        if (sink->open) sink->resume();
      }
      run_ns(10);
    }
    for (auto& sink : sinks) {
      sink->open = true;
      sink->resume();
    }
    for (unsigned drain = 0; drain < 50 && pool.in_flight() != 0; ++drain) {
      run_ns(1000);
      for (auto& sink : sinks) sink->resume();
    }
  }
  std::vector<std::uint32_t> everything() const {
    std::vector<std::uint32_t> all;
    for (unsigned sink = 0; sink < sinks.size(); ++sink) {
      const std::vector<std::uint32_t> tags = order_at(sink);
      all.insert(all.end(), tags.begin(), tags.end());
    }
    return all;
  }
  void expect_point_to_point_order() const {
    for (const auto& sink : sinks) {
      std::map<std::pair<unsigned, unsigned>, std::uint32_t> last;
      std::map<std::pair<unsigned, unsigned>, std::uint64_t> last_time;
      for (const auto& a : sink->arrivals) {
        const auto key = std::pair<unsigned, unsigned>(a.source.index, a.network);
        const auto [it, fresh] = last.try_emplace(key, a.tag);
        EXPECT_TRUE(fresh || it->second < a.tag) << "messages of source " << a.source.index << " overtook each other";
        it->second = a.tag;
        EXPECT_LE(last_time[key], a.at_ps);
        last_time[key] = a.at_ps;
      }
    }
  }
};

}  // namespace syncline::models
