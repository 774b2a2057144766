// What statistics say of transactions: each of a few lanes adds to words, so that it is known how often they abort, for
// how long they wait, and what of their logs is read.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "models/transactions/getm/validation_unit.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/error_of.h"
#include "tests/support/file_text.h"
#include "tests/support/sanitized.h"

namespace syncline::platform {
namespace {

constexpr std::uint64_t backoff = 50'000;

struct Ran {
  std::vector<std::uint32_t> words;
  std::map<std::string, std::uint64_t> counts;   ///< of counters, and sums of distributions, of both SMs together
  std::map<std::string, std::uint64_t> samples;  ///< of distributions
  std::uint64_t longest_wait = 0;
  double farthest = 0;                        ///< logical time to which a warp has come
  std::map<std::string, std::uint64_t> rows;  ///< of granules, as often as they were taken
};

Ran simulate(std::vector<std::string> settings, const char* kernel, const std::vector<std::uint32_t>& values,
             const LaunchConfig& config) {
  settings.emplace_back("observe.transactions=check");
  Simulation simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec, 1);
  Ran ran;
  simulation.run([&](Device& gpu) {
    const DevicePointer out = gpu.upload(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0});
    std::vector<Argument> args = arguments(out);
    for (const std::uint32_t value : values) args.push_back(arguments(value).front());
    const auto function = gpu.module_get_function(
        gpu.module_load_text(test::text_of("tests/transactions/programs/few_lanes.ptx"), "few_lanes.ptx"), kernel);
    gpu.launch_kernel(function, config, args);
    ran.words = gpu.download<std::uint32_t>(out, 17);
  });
  for (const base::Statistic* one : simulation.context().statistics.sorted()) {
    if (one->counter != nullptr) ran.counts[std::string(one->name)] += one->counter->value();
    if (one->distribution != nullptr) {
      ran.counts[std::string(one->name)] += one->distribution->sum();
      ran.samples[std::string(one->name)] += one->distribution->count();
    }
    if (one->name == "waited") ran.longest_wait = std::max(ran.longest_wait, one->distribution->max());
    if (one->name == "warpts") ran.farthest = std::max(ran.farthest, one->gauge());
  }
  for (unsigned i = 0; i < simulation.gpu().partitions(); ++i) {
    const auto* const unit =
        dynamic_cast<const models::GetmValidationUnit*>(simulation.gpu().unit(i, "validation_unit"));
    if (unit == nullptr) continue;
    const protocols::TransitionTable& table = unit->machine().table();
    for (const protocols::Transition& t : table.transitions())
      ran.rows[protocols::row_name(t.row, table.vocabulary())] += unit->machine().taken()[t.index];
  }
  return ran;
}

/// One CTA of `warps`, all on one SM; 0: of one thread. Whoever aborts waits `backoff` for each of its attempts.
Ran run(const std::string& policy, const char* kernel, const std::vector<std::uint32_t>& values, unsigned warps,
        const std::vector<std::string>& more = {}) {
  const std::string keys = "transactions." + policy;
  std::vector<std::string> settings{"transactions.policy=" + policy, keys + ".backoff_spread=0",
                                    fmt::format("{}.backoff={}", keys, backoff), keys + ".backoff_limit=1000000"};
  for (const std::string& one : more) settings.push_back(fmt::format("{}.{}", keys, one));
  return simulate(std::move(settings), kernel, values, {{1}, {warps == 0 ? 1 : warps * 32}});
}

/// How often lanes aborted, for whatever cause.
std::uint64_t aborts(const Ran& ran) {
  std::uint64_t all = 0;
  for (const auto& [name, count] : ran.counts) all += name.rfind("aborted_", 0) == 0 ? count : 0;
  return all;
}

class Transactions : public ::testing::TestWithParam<const char*> {};

// Of two lanes one commits, and the other one begins again; the same once more.
TEST_P(Transactions, WaitAfterAnAbortAndNotForThoseBefore) {
  Ran ran = run(GetParam(), "add", {2, 2}, 1);
  EXPECT_EQ(ran.words[0], 1 + 4U);
  EXPECT_EQ(ran.counts["committed"], 4U);
  EXPECT_EQ(ran.counts["aborted_intra_warp"], 2U);
  EXPECT_EQ(aborts(ran), 2U);
  EXPECT_EQ(ran.counts["attempts"], 4U);
  EXPECT_EQ(ran.counts["retries"], 2U);
  EXPECT_GE(ran.longest_wait, backoff);
  EXPECT_LT(ran.longest_wait, backoff + backoff / 10);
  const std::uint64_t logs = std::string(GetParam()) == "getm" ? 1 : 2;  // GETM sends what was written alone
  EXPECT_EQ(ran.counts["log_lines_read"], 4 * logs * 2) << "two lines for an entry of each log of an attempt";
}

TEST_P(Transactions, ReadAllThatTheyHaveLogged) {
  Ran ran = run(GetParam(), "pair", {}, 0);
  EXPECT_EQ(ran.words[1], 2U);
  const std::uint64_t entries = std::string(GetParam()) == "getm" ? 2 : 3;
  EXPECT_EQ(ran.counts["log_lines_written"], 3 * 2U);
  EXPECT_EQ(ran.counts["log_lines_read"], entries * 2);
}

TEST_P(Transactions, StorePartsOfWordsAndOfVectors) {
  Ran ran = run(GetParam(), "parts", {}, 0);
  EXPECT_EQ(ran.words,
            (std::vector<std::uint32_t>{8 << 16 | 1, 7 << 16 | 2, 3, 4, 5, 6, 7, 8, 5, 2, 5, 4, 5, 6, 7, 8, 0}));
  EXPECT_EQ(ran.counts["forwarded"], 1U);
}

TEST_P(Transactions, AreSeenByLoadsBehindThem) {
  const Ran ran = run(GetParam(), "looks", {}, 0);
  EXPECT_EQ(ran.words[0], 7U);
  EXPECT_EQ(ran.words[2], 7U) << "and not what the L1 had before";
}

TEST_P(Transactions, HaveNoReductions) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  EXPECT_THAT(test::error_of<base::ProgramFault>([] { run(GetParam(), "reduces", {}, 0); }),
              ::testing::HasSubstr("an atomic of global memory inside a transaction"));
}

INSTANTIATE_TEST_SUITE_P(Policies, Transactions, ::testing::Values("getm", "warptm"),
                         [](const auto& name) { return std::string(name.param); });

// WarpTM validates at the end: what stands in memory before the next warp begins makes nobody abort.
TEST(TransactionsOfWarps, AreOneAfterTheOtherWithOneToken) {
  Ran ran = run("warptm", "add", {1, 2}, 4, {"concurrency=1"});
  EXPECT_EQ(ran.words[0], 1 + 8U);
  EXPECT_EQ(aborts(ran), 0U);
}

TEST(TransactionsOfWarps, WaitLongerWhereNobodyCommits) {
  Ran ran = run("warptm", "add", {1, 1}, 2, {"concurrency=2", "backoff_patience=1"});
  EXPECT_EQ(ran.words[0], 1 + 2U);
  EXPECT_EQ(ran.counts["aborted_validation"], 1U);
  EXPECT_EQ(aborts(ran), 1U);
  EXPECT_GE(ran.longest_wait, 2 * backoff);
  EXPECT_LT(ran.longest_wait, 2 * backoff + backoff / 10);
}

TEST(TransactionsOfWarps, AreALivelockAfterAsManyAbortsAsAreGranted) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  EXPECT_THAT(test::error_of<base::ProgramFault>([] {
                run("warptm", "add", {1, 1}, 2, {"concurrency=2", "max_aborts=1"});
              }),
              ::testing::HasSubstr("livelock: 1 attempts"));
}

// What a lane has reserved before it aborts is given back, and is no commit.
TEST(TransactionsOfWarps, CleanUpBehindLanesThatHaveAborted) {
  Ran ran = run("getm", "meet", {}, 1);
  EXPECT_EQ(ran.words[1], 1U);
  EXPECT_EQ(ran.counts["aborted_intra_warp"], 1U);
  EXPECT_EQ(ran.rows["own, Clean_Up"], 1U) << "the second 32 bytes";
  EXPECT_EQ(ran.rows["own, Commit"], 3U) << "the first 32 bytes; both";
}

// Each of five transactions of two warps begins behind what its warp, or all of its SM have come to.
TEST(TransactionsOfWarps, BeginAtTheTimeOfTheirSm) {
  EXPECT_EQ(run("getm", "each", {5}, 2, {"concurrency=1", "begins_at=sm"}).farthest, 1 + 10);
}

TEST(TransactionsOfWarps, BeginAtTheirOwnTime) {
  EXPECT_EQ(run("getm", "each", {5}, 2, {"concurrency=1", "begins_at=warp"}).farthest, 1 + 5);
}

// A lane that writes nothing has to be validated where one of its words has been written since it read the first.
TEST(TransactionsOfWarps, AreNotSilentWhereAWordIsYoungerThanTheirFirstRead) {
  Ran ran = run("warptm", "apart", {}, 2, {"tcd_granularity=4"});
  EXPECT_EQ(ran.counts["aborted_validation"], 1U);
  EXPECT_EQ(ran.counts["silent"], 1U) << "at the second attempt all is old";
  EXPECT_EQ(ran.words[8], 200U);
  EXPECT_EQ(ran.words[9], 200U);
}

// Who waits for one that is still in its transaction would keep its core, and so all, from a rollover.
TEST(TransactionsOfWarps, WaitForNobodyWhereTimestampsRollOver) {
  Ran ran = run("getm", "waits", {}, 3, {"timestamp_bits=4", "concurrency=0"});
  EXPECT_GE(ran.counts["rollovers"], 1U);
  EXPECT_GE(ran.counts["queued"], 1U);
  EXPECT_GE(ran.counts["aborted_rollover"], 2U) << "who waits; who is waited for";
  EXPECT_EQ(ran.words[0], 7U);
  EXPECT_EQ(ran.words[8], 1 + 2U);
  EXPECT_EQ(ran.words[16], 20U);
  EXPECT_EQ(ran.samples["executed"], ran.counts["attempts"]) << "those included that a rollover ends";
  EXPECT_EQ(ran.samples["retries"] + ran.counts["retries"], ran.counts["attempts"]);
}

// Conflicts end three attempts of the second warp one after the other, and a rollover a fourth one.
TEST(TransactionsOfWarps, AreALivelockAlsoWhereRolloversEndTheirAttempts) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  EXPECT_THAT(test::error_of<base::ProgramFault>([] {
                run("getm", "waits", {}, 3, {"timestamp_bits=3", "concurrency=0", "max_aborts=4"});
              }),
              ::testing::HasSubstr("livelock: 4 attempts"));
}

TEST(TransactionsOfWarps, HearNothingMoreForLanesThatHaveAborted) {
  Ran ran = run("warptm_el", "late", {}, 2);
  EXPECT_EQ(ran.counts["aborted_eager"], 1U);
  EXPECT_EQ(ran.counts["attempts"], 3U);
  EXPECT_EQ(ran.words[0], 200U);
  EXPECT_EQ(ran.words[1], 1U);
}

// While one SM has the lock, the next one looks once more after a while, and the third one after twice that.
TEST(TransactionsUnderALock, LookLessOftenTheFurtherTheyAreBehind) {
  Ran ran = simulate({"sms=3", "transactions.policy=global_lock", "transactions.global_lock.backoff=20000"}, "add",
                     {1, 1}, {{3}, {32}});
  EXPECT_EQ(ran.words[0], 1 + 3U);
  EXPECT_EQ(ran.counts["transactions"], 3U);
  EXPECT_LT(ran.counts["held"], 20'000U);
  EXPECT_EQ(ran.counts["looks"], 1 + 2 + 2U);
}

}  // namespace
}  // namespace syncline::platform
