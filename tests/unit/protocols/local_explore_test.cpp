// Transactions in shared memory, explored: every way to find conflicts with every selection.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "protocols/transactions/explore/suite.h"
#include "tests/support/sanitized.h"
#include "tests/unit/protocols/explored_transactions.h"

namespace syncline::tests {
namespace {

using namespace protocols::transactions;
using namespace protocols::local;
using protocols::explore::parse_program;
using protocols::explore::Program;
using testing::IsEmpty;

TEST(LocalExplored, NoShapeIsWrongUnderAnyCombination) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  std::map<Detection, std::vector<std::uint64_t>> taken;
  for (const LocalCase& one : local_worlds()) {
    LocalMet met;
    std::vector<std::string> wrong;
    for (const Program& program : local_shapes()) {
      LocalExploreOptions options;
      options.world = one.world;
      const LocalReport report = explore_transactions(program, options);
      EXPECT_TRUE(report.complete) << program.text;
      if (report.violation) wrong.push_back(program.text + ": " + report.violation->what);
      met.add(report.met);
      std::vector<std::uint64_t>& rows = taken[one.world.spec.detection];
      rows.resize(report.taken.size());
      for (std::size_t row = 0; row < rows.size(); ++row) rows[row] += report.taken[row];
    }
    EXPECT_THAT(wrong, IsEmpty()) << one.name;
    EXPECT_NE(met.wavefront_serial, 0U) << one.name;
    EXPECT_NE(met.group_serial, 0U) << one.name;
    EXPECT_NE(met.quiesced, 0U) << one.name;
  }
  for (const auto& [detection, rows] : taken)
    EXPECT_THAT(protocols::rows_taken(*word_table(detection), rows).missing, IsEmpty());
}

TEST(LocalExplored, NoPairIsWrongInOneWavefrontOrInTwo) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const unsigned stride = everything() ? 1 : 8;
  for (const LocalCase& one : local_worlds()) {
    LocalExploreOptions options;
    options.world = one.world;
    std::vector<std::string> wrong;
    unsigned number = 0;
    for (Program program : all_pairs()) {
      if (number++ % stride != 0) continue;
      if (explore_transactions(program, options).violation) wrong.push_back(program.text);
      program.threads[1].l1 = 0;
      if (explore_transactions(program, options).violation) wrong.push_back(program.text + " @0");
    }
    EXPECT_THAT(wrong, IsEmpty()) << one.name;
  }
}

TEST(LocalExplored, MasksThatForgetAtEveryRestartCanTakeTurnsForEver) {
  // [LocalTM] section 3.1 sets all of MCM whenever a transaction starts again: lanes that were not selected come back.
  LocalExploreOptions options;
  options.world.spec.detection = Detection::swo_sig;
  options.world.spec.selection = Selection::ascending_multiple;
  const Program program = parse_program("add x 1 @0 | add x 2 @0 | add x 4 @0");
  EXPECT_FALSE(explore_transactions(program, options).violation);
  options.world.spec.mcm_reset = McmReset::restart;
  const LocalReport report = explore_transactions(program, options);
  ASSERT_TRUE(report.violation);
  EXPECT_EQ(report.violation->what, "alone in the work-group, and no lane commits");
}

/// A lane that loses where nobody need lose is as visible as one that sees what is wrong.
bool loses_to_nobody(const LocalReport& sound, const LocalReport& faulty) {
  return sound.met.conflicts == 0 && faulty.met.conflicts != 0;
}

TEST(LocalMutants, AreKilled) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const std::vector<Program> programs = local_shapes();
  std::size_t all = 0;
  std::vector<std::string> survivors;
  for (const auto& [name, detection] : detections()) {
    std::vector<LocalWorldOptions> worlds;
    for (const LocalCase& one : local_worlds()) {
      if (one.world.spec.detection == detection) worlds.push_back(one.world);
    }
    const auto table = word_table(detection);
    all += mutants_of(*table).size();
    for (const std::string& survivor : survivors_of(*table, sound_cases(worlds, programs, 3'000), loses_to_nobody))
      survivors.push_back(std::string(name) + ": " + survivor);
  }
  EXPECT_THAT(survivors, testing::UnorderedElementsAre(
                             // Nobody owns what no helper has, so that there is nothing to lose.
                             "swo_sig: word other, Load [only_read]: to free",
                             // Until all are at their ends others lose who need not: after an abort nobody can tell.
                             "smdcd: word own_read, Abort: to shared", "smdcd: word own, Abort: to shared"));
  EXPECT_GE(all - survivors.size(), all * 95 / 100) << all;
}

}  // namespace
}  // namespace syncline::tests
