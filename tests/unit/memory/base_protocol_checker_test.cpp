// The checker itself: each rule of phases and times that it knows is broken once, and links that keep them all pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/sanitized.h"
#include "tests/unit/memory/checked_link.h"

namespace syncline::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TLM_DECLARE_EXTENDED_PHASE(early);  // an ignorable one

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

}  // namespace
}  // namespace syncline::tests
