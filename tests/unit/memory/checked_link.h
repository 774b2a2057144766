// A link whose ends do what a test says, with the checker of TLM's base protocol on it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "models/bridge/base_protocol_checker.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {

using models::BaseProtocolChecker;
using models::OnViolation;

struct Unmanaged : tlm::tlm_mm_interface {
  void free(tlm::tlm_generic_payload*) override {}
};

/// Both ends of the link under test; the test says what they do wrong.
struct Ends : sc_core::sc_module {
  using Payload = tlm::tlm_generic_payload;
  using Answer = std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_core::sc_time&)>;
  SC_HAS_PROCESS(Ends);
  explicit Ends(const sc_core::sc_module_name& module_name)
      : sc_core::sc_module(module_name), initiator("initiator"), target("target") {
    initiator.register_nb_transport_bw(this, &Ends::backward);
    target.register_nb_transport_fw(this, &Ends::forward);
    target.register_b_transport(this, &Ends::blocking);
    target.register_transport_dbg(this, &Ends::debug);
    target.register_get_direct_mem_ptr(this, &Ends::direct);
    SC_METHOD(method);
    sensitive << go;
    dont_initialize();
    SC_THREAD(thread);
  }
  tlm::tlm_sync_enum forward(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return of_target ? of_target(p, phase, delay) : tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum backward(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return of_initiator ? of_initiator(p, phase, delay) : tlm::TLM_ACCEPTED;
  }
  void blocking(Payload& p, sc_core::sc_time& delay) {
    if (of_blocking) of_blocking(p, delay);
  }
  unsigned debug(Payload&) { return moved; }
  bool direct(Payload&, tlm::tlm_dmi& region) {
    region = dmi;
    return true;
  }
  void method() {
    if (in_method) in_method();
  }
  void thread() {
    for (;;) {
      wait(go);
      if (in_thread) in_thread();
    }
  }
  tlm_utils::simple_initiator_socket<Ends> initiator;
  tlm_utils::simple_target_socket<Ends> target;
  Answer of_target, of_initiator;
  std::function<void(Payload&, sc_core::sc_time&)> of_blocking;
  std::function<void()> in_method, in_thread;
  unsigned moved = 4;
  tlm::tlm_dmi dmi;
  sc_core::sc_event go;
};

inline sc_core::sc_time ns(double value) {
  return {value, sc_core::SC_NS};
}
inline void ok(tlm::tlm_generic_payload& p) {
  p.set_response_status(tlm::TLM_OK_RESPONSE);
}

class BaseProtocolCheckerTest : public PlatformFixture {
 protected:
  explicit BaseProtocolCheckerTest(OnViolation on_violation = OnViolation::keep) : checker("checker", on_violation) {
    ends.initiator.bind(checker.target);
    checker.initiator.bind(ends.target);
    run_ns(1);
    prepare(a);
    prepare(b);
  }
  void prepare(tlm::tlm_generic_payload& p) {
    p.set_mm(&pool_);
    p.acquire();
    p.set_read();
    p.set_address(0x40);
    p.set_data_ptr(bytes.data());
    p.set_data_length(4);
    p.set_streaming_width(4);
  }
  void forward(tlm::tlm_generic_payload& p, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    ends.initiator->nb_transport_fw(p, phase, delay);
  }
  void backward(tlm::tlm_generic_payload& p, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    ends.target->nb_transport_bw(p, phase, delay);
  }
  void block(tlm::tlm_generic_payload& p, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    ends.initiator->b_transport(p, delay);
  }
  void answers(tlm::tlm_sync_enum status, tlm::tlm_phase phase = tlm::UNINITIALIZED_PHASE) {
    ends.of_target = returns(status, phase);
  }
  static Ends::Answer returns(tlm::tlm_sync_enum status, tlm::tlm_phase phase = tlm::UNINITIALIZED_PHASE,
                              sc_core::sc_time later = sc_core::SC_ZERO_TIME) {
    return [=](tlm::tlm_generic_payload&, tlm::tlm_phase& p, sc_core::sc_time& delay) {
      if (phase != tlm::UNINITIALIZED_PHASE) p = phase;
      delay += later;
      return status;
    };
  }
  void expect_one(const char* text) {
    EXPECT_THAT(checker.violations(), testing::ElementsAre(testing::HasSubstr(text)));
  }

  Unmanaged pool_;
  std::array<unsigned char, 8> bytes{};
  tlm::tlm_generic_payload a, b;
  BaseProtocolChecker checker;
  Ends ends{"ends"};
};

}  // namespace syncline::tests
