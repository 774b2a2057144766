// The checker itself: each rule that it knows is broken once, and links that keep them all pass.
#include "models/bridge/base_protocol_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <utility>

#include "base/error.h"
#include "tests/support/platform_fixture.h"
#include "tests/support/sanitized.h"

namespace syncline::tests {
namespace {

using models::BaseProtocolChecker;
using models::OnViolation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Unmanaged : tlm::tlm_mm_interface {
  void free(tlm::tlm_generic_payload*) override {}
};
struct Note : tlm::tlm_extension<Note> {
  tlm::tlm_extension_base* clone() const override { return new Note; }
  void copy_from(const tlm::tlm_extension_base&) override {}
};
TLM_DECLARE_EXTENDED_PHASE(early);  // an ignorable one

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

sc_core::sc_time ns(double value) {
  return {value, sc_core::SC_NS};
}
void ok(tlm::tlm_generic_payload& p) {
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
  void expect_one(const char* text) { EXPECT_THAT(checker.violations(), ElementsAre(HasSubstr(text))); }

  Unmanaged pool_;
  std::array<unsigned char, 8> bytes{};
  tlm::tlm_generic_payload a, b;
  BaseProtocolChecker checker;
  Ends ends{"ends"};
};

// Links that keep the rules, one for each style.

TEST_F(BaseProtocolCheckerTest, FourPhasesByCallsAndAResponseThatOvertakes) {
  forward(a, tlm::BEGIN_REQ);
  backward(a, tlm::END_REQ, ns(2));
  forward(b, tlm::BEGIN_REQ, ns(2));
  ok(b);
  backward(b, tlm::BEGIN_RESP, ns(3));  // implies END_REQ, overtakes the first
  forward(b, tlm::END_RESP, ns(3));
  ok(a);
  backward(a, tlm::BEGIN_RESP, ns(4));
  EXPECT_THAT(checker.unfinished(), ElementsAre("checker.target: a read of 4 bytes at 0x40 waits for END_RESP"));
  forward(a, tlm::END_RESP, ns(4));
  EXPECT_THAT(checker.violations(), IsEmpty());
  EXPECT_EQ(checker.transactions(), 2U);
  EXPECT_EQ(checker.open(), 0U);
}

TEST_F(BaseProtocolCheckerTest, FourPhasesOnReturnPaths) {
  answers(tlm::TLM_UPDATED, tlm::END_REQ);
  forward(a, tlm::BEGIN_REQ);
  ok(a);
  ends.of_initiator = returns(tlm::TLM_UPDATED, tlm::END_RESP, ns(1));
  backward(a, tlm::BEGIN_RESP, ns(1));
  ends.of_target = [](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    ok(p);
    delay += ns(2);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  };
  forward(b, tlm::BEGIN_REQ);
  forward(b, tlm::END_RESP, ns(2));
  EXPECT_THAT(checker.violations(), IsEmpty());
  EXPECT_EQ(checker.open(), 0U);
}

TEST_F(BaseProtocolCheckerTest, EarlyCompletionFromEitherSide) {
  ends.of_target = [](tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time& delay) {
    ok(p);
    delay += ns(40);
    return tlm::TLM_COMPLETED;
  };
  forward(a, tlm::BEGIN_REQ);
  ends.of_target = nullptr;
  forward(b, tlm::BEGIN_REQ);
  ok(b);
  ends.of_initiator = returns(tlm::TLM_COMPLETED);
  backward(b, tlm::BEGIN_RESP);
  EXPECT_THAT(checker.violations(), IsEmpty());
  EXPECT_EQ(checker.open(), 0U);
}

TEST_F(BaseProtocolCheckerTest, ATargetThatCallsBackBeforeItReturns) {
  ends.of_initiator = returns(tlm::TLM_COMPLETED);
  ends.of_target = [this](tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    ok(p);
    backward(p, tlm::BEGIN_RESP);
    return tlm::TLM_ACCEPTED;
  };
  forward(a, tlm::BEGIN_REQ);
  EXPECT_THAT(checker.violations(), IsEmpty());
  EXPECT_EQ(checker.open(), 0U);
}

TEST_F(BaseProtocolCheckerTest, LooselyTimed) {
  tlm::tlm_generic_payload bare;  // b_transport needs no memory manager
  bare.set_write();
  bare.set_data_ptr(bytes.data());
  bare.set_data_length(4);
  bare.set_streaming_width(4);
  ends.of_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    ok(p);
  };
  bool done = false;
  ends.in_thread = [&] {
    block(bare, ns(5));
    done = true;
  };
  ends.go.notify(sc_core::SC_ZERO_TIME);
  run_ns(2);
  EXPECT_THAT(checker.unfinished(),
              ElementsAre("checker.target: a write of 4 bytes at 0x0 waits for the return of b_transport"));
  run_ns(20);
  EXPECT_TRUE(done);
  EXPECT_THAT(checker.violations(), IsEmpty());
  EXPECT_EQ(checker.open(), 0U);
}

TEST_F(BaseProtocolCheckerTest, IgnorablePhasesBetweenBeginAndEnd) {
  forward(a, tlm::BEGIN_REQ);
  backward(a, early);
  answers(tlm::TLM_UPDATED, tlm::END_REQ);
  forward(a, early);  // the target goes on on the return path
  ends.of_target = nullptr;
  ok(a);
  backward(a, tlm::BEGIN_RESP);
  forward(a, early);
  forward(a, tlm::END_RESP);
  EXPECT_THAT(checker.violations(), IsEmpty());
}

// What the words of a violation are.

TEST_F(BaseProtocolCheckerTest, AViolationNamesSocketClauseAndTransaction) {
  forward(a, tlm::BEGIN_REQ);
  forward(b, tlm::BEGIN_REQ);
  EXPECT_THAT(checker.violations(),
              ElementsAre("checker.target: LRM 15.2.6: BEGIN_REQ before END_REQ of the previous request (read of 4 "
                          "bytes at 0x40, at 1000 ps)"));
  backward(a, tlm::BEGIN_RESP);
  EXPECT_THAT(checker.violations().back(), HasSubstr("checker.initiator: LRM 14.17"));
}

struct CheckerThatEndsTheRun : BaseProtocolCheckerTest {
  CheckerThatEndsTheRun() : BaseProtocolCheckerTest(OnViolation::end_run) {}
};

TEST_F(CheckerThatEndsTheRun, ThrowsWhatIsWrong) {
  if (sanitized) GTEST_SKIP() << no_exceptions;
  try {
    backward(a, tlm::END_REQ);
    FAIL();
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("checker.initiator: LRM 15.2.4: END_REQ of a transaction that has not begun"));
  }
}

// Phases.

TEST_F(BaseProtocolCheckerTest, SeesTheResponseExclusionRule) {
  for (auto* p : {&a, &b}) {
    forward(*p, tlm::BEGIN_REQ);
    backward(*p, tlm::END_REQ);
    ok(*p);
  }
  backward(a, tlm::BEGIN_RESP);
  backward(b, tlm::BEGIN_RESP);
  expect_one("LRM 15.2.6: BEGIN_RESP before END_RESP");
}

TEST_F(BaseProtocolCheckerTest, SeesWhoMayNotSendAPhase) {
  backward(a, tlm::BEGIN_REQ);
  backward(a, tlm::END_RESP);
  forward(a, tlm::END_REQ);
  forward(a, tlm::BEGIN_RESP);
  forward(a, tlm::UNINITIALIZED_PHASE);
  EXPECT_EQ(checker.violations().size(), 5U);
  EXPECT_THAT(checker.violations(), testing::Each(HasSubstr("LRM 15.2.3")));
}

TEST_F(BaseProtocolCheckerTest, SeesPhasesOfNoTransaction) {
  ok(a);
  backward(a, tlm::END_REQ);
  backward(a, tlm::BEGIN_RESP);
  forward(a, tlm::END_RESP);
  EXPECT_EQ(checker.violations().size(), 3U);
  EXPECT_THAT(checker.violations(), testing::Each(HasSubstr("LRM 15.2.4")));
}

TEST_F(BaseProtocolCheckerTest, SeesPhasesOutOfOrder) {
  forward(a, tlm::BEGIN_REQ);
  backward(a, tlm::END_REQ);
  backward(a, tlm::END_REQ);
  ok(a);
  backward(a, tlm::BEGIN_RESP);
  backward(a, tlm::BEGIN_RESP);
  EXPECT_THAT(checker.violations(),
              ElementsAre(HasSubstr("LRM 15.2.4: END_REQ out of order"), HasSubstr("LRM 15.2.4: BEGIN_RESP twice")));
}

TEST_F(BaseProtocolCheckerTest, SeesEndRespWithoutBeginResp) {
  forward(a, tlm::BEGIN_REQ);
  backward(a, tlm::END_REQ);
  forward(a, tlm::END_RESP);
  expect_one("LRM 15.2.4: END_RESP without BEGIN_RESP");
}

TEST_F(BaseProtocolCheckerTest, SeesAnIgnorablePhaseOfNoTransaction) {
  forward(a, early);
  expect_one("LRM 15.2.5");
}

// What comes back.

TEST_F(BaseProtocolCheckerTest, SeesAWrongPhaseOnAReturnPath) {
  answers(tlm::TLM_UPDATED, tlm::END_RESP);
  forward(a, tlm::BEGIN_REQ);
  expect_one("LRM 15.2.3: END_RESP from the target");
}

TEST_F(BaseProtocolCheckerTest, SeesAnInitiatorThatEndsAResponseBeforeThereIsOne) {
  forward(a, tlm::BEGIN_REQ);
  ends.of_initiator = returns(tlm::TLM_COMPLETED);
  backward(a, tlm::END_REQ);
  expect_one("LRM 15.2.4: TLM_COMPLETED in answer to END_REQ");
}

TEST_F(BaseProtocolCheckerTest, SeesAReturnOfATransactionThatHasEnded) {
  ends.of_initiator = returns(tlm::TLM_COMPLETED);
  for (const auto status : {tlm::TLM_UPDATED, tlm::TLM_COMPLETED}) {
    a.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    ends.of_target = [this, status](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
      ok(p);
      backward(p, tlm::BEGIN_RESP);
      phase = tlm::END_REQ;
      return status;
    };
    forward(a, tlm::BEGIN_REQ);
  }
  EXPECT_THAT(checker.violations(), ElementsAre(HasSubstr("LRM 15.2.4: TLM_UPDATED of a transaction that has ended"),
                                                HasSubstr("LRM 15.2.4: TLM_COMPLETED of a transaction that has")));
}

TEST_F(BaseProtocolCheckerTest, SeesWhatTlmAcceptedMayNotChange) {
  ends.of_target = returns(tlm::TLM_ACCEPTED, tlm::END_REQ, ns(1));
  forward(a, tlm::BEGIN_REQ);
  EXPECT_THAT(checker.violations(), ElementsAre(HasSubstr("LRM 11.1.2.7: TLM_ACCEPTED with another phase"),
                                                HasSubstr("LRM 11.1.2.7: TLM_ACCEPTED with another time")));
}

TEST_F(BaseProtocolCheckerTest, SeesAStatusThatThereIsNot) {
  answers(static_cast<tlm::tlm_sync_enum>(3));
  forward(a, tlm::BEGIN_REQ);
  expect_one("LRM 11.1.2.7: a status that is none of tlm_sync_enum");
}

// Time.

TEST_F(BaseProtocolCheckerTest, SeesTimesThatGoBack) {
  forward(a, tlm::BEGIN_REQ, ns(5));
  backward(a, tlm::END_REQ, ns(4));
  EXPECT_THAT(checker.violations(),
              ElementsAre(HasSubstr("LRM 15.2.7: the annotated time goes back from 6000 ps to 5000 ps")));
  ends.of_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    ok(p);
    delay = ns(1);
  };
  block(b, ns(2));
  EXPECT_THAT(checker.violations().back(), HasSubstr("checker.initiator: LRM 15.2.7"));
}

TEST_F(BaseProtocolCheckerTest, SeesATargetThatWaits) {
  ends.of_target = [](tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    sc_core::wait(ns(1));
    return tlm::TLM_ACCEPTED;
  };
  ends.in_thread = [&] { forward(a, tlm::BEGIN_REQ); };
  ends.go.notify(sc_core::SC_ZERO_TIME);
  run_ns(5);
  expect_one("checker.initiator: LRM 11.1.2.4: nb_transport waited");
}

TEST_F(BaseProtocolCheckerTest, SeesBlockingTransportInAMethod) {
  ends.of_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) { ok(p); };
  ends.in_method = [&] { block(a); };
  ends.go.notify(sc_core::SC_ZERO_TIME);
  run_ns(1);
  expect_one("LRM 11.1.1.4: b_transport is called from a method process");
}

// The payload.

TEST_F(BaseProtocolCheckerTest, SeesPayloadsWithoutManagerOrReference) {
  tlm::tlm_generic_payload bare;
  prepare(bare);
  bare.reset();
  bare.release();
  forward(bare, tlm::BEGIN_REQ);
  expect_one("LRM 14.5: nb_transport of a payload to which nobody has a reference");
  block(b);
  b.release();
  ok(b);
  block(b);
  EXPECT_THAT(checker.violations(), testing::Contains(HasSubstr("LRM 14.5: b_transport of a payload to which nobody")));
  tlm::tlm_generic_payload without;
  without.set_data_ptr(bytes.data());
  without.set_data_length(1);
  without.set_streaming_width(1);
  without.set_read();
  forward(without, tlm::BEGIN_REQ);
  EXPECT_THAT(checker.violations(), testing::Contains(HasSubstr("LRM 14.5: nb_transport of a payload without memory")));
}

TEST_F(BaseProtocolCheckerTest, SeesEachAttributeThatARequestMayNotHave) {
  using Payload = tlm::tlm_generic_payload;
  const std::pair<const char*, std::function<void(Payload&)>> wrong[] = {
      {"LRM 14.8:", [](Payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD); }},
      {"LRM 14.9:", [](Payload& p) { p.set_command(static_cast<tlm::tlm_command>(3)); }},
      {"LRM 14.11:", [](Payload& p) { p.set_data_ptr(nullptr); }},
      {"LRM 14.12:", [](Payload& p) { p.set_data_length(0); }},
      {"LRM 14.14:", [this](Payload& p) { p.set_byte_enable_ptr(bytes.data()); }},
      {"LRM 14.15:", [](Payload& p) { p.set_streaming_width(0); }},
      {"LRM 14.16:", [](Payload& p) { p.set_dmi_allowed(true); }},
      {"LRM 14.17:", [](Payload& p) { ok(p); }},
  };
  ends.of_blocking = [](Payload& p, sc_core::sc_time&) { ok(p); };
  for (const auto& [clause, spoil] : wrong) {
    tlm::tlm_generic_payload p;
    prepare(p);
    spoil(p);
    block(p);
    EXPECT_THAT(checker.violations().back(), HasSubstr(clause));
  }
  EXPECT_EQ(checker.violations().size(), std::size(wrong));
}

TEST_F(BaseProtocolCheckerTest, SeesEachAttributeThatMayNotChange) {
  using Payload = tlm::tlm_generic_payload;
  std::array<unsigned char, 4> enables{0xff, 0xff, 0xff, 0xff}, others{};
  const std::pair<const char*, std::function<void(Payload&)>> wrong[] = {
      {"the command changed", [](Payload& p) { p.set_read(); }},
      {"the data pointer changed", [&](Payload& p) { p.set_data_ptr(others.data()); }},
      {"the data length changed", [](Payload& p) { p.set_data_length(2); }},
      {"the byte enable pointer changed", [&](Payload& p) { p.set_byte_enable_ptr(others.data()); }},
      {"the byte enable length changed", [](Payload& p) { p.set_byte_enable_length(2); }},
      {"the streaming width changed", [](Payload& p) { p.set_streaming_width(2); }},
      {"the option changed", [](Payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD); }},
      {"the data of a write changed", [](Payload& p) { ++p.get_data_ptr()[1]; }},
      {"the byte enable array changed", [](Payload& p) { p.get_byte_enable_ptr()[1] = 0; }},
  };
  for (const auto& [text, spoil] : wrong) {
    tlm::tlm_generic_payload p;
    prepare(p);
    p.set_write();
    p.set_byte_enable_ptr(enables.data());
    p.set_byte_enable_length(4);
    enables.fill(0xff);
    ends.of_blocking = [&spoil = spoil](Payload& sent, sc_core::sc_time&) {
      ok(sent);
      spoil(sent);
    };
    block(p);
    EXPECT_THAT(checker.violations().back(), HasSubstr(std::string("LRM 14.7: ") + text));
  }
  EXPECT_EQ(checker.violations().size(), std::size(wrong));
  forward(a, tlm::BEGIN_REQ);
  a.set_address(0x80);  // an interconnect's to change
  backward(a, tlm::END_REQ);
  EXPECT_EQ(checker.violations().size(), std::size(wrong));
  a.set_data_length(2);
  ok(a);
  backward(a, tlm::BEGIN_RESP);
  EXPECT_THAT(checker.violations().back(), HasSubstr("the data length changed"));
}

TEST_F(BaseProtocolCheckerTest, SeesAResponseThatChanges) {
  forward(a, tlm::BEGIN_REQ);
  ok(a);
  backward(a, tlm::BEGIN_RESP);
  bytes[2] = 9;
  a.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  forward(a, tlm::END_RESP);
  EXPECT_THAT(checker.violations(), ElementsAre(HasSubstr("LRM 14.7: the response status changed after the response"),
                                                HasSubstr("LRM 14.7: the data of a read changed after the response")));
}

TEST_F(BaseProtocolCheckerTest, SeesResponsesWithoutStatus) {
  forward(a, tlm::BEGIN_REQ);
  backward(a, tlm::BEGIN_RESP);
  forward(a, tlm::END_RESP);
  answers(tlm::TLM_COMPLETED);
  forward(b, tlm::BEGIN_REQ);
  block(b);
  EXPECT_EQ(checker.violations().size(), 3U);
  EXPECT_THAT(checker.violations(), testing::Each(HasSubstr("LRM 14.17: a response without a status")));
}

TEST_F(BaseProtocolCheckerTest, SeesAPayloadUsedTwiceAtOnce) {
  forward(a, tlm::BEGIN_REQ);
  backward(a, tlm::END_REQ);
  forward(a, tlm::BEGIN_REQ);
  expect_one("LRM 14.5: a payload is used again before its transaction ended");
  ends.of_blocking = [this](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    ends.of_blocking = nullptr;
    block(p);
    ok(p);
  };
  block(b);
  EXPECT_THAT(checker.violations()[1], HasSubstr("LRM 14.5: a payload is used again before"));
}

TEST_F(BaseProtocolCheckerTest, SeesAPayloadOnBothPathsAtOnce) {
  ends.of_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) { ok(p); };
  forward(a, tlm::BEGIN_REQ);
  block(a);
  expect_one("LRM 15.2.10: b_transport of a payload that is in nb_transport");
  backward(a, tlm::END_REQ);
  ends.of_blocking = [this](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    forward(p, tlm::BEGIN_REQ);
    ok(p);
  };
  block(b);
  EXPECT_THAT(checker.violations().back(), HasSubstr("LRM 15.2.10: nb_transport of a payload that is in b_transport"));
}

TEST_F(BaseProtocolCheckerTest, SeesWhatBlockingTransportLeavesBehind) {
  Note note;
  tlm::tlm_generic_payload p;
  prepare(p);
  p.set_mm(nullptr);
  ends.of_blocking = [&](tlm::tlm_generic_payload& sent, sc_core::sc_time&) {
    ok(sent);
    sent.set_mm(&pool_);
    sent.set_extension(&note);
  };
  block(p);
  p.clear_extension(&note);
  EXPECT_THAT(checker.violations(), ElementsAre(HasSubstr("LRM 14.5: b_transport leaves a memory manager behind"),
                                                HasSubstr("LRM 14.5: b_transport leaves an extension behind")));
}

// Debug transport and direct memory.

TEST_F(BaseProtocolCheckerTest, SeesWrongDebugAccesses) {
  ends.moved = 5;
  ends.initiator->transport_dbg(a);
  expect_one("checker.initiator: LRM 11.3.4: a debug access is said to have moved 5 bytes");
  ends.moved = 0;
  a.set_data_ptr(nullptr);
  ends.initiator->transport_dbg(a);
  EXPECT_THAT(checker.violations().back(),
              HasSubstr("checker.target: LRM 11.3.4: a debug access without data pointer"));
}

TEST_F(BaseProtocolCheckerTest, SeesWrongDirectMemory) {
  tlm::tlm_dmi dmi;
  const auto asked = [&](std::uint64_t first, std::uint64_t last) {
    ends.dmi.set_start_address(first);
    ends.dmi.set_end_address(last);
    ends.initiator->get_direct_mem_ptr(a, dmi);
  };
  ends.dmi.allow_read();
  ends.dmi.set_dmi_ptr(bytes.data());
  asked(0, 0xff);
  EXPECT_THAT(checker.violations(), IsEmpty());
  asked(8, 7);
  EXPECT_THAT(checker.violations().back(), HasSubstr("LRM 11.2.5: a DMI region that ends before it begins"));
  asked(0x80, 0xff);
  EXPECT_THAT(checker.violations().back(), HasSubstr("LRM 11.2.5: a DMI region without the address that was asked"));
  ends.dmi.set_dmi_ptr(nullptr);
  asked(0, 0xff);
  EXPECT_THAT(checker.violations().back(), HasSubstr("LRM 11.2.5: direct memory without a pointer"));
  ends.dmi.set_dmi_ptr(bytes.data());
  ends.dmi.allow_write();
  asked(0, 0xff);
  EXPECT_THAT(checker.violations().back(), HasSubstr("LRM 11.2.5: direct memory without the access that was asked"));
  ends.target->invalidate_direct_mem_ptr(4, 3);
  EXPECT_THAT(checker.violations().back(), HasSubstr("LRM 11.2.6: invalidates direct memory from 0x4 to 0x3"));
  EXPECT_EQ(checker.violations().size(), 5U);
}

}  // namespace
}  // namespace syncline::tests
