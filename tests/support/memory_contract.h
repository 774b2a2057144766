// What every memory must do that stands behind a base-protocol link, whatever it is: one suite, instantiated per
// memory.
//
// A Target is a type with
//   explicit Target(models::PlatformContext&)         builds the memory with everything that it needs
//   void bind(tlm_utils::simple_initiator_socket<models::BaseProtocolChecker>&)   its base-protocol target
//   static constexpr std::uint64_t capacity           bytes; accesses beyond are address errors
// and is registered with INSTANTIATE_TYPED_TEST_SUITE_P(Name, MemoryContract, Target).
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "base/random.h"
#include "models/bridge/base_protocol_checker.h"
#include "tests/support/memory_tester.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {

template <class Target>
class MemoryContract : public PlatformFixture {
 protected:
  MemoryContract() {
    initiator.socket.bind(checker.target);
    memory.bind(checker.initiator);
    run_ns(0);
  }
  void drain() {
    for (int i = 0; i < 2000 && !initiator.done(); ++i) run_ns(1000);
    EXPECT_TRUE(initiator.done()) << "requests that were never answered";
    run_ns(1000);
    expect_clean();
    EXPECT_EQ(checker.open(), 0U);
    EXPECT_EQ(initiator.in_flight(), 0U);
    EXPECT_THAT(checker.violations(), testing::IsEmpty());
  }
  const std::vector<std::uint8_t>& data(std::uint32_t tag) { return initiator.results.at(tag).data; }

  Target memory{context};
  models::BaseProtocolChecker checker{"checker", models::OnViolation::keep};
  MemoryTester initiator{"initiator"};
};

TYPED_TEST_SUITE_P(MemoryContract);

TYPED_TEST_P(MemoryContract, ReadsZeroFirstAndThenWhatWasWritten) {
  std::vector<std::uint8_t> bytes(128);
  for (unsigned i = 0; i < 128; ++i) bytes[i] = static_cast<std::uint8_t>(i * 3 + 1);
  const auto before = this->initiator.read(256, 128);
  this->initiator.write(256, bytes);
  const auto after = this->initiator.read(256, 128);
  const auto part = this->initiator.read(260, 4);
  const auto beside = this->initiator.read(384, 128);
  const auto last = this->initiator.read(TypeParam::capacity - 32, 32);
  this->drain();
  EXPECT_EQ(this->data(before), std::vector<std::uint8_t>(128, 0));
  EXPECT_EQ(this->data(after), bytes);
  EXPECT_EQ(this->data(part), std::vector<std::uint8_t>(bytes.begin() + 4, bytes.begin() + 8));
  EXPECT_EQ(this->data(beside), std::vector<std::uint8_t>(128, 0));
  EXPECT_EQ(this->data(last), std::vector<std::uint8_t>(32, 0));
  EXPECT_EQ(this->checker.transactions(), 6U);
}

TYPED_TEST_P(MemoryContract, ByteEnablesWriteOnlyTheirBytes) {
  this->initiator.write(1024, std::vector<std::uint8_t>(128, 0x11));
  base::ByteMask mask = base::ByteMask::range(3, 2);
  mask.set(64, 1);
  this->initiator.write(1024, std::vector<std::uint8_t>(128, 0x22), mask);
  const auto tag = this->initiator.read(1024, 128);
  this->drain();
  for (unsigned i = 0; i < 128; ++i) EXPECT_EQ(this->data(tag)[i], mask.test(i) ? 0x22 : 0x11) << i;
}

TYPED_TEST_P(MemoryContract, RandomTrafficReadsTheLastWriteBeforeIt) {
  constexpr unsigned span = 4096;
  std::vector<std::uint8_t> reference(span);
  std::map<std::uint32_t, std::vector<std::uint8_t>> expected;
  base::Random random(20);
  for (unsigned n = 0; n < 800; ++n) {
    const unsigned bytes = 1 + random.below(128);
    const unsigned offset = random.below(span - bytes + 1);
    const unsigned line_end = (offset / 128 + 1) * 128;
    const unsigned length = std::min(bytes, line_end - offset);  // requests of caches stay in a line
    const auto first = reference.begin() + offset;
    if (random.below(2) == 0) {
      expected[this->initiator.read(offset, length)].assign(first, first + length);
    } else {
      std::vector<std::uint8_t> fresh(length);
      base::ByteMask mask;
      for (unsigned i = 0; i < length; ++i) {
        fresh[i] = static_cast<std::uint8_t>(random.next());
        if (random.below(3) == 0) continue;
        mask.set(i, 1);
        reference[offset + i] = fresh[i];
      }
      this->initiator.write(offset, fresh, mask);
    }
    if (random.below(8) == 0) this->run_ns(1 + random.below(50));
  }
  this->drain();
  for (const auto& [tag, bytes] : expected) EXPECT_EQ(this->data(tag), bytes) << "read " << tag;
  EXPECT_EQ(this->initiator.results.size(), 800U);
}

TYPED_TEST_P(MemoryContract, AFloodIsHeldBackAndAnsweredInFull) {
  for (unsigned n = 0; n < 600; ++n)
    this->initiator.write(n * 128, std::vector<std::uint8_t>(128, static_cast<std::uint8_t>(n)));
  EXPECT_GT(this->initiator.unsent(), 0U) << "no memory takes 600 requests at once: some queue is infinite";
  this->drain();
  std::vector<std::uint32_t> tags;
  for (unsigned n = 0; n < 600; ++n) tags.push_back(this->initiator.read(n * 128 + 5, 1));
  this->drain();
  for (unsigned n = 0; n < 600; ++n) EXPECT_EQ(this->data(tags[n])[0], static_cast<std::uint8_t>(n));
}

TYPED_TEST_P(MemoryContract, TheDebugPathSeesTheSameBytesWithoutTime) {
  this->initiator.write(512, {1, 2, 3, 4});
  this->drain();
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  std::uint8_t seen[6] = {};
  EXPECT_EQ(this->initiator.debug(tlm::TLM_READ_COMMAND, 511, seen, 6), 6U);
  EXPECT_THAT(seen, testing::ElementsAre(0, 1, 2, 3, 4, 0));
  std::uint8_t fresh[2] = {8, 9};
  EXPECT_EQ(this->initiator.debug(tlm::TLM_WRITE_COMMAND, 513, fresh, 2), 2U);
  EXPECT_EQ(sc_core::sc_time_stamp(), before);
  const auto tag = this->initiator.read(512, 4);
  this->drain();
  EXPECT_THAT(this->data(tag), testing::ElementsAre(1, 8, 9, 4));
  EXPECT_EQ(this->initiator.debug(tlm::TLM_READ_COMMAND, TypeParam::capacity, seen, 6), 0U);
}

TYPED_TEST_P(MemoryContract, EachStyleOfInitiatorIsServed) {
  constexpr unsigned lines = 40;
  std::uint8_t round = 0;
  for (const auto ending :
       {MemoryTester::Ending::completed, MemoryTester::Ending::on_return, MemoryTester::Ending::by_call}) {
    for (const std::uint64_t annotated_ps : {0, 7'300}) {
      this->initiator.ending = ending;
      this->initiator.annotated_ps = annotated_ps;
      ++round;
      for (unsigned n = 0; n < lines; ++n)
        this->initiator.write(n * 128 + round, std::vector<std::uint8_t>(2, static_cast<std::uint8_t>(n + round)));
      std::vector<std::uint32_t> tags;
      for (unsigned n = 0; n < lines; ++n) tags.push_back(this->initiator.read(n * 128 + round, 1));
      this->drain();
      for (unsigned n = 0; n < lines; ++n) EXPECT_EQ(this->data(tags[n])[0], static_cast<std::uint8_t>(n + round));
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(MemoryContract, ReadsZeroFirstAndThenWhatWasWritten, ByteEnablesWriteOnlyTheirBytes,
                            RandomTrafficReadsTheLastWriteBeforeIt, AFloodIsHeldBackAndAnsweredInFull,
                            TheDebugPathSeesTheSameBytesWithoutTime, EachStyleOfInitiatorIsServed);

}  // namespace syncline::tests
