// Quanta, step by step and explored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "protocols/determinism/explore/explorer.h"
#include "protocols/determinism/explore/suite.h"
#include "tests/unit/protocols/quanta_fixture.h"

namespace syncline::tests {
namespace {

using protocols::determinism::explore_quanta;
using protocols::determinism::ExploreOptions;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(Quanta, TheLowestPlacesOfAnSmAreTaken) {
  begin({2, 1, 1, 3});
  EXPECT_THAT(machine->warps_of(0), ElementsAre(0, 1));
  EXPECT_THAT(machine->warps_of(1), ElementsAre(4));
  EXPECT_THAT(machine->warps_of(2), ElementsAre(2));
  EXPECT_THAT(machine->warps_of(3), ElementsAre(5, 6, 7));
}

TEST_F(Quanta, WhatReleasesAtOnceWaitsForTheStoresBefore) {
  begin({1});
  const Ask release{OpClass::plain, true, true, true};
  EXPECT_TRUE(issue(0, OpClass::store));
  EXPECT_FALSE(machine->may_issue(0, release));
  EXPECT_EQ(machine->reason(0), EndReason::fence);
  machine->advance();
  commit_all();
  machine->distributed();
  EXPECT_TRUE(machine->may_issue(0, release));
  machine->issued(0, release.op);
  EXPECT_FALSE(machine->may_issue(0, release)) << "the next one waits again";
}

TEST_F(Quanta, NoCtaIsDealtWherePlacesAreMissingOrModesAreOthers) {
  machine = std::make_unique<QuantumMachine>(spec, 1, 4);
  ASSERT_TRUE(machine->launch(0, 3));
  EXPECT_FALSE(machine->launch(0, 2));
  machine->distributed();
  EXPECT_THROW(machine->launch(0, 1), base::ModelError);
}

TEST_F(Quanta, WithoutCtasThereIsNoQuantum) {
  begin({});
  EXPECT_EQ(machine->mode(), Mode::distribution);
}

TEST_F(Quanta, EndWhenEveryWarpHasIssuedItsInstructions) {
  begin({1, 1});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(issue(0));
  EXPECT_FALSE(issue(0));
  EXPECT_EQ(machine->reason(0), EndReason::instruction_count);
  EXPECT_EQ(machine->mode(), Mode::parallel);
  stop(4);
  EXPECT_EQ(machine->mode(), Mode::commit);
  EXPECT_FALSE(issue(0));
  commit_all();
  EXPECT_EQ(machine->mode(), Mode::distribution) << "no atomic: no serial mode";
  EXPECT_EQ(machine->quantum(), 1U);
  machine->distributed();
  EXPECT_TRUE(issue(0));
}

TEST_F(Quanta, AFenceIsPassedWhenTheStoresBeforeItAreCommitted) {
  begin({1});
  EXPECT_TRUE(issue(0, OpClass::store));
  EXPECT_FALSE(issue(0, OpClass::fence));
  EXPECT_EQ(machine->reason(0), EndReason::fence);
  commit_all();
  machine->distributed();
  EXPECT_TRUE(issue(0, OpClass::fence));
  EXPECT_FALSE(issue(0, OpClass::fence)) << "the next one has to wait, too";
}

TEST_F(Quanta, AFullLogEndsOne) {
  begin({1});
  EXPECT_TRUE(machine->may_issue(0, {OpClass::plain, false}));
  EXPECT_FALSE(machine->may_issue(0, {OpClass::store, false}));
  EXPECT_EQ(machine->reason(0), EndReason::log_full);
}

TEST_F(Quanta, ABarrierThatOpensLetsAQuantumGoOn) {
  begin({2});
  EXPECT_TRUE(issue(0));
  at_barrier(0, false);
  EXPECT_FALSE(issue(0));
  at_barrier(1, true);
  EXPECT_EQ(machine->mode(), Mode::parallel);
  EXPECT_TRUE(issue(0));
  EXPECT_TRUE(issue(0));
  EXPECT_FALSE(issue(0)) << "its instructions of this quantum are those before the barrier, too";
}

TEST_F(Quanta, ABarrierThatDoesNotOpenEndsOne) {
  begin({2});
  at_barrier(0, false);
  stop(1);
  EXPECT_EQ(machine->mode(), Mode::commit);
  EXPECT_EQ(machine->reason(0), EndReason::barrier);
  commit_all();
  machine->distributed();
  EXPECT_FALSE(issue(0)) << "it waits still";
  at_barrier(1, true);
  EXPECT_TRUE(issue(0));
}

TEST_F(Quanta, OfTheBaseFormEndAtEveryBarrier) {
  spec.quantum_formation = QuantumFormation::base;
  begin({2});
  at_barrier(0, false);
  at_barrier(1, true);
  EXPECT_EQ(machine->mode(), Mode::commit);
  commit_all();
  machine->distributed();
  EXPECT_TRUE(issue(0));
  EXPECT_TRUE(issue(1));
}

TEST_F(Quanta, WhereAllWaitAtBarriersNoQuantumBegins) {
  begin({1});
  at_barrier(0, false);
  commit_all();
  machine->distributed();
  EXPECT_EQ(machine->mode(), Mode::distribution);
}

TEST_F(Quanta, AtomicsOfAllWarpsAreSerialInTheirOrder) {
  spec.serial = SerialOrder::w_ser;
  begin({2, 1});
  for (const Place warp : {4, 1, 0}) EXPECT_FALSE(issue(warp, OpClass::atomic));
  commit_all();
  ASSERT_EQ(machine->mode(), Mode::serial);
  for (const Place warp : {0, 1, 4}) {
    for (const Place other : {0, 1, 4}) EXPECT_EQ(machine->may_issue(other, OpClass::atomic), other == warp);
    EXPECT_FALSE(machine->may_issue(warp, OpClass::plain));
    machine->issued(warp, OpClass::atomic);
    for (const Place other : {0, 1, 4}) EXPECT_FALSE(machine->may_issue(other, OpClass::atomic));
    machine->performed(warp);
  }
  EXPECT_EQ(machine->mode(), Mode::distribution);
  EXPECT_THROW(machine->performed(0), base::ModelError);
}

TEST_F(Quanta, AtomicsOfOneSmFollowEachOtherWithoutWaiting) {
  begin({2, 1});
  for (const Place warp : {4, 1, 0}) EXPECT_FALSE(issue(warp, OpClass::atomic));
  commit_all();
  EXPECT_FALSE(machine->may_issue(1, OpClass::atomic));
  machine->issued(0, OpClass::atomic);
  EXPECT_TRUE(machine->may_issue(1, OpClass::atomic));
  machine->issued(1, OpClass::atomic);
  EXPECT_FALSE(machine->may_issue(4, OpClass::atomic)) << "another SM";
  machine->performed(0);
  machine->performed(1);
  EXPECT_TRUE(machine->may_issue(4, OpClass::atomic));
}

TEST_F(Quanta, ThePlaceOfACtaIsTakenByAnotherWithinOne) {
  spec.quantum_formation = QuantumFormation::bta_dwp;
  begin({1, 1});
  EXPECT_FALSE(machine->may_replenish(0));
  EXPECT_TRUE(issue(0));
  exit(0);
  EXPECT_TRUE(machine->may_replenish(0));
  stop(4);
  EXPECT_EQ(machine->mode(), Mode::parallel) << "somebody may come still";
  machine->replenish(0);
  EXPECT_TRUE(issue(0));
  EXPECT_TRUE(issue(0));
  EXPECT_FALSE(issue(0)) << "the place has issued its instructions";
  EXPECT_EQ(machine->mode(), Mode::commit);
  EXPECT_THROW(machine->replenish(0), base::ModelError);
}

TEST_F(Quanta, EndsWhenNoCtaIsLeft) {
  spec.quantum_formation = QuantumFormation::bta_dwp;
  begin({1});
  exit(0);
  EXPECT_EQ(machine->mode(), Mode::parallel);
  machine->no_more(0);
  machine->advance();
  EXPECT_EQ(machine->mode(), Mode::commit);
  commit_all();
  EXPECT_FALSE(machine->present(0));
}

TEST_F(Quanta, WarpsWaitForTheCommit) {
  begin({1});
  stop(0);
  EXPECT_FALSE(issue(0, ahead()));
  commit_all();
  EXPECT_FALSE(issue(0, ahead()));
}

TEST_F(Quanta, WhatGoesAheadCountsForTheNextOne) {
  spec.overlap = Overlap::next_quantum;
  begin({1, 1});
  stop(0);
  EXPECT_FALSE(issue(0, ahead())) << "warp 4 may still store what it wants to read";
  stop(4);
  EXPECT_TRUE(issue(0, ahead(true)));
  EXPECT_EQ(machine->instructions(0), 3U) << "of the quantum that is committed";
  for (const OpClass op : {OpClass::plain, OpClass::store, OpClass::atomic, OpClass::fence}) {
    EXPECT_FALSE(issue(0, Ask{op}));
    EXPECT_EQ(machine->reason(0), EndReason::instruction_count);
  }
  EXPECT_FALSE(issue(0, {OpClass::plain, true, true, true, true, false})) << "it releases";
  commit_all();
  EXPECT_EQ(machine->instructions(0), 1U);
  EXPECT_TRUE(issue(0, ahead())) << "while CTAs are dealt";
  machine->distributed();
  EXPECT_TRUE(issue(0));
  EXPECT_FALSE(issue(0));
  EXPECT_EQ(machine->instructions(0), 3U);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(issue(4));
}

TEST_F(Quanta, NoMoreGoesAheadThanAQuantumHas) {
  spec.overlap = Overlap::next_quantum;
  begin({1});
  stop(0);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(issue(0, ahead()));
  EXPECT_FALSE(issue(0, ahead()));
  commit_all();
  EXPECT_FALSE(issue(0, ahead()));
  machine->distributed();
  EXPECT_FALSE(issue(0));
  EXPECT_EQ(machine->reason(0), EndReason::instruction_count);
  EXPECT_EQ(machine->mode(), Mode::commit);
}

TEST_F(Quanta, WhoStoppedAtWhatTheCommitComesBeforeDoesNotGoAhead) {
  spec.overlap = Overlap::next_quantum;
  begin({1, 1, 2});
  EXPECT_FALSE(issue(0, OpClass::fence));
  EXPECT_FALSE(machine->may_issue(4, {OpClass::store, false}));
  at_barrier(1, false);
  exit(2);
  ASSERT_EQ(machine->mode(), Mode::commit);
  for (const Place warp : {0, 1, 2, 4}) EXPECT_FALSE(issue(warp, ahead())) << name(machine->reason(warp));
}

TEST_F(Quanta, BehindABarrierThatEndedOneWarpsGoAhead) {
  spec.overlap = Overlap::next_quantum;
  spec.quantum_formation = QuantumFormation::base;
  begin({2, 2});
  at_barrier(0, false);
  at_barrier(1, true);
  at_barrier(4, false);
  stop(5);
  EXPECT_TRUE(issue(0, ahead()));
  EXPECT_TRUE(issue(1, ahead(true)));
  EXPECT_FALSE(issue(4, ahead())) << "its barrier is closed";
}

TEST_F(Quanta, InFrontOfSerialModeNoLoadGoesAhead) {
  spec.overlap = Overlap::next_quantum;
  begin({1, 1});
  stop(0);
  EXPECT_FALSE(issue(4, OpClass::atomic));
  EXPECT_TRUE(issue(0, ahead()));
  EXPECT_FALSE(issue(0, ahead(true)));
  commit_all();
  ASSERT_EQ(machine->mode(), Mode::serial);
  EXPECT_FALSE(issue(4, ahead()));
  EXPECT_TRUE(issue(0, ahead()));
  EXPECT_FALSE(issue(0, ahead(true)));
  EXPECT_TRUE(issue(4, Ask{OpClass::atomic}));
  machine->performed(4);
  EXPECT_EQ(machine->mode(), Mode::distribution);
  EXPECT_TRUE(issue(0, ahead(true)));
  EXPECT_TRUE(issue(4, ahead(true)));
  machine->distributed();
  EXPECT_FALSE(issue(0));
}

TEST_F(Quanta, WithAnOrderAtSharedMemoryNobodyGoesAheadThere) {
  spec.overlap = Overlap::next_quantum;
  for (const SharedOrder order : {SharedOrder::free, SharedOrder::instructions}) {
    spec.shared_order = order;
    begin({2});
    stop(0);
    stop(1);
    EXPECT_EQ(issue(1, {OpClass::plain, true, true, false, true, false}), order == SharedOrder::free);
    EXPECT_TRUE(issue(1, ahead()));
    commit_all();
    machine->distributed();
    EXPECT_EQ(machine->first_in_order(0), 0U);
    const Place first = order == SharedOrder::instructions ? 1U : 0U;
    EXPECT_TRUE(issue(0) && issue(0));
    EXPECT_EQ(machine->first_in_order(0), first) << "what went ahead counts: one instruction, or two";
  }
}

TEST_F(Quanta, RanksOrderQuantaThenBarriersThenWarps) {
  begin({2, 1});
  const Rank first = machine->rank(0), second = machine->rank(1);
  EXPECT_TRUE(wins(first, second));
  EXPECT_FALSE(wins(second, first));
  EXPECT_TRUE(wins(first, first)) << "the later of one warp's stores";
  at_barrier(0, false);
  at_barrier(1, true);
  EXPECT_TRUE(wins(machine->rank(1), first));
  for (const Place warp : {0, 1, 4}) stop(warp);
  const Rank last = machine->rank(1);
  commit_all();
  machine->distributed();
  EXPECT_TRUE(wins(machine->rank(4), last));
}

TEST_F(Quanta, BehindABarrierAWarpSeesWhatItsMatesStoredBefore) {
  begin({3});
  EXPECT_TRUE(issue(0, OpClass::store));
  EXPECT_EQ(machine->seen(0, 0), 1U);
  EXPECT_EQ(machine->seen(1, 0), 0U);
  machine->arrived(0, 1, false);  // bar.arrive
  EXPECT_TRUE(issue(0, OpClass::store));
  machine->arrived(1, 1, true);
  machine->opened(0, 1);
  EXPECT_EQ(machine->seen(1, 0), 1U) << "the second came after the arrival";
  EXPECT_EQ(machine->seen(0, 1), 0U);
  EXPECT_TRUE(issue(1, OpClass::store));
  EXPECT_TRUE(wins(machine->rank(1), machine->rank(0)));
  machine->arrived(1, 2, false);
  machine->arrived(2, 2, true);
  machine->opened(0, 2);
  EXPECT_EQ(machine->seen(2, 1), 1U);
  EXPECT_EQ(machine->seen(2, 0), 1U) << "through warp 1";
}

TEST(CtaPartitions, AreDealtInTurnEveryQuantum) {
  CtaPartitions ctas;
  ctas.add(3, 5);
  ctas.deal({7, 9});
  EXPECT_EQ(ctas.take(9), 4U);
  EXPECT_EQ(ctas.take(9), 6U);
  EXPECT_EQ(ctas.take(9), std::nullopt);
  EXPECT_EQ(ctas.take(7), 3U);
  EXPECT_EQ(ctas.take(1), std::nullopt);
  ctas.collect();
  ctas.deal({9, 7});
  EXPECT_EQ(ctas.take(9), 5U);
  EXPECT_EQ(ctas.take(7), 7U);
  ctas.collect();
  EXPECT_TRUE(ctas.empty());
}

protocols::determinism::Report explored(const char* text, const ExploreOptions& options = {}) {
  const protocols::explore::Program program = protocols::explore::parse_program(text);
  return explore_quanta(program, options);
}

TEST(ExploreQuanta, EveryProgramHasOneEndInEveryForm) {
  for (const protocols::explore::Program& program : protocols::determinism::suite()) {
    for (const auto& [name, formation] : quantum_formations()) {
      for (const auto& [serial, order] : serial_orders()) {
        for (const unsigned size : {1U, 2U, 4U}) {
          ExploreOptions options;
          options.world.spec.quantum_formation = formation;
          options.world.spec.serial = order;
          options.world.spec.quantum_size = size;
          const auto report = explore_quanta(program, options);
          EXPECT_EQ(report.violation, "") << program.text << ", " << name << ", " << serial << ", " << size;
          EXPECT_TRUE(report.complete && report.outcome);
        }
      }
    }
  }
}

TEST(ExploreQuanta, WarpsThatGoAheadChangeNoEnd) {
  for (const protocols::explore::Program& program : protocols::determinism::suite()) {
    for (const auto& [name, formation] : quantum_formations()) {
      for (const unsigned size : {1U, 2U, 3U}) {
        ExploreOptions options;
        options.world.spec.quantum_formation = formation;
        options.world.spec.quantum_size = size;
        const auto wanted = explore_quanta(program, options);
        options.world.spec.overlap = Overlap::next_quantum;
        const auto report = explore_quanta(program, options);
        EXPECT_EQ(report.violation, "") << program.text << ", " << name << ", " << size;
        ASSERT_TRUE(report.complete && report.outcome && wanted.outcome);
        EXPECT_EQ(text_of(*report.outcome, program), text_of(*wanted.outcome, program)) << name << ", " << size;
      }
    }
  }
}

TEST(ExploreQuanta, FindsALoadThatDoesNotWaitForTheCommitOfItsLine) {
  const char* const programs[] = {"ld y; ld x | st x 1; ld y", "st x 1; ld x", "st x 1; ld x | st x1 2; ld x1"};
  for (const char* const program : programs) {
    ExploreOptions options;
    options.world.spec.quantum_size = 1;
    options.world.spec.overlap = Overlap::next_quantum;
    EXPECT_EQ(explored(program, options).violation, "");
    options.world.holds = false;
    const auto report = explored(program, options);
    EXPECT_THAT(report.violation, HasSubstr("two ends: ")) << program;
    EXPECT_THAT(report.trace, HasSubstr(" ahead\n"));
  }
}

TEST(ExploreQuanta, BehindTheBarrierOfTheThesisStoresAreMissing) {
  const char* const exchange = "st x 1; bar; ld y @0 | st y 1; bar; ld x @0";
  ExploreOptions options;
  const auto program = protocols::explore::parse_program(exchange);
  EXPECT_EQ(text_of(*explored(exchange, options).outcome, program), "0:r0=1 1:r0=1 x=1 y=1");
  options.world.spec.barrier_rule = BarrierRule::thesis;
  EXPECT_EQ(text_of(*explored(exchange, options).outcome, program), "0:r0=0 1:r0=0 x=1 y=1");
  // And of two stores to one location the one in front of the barrier stays.
  const char* const overwrite = "st x 1; bar @0 | bar; st x 2 @0";
  EXPECT_EQ(explored(overwrite, options).outcome->memory[0][0], 1);
  options.world.spec.barrier_rule = BarrierRule::visible;
  EXPECT_EQ(explored(overwrite, options).outcome->memory[0][0], 2);
}

TEST(ExploreQuanta, FindsThatCtasWhichTakeTheFirstFreePlaceAreRacing) {
  const char* const ctas = "ld y | ld y; ld y | st x 1 | st x 2";
  ExploreOptions options;
  EXPECT_EQ(explored(ctas, options).violation, "");
  options.world.partitions = false;
  const auto report = explored(ctas, options);
  EXPECT_THAT(report.violation, HasSubstr("two ends: "));
  EXPECT_THAT(report.trace, HasSubstr("takes place"));
}

TEST(ExploreQuanta, SaysWhenItGivesUp) {
  ExploreOptions options;
  options.max_states = 5;
  const auto report = explored("st x 1; ld x | st x 2; ld x", options);
  EXPECT_FALSE(report.complete);
  EXPECT_FALSE(report.outcome);
}

TEST(ExploreQuanta, AsksWhetherTheEndIsAllowed) {
  ExploreOptions options;
  options.allowed = [](const auto&) { return false; };
  EXPECT_EQ(explored("st x 1", options).violation, "the end x=1 is not allowed");
}

}  // namespace
}  // namespace syncline::tests
