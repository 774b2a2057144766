// The adapter for memories of one burst size: held to the contract of memories, against a plain memory, and where
// accesses to a burst meet.
#include "models/bridge/burst_adapter.h"

#include <rapidcheck.h>

#include <memory>
#include <tuple>

#include "base/error.h"
#include "models/cache/links/memory_port.h"
#include "tests/support/burst_memory.h"
#include "tests/support/error_of.h"
#include "tests/support/memory_contract.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// Adapter, checker and memory behind each other.
struct Bursts {
  static constexpr std::uint64_t capacity = 1 << 20;
  Bursts(PlatformContext& context, const BurstAdapterSpec& adapter_spec, const tests::BurstMemorySpec& memory_spec)
      : adapter("adapter", context, adapter_spec), checker("memory_checker"), memory("memory", memory_spec) {
    adapter.initiator.bind(checker.target);
    checker.initiator.bind(memory.socket);
  }
  template <class Socket>
  void bind(Socket& socket) {
    socket.bind(adapter.target);
  }
  BurstAdapter adapter;
  BaseProtocolChecker checker;  ///< ends the run
  tests::BurstMemory memory;
};

template <unsigned burst, bool says_size>
struct BurstTarget : Bursts {
  explicit BurstTarget(PlatformContext& context) : Bursts(context, adapter_spec(), memory_spec()) {}
  static BurstAdapterSpec adapter_spec() {
    BurstAdapterSpec spec;
    spec.burst = burst;
    spec.capacity = says_size ? capacity : 0;
    return spec;
  }
  static tests::BurstMemorySpec memory_spec() {
    tests::BurstMemorySpec spec;
    spec.burst = burst;
    return spec;
  }
};
using BurstContracts = testing::Types<BurstTarget<32, true>, BurstTarget<64, false>, BurstTarget<128, true>>;

}  // namespace
}  // namespace syncline::models

namespace syncline::tests {
INSTANTIATE_TYPED_TEST_SUITE_P(Burst, MemoryContract, models::BurstContracts);
}  // namespace syncline::tests

namespace syncline::models {
namespace {

class BurstAdapterTest : public tests::PlatformFixture {
 protected:
  void build() {
    bursts = std::make_unique<Bursts>(context, spec, memory);
    initiator.socket.bind(bursts->adapter.target);
    run_ns(1);
  }
  void drain() {
    for (int i = 0; i < 5000 && !initiator.done(); ++i) run_ns(100);
    EXPECT_TRUE(initiator.done());
    expect_clean();
    EXPECT_THAT(bursts->checker.unfinished(), IsEmpty());
  }
  std::vector<std::uint8_t> peek(std::uint64_t address, unsigned bytes) {
    std::vector<std::uint8_t> seen(bytes);
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, address, seen.data(), bytes), bytes);
    return seen;
  }
  BurstAdapterSpec spec;
  tests::BurstMemorySpec memory;
  std::unique_ptr<Bursts> bursts;
  tests::MemoryTester initiator{"initiator"};
};

TEST_F(BurstAdapterTest, ReadsOnlyWhatItWritesInPart) {
  build();
  initiator.write(64, std::vector<std::uint8_t>(96, 1));  // three whole bursts
  drain();
  EXPECT_EQ(statistic("adapter.bursts_written"), 3);
  EXPECT_EQ(statistic("adapter.bursts_read"), 0);
  initiator.write(60, std::vector<std::uint8_t>(40, 2));  // the end of one, a whole one, the beginning of one
  drain();
  EXPECT_EQ(statistic("adapter.bursts_written"), 6);
  EXPECT_EQ(statistic("adapter.bursts_read"), 2);
  EXPECT_EQ(statistic("adapter.partial_writes"), 2);
  EXPECT_THAT(peek(59, 2), ElementsAre(0, 2));
  EXPECT_THAT(peek(99, 2), ElementsAre(2, 1));
  EXPECT_GT(statistic("adapter.writes"), 1);
}

TEST_F(BurstAdapterTest, PassesByteEnablesToAMemoryThatHonoursThem) {
  spec.byte_enables = true;
  memory.refuses_enables = true;
  build();
  const auto partial = initiator.write(0, {1, 2});
  const auto whole = initiator.write(32, std::vector<std::uint8_t>(32, 3));
  drain();
  EXPECT_EQ(initiator.results.at(partial).status, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE) << "this one does not";
  EXPECT_EQ(initiator.results.at(whole).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(statistic("adapter.bursts_read"), 0);
}

TEST_F(BurstAdapterTest, WritesOfNeighboursDoNotLoseEachOthersBytes) {
  memory.outstanding = 2;
  build();
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned i = 0; i < 128; ++i) initiator.write(i * 37 % 128, {static_cast<std::uint8_t>(i * 37 % 128 + round)});
  }
  drain();
  for (unsigned i = 0; i < 128; ++i) EXPECT_EQ(peek(i, 1)[0], static_cast<std::uint8_t>(i + 3)) << i;
  EXPECT_GT(bursts->memory.overtaken, 0U) << "the memory answers in any order";
  EXPECT_GT(bursts->memory.held_back, 0U) << "and has room for a few";
}

TEST_F(BurstAdapterTest, WhatTheHostWritesMeanwhileStays) {
  build();
  // The host writes while the burst waits, is read, is merged and is written, and a byte of its own each time.
  for (unsigned at = 0; at < 60; ++at) {
    const std::uint64_t address = at * 32;
    initiator.write(address, {1, 1, 1, 1});
    run_ns(at * 4);
    std::uint8_t fresh[2] = {8, 9};
    EXPECT_EQ(initiator.debug(tlm::TLM_WRITE_COMMAND, address + 3, fresh, 2), 2U);
    drain();
    EXPECT_THAT(peek(address, 6), ElementsAre(1, 1, 1, 8, 9, 0)) << at * 4 << " ns";
  }
}

TEST_F(BurstAdapterTest, ErrorsOfTheMemoryAreThoseOfTheTransaction) {
  build();
  const auto read = initiator.read(Bursts::capacity - 16, 64);
  const auto write = initiator.write(Bursts::capacity, {1});
  drain();
  EXPECT_EQ(initiator.results.at(read).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(initiator.results.at(write).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(statistic("adapter.bursts_written"), 0);
}

TEST_F(BurstAdapterTest, BeyondItsCapacityNothingReachesTheMemory) {
  spec.capacity = 4096;
  build();
  const auto read = initiator.read(4096, 32);
  std::uint8_t byte = 0;
  EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, 4096, &byte, 1), 0U);
  EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, 4095, &byte, 1), 1U);
  drain();
  EXPECT_EQ(initiator.results.at(read).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(statistic("adapter.bursts_read"), 0);
}

TEST_F(BurstAdapterTest, TellsWhatItWaitsFor) {
  memory.outstanding = 1;
  build();
  initiator.write(0, {1});
  initiator.read(64, 32);
  run_ns(0.5);
  EXPECT_THAT(bursts->adapter.describe_waiting(),
              UnorderedElementsAre("adapter: a write of 1 bytes at 0x0 waits for 1 accesses",
                                   "adapter: a read of 32 bytes at 0x40 waits for 1 accesses",
                                   "adapter: the memory withholds END_REQ",
                                   "adapter: the memory has a read of the burst at 0x0",
                                   "adapter: the memory has a read of the burst at 0x40"));
  EXPECT_EQ(bursts->adapter.check_end_of_run().size(), 2U);
  drain();
}

TEST_F(BurstAdapterTest, RefusesWhatCannotBe) {
  const auto made_with = [&](std::uint32_t burst, std::uint32_t outstanding) {
    return test::error_of([&] {
      BurstAdapterSpec wrong;
      wrong.burst = burst;
      wrong.outstanding = outstanding;
      BurstAdapter("wrong", context, wrong);
    });
  };
  EXPECT_EQ(made_with(48, 1), "wrong: a burst of 48 bytes; it may have 8 to 128, a power of two");
  EXPECT_EQ(made_with(256, 1), "wrong: a burst of 256 bytes; it may have 8 to 128, a power of two");
  EXPECT_EQ(made_with(32, 0), "wrong needs room for at least one transaction and one burst");
}

TEST_F(BurstAdapterTest, WithoutItTheMemoryRefusesOrOverwrites) {
  tests::BurstMemory alone("alone", memory);
  initiator.socket.bind(alone.socket);
  initiator.ending = tests::MemoryTester::Ending::on_return;
  run_ns(1);
  const auto line = initiator.write(0, std::vector<std::uint8_t>(128, 1));
  initiator.write(128, std::vector<std::uint8_t>(32, 1), base::ByteMask::range(0, 4));
  run_ns(1000);
  EXPECT_EQ(initiator.results.at(line).status, tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_THAT(peek(131, 2), ElementsAre(1, 1)) << "the byte enables were dropped";
  initiator.ending = tests::MemoryTester::Ending::completed;
  const auto first = initiator.read(0, 32), second = initiator.read(32, 32);
  run_ns(1000);
  EXPECT_EQ(alone.never_ended, 1U);
  EXPECT_EQ(initiator.results.count(first) + initiator.results.count(second), 1U)
      << "and who answers TLM_COMPLETED waits for ever";
}

TEST_F(BurstAdapterTest, RandomAccessesAreThoseOfAPlainMemory) {
  // One elaboration for all cases: each goes on with what the one before has left.
  constexpr unsigned span = 512;
  memory.longest_ps = 40'000;
  build();
  std::vector<std::uint8_t> plain(span);
  using Op = std::tuple<bool, unsigned, unsigned, std::uint64_t, unsigned>;  // write, address, bytes, enables, pause
  const auto op = rc::gen::tuple(rc::gen::arbitrary<bool>(), rc::gen::inRange(0U, span), rc::gen::inRange(1U, 65U),
                                 rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(0U, 30U));
  std::uint8_t value = 0;
  EXPECT_TRUE(rc::check([&] {
    std::map<std::uint32_t, std::vector<std::uint8_t>> expected;
    for (const auto& [write, address, wanted, enables, pause] : *rc::gen::container<std::vector<Op>>(op)) {
      const unsigned bytes = std::min(wanted, span - address);
      if (write) {
        base::ByteMask mask;
        std::vector<std::uint8_t> fresh(bytes);
        for (unsigned i = 0; i < bytes; ++i) {
          fresh[i] = ++value;
          if ((enables >> i & 1) == 0) continue;
          mask.set(i, 1);
          plain[address + i] = fresh[i];
        }
        initiator.write(address, fresh, mask);
      } else {
        const auto first = plain.begin() + address;
        expected[initiator.read(address, bytes)].assign(first, first + bytes);
      }
      run_ns(1 + pause);
    }
    for (int i = 0; i < 5000 && !initiator.done(); ++i) run_ns(100);
    RC_ASSERT(initiator.done());
    for (const auto& [tag, bytes] : expected) RC_ASSERT(initiator.results.at(tag).data == bytes);
    RC_ASSERT(peek(0, span) == plain);
  }));
  expect_clean();
}

/// What the host writes while a write-back is with the memory stays, and the payload is left alone (LRM 14.7).
TEST_F(BurstAdapterTest, WhatTheHostWritesAfterAWriteBackStays) {
  struct Slice : sc_core::sc_module, MemoryPort::Listener {
    explicit Slice(const sc_core::sc_module_name& module_name) : sc_core::sc_module(module_name) {}
    void memory_ready(const sc_core::sc_time&) override {}
    MemoryPort port{"memory", *this, 128, 4};
  };
  Slice slice("slice");
  BaseProtocolChecker before("before");  // ends the run
  bursts = std::make_unique<Bursts>(context, spec, memory);
  slice.port.socket.bind(before.target);
  before.initiator.bind(bursts->adapter.target);
  tests::BurstMemory unused("unused", memory);
  initiator.socket.bind(unused.socket);
  run_ns(1);
  const base::LineAddress line(0x1000);
  base::LineData old{}, fresh{}, seen{};
  old.fill(1);
  fresh.fill(2);
  for (unsigned at = 0; at < 40; ++at) {
    slice.port.write(line, 128, old, base::ByteMask::range(0, 8));
    slice.port.issue();
    run_ns(1 + at * 8);
    EXPECT_TRUE(slice.port.debug_write(line, 128, fresh, base::ByteMask::range(4, 8)));
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(slice.port.debug_read(line, 128, seen));
      EXPECT_EQ((std::vector<int>{seen[3], seen[4], seen[11], seen[12]}), (std::vector<int>{1, 2, 2, 0})) << at;
      run_ns(10);
      if (auto* const t = slice.port.response(sc_core::sc_time_stamp().value())) slice.port.done(*t);
    }
    EXPECT_EQ(slice.port.in_flight(), 0U);
  }
}

}  // namespace
}  // namespace syncline::models
