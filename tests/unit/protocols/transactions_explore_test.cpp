// Transactions under GETM, explored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "protocols/coherence/explore/shrink.h"
#include "protocols/transactions/explore/suite.h"
#include "tests/support/sanitized.h"
#include "tests/unit/protocols/explored_transactions.h"

namespace syncline::tests {
namespace {

using namespace protocols::transactions;
using protocols::explore::parse_program;
using protocols::explore::Program;
using protocols::getm::AbortCause;
using protocols::getm::TieRule;
using testing::HasSubstr;
using testing::StartsWith;

ExploreOptions with_room(TieRule rule, unsigned partitions = 1) {
  ExploreOptions options;
  options.world.spec = roomy(rule);
  options.world.partitions = partitions;
  return options;
}

Report explored(const std::string& text, const ExploreOptions& options) {
  const Program program = parse_program(text);
  return explore_transactions(program, options);
}

bool is_cycle(const Report& report) {
  return report.violation && report.violation->what.rfind("not serializable", 0) == 0;
}

/// The pairs of all_pairs() of which transactions commit in a cycle; every `stride`-th is tried.
std::vector<std::string> cycles(const ExploreOptions& options, unsigned stride = 1) {
  std::vector<std::string> found;
  unsigned number = 0;
  for (const Program& program : all_pairs()) {
    if (number++ % stride != 0) continue;
    const Report report = explore_transactions(program, options);
    EXPECT_TRUE(report.complete) << program.text;
    EXPECT_TRUE(!report.violation || is_cycle(report)) << program.text << ": " << report.violation->what;
    if (is_cycle(report)) found.push_back(program.text);
  }
  return found;
}

TEST(GetmExplored, TheRuleOfTheThesisAdmitsWriteSkew) {
  const Report report = explored("ld x; st y 1 | ld y; st x 1", with_room(TieRule::thesis));
  ASSERT_TRUE(report.violation);
  EXPECT_EQ(report.violation->what, "not serializable: T1 reads y, T0 overwrites it; T0 reads x, T1 overwrites it");
  EXPECT_EQ(report.violation->trace,
            "   1. T0: ld x at 1, in partition 0\n"
            "       T0 reads x = 0\n"
            "   2. T1: ld y at 1, in partition 0\n"
            "       T1 reads y = 0\n"
            "   3. T0: st y 1 at 1, in partition 0\n"
            "       T0 commits\n"
            "   4. T1: st x 1 at 1, in partition 0\n"
            "       T1 commits\n"
            "   5. partition 0: the log of requester 0 arrives\n"
            "   6. partition 0: the log of requester 1 arrives\n"
            "   7. partition 0: a region of a log is applied\n"
            "       y = 1 is in memory, of T0\n"
            "   8. partition 0: a region of a log is applied\n"
            "       x = 1 is in memory, of T1\n");
}

TEST(GetmExplored, OnlyTheLastReaderIsTooFew) {
  EXPECT_FALSE(explored("ld x; st y 1 | ld y; st x 1", with_room(TieRule::last_reader)).violation);
  const Report report = explored("ld x; ld y; st x 1 | ld x; ld y; st y 1", with_room(TieRule::last_reader));
  ASSERT_TRUE(is_cycle(report));
  EXPECT_THAT(report.violation->trace, HasSubstr("T1: ld x at 1"));
}

TEST(GetmExplored, TheSetOfReadersIsEnough) {
  EXPECT_FALSE(explored("ld x; st y 1 | ld y; st x 1", with_room(TieRule::reader_set)).violation);
  EXPECT_FALSE(explored("ld x; ld y; st x 1 | ld x; ld y; st y 1", with_room(TieRule::reader_set)).violation);
}

TEST(GetmExplored, WhatIsWrongIsShownWithoutTheRest) {
  const auto shows = [](const Program& program) {
    return is_cycle(explore_transactions(program, with_room(TieRule::thesis)));
  };
  const Program program = parse_program("ld x; ld y; st y 1 | ld y; st x 1; ld x | ld x1");
  ASSERT_TRUE(shows(program));
  EXPECT_EQ(protocols::explore::shrunk(program, shows).text, "ld x; st y 1 | ld y; st x 1");
}

// The numbers of pairs are those of an exploration that was written apart from this one.
TEST(GetmExplored, OfAllPairsTheThesisFails132) {
  EXPECT_EQ(cycles(with_room(TieRule::thesis)).size(), 132U);
}
TEST(GetmExplored, OfAllPairsTheLastReaderFails7) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  EXPECT_THAT(cycles(with_room(TieRule::last_reader)),
              testing::AllOf(testing::SizeIs(7), testing::Contains("ld x; ld y; st x 1 | ld x; ld y; st y 1")));
}
TEST(GetmExplored, OfAllPairsTheSetOfReadersFailsNone) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  EXPECT_THAT(cycles(with_room(TieRule::reader_set)), testing::IsEmpty());
  EXPECT_THAT(cycles(with_room(TieRule::reader_set, 2), everything() ? 1 : 8), testing::IsEmpty());
}

TEST(GetmExplored, OfAllPairsNoneFailsWhereAttemptsBeginAtTheTimeOfTheSm) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  ExploreOptions options = with_room(TieRule::reader_set);
  options.world.spec.begins_at = protocols::getm::BeginsAt::sm;
  EXPECT_THAT(cycles(options), testing::IsEmpty());
}

TEST(GetmExplored, OfAllPairsNoneFailsWhereTablesAreSmall) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  for (const WorldOptions& world : worlds(TieRule::reader_set)) {
    const unsigned stride = everything() ? 1 : world.pipelined ? 128 : 16;
    ExploreOptions options;
    options.world = world;
    EXPECT_THAT(cycles(options, stride), testing::IsEmpty());
  }
}

TEST(GetmExplored, ShapesHoldAndMeetEverything) {
  const auto table = protocols::getm::granule_table(TieRule::reader_set);
  std::vector<std::uint64_t> taken(table->transitions().size());
  Met met;
  unsigned runs = 0, given_up = 0;
  for (const WorldOptions& world : worlds(TieRule::reader_set)) {
    for (const Program& program : shapes()) {
      ExploreOptions options;
      options.world = world;
      if (!everything()) options.max_states = 6'000;
      const Report report = explore_transactions(program, options);
      ++runs;
      given_up += report.complete ? 0 : 1;
      EXPECT_FALSE(report.violation) << program.text << ": " << report.violation->what << "\n"
                                     << report.violation->trace;
      met.add(report.met);
      for (std::size_t i = 0; i < taken.size(); ++i) taken[i] += report.taken[i];
    }
  }
  EXPECT_LE(given_up, everything() ? 0U : runs / 4) << "of " << runs;
  EXPECT_THAT(protocols::rows_taken(*table, taken).missing, testing::IsEmpty());
  for (std::size_t cause = 1; cause < met.aborts.size(); ++cause)
    EXPECT_NE(met.aborts[cause], 0U) << protocols::getm::name(static_cast<AbortCause>(cause));
  EXPECT_NE(met.queued, 0U);
  EXPECT_NE(met.retried, 0U);
  EXPECT_NE(met.evicted, 0U);
  EXPECT_NE(met.stashed, 0U);
  EXPECT_NE(met.overflowed, 0U);
  EXPECT_NE(met.rollovers, 0U);
  EXPECT_NE(met.forwarded, 0U);
}

TEST(GetmExplored, TransactionsHaveNoOtherOperations) {
  for (const char* const text : {"cas x 0 1", "ld.acquire x", "bar", "flush; ld x"})
    EXPECT_THROW(explored(text, with_room(TieRule::thesis)), base::UserError) << text;
}

TEST(GetmExplored, StatesThatDifferInHowLateItIsAreOne) {
  // A warp alone that begins for ever later would have no last state; aborted by nobody, it has few.
  const Report report = explored("add x 1; fence; add x 1; fence; add x 1", with_room(TieRule::reader_set));
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.ends, 1U);
  EXPECT_LT(report.states, 40U);
}

TEST(GetmExplored, LongReadersCommitAlone) {
  // The table holds one granule, and what leaves it must not come back as read by several.
  ExploreOptions options;
  options.world.spec = cramped(TieRule::reader_set, 1);
  options.world.spec.stash_entries = 0;
  const Report report = explored("ld x; ld y; st x 1", options);
  EXPECT_TRUE(report.complete);
  EXPECT_FALSE(report.violation);
  EXPECT_EQ(report.met.aborts[static_cast<std::size_t>(AbortCause::tie)], 0U);
  EXPECT_NE(report.met.evicted, 0U);
}

}  // namespace
}  // namespace syncline::tests
