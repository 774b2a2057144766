// An L1 that a test can trust: it performs every request on a flat memory in the order of arrival, and answers after
// random times, in random order, now and then refusing for a while. The numbers come from a seed.
#pragma once

#include <systemc>

#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "isa/exec/emulator/flat_memory.h"
#include "isa/lanes/atomic_value.h"
#include "models/block/block.h"
#include "models/sm/l1_interface.h"
#include "models/transport/message_port.h"

namespace syncline::tests {

struct FakeL1Config {
  std::uint32_t min_delay_ns = 1, max_delay_ns = 400;
  std::uint32_t refuse_one_in = 7;  ///< 0: never refuses
};

class FakeL1 : public sc_core::sc_module, public models::MessageSender, public models::MessageReceiver {
 public:
  FakeL1(const sc_core::sc_module_name& name, isa::FlatMemory& memory, std::uint64_t seed, FakeL1Config config)
      : sc_core::sc_module(name),
        requests("requests", *this),
        replies("replies", *this),
        memory_(memory),
        random_(seed, "fake_l1"),
        config_(config),
        again_("again") {
    SC_HAS_PROCESS(FakeL1);
    SC_METHOD(resume);
    sensitive << again_;
    dont_initialize();
  }

  models::MessageTarget requests;
  models::MessageInitiator replies;
  /// Every request in the order in which it was performed, for tests that look at order.
  struct Seen {
    models::MessageClass message_class;
    models::L1Kind kind;
    std::uint64_t line;
    unsigned warp;
    base::ByteMask mask;
    std::uint64_t at_ps;
    isa::Scope scope;
    bool read_only;
  };
  std::vector<Seen> seen;

 private:
  void on_ready(models::VirtualNetwork, unsigned) override {}
  void resume() { requests.resume(models::sm_l1_network); }

  bool receive(models::Message& message, const sc_core::sc_time& arrival, unsigned) override {
    if (config_.refuse_one_in != 0 && random_.below(config_.refuse_one_in) == 0) {
      again_.notify(sc_core::sc_time(1 + random_.below(20), sc_core::SC_NS));
      return false;
    }
    seen.push_back({message.message_class, models::l1_kind(message), message.line.value(), message.warp.value(),
                    message.mask, arrival.value(), message.scope, message.read_only});
    if (models::l1_kind(message) == models::L1Kind::prefetch) {
      message.payload()->release();
      return true;
    }
    perform(message);
    if (message.posted) {
      message.payload()->release();
      return true;
    }
    const std::uint32_t span = config_.max_delay_ns - config_.min_delay_ns + 1;
    replies.send(message, sc_core::sc_time(config_.min_delay_ns + random_.below(span), sc_core::SC_NS));
    return true;
  }

  /// Turns a request into its reply.
  void perform(models::Message& message) {
    using models::MessageClass;
    std::uint8_t* const line = memory_.host(message.line.value());
    switch (message.message_class) {
      case MessageClass::load_request:
        std::memcpy(message.data.data(), line, message.data.size());
        message.message_class = MessageClass::data_reply;
        break;
      case MessageClass::store_request:
        for (unsigned i = 0; i < message.data.size(); ++i) {
          if (message.mask.test(i)) line[i] = message.data[i];
        }
        message.message_class = MessageClass::store_ack;
        break;
      case MessageClass::atomic_request:
        for (unsigned i = 0; i < message.atomic_count; ++i) {
          models::AtomicLane& lane = message.atomics[i];
          models::AtomicValue old;
          isa::update_atomic(message.atomic, message.atomic_type, message.ftz, line + lane.offset, lane.operand.data(),
                             lane.compare.data(), old.data());
          lane.operand = old;
        }
        message.message_class = MessageClass::atomic_reply;
        break;
      default:
        break;  // control: echoed
    }
  }

  isa::FlatMemory& memory_;
  base::Random random_;
  FakeL1Config config_;
  sc_core::sc_event again_;
};

}  // namespace syncline::tests
