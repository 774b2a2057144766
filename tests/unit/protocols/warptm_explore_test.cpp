// Transactions under KiloTM, WarpTM, WarpTM-EL and EAPG, explored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "protocols/transactions/explore/suite.h"
#include "tests/support/sanitized.h"
#include "tests/unit/protocols/explored_transactions.h"

namespace syncline::tests {
namespace {

using namespace protocols::transactions;
using protocols::explore::parse_program;
using protocols::explore::Program;
using protocols::warptm::AbortCause;
using protocols::warptm::CommitUnit;
using protocols::warptm::Design;
using protocols::warptm::TcdRule;
using testing::IsEmpty;

WarptmExploreOptions with_room(Design design, unsigned partitions = 1) {
  WarptmExploreOptions options;
  options.world.spec = roomy(design);
  options.world.partitions = partitions;
  return options;
}

WarptmReport explored(const std::string& text, const WarptmExploreOptions& options) {
  const Program program = parse_program(text);
  return explore_transactions(program, options);
}

/// The pairs of all_pairs() with which something is wrong; every `stride`-th is tried.
std::vector<std::string> violations(const WarptmExploreOptions& options, unsigned stride = 1) {
  std::vector<std::string> found;
  unsigned number = 0;
  for (const Program& program : all_pairs()) {
    if (number++ % stride != 0) continue;
    const WarptmReport report = explore_transactions(program, options);
    EXPECT_TRUE(report.complete) << program.text;
    if (report.violation) found.push_back(program.text);
  }
  return found;
}

TEST(WarptmExplored, NoPairIsWrong) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  EXPECT_THAT(violations(with_room(Design::warptm)), IsEmpty());
  EXPECT_THAT(violations(with_room(Design::warptm_el)), IsEmpty());
  EXPECT_THAT(violations(with_room(Design::kilotm), everything() ? 1 : 4), IsEmpty());
  EXPECT_THAT(violations(with_room(Design::eapg), everything() ? 1 : 4), IsEmpty());
}

TEST(WarptmExplored, NoPairIsWrongWhereTablesAreSmall) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  for (const WarptmCase& one : warptm_worlds()) {
    WarptmExploreOptions options;
    options.world = one.world;
    EXPECT_THAT(violations(options, everything() ? 4 : 64), IsEmpty()) << one.name;
  }
}

TEST(WarptmExplored, SilentCommitsByTimeAloneSeeHalfOfACommit) {
  WarptmExploreOptions options = with_room(Design::warptm);
  options.world.spec.tcd_rule = TcdRule::thesis;
  const WarptmReport report = explored("st x 1; st y 1 | ld y; ld x", options);
  ASSERT_TRUE(report.violation);
  EXPECT_EQ(report.violation->what, "not serializable: T1 reads y, T0 overwrites it; T0 writes x, T1 reads it");
  EXPECT_EQ(report.violation->trace,
            "   1. warp 0: takes commit IDs\n"
            "       from 1 on\n"
            "   2. partition 0: the end of the log of 1, warp 0, arrives\n"
            "   3. partition 0: the outcome of 1 arrives\n"
            "   4. partition 0: writes\n"
            "       x = 1 is in memory, of T0\n"
            "   5. T1: ld y\n"
            "       T1 reads y = 0\n"
            "   6. T1: ld x\n"
            "       T1 reads x = 1\n"
            "       T1 commits silently\n"
            "       T1 commits\n"
            "   7. partition 0: writes\n"
            "       y = 1 is in memory, of T0\n"
            "       T0 commits\n");
}

TEST(WarptmExplored, OfAllPairsSilentCommitsByTimeAloneFail160) {
  WarptmExploreOptions options = with_room(Design::warptm);
  options.world.spec.tcd_rule = TcdRule::thesis;
  EXPECT_THAT(violations(options),
              testing::AllOf(testing::SizeIs(160), testing::Contains("ld y; ld x | st x 1; st y 1")));
}

TEST(WarptmExplored, SilentCommitsByTimeAloneSeeWhatFollowsFromHalfOfACommit) {
  // T2 reads what T1 wrote, which had read what T0 wrote, and not the rest of T0.
  WarptmExploreOptions options = with_room(Design::warptm, 2);
  const std::string text = "st x 1; st y 1 | ld x; st x1 1 | ld y; ld x1";
  EXPECT_FALSE(explored(text, options).violation);
  options.world.spec.tcd_rule = TcdRule::thesis;
  EXPECT_TRUE(explored(text, options).violation);
}

TEST(WarptmExplored, WritesOutOfTurnMixTransactions) {
  WarptmExploreOptions options = with_room(Design::warptm, 2);
  const std::string text = "st x 1; st y 1 | st x 2; st y 2";
  EXPECT_FALSE(explored(text, options).violation);
  options.world.turn = CommitUnit::Turn::when_ready;
  const WarptmReport report = explored(text, options);
  ASSERT_TRUE(report.violation);
  EXPECT_THAT(report.violation->what, testing::StartsWith("not serializable"));
}

TEST(WarptmExplored, AValueThatIsThereAgainIsAsGood) {
  const WarptmReport report = explored("add x 1; fence; st x 0 | ld x; st y 1", with_room(Design::warptm));
  EXPECT_FALSE(report.violation);
  EXPECT_NE(report.met.same_again, 0U);
}

TEST(WarptmExplored, ShapesHoldAndMeetEverything) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const auto table = protocols::warptm::entry_table();
  std::vector<std::uint64_t> taken(table->transitions().size());
  WarptmMet met;
  unsigned given_up = 0;
  for (const WarptmCase& one : warptm_worlds()) {
    for (const Program& program : value_shapes()) {
      WarptmExploreOptions options;
      options.world = one.world;
      options.max_states = everything() ? 60'000 : 6'000;
      const WarptmReport report = explore_transactions(program, options);
      given_up += report.complete ? 0 : 1;
      EXPECT_FALSE(report.violation) << one.name << ": " << program.text << ": " << report.violation->what << "\n"
                                     << report.violation->trace;
      met.add(report.met);
      for (std::size_t i = 0; i < taken.size(); ++i) taken[i] += report.taken[i];
    }
  }
  EXPECT_LE(given_up, 75U) << "of 392";
  EXPECT_THAT(protocols::rows_taken(*table, taken).missing, IsEmpty());
  for (std::size_t cause = 1; cause < met.aborts.size(); ++cause)
    EXPECT_NE(met.aborts[cause], 0U) << protocols::warptm::name(static_cast<AbortCause>(cause));
  EXPECT_NE(met.silent, 0U);
  EXPECT_NE(met.hazards, 0U);
  EXPECT_NE(met.coalesced, 0U);
  EXPECT_NE(met.forwarded, 0U);
  EXPECT_NE(met.paused, 0U);
  EXPECT_NE(met.waits_for_ticket, 0U);
  EXPECT_NE(met.same_again, 0U);
}

TEST(WarptmExplored, StatesThatDifferInHowLateItIsAreOne) {
  // Three transactions of one warp alone: commit IDs and cycles go on, and there is one way.
  const WarptmReport report = explored("add x 1; fence; add x 1; fence; add x 1", with_room(Design::warptm));
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.ends, 1U);
  EXPECT_LT(report.states, 40U);
}

}  // namespace
}  // namespace syncline::tests
