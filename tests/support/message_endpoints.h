// Ends of on-chip links for tests: a source that sends what it is given as fast as the link takes it, and a sink that
// writes down what arrives and can be closed.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "models/transport/message_port.h"

namespace syncline::tests {

/// Sends queued messages in order, per virtual network, as soon as the link is free.
class MessageSource : public sc_core::sc_module, public models::MessageSender {
 public:
  explicit MessageSource(const sc_core::sc_module_name& name) : sc_core::sc_module(name), port("port", *this) {}
  void send(models::Message& message, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME) {
    auto& queue = queues_[message.network];
    queue.push_back({&message, sc_core::sc_time_stamp() + delay});
    drain(message.network);
  }
  void on_ready(models::VirtualNetwork network, unsigned) override { drain(network); }
  bool idle() const {
    for (const auto& queue : queues_) {
      if (!queue.empty()) return false;
    }
    return !port.any_busy();
  }
  models::MessageInitiator port;

 private:
  struct Pending {
    models::Message* message;
    sc_core::sc_time at;
  };
  void drain(models::VirtualNetwork network) {
    auto& queue = queues_[network];
    while (!queue.empty() && port.ready(network)) {
      const Pending next = queue.front();
      queue.pop_front();
      const sc_core::sc_time now = sc_core::sc_time_stamp();
      port.send(*next.message, next.at > now ? next.at - now : sc_core::SC_ZERO_TIME);
    }
  }
  std::array<std::deque<Pending>, models::max_virtual_networks> queues_;
};

/// Takes messages while open; `on_message` sees each before it is released (or keeps it, by acquiring it).
class MessageSink : public sc_core::sc_module, public models::MessageReceiver {
 public:
  struct Arrival {
    models::NodeId source;
    std::uint32_t tag;
    models::VirtualNetwork network;
    std::uint64_t at_ps;
  };
  explicit MessageSink(const sc_core::sc_module_name& name) : sc_core::sc_module(name), port("port", *this) {}
  bool receive(models::Message& message, const sc_core::sc_time& arrival, unsigned) override {
    if (!open || (limit && arrivals.size() >= *limit)) return false;
    arrivals.push_back({message.source, message.tag, message.network, arrival.value()});
    if (on_message) on_message(message, arrival);
    message.payload()->release();
    return true;
  }
  void resume() {
    for (unsigned n = 0; n < models::max_virtual_networks; ++n) port.resume(static_cast<models::VirtualNetwork>(n));
  }
  models::MessageTarget port;
  bool open = true;
  std::optional<std::size_t> limit;
  std::function<void(models::Message&, const sc_core::sc_time&)> on_message;
  std::vector<Arrival> arrivals;
};

}  // namespace syncline::tests
