// The L1 under the policy `none`: what it caches, when it is stale, what it asks for, how long it takes.
#include <gmock/gmock.h>

#include "tests/support/systemc_reports.h"
#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

using isa::Scope;
using isa::Semantics;
using models::L1Kind;
using models::Message;
using models::MessageClass;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class L1 : public HierarchyFixture {
 protected:
  static constexpr std::uint64_t a = 0x1000, b = 0x1080;
};

TEST_F(L1, AHitTakesTheHitLatency) {
  spec.l1.hit_latency = 17;
  build();
  load(0, a);
  run_ns(1000);
  const base::Cycle now = system->core_clock.now();
  load(0, a + 4);
  // Sent between two edges: looked up at the next one.
  EXPECT_EQ(system->core_clock.cycle_at_or_after(sc_core::sc_time::from_value(cores[0]->last_reply_ps)), now + 1 + 17);
  EXPECT_EQ(stat("l1_0.load_hits"), 1);
  EXPECT_EQ(stat("l1_0.misses"), 1);
}

TEST_F(L1, CachingKeepsStaleLinesUntilTheNextGrid) {
  build();
  system->debug_word(a, 1);
  EXPECT_EQ(load(0, a), 1U);
  store(1, a, 2);
  EXPECT_EQ(load(0, a), 1U) << "no coherence: the copy stays";
  control(0, L1Kind::grid_begin);
  EXPECT_EQ(load(0, a), 2U);
}

TEST_F(L1, BypassReadsTheL2) {
  spec.coherence.none.l1 = protocols::NoneL1::bypass;
  build();
  system->debug_word(a, 1);
  EXPECT_EQ(load(0, a), 1U);
  store(1, a, 2);
  EXPECT_EQ(load(0, a), 2U);
  EXPECT_EQ(stat("l1_0.forwarded_loads"), 2);
}

TEST_F(L1, BypassCachesLocalAndReadOnlyData) {
  spec.coherence.none.l1 = protocols::NoneL1::bypass;
  build();
  load(0, a, Semantics::weak, Scope::none, L1Kind::local);
  load(0, a, Semantics::weak, Scope::none, L1Kind::local);
  EXPECT_EQ(stat("l1_0.load_hits"), 1);
  load(0, b, Semantics::weak, Scope::none, L1Kind::constant);
  load(0, b, Semantics::weak, Scope::none, L1Kind::constant);
  EXPECT_EQ(stat("l1_0.load_hits"), 2);
  EXPECT_EQ(stat("l1_0.forwarded_loads"), 0);
}

TEST_F(L1, VolatileReadsTheL2AndDropsTheCopy) {
  build();
  system->debug_word(a, 1);
  load(0, a);
  store(1, a, 2);
  EXPECT_EQ(load(0, a, Semantics::volatile_), 2U);
  EXPECT_EQ(load(0, a), 2U);
}

TEST_F(L1, AnAcquireOfTheGpuEmptiesTheL1) {
  build();
  load(0, a);
  store(1, a, 2);
  load(0, b, Semantics::acquire, Scope::cta);
  EXPECT_EQ(load(0, a), 0U) << "the L1 is the point of coherence of a CTA";
  load(0, b, Semantics::acquire, Scope::gpu);
  EXPECT_EQ(load(0, a), 2U);
}

TEST_F(L1, AFenceOfTheGpuEmptiesTheL1) {
  build();
  load(0, a);
  store(1, a, 2);
  control(0, L1Kind::fence, Scope::cta);
  EXPECT_EQ(load(0, a), 0U);
  control(0, L1Kind::fence, Scope::gpu);
  EXPECT_EQ(load(0, a), 2U);
}

TEST_F(L1, FermiKeepsStaleLinesOverFences) {
  spec.coherence.none.acquire = protocols::NoneAcquire::keep;
  build();
  load(0, a);
  store(1, a, 2);
  control(0, L1Kind::fence, Scope::gpu);
  load(0, b, Semantics::acquire, Scope::gpu);
  EXPECT_EQ(load(0, a), 0U);
}

TEST_F(L1, AStoreEvictsItsLine) {
  build();
  load(0, a);
  store(0, a, 7);
  EXPECT_EQ(load(0, a), 7U);
  EXPECT_EQ(stat("l1_0.load_hits"), 0);
}

TEST_F(L1, AStoreMayUpdateItsLine) {
  spec.coherence.none.store_hit = protocols::NoneStoreHit::update;
  build();
  load(0, a);
  store(0, a, 7);
  EXPECT_EQ(load(0, a), 7U);
  EXPECT_EQ(stat("l1_0.load_hits"), 1);
  EXPECT_EQ(system->debug_word(a), 7U) << "write-through";
}

TEST_F(L1, LocalStoresMayWriteThroughAndStay) {
  spec.coherence.none.private_memory = protocols::NonePrivate::write_through;
  build();
  load(0, a, Semantics::weak, Scope::none, L1Kind::local);
  store(0, a, 9, L1Kind::local);
  EXPECT_EQ(load(0, a, Semantics::weak, Scope::none, L1Kind::local), 9U);
  EXPECT_EQ(stat("l1_0.load_hits"), 1);
  EXPECT_EQ(system->debug_word(a), 9U);
}

/// Local memory that is written back, in an L1 of one frame.
class L1WriteBack : public L1 {
 protected:
  L1WriteBack() {
    spec.l1.size = 128;
    spec.l1.ways = 1;
  }
  std::uint32_t load_local(std::uint64_t address) {
    return load(0, address, Semantics::weak, Scope::none, L1Kind::local);
  }
  void store_local(std::uint64_t address, std::uint32_t value) { store(0, address, value, L1Kind::local); }
};

TEST_F(L1WriteBack, LocalStoresStayUntilTheirFrameIsWanted) {
  build();
  store_local(a, 9);
  EXPECT_EQ(load_local(a), 9U);
  EXPECT_EQ(stat("l1_0.load_hits"), 1) << "what was written is known without asking the home";
  control(0, L1Kind::grid_begin);
  EXPECT_EQ(load_local(a), 9U) << "nobody else writes it";
  EXPECT_EQ(stat("l1_0.sent_WRITE"), 0);
  EXPECT_EQ(system->debug_word(a), 0U);
  load(0, b);
  EXPECT_EQ(stat("l1_0.write_backs"), 1);
  EXPECT_EQ(system->debug_word(a), 9U);
  EXPECT_EQ(load_local(a), 9U);
  EXPECT_EQ(stat("l1_0.write_backs"), 1) << "a line that was only read is not written back";
  expect_clean();
}

TEST_F(L1WriteBack, APostedStoreIsNotAnswered) {
  build();
  Message& m = cores[0]->request(MessageClass::store_request, L1Kind::local, a);
  m.mask.set(0, 4);
  m.data.fill(9);
  m.posted = true;
  cores[0]->send(m, nullptr);  // an answer would find that nobody waits
  EXPECT_EQ(load_local(a), 0x09090909U);
  EXPECT_EQ(stat("l1_0.stores"), 1);
  expect_clean();
}

TEST_F(L1WriteBack, TheRestOfALineIsFetchedWhenAskedFor) {
  build();
  system->debug_word(a, 1);
  system->debug_word(a + 4, 2);
  store_local(a, 9);
  EXPECT_EQ(stat("l1_0.sent_GETS"), 0) << "a store does not fetch";
  EXPECT_EQ(load_local(a + 4), 2U);
  EXPECT_EQ(stat("l1_0.sent_GETS"), 1);
  EXPECT_EQ(load_local(a), 9U) << "bytes that were written stay";
  EXPECT_EQ(stat("l1_0.load_hits"), 2) << "the load that waited found the line";
  store_local(a + 8, 3);
  EXPECT_EQ(load_local(a + 8), 3U);
  load(0, b);
  EXPECT_EQ(system->debug_word(a), 9U);
  EXPECT_EQ(system->debug_word(a + 4), 2U);
  EXPECT_EQ(system->debug_word(a + 8), 3U);
}

TEST_F(L1WriteBack, AStoreWaitsForTheLoadsBeforeIt) {
  spec.max_memory_delay_ps = 500'000;
  build();
  system->debug_word(a, 1);
  std::vector<std::uint32_t> seen;
  const auto look = [&](std::uint64_t address) {
    cores[0]->send(load_message(0, address, 4, L1Kind::local), [&seen, address](Message& reply) {
      std::uint32_t value = 0;
      std::memcpy(&value, reply.data.data() + address % 128, 4);
      seen.push_back(value);
    });
  };
  look(a);
  store_local(a, 2);
  look(a);
  store_local(b, 3);  // another line, so that a leaves; then the word beside, which has to be fetched
  look(b + 4);
  store_local(b + 4, 4);
  look(b + 4);
  run_ns(10'000);
  EXPECT_THAT(seen, testing::ElementsAre(1, 2, 0, 4));
  EXPECT_GT(stat("l1_0.stall_protocol"), 10);
  expect_clean();
}

TEST_F(L1WriteBack, AReaderThatTakesNoTimeSeesWhatIsHereAndWhatHasLeft) {
  spec.max_memory_delay_ps = 500'000;
  spec.max_network_delay_ps = 500'000;
  build();
  const auto seen = [&](std::uint64_t address) {
    std::uint32_t word = 0xdead;
    system->l1s[0]->debug_overlay(base::ByteAddress(address), reinterpret_cast<std::uint8_t*>(&word), 4);
    return word;
  };
  store_local(a, 9);
  EXPECT_EQ(seen(a), 9U);
  EXPECT_EQ(seen(a + 4), 0xdeadU) << "never written here";
  EXPECT_EQ(seen(b), 0xdeadU);
  store_local(b, 8);
  EXPECT_EQ(system->debug_word(a), 0U) << "on its way";
  EXPECT_EQ(seen(a), 9U);
  EXPECT_EQ(seen(b), 8U);
  EXPECT_THAT(system->l1s[0]->check_end_of_run(), IsEmpty()) << "nobody waits for it";
  run_ns(10'000);
  EXPECT_EQ(system->debug_word(a), 9U);
  EXPECT_EQ(seen(a), 0xdeadU) << "its home has it";
}

TEST_F(L1, LoadsOfALineOnItsWayAreMerged) {
  build();
  unsigned answers = 0;
  for (int i = 0; i < 5; ++i) cores[0]->send(load_message(0, a + i * 4u), [&answers](Message&) { ++answers; });
  run_ns(2000);
  EXPECT_EQ(answers, 5U);
  EXPECT_EQ(stat("l1_0.load_merges"), 4);
  EXPECT_EQ(stat("l1_0.sent_GETS"), 1);
  expect_clean();
}

TEST_F(L1, ALoadAroundTheL1AsksForSectors) {
  build();
  load(0, a + 100, Semantics::volatile_);
  EXPECT_EQ(reply_mask, base::ByteMask::range(96, 32));
  EXPECT_EQ(reply_bytes, 8U + 32U);
  EXPECT_EQ(stat("l1_0.sent_GETU_bytes"), 8);
}

TEST_F(L1, APrefetchBringsTheLineAndIsNeverAnswered) {
  build();
  cores[0]->send(load_message(0, a, 4, L1Kind::prefetch), nullptr);
  run_ns(2000);
  load(0, a);
  EXPECT_EQ(stat("l1_0.load_hits"), 1);
  cores[0]->send(load_message(0, a, 4, L1Kind::prefetch), nullptr);
  run_ns(100);
  EXPECT_EQ(stat("l1_0.prefetches"), 2);
  EXPECT_EQ(stat("l1_0.prefetches_dropped"), 1);
  expect_clean();
}

TEST_F(L1, FullSetsMissRegistersAndMergesStallTheQueue) {
  spec.l1.size = 2 * 128;
  spec.l1.ways = 1;
  spec.l1.mshr_entries = 2;
  spec.l1.mshr_merges = 1;
  spec.max_memory_delay_ps = 500'000;
  build();
  unsigned answers = 0;
  const auto send = [&](std::uint64_t address) {
    cores[0]->send(load_message(0, address), [&answers](Message&) { ++answers; });
  };
  send(0x1000);
  send(0x1100);  // the same set: no frame
  send(0x1100);  // no room to merge
  run_ns(10'000);
  EXPECT_EQ(answers, 3U);
  EXPECT_GT(stat("l1_0.stall_no_frame"), 10);
  EXPECT_GT(stat("l1_0.stall_merges_full"), 10);
  expect_clean();
}

TEST_F(L1, NamesWhatIsLeftOverAndWhoWaits) {
  spec.max_memory_delay_ps = 900'000'000;
  build();
  cores[0]->send(load_message(0, a), [](Message&) {});
  Message& m = cores[0]->request(MessageClass::store_request, L1Kind::global, b, 3);
  m.mask.set(0, 4);
  cores[0]->send(m, [](Message&) {});
  run_ns(20);
  EXPECT_THAT(system->l1s[0]->check_end_of_run(),
              Contains(HasSubstr("miss register of line 0x1000 in IV since cycle 0, 1 accesses wait")));
  EXPECT_THAT(system->l1s[0]->check_end_of_run(),
              Contains(HasSubstr("store_request of warp 3 to line 0x1080 was never answered")));
  EXPECT_THAT(system->l1s[0]->describe_waiting(), Contains(HasSubstr("store_request of warp 3 to line 0x1080 waits")));
  EXPECT_THAT(system->l1s[1]->check_end_of_run(), IsEmpty());
  EXPECT_THAT(system->l1s[1]->describe_waiting(), IsEmpty());
}

TEST_F(L1, AControlMessageThatItDoesNotKnowIsAModelError) {
  build();
  cores[0]->send(cores[0]->request(MessageClass::control, L1Kind::local, 0), [](Message&) {});
  expect_model_error("l1_0: control message of kind 1 from the SM");
}

}  // namespace
}  // namespace syncline::tests
