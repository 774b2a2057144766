// The checker itself: each rule that it knows is broken once.
#include "tests/support/base_protocol_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Pool : tlm::tlm_mm_interface {
  void free(tlm::tlm_generic_payload*) override {}
};

/// Both ends of the link under test; the test says what they do wrong.
struct Ends : sc_core::sc_module {
  explicit Ends(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name), initiator("initiator"), target("target") {
    initiator.register_nb_transport_bw(this, &Ends::backward);
    target.register_nb_transport_fw(this, &Ends::forward);
    target.register_b_transport(this, &Ends::blocking);
  }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    return on_request ? on_request(p, phase) : tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) { return response; }
  void blocking(tlm::tlm_generic_payload&, sc_core::sc_time&) {}
  tlm_utils::simple_initiator_socket<Ends> initiator;
  tlm_utils::simple_target_socket<Ends> target;
  std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&)> on_request;
  tlm::tlm_sync_enum response = tlm::TLM_ACCEPTED;
};

class BaseProtocolCheckerTest : public PlatformFixture {
 protected:
  BaseProtocolCheckerTest() {
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
    p.set_data_ptr(bytes.data());
    p.set_data_length(4);
    p.set_streaming_width(4);
  }
  void forward(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    ends.initiator->nb_transport_fw(p, phase, delay);
  }
  void backward(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    ends.target->nb_transport_bw(p, phase, delay);
  }
  void ok(tlm::tlm_generic_payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); }
  Pool pool_;
  std::array<unsigned char, 8> bytes{};
  tlm::tlm_generic_payload a, b;
  BaseProtocolChecker checker{"checker"};
  Ends ends{"ends"};
};

TEST_F(BaseProtocolCheckerTest, ARightfulTransactionIsNoViolation) {
  forward(a, tlm::BEGIN_REQ);
  backward(a, tlm::END_REQ);
  forward(b, tlm::BEGIN_REQ);
  ok(b);
  backward(b, tlm::BEGIN_RESP);  // implies END_REQ, overtakes the first
  forward(b, tlm::END_RESP);
  ok(a);
  ends.response = tlm::TLM_COMPLETED;
  backward(a, tlm::BEGIN_RESP);
  EXPECT_THAT(checker.violations, IsEmpty());
  EXPECT_EQ(checker.transactions(), 2U);
  EXPECT_EQ(checker.open(), 0U);
}

TEST_F(BaseProtocolCheckerTest, SeesTheRequestExclusionRule) {
  forward(a, tlm::BEGIN_REQ);
  forward(b, tlm::BEGIN_REQ);
  EXPECT_THAT(checker.violations, ElementsAre(HasSubstr("LRM 15.2.6: BEGIN_REQ before END_REQ")));
  EXPECT_EQ(checker.open(), 2U);
}

TEST_F(BaseProtocolCheckerTest, SeesTheResponseExclusionRule) {
  for (auto* p : {&a, &b}) {
    forward(*p, tlm::BEGIN_REQ);
    backward(*p, tlm::END_REQ);
    ok(*p);
  }
  backward(a, tlm::BEGIN_RESP);
  backward(b, tlm::BEGIN_RESP);
  EXPECT_THAT(checker.violations, ElementsAre(HasSubstr("LRM 15.2.6: BEGIN_RESP before END_RESP")));
}

TEST_F(BaseProtocolCheckerTest, SeesPhasesOutOfOrder) {
  backward(a, tlm::END_REQ);
  backward(a, tlm::BEGIN_RESP);
  backward(a, tlm::BEGIN_REQ);
  forward(a, tlm::BEGIN_RESP);
  EXPECT_EQ(checker.violations.size(), 4U);
  EXPECT_THAT(checker.violations, testing::Each(HasSubstr("LRM 15.2.3")));
}

TEST_F(BaseProtocolCheckerTest, SeesAWrongAnswerPhase) {
  ends.on_request = [](tlm::tlm_generic_payload&, tlm::tlm_phase& phase) {
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  };
  forward(a, tlm::BEGIN_REQ);
  EXPECT_THAT(checker.violations, ElementsAre(HasSubstr("answered with a wrong phase")));
}

TEST_F(BaseProtocolCheckerTest, SeesEndRespWithoutBeginResp) {
  ok(a);
  forward(a, tlm::END_RESP);
  EXPECT_THAT(checker.violations, ElementsAre(HasSubstr("END_RESP without BEGIN_RESP")));
}

TEST_F(BaseProtocolCheckerTest, SeesPayloadsWithoutManagerOrAttributes) {
  tlm::tlm_generic_payload bare;
  bare.set_response_status(tlm::TLM_OK_RESPONSE);
  forward(bare, tlm::BEGIN_REQ);
  EXPECT_THAT(checker.violations, ElementsAre(HasSubstr("LRM 14.5"), HasSubstr("LRM 14.7"), HasSubstr("LRM 14.11")));
}

TEST_F(BaseProtocolCheckerTest, SeesAPayloadUsedTwiceAtOnce) {
  forward(a, tlm::BEGIN_REQ);
  backward(a, tlm::END_REQ);
  forward(a, tlm::BEGIN_REQ);
  EXPECT_THAT(checker.violations, ElementsAre(HasSubstr("used again before its transaction ended")));
}

TEST_F(BaseProtocolCheckerTest, SeesChangedAttributesAndMissingStatus) {
  forward(a, tlm::BEGIN_REQ);
  a.set_data_length(2);
  backward(a, tlm::BEGIN_RESP);
  EXPECT_THAT(checker.violations, ElementsAre(HasSubstr("attributes changed"), HasSubstr("LRM 14.17")));
}

TEST_F(BaseProtocolCheckerTest, WatchesTheBlockingPathToo) {
  sc_core::sc_time delay;
  ends.initiator->b_transport(a, delay);
  EXPECT_THAT(checker.violations, ElementsAre(HasSubstr("LRM 14.17")));
}

}  // namespace
}  // namespace syncline::tests
