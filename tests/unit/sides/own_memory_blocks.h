// Blocks of a user's for the memory side, which derive from none of the library's: a network without time, a home that
// is only memory, and a memory of a fixed latency. All for the policy `none`.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "isa/lanes/atomic_value.h"
#include "models/cache/translate.h"
#include "models/crossbar/network_ports.h"
#include "models/dram/payload_access.h"
#include "models/l2_slice/l2_ports.h"
#include "models/transport/message_port.h"
#include "protocols/coherence/none/none.h"

namespace syncline::tests {

/// Hands each message on when it comes.
class DirectNetwork : public sc_core::sc_module, public models::MessageReceiver, public models::MessageSender {
 public:
  DirectNetwork(const sc_core::sc_module_name& name, unsigned inputs, models::Router outputs)
      : sc_core::sc_module(name), router_(std::move(outputs)) {
    for (unsigned i = 0; i < inputs; ++i)
      inputs_.push_back(std::make_unique<models::MessageTarget>("in" + std::to_string(i), *this, i));
    for (unsigned i = 0; i < router_.ports(); ++i)
      outputs_.push_back(std::make_unique<models::MessageInitiator>("out" + std::to_string(i), *this, i));
  }
  models::NetworkPorts ports() {
    models::NetworkPorts ports;
    for (const auto& input : inputs_) ports.inputs.push_back(&input->socket);
    for (const auto& output : outputs_) ports.outputs.push_back(&output->socket);
    return ports;
  }
  unsigned passed = 0;

 private:
  bool receive(models::Message& message, const sc_core::sc_time&, unsigned) override {
    models::MessageInitiator& out = *outputs_.at(router_.port(message.destination));
    if (!out.ready(message.network)) return false;
    ++passed;
    out.send(message);
    return true;
  }
  void on_ready(models::VirtualNetwork network, unsigned) override {
    for (const auto& input : inputs_) input->resume(network);
  }

  models::Router router_;
  std::vector<std::unique_ptr<models::MessageTarget>> inputs_;
  std::vector<std::unique_ptr<models::MessageInitiator>> outputs_;
};

using Lines = std::map<std::uint64_t, base::LineData>;

/// Performs what comes on lines of the host's, and answers at once.
class IdealHome : public sc_core::sc_module, private models::MessageReceiver, private models::MessageSender {
 public:
  /// `lines` outlives it; homes may share them.
  IdealHome(const sc_core::sc_module_name& name, const protocols::CoherencePolicy& policy, Lines& lines,
            unsigned line_bytes)
      : sc_core::sc_module(name),
        requests("requests", *this),
        replies("replies", *this),
        policy_(policy),
        lines_(lines),
        line_bytes_(line_bytes) {}
  models::MessageTarget requests;
  models::MessageInitiator replies;
  unsigned answered = 0;

  models::L2Ports ports() {
    models::L2Ports ports;
    ports.requests = &requests.socket;
    ports.replies = &replies.socket;
    ports.debug_read = [this](base::ByteAddress address, std::uint8_t* data, std::size_t bytes) {
      for (std::size_t i = 0; i < bytes; ++i) data[i] = byte(address.value() + i);
      return true;
    };
    ports.debug_write = [this](base::ByteAddress address, const std::uint8_t* data, std::size_t bytes) {
      for (std::size_t i = 0; i < bytes; ++i) byte(address.value() + i) = data[i];
      return true;
    };
    return ports;
  }

 private:
  using Kind = protocols::none::Message;

  std::uint8_t& byte(std::uint64_t address) {
    return lines_[address / line_bytes_ * line_bytes_].data()[address % line_bytes_];
  }
  bool receive(models::Message& message, const sc_core::sc_time&, unsigned) override {
    const models::NodeId home = message.destination;
    const Kind answer = perform(message, lines_[message.line.value()]);
    message.destination = message.source;
    message.source = home;
    models::dress(message, policy_, static_cast<std::uint8_t>(answer), line_bytes_);
    ++answered;
    waiting_.push_back(&message);
    drain();
    return true;
  }
  Kind perform(models::Message& message, base::LineData& line) const {
    switch (static_cast<Kind>(message.kind)) {
      case Kind::WRITE:
        message.mask.merge(line, message.data);
        return Kind::ACK;
      case Kind::ATOMIC:
        for (unsigned i = 0; i < message.atomic_count; ++i) {
          models::AtomicLane& lane = message.atomics.at(i);
          models::AtomicValue old;
          isa::update_atomic(message.atomic, message.atomic_type, message.ftz, line.data() + lane.offset,
                             lane.operand.data(), lane.compare.data(), old.data());
          lane.operand = old;
        }
        return Kind::ATOMIC_DATA;
      case Kind::GETS:
        message.mask = base::ByteMask::all(line_bytes_);
        message.data = line;
        return Kind::DATA;
      default:
        message.data = line;
        return Kind::DATA_U;
    }
  }
  void on_ready(models::VirtualNetwork, unsigned) override { drain(); }
  void drain() {
    while (!waiting_.empty() && replies.ready(waiting_.front()->network)) {
      models::Message& m = *waiting_.front();
      waiting_.pop_front();
      replies.send(m, sc_core::sc_time(1, sc_core::SC_NS));
    }
  }

  const protocols::CoherencePolicy& policy_;
  Lines& lines_;
  const unsigned line_bytes_;
  std::deque<models::Message*> waiting_;
};

/// A loosely timed target of the base protocol.
class FixedMemory : public sc_core::sc_module {
 public:
  FixedMemory(const sc_core::sc_module_name& name, std::uint64_t capacity)
      : sc_core::sc_module(name), socket("socket"), bytes_(capacity) {
    socket.register_b_transport(this, &FixedMemory::b_transport);
    socket.register_transport_dbg(this, &FixedMemory::debug);
  }
  tlm_utils::simple_target_socket<FixedMemory> socket;
  unsigned accesses = 0;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ++accesses;
    models::perform_access(bytes_, payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(50, sc_core::SC_NS);
  }
  unsigned debug(tlm::tlm_generic_payload& payload) { return models::debug_access(bytes_, payload); }
  models::SparseMemory bytes_;
};

}  // namespace syncline::tests
