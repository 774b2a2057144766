// The atomic unit in RTL in lock step with that in C++: the same requests, the same bytes, and nearly the same cycles.
#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "isa/lanes/atomic_value.h"
#include "models/atomic_unit/atomic_ports.h"
#include "models/bridge/base_protocol_checker.h"
#include "models/rtl/rtl_blocks.h"
#include "models/transport/four_phases.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using models::AtomicLane;
using models::AtomicProtocol;
using models::AtomicValue;
using models::AtomicWork;

/// A request with what belongs to it.
struct AtomicRequest : tlm::tlm_mm_interface {
  AtomicRequest() {
    payload.set_mm(this);
    payload.acquire();
    payload.set_extension(&work);
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    payload.set_data_ptr(line.data());
    payload.set_data_length(base::max_line_bytes);
    payload.set_streaming_width(base::max_line_bytes);
    work.lanes = lanes.data();
    work.old = old.data();
  }
  ~AtomicRequest() override { payload.clear_extension(&work); }
  void free(tlm::tlm_generic_payload*) override {}
  void take(const AtomicRequest& other) {
    work.operation = other.work.operation;
    work.type = other.work.type;
    work.count = other.work.count;
    work.worst_address = other.work.worst_address;
    lanes = other.lanes;
    line = other.line;
    begin();
  }
  /// It is to be asked anew.
  void begin() {
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    answered_ps = 0;
  }

  AtomicWork work;
  std::array<AtomicLane, 32> lanes{};
  std::array<AtomicValue, 32> old{};
  base::LineData line{};
  tlm::tlm_generic_payload payload;
  std::uint64_t answered_ps = 0;
};

/// What asks a unit, behind a checker of the phases.
class AtomicAsker : public sc_core::sc_module, private models::FourPhases<AtomicProtocol>::Listener {
 public:
  AtomicAsker(const sc_core::sc_module_name& name, models::Made<models::AtomicUnitPorts> made)
      : sc_core::sc_module(name), unit(std::move(made)) {
    link.socket.bind(checker.target);
    checker.initiator.bind(*unit.ports.socket);
  }
  void ask(AtomicRequest& request) {
    sent.push_back(&request);
    EXPECT_FALSE(link.begin(request.payload)) << "no unit here forwards its results";
  }
  models::Made<models::AtomicUnitPorts> unit;
  models::FourPhases<AtomicProtocol> link{"link", *this};
  models::PhaseChecker<AtomicProtocol> checker{"checker"};
  std::vector<AtomicRequest*> sent;

 private:
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) override {
    EXPECT_TRUE(payload.is_response_ok());
    for (AtomicRequest* const one : sent) {
      if (&one->payload == &payload) one->answered_ps = at.value();
    }
  }
  void request_taken(const sc_core::sc_time&) override {}
};

class AtomicLockStep : public PlatformFixture {
 protected:
  static constexpr std::uint64_t cycle_ps = 1000;
  void build() {
    spec.forwarding = false;
    const models::AtomicUnitSite site{context, clock, spec};
    tlm = std::make_unique<AtomicAsker>("tlm_asker", models::make_atomic_unit("tlm", site));
    rtl = std::make_unique<AtomicAsker>("rtl_asker", rtl::rtl_blocks()->atomic_unit("rtl", site));
    for (int i = 0; i < burst; ++i) {
      in_tlm.push_back(std::make_unique<AtomicRequest>());
      in_rtl.push_back(std::make_unique<AtomicRequest>());
    }
    run_ns(100);
  }
  /// Integers of both widths; few addresses or many, with values that meet each other's bounds.
  void draw(AtomicRequest& request) {
    using isa::AtomicOp;
    using isa::Type;
    constexpr std::array operations{AtomicOp::add,  AtomicOp::min,  AtomicOp::max, AtomicOp::and_, AtomicOp::or_,
                                    AtomicOp::xor_, AtomicOp::exch, AtomicOp::cas, AtomicOp::inc,  AtomicOp::dec};
    constexpr std::array types{Type::u32, Type::s32, Type::b32, Type::u64, Type::s64, Type::b64};
    do {
      request.work.operation = operations[random.below(operations.size())];
      request.work.type = types[random.below(types.size())];
    } while (!isa::atomic_is_defined(request.work.operation, request.work.type));
    const unsigned size = isa::type_bytes(request.work.type);
    request.work.count = 1 + random.below(32);
    const unsigned places = 1 + random.below(base::max_line_bytes / size);
    const auto value = [this] {
      const std::uint64_t any = random.next();
      return random.below(2) == 0 ? any : any % 5 - (random.below(2) == 0 ? 2 : 0);
    };
    for (unsigned i = 0; i < request.work.count; ++i)
      request.lanes[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(random.below(places) * size), false,
                          value(), value()};
    request.work.worst_address = models::worst_address(request.lanes.data(), request.work.count);
    for (unsigned byte = 0; byte < base::max_line_bytes; byte += 8) {
      const std::uint64_t word = value();
      std::memcpy(request.line.data() + byte, &word, sizeof word);
    }
  }
  void draw_both(int i) {
    draw(*in_tlm[i]);
    in_rtl[i]->take(*in_tlm[i]);
    in_tlm[i]->begin();
  }
  void ask_both(int i) {
    tlm->ask(*in_tlm[i]);
    rtl->ask(*in_rtl[i]);
  }
  bool answered(int count) const {
    for (int i = 0; i < count; ++i) {
      if (in_tlm[i]->answered_ps == 0 || in_rtl[i]->answered_ps == 0) return false;
    }
    return true;
  }
  void expect_alike(int i) const {
    const AtomicRequest &a = *in_tlm[i], &b = *in_rtl[i];
    const std::string what = std::string(isa::name(a.work.operation)) + "." + std::string(isa::name(a.work.type));
    EXPECT_EQ(a.line, b.line) << what;
    const unsigned size = isa::type_bytes(a.work.type);
    for (unsigned lane = 0; lane < a.work.count; ++lane)
      EXPECT_EQ(std::memcmp(a.old[lane].data(), b.old[lane].data(), size), 0) << what << ", lane " << lane;
  }
  void wait_a_little() {
    if (const std::uint32_t cycles = random.below(3); cycles != 0) run_ns(cycles);
  }
  void expect_no_violations() const {
    EXPECT_THAT(tlm->checker.violations(), testing::IsEmpty());
    EXPECT_THAT(rtl->checker.violations(), testing::IsEmpty());
    expect_clean();
  }

  static constexpr int burst = 12;
  models::ClockDomain& clock = scheduler.add_domain("l2", 1'000'000'000);
  models::AtomicUnitSpec spec;
  base::Random random{20, "atomic_lock_step"};
  std::unique_ptr<AtomicAsker> tlm, rtl;
  std::vector<std::unique_ptr<AtomicRequest>> in_tlm, in_rtl;
};

TEST_F(AtomicLockStep, OneByOne) {
  build();
  unsigned late = 0;
  for (int n = 0; n < 3000 && !HasFailure(); ++n) {
    draw_both(0);
    ask_both(0);
    for (int i = 0; i < 100 && !answered(1); ++i) run_ns(1);
    ASSERT_TRUE(answered(1));
    expect_alike(0);
    // The unit in C++ takes the best order of lanes for granted, that in RTL has the oldest first.
    const std::uint64_t at_tlm = in_tlm[0]->answered_ps, at_rtl = in_rtl[0]->answered_ps;
    ASSERT_GE(at_rtl, at_tlm);
    EXPECT_LE(at_rtl - at_tlm, cycle_ps);
    late += at_rtl != at_tlm ? 1 : 0;
    wait_a_little();
  }
  EXPECT_LT(late, 3000 / 10);
  expect_no_violations();
}

TEST_F(AtomicLockStep, OnOneAddressOrOnDifferentOnesToTheCycle) {
  spec.latency = 3;
  spec.line_rate = 5;
  build();
  for (unsigned lanes = 1; lanes <= 32; ++lanes) {
    for (const unsigned step : {0U, 4U}) {
      draw_both(0);
      for (AtomicRequest* const one : {in_tlm[0].get(), in_rtl[0].get()}) {
        one->work.operation = isa::AtomicOp::add;
        one->work.type = isa::Type::u32;
        one->work.count = lanes;
        for (unsigned i = 0; i < lanes; ++i)
          one->lanes[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i * step), false, i, 0};
        one->work.worst_address = models::worst_address(one->lanes.data(), lanes);
      }
      ask_both(0);
      for (int i = 0; i < 100 && !answered(1); ++i) run_ns(1);
      expect_alike(0);
      EXPECT_EQ(in_tlm[0]->answered_ps, in_rtl[0]->answered_ps) << lanes << " lanes, " << step << " bytes apart";
    }
  }
  expect_no_violations();
}

TEST_F(AtomicLockStep, InBursts) {
  spec.latency = 18;
  spec.queue = 6;
  build();
  for (int n = 0; n < 200 && !HasFailure(); ++n) {
    for (int i = 0; i < burst; ++i) draw_both(i);
    int to_tlm = 0, to_rtl = 0;
    while (to_tlm < burst || to_rtl < burst) {
      if (to_tlm < burst && !tlm->link.busy()) tlm->ask(*in_tlm[to_tlm++]);
      if (to_rtl < burst && !rtl->link.busy()) rtl->ask(*in_rtl[to_rtl++]);
      wait_a_little();
    }
    for (int i = 0; i < 1000 && !answered(burst); ++i) run_ns(1);
    ASSERT_TRUE(answered(burst));
    for (int i = 0; i < burst; ++i) expect_alike(i);
    tlm->sent.clear();
    rtl->sent.clear();
  }
  expect_no_violations();
}

/// Those of the module stand below the block's, in its group, and show what is under way.
TEST_F(AtomicLockStep, SignalsOfTheModuleAreTraced) {
  build();
  draw_both(0);
  const auto value = [this](const std::string& name) -> std::uint64_t {
    for (const models::TracedSignal& one : context.signals.all()) {
      if (one.block == "rtl" && one.group == "rtl" && one.name == name) return one.value();
    }
    ADD_FAILURE() << "no signal is called " << name;
    return 0;
  };
  EXPECT_EQ(value("atomic_unit.working"), 0U);
  ask_both(0);
  run_ns(1.5);
  EXPECT_EQ(value("atomic_unit.working"), 1U);
  EXPECT_EQ(value("atomic_unit.done"), in_rtl[0]->work.count == 32 ? 0 : ~0U << in_rtl[0]->work.count);
  run_ns(100);
  EXPECT_EQ(value("atomic_unit.working"), 0U);
}

TEST_F(AtomicLockStep, WhatTheRtlHasNotIsAnError) {
  build();
  draw_both(0);
  in_rtl[0]->work.operation = isa::AtomicOp::add;
  in_rtl[0]->work.type = isa::Type::f32;
  rtl->ask(*in_rtl[0]);
  run_ns(3);
  ASSERT_TRUE(scheduler.failure());
  try {
    std::rethrow_exception(scheduler.failure());
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("does integers of 32 and 64 bits and no add.f32"));
  }
}

}  // namespace
}  // namespace syncline::tests
