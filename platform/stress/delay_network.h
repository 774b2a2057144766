// A network in which every message takes a random time, but those of one source, destination and virtual network keep
// their order. Its queues are finite, so that back-pressure happens.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "models/crossbar/network_ports.h"
#include "models/transport/message_port.h"
#include "models/transport/router.h"

namespace syncline::stress {

class DelayNetwork : public sc_core::sc_module, public models::MessageReceiver, public models::MessageSender {
 public:
  DelayNetwork(const sc_core::sc_module_name& name, unsigned inputs, models::Router outputs, std::uint64_t max_delay_ps,
               std::size_t capacity, std::uint64_t seed)
      : sc_core::sc_module(name),
        router_(std::move(outputs)),
        max_delay_ps_(max_delay_ps),
        capacity_(capacity),
        random_(seed, "network") {
    for (unsigned i = 0; i < inputs; ++i)
      inputs_.push_back(std::make_unique<models::MessageTarget>("in" + std::to_string(i), *this, i));
    for (unsigned i = 0; i < router_.ports(); ++i)
      outputs_.push_back(std::make_unique<models::MessageInitiator>("out" + std::to_string(i), *this, i));
    SC_HAS_PROCESS(DelayNetwork);
    SC_METHOD(move);
    sensitive << event_;
    dont_initialize();
  }
  models::NetworkPorts ports() {
    models::NetworkPorts ports;
    ports.inputs.reserve(inputs_.size());
    ports.outputs.reserve(outputs_.size());
    for (const auto& input : inputs_) ports.inputs.push_back(&input->socket);
    for (const auto& output : outputs_) ports.outputs.push_back(&output->socket);
    return ports;
  }

 private:
  using Lane = std::tuple<unsigned, unsigned, unsigned>;  // output, network, input
  struct Flight {
    models::Message* message;
    std::uint64_t at_ps;
  };

  bool receive(models::Message& message, const sc_core::sc_time& arrival, unsigned port) override {
    auto& lane = lanes_[{router_.port(message.destination), message.network, port}];
    if (lane.size() >= capacity_) return false;
    std::uint64_t at = arrival.value() + 1 + random_.below(static_cast<std::uint32_t>(max_delay_ps_));
    if (!lane.empty()) at = std::max(at, lane.back().at_ps);
    lane.push_back({&message, at});
    schedule();
    return true;
  }
  void on_ready(models::VirtualNetwork, unsigned) override { event_.notify(sc_core::SC_ZERO_TIME); }

  void move() {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    for (auto& [lane, queue] : lanes_) {
      const auto network = static_cast<models::VirtualNetwork>(std::get<1>(lane));
      models::MessageInitiator& out = *outputs_.at(std::get<0>(lane));
      while (!queue.empty() && queue.front().at_ps <= now && out.ready(network)) {
        models::Message& message = *queue.front().message;
        queue.pop_front();
        out.send(message);
        inputs_[std::get<2>(lane)]->resume(network);
      }
    }
    schedule();
  }
  void schedule() {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    std::uint64_t next = ~std::uint64_t{0};
    for (const auto& [lane, queue] : lanes_) {
      if (!queue.empty() && queue.front().at_ps > now) next = std::min(next, queue.front().at_ps);
    }
    if (next != ~std::uint64_t{0}) event_.notify(sc_core::sc_time::from_value(next - now));
  }

  const models::Router router_;
  std::uint64_t max_delay_ps_;
  std::size_t capacity_;
  base::Random random_;
  std::vector<std::unique_ptr<models::MessageTarget>> inputs_;
  std::vector<std::unique_ptr<models::MessageInitiator>> outputs_;
  std::map<Lane, std::deque<Flight>> lanes_;
  sc_core::sc_event event_{"due"};
};

/// Such networks in the place of a GPU's, `capacity` messages for each input, output and virtual network. The two of a
/// GPU draw from the seeds `seed` and `seed` + 1.
inline models::MakeNetwork delay_networks(std::uint64_t max_delay_ps, std::size_t capacity, std::uint64_t seed) {
  return [=](const sc_core::sc_module_name& name, const models::NetworkSite& site) {
    auto network = std::make_unique<DelayNetwork>(name, site.inputs, site.outputs, max_delay_ps, capacity,
                                                  site.direction == models::Direction::up ? seed : seed + 1);
    models::NetworkPorts ports = network->ports();
    return models::Made<models::NetworkPorts>{std::move(network), std::move(ports)};
  };
}

}  // namespace syncline::stress
