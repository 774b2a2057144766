// The checker itself: each rule of payloads, debug transport and direct memory is broken once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "base/error.h"
#include "tests/unit/memory/checked_link.h"

namespace syncline::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Note : tlm::tlm_extension<Note> {
  tlm::tlm_extension_base* clone() const override { return new Note; }
  void copy_from(const tlm::tlm_extension_base&) override {}
};

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
