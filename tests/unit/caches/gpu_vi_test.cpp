// GPU-VI and GPU-VIni in real caches: who is invalidated when, what is recalled, and that random programs take the rows
// of the tables.
#include <gmock/gmock.h>

#include "platform/stress/row_coverage.h"
#include "tests/unit/caches/hierarchy_fixture.h"
#include "tests/unit/caches/random_tester.h"

namespace syncline::tests {
namespace {

using models::L1Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class GpuVi : public HierarchyFixture {
 protected:
  static constexpr std::uint64_t a = 0x1000, b = 0x2000, c = 0x3000;  ///< lines of one set in every cache here
  GpuVi() { spec.coherence.policy = "gpu_vi"; }
};

TEST_F(GpuVi, AStoreInvalidatesTheCopiesOfOthersAndKeepsTheWriters) {
  build();
  system->debug_word(a, 1);
  EXPECT_EQ(load(0, a), 1U);
  EXPECT_EQ(load(1, a), 1U);
  store(1, a, 2);
  EXPECT_EQ(stat("part0_l2.sent_Inv"), 1);
  EXPECT_EQ(stat("l1_0.sent_Inv_Ack"), 1);
  EXPECT_EQ(load(1, a), 2U);
  EXPECT_EQ(stat("l1_1.load_hits"), 1) << "the writer's copy has the store";
  EXPECT_EQ(load(0, a), 2U);
  EXPECT_EQ(stat("l1_0.load_hits"), 0);
  store(1, a, 3);
  store(1, a, 4);
  EXPECT_EQ(stat("part0_l2.sent_Inv"), 2) << "the second store finds the writer alone";
  expect_clean();
}

TEST_F(GpuVi, AnAtomicLeavesNoCopy) {
  build();
  load(0, a);
  load(1, a);
  atomic(1, a, 1, false);
  EXPECT_EQ(load(0, a), 1U);
  EXPECT_EQ(load(1, a), 1U);
  EXPECT_EQ(stat("l1_0.load_hits") + stat("l1_1.load_hits"), 0);
  expect_clean();
}

TEST_F(GpuVi, NobodyReadsAStoreBeforeAllCopiesAreGone) {
  spec.max_network_delay_ps = 1'000'000;
  build();
  load(0, a);
  load(1, a);
  // The writer's own SM, too, reads it at the home only, and so behind the invalidation.
  bool stored = false;
  cores[1]->send(store_message(1, a, 9), [&stored](models::Message&) { stored = true; });
  EXPECT_EQ(load(1, a), 9U);
  EXPECT_EQ(stat("l1_0.sent_Inv_Ack"), 1);
  EXPECT_EQ(stat("l1_1.load_hits"), 0);
  EXPECT_EQ(load(0, a), 9U);
  EXPECT_TRUE(stored);
}

TEST_F(GpuVi, TheHomeRecallsWhatItGivesUp) {
  spec.l2.size = 2 * 128;
  spec.l2.ways = 2;
  build();
  system->debug_word(c, 3);
  load(0, a);
  store(1, b, 2);
  load(0, c);  // evicts a, which core 0 has
  EXPECT_EQ(stat("part0_l2.sent_Inv"), 1);
  EXPECT_EQ(stat("l1_0.sent_Inv_Ack"), 1);
  load(0, a);
  EXPECT_EQ(stat("l1_0.load_hits"), 0);
  EXPECT_EQ(stat("part0_l2.memory_writes"), 1) << "b was dirty";
  EXPECT_EQ(load(1, b), 2U);
  expect_clean();
}

/// An acknowledgement and a load that wants the frame are looked up in one cycle; the store that the acknowledgement
/// sets free is older than the load.
TEST_F(GpuVi, WhoWaitedForALineHasItBeforeOthersTakeItsFrameWhateverPortsTheHomeHas) {
  spec.l1s = 3;
  spec.l2.size = 128;
  spec.l2.ways = 1;
  spec.l2.ports = 4;
  build();
  load(0, a);
  load(1, a);
  unsigned answers = 0;
  cores[1]->send(store_message(1, a, 9), [&answers](models::Message&) { ++answers; });
  run_ns(50);
  cores[2]->send(load_message(2, b + 128), [&answers](models::Message&) { ++answers; });  // of another bank
  run_ns(10'000);
  EXPECT_EQ(answers, 2U);
  EXPECT_EQ(stat("part0_l2.memory_reads"), 2) << "a has not left before the store was performed";
  EXPECT_EQ(load(0, a), 9U);
  expect_clean();
}

TEST_F(GpuVi, AGridThatBeginsFindsWhatTheHostWrote) {
  build();
  system->debug_word(a, 1);
  EXPECT_EQ(load(0, a), 1U);
  system->debug_word(a, 2);
  control(0, L1Kind::grid_begin);
  EXPECT_EQ(load(0, a), 2U);
}

TEST_F(GpuVi, APrefetchUnderWayIsNotKeptWhereAGridBegins) {
  spec.max_memory_delay_ps = 1'000'000;
  build();
  system->debug_word(a, 1);
  cores[0]->send(load_message(0, a, 4, L1Kind::prefetch), nullptr);
  run_ns(20);
  control(0, L1Kind::grid_begin);
  run_ns(5000);
  EXPECT_EQ(load(0, a), 1U);
  EXPECT_EQ(stat("l1_0.load_hits"), 0);
  expect_clean();
}

class GpuViNi : public GpuVi {
 protected:
  GpuViNi() {
    spec.coherence.policy = "gpu_vi_ni";
    spec.l2.size = 2 * 128;
    spec.l2.ways = 2;
    spec.coherence.gpu_vi_ni.directory_sets = 1;
    spec.coherence.gpu_vi_ni.directory_ways = 3;
  }
};

TEST_F(GpuViNi, DataLeavesWithoutARecall) {
  build();
  system->debug_word(a, 7);
  load(0, a);
  load(0, b);
  load(0, c);  // no frame for a
  EXPECT_EQ(stat("part0_l2.evictions"), 1);
  EXPECT_EQ(stat("part0_l2.directory_evictions"), 0);
  EXPECT_EQ(stat("part0_l2.sent_Inv"), 0);
  EXPECT_EQ(load(0, a), 7U);
  EXPECT_EQ(stat("l1_0.load_hits"), 1) << "the copy is still there";
  store(1, a, 8);
  EXPECT_EQ(stat("part0_l2.sent_Inv"), 1) << "and the directory still knows it";
  EXPECT_EQ(load(0, a), 8U);
  expect_clean();
}

TEST_F(GpuViNi, ALineThatLeavesTheDirectoryIsRecalled) {
  build();
  constexpr std::uint64_t d = 0x4000;
  system->debug_word(a, 7);
  load(0, a);
  store(1, b, 2);
  load(0, c);
  load(0, d);  // the directory gives up a, which has no data here any more
  EXPECT_EQ(stat("part0_l2.directory_evictions"), 1);
  EXPECT_EQ(stat("part0_l2.sent_Inv"), 1);
  EXPECT_EQ(load(0, a), 7U);
  EXPECT_EQ(stat("l1_0.load_hits"), 0);
  EXPECT_EQ(load(1, b), 2U);
  expect_clean();
}

TEST_F(GpuViNi, DirtyDataGoesToMemoryWithItsEntry) {
  spec.coherence.gpu_vi_ni.directory_ways = 1;
  build();
  store(0, a, 5);
  store(0, b, 6);  // one entry: a leaves with its frame
  EXPECT_EQ(stat("part0_l2.directory_evictions"), 1);
  EXPECT_EQ(stat("part0_l2.evictions"), 0);
  EXPECT_EQ(stat("part0_l2.memory_writes"), 1);
  EXPECT_EQ(system->debug_word(a), 5U);
  EXPECT_EQ(load(1, a), 5U);
  EXPECT_EQ(load(1, b), 6U);
  expect_clean();
}

TEST_F(GpuViNi, AFullDirectoryStallsTheQueue) {
  spec.coherence.gpu_vi_ni.directory_ways = 1;
  spec.max_memory_delay_ps = 1'000'000;
  build();
  unsigned answers = 0;
  for (const std::uint64_t address : {a, b})
    cores[0]->send(load_message(0, address), [&answers](models::Message&) { ++answers; });
  run_ns(10'000);
  EXPECT_EQ(answers, 2U);
  EXPECT_GT(stat("part0_l2.stall_no_directory_entry"), 10);
  expect_clean();
}

/// Rows that random programs on small caches take, over several seeds.
class GpuViCoverage : public PlatformFixture {
 protected:
  void run(const std::string& policy, protocols::GpuViNiSpec directory = {}) {
    MemorySystemSpec spec = MemorySystemSpec::tiny();
    spec.l1s = 4;
    spec.l1.handles = 8;
    spec.l1.mshr_entries = spec.l2.mshr_entries = 4;
    spec.coherence.policy = policy;
    spec.coherence.gpu_vi_ni = directory;
    system = std::make_unique<MemorySystem>(context, spec);
    TesterSpec tester_spec;
    tester_spec.episodes = 60;
    tester_spec.in_flight = 8;
    tester = std::make_unique<RandomTester>("tester", context, *system, tester_spec, 7);
    ASSERT_TRUE(tester->run());
    expect_clean();
  }
  std::unique_ptr<MemorySystem> system;
  std::unique_ptr<RandomTester> tester;
};

TEST_F(GpuViCoverage, TheTesterTakesEveryRow) {
  run("gpu_vi");
  // The tester's grids begin when nothing is under way.
  EXPECT_THAT(stress::rows_not_taken(stress::machines(*system, protocols::Role::l1)),
              UnorderedElementsAre(HasSubstr("I_S, Flush"), HasSubstr("S_M, Flush"), HasSubstr("I_I, Flush")));
  // Who takes a line to S writes it, at once in these caches.
  EXPECT_THAT(stress::rows_not_taken(stress::machines(*system, protocols::Role::home)),
              ElementsAre(HasSubstr("S, Replacement: memory has it")));
}

TEST_F(GpuViCoverage, TheTesterTakesEveryRowOfTheNonInclusiveHome) {
  run("gpu_vi_ni", {3, 1});  // three entries for four frames in two sets
  EXPECT_THAT(stress::rows_not_taken(stress::machines(*system, protocols::Role::home)),
              UnorderedElementsAre(HasSubstr("S, L2_Replacement: memory has it"),
                                   HasSubstr("S, Dir_Replacement: no data without an entry; memory has it")));
}

}  // namespace
}  // namespace syncline::tests
