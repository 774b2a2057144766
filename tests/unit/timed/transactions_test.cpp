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

namespace syncline::platform {
namespace {

// The first `lanes` of each warp. `add`: one to a word, `times` times. `pair`: stores to two words. `parts`: to the
// upper half of a word, and to the first and the third of eight words.
constexpr const char* adding_ptx = R"(
.version 8.8
.target sm_100
.address_size 64
.visible .entry add(.param .u64 out, .param .u32 lanes, .param .u32 times)
{
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r2, [times];
  ld.param.u32 %r3, [lanes];
  mov.u32 %r4, %laneid;
  setp.ge.u32 %p2, %r4, %r3;
  @%p2 ret;
AGAIN:
  tx.begin;
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  tx.commit;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra AGAIN;
  ret;
}
.visible .entry pair(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  tx.begin;
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4], %r1;
  tx.commit;
  ret;
}
.visible .entry looks(.param .u64 out)
{ // what it finds behind a transaction goes to another word
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 6;
  tx.begin;
  st.global.u32 [%rd1], %r1;
  tx.commit;
  ld.global.u32 %r2, [%rd1];
  st.global.u32 [%rd1+8], %r2;
  ret;
}
.visible .entry reduces(.param .u64 out)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  tx.begin;
  red.global.add.u32 [%rd1], 1;
  tx.commit;
  ret;
}
.visible .entry parts(.param .u64 out)
{
  .reg .b16 %h<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u16 %h1, 7;
  mov.u32 %r1, 5;
  tx.begin;
  st.global.u16 [%rd1+2], %h1;
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, 65536;
  st.global.u32 [%rd1], %r2;
  st.global.u16 [%rd1+6], %h1;
  st.global.v8.b32 [%rd1+32], {%r1, _, %r1, _, _, _, _, _};
  tx.commit;
  ret;
}
.visible .entry meet(.param .u64 out)
{ // two lanes store to 32 bytes each, and then both to one word of the first
  .reg .pred %p1;
  .reg .b32 %r1;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %laneid;
  setp.gt.u32 %p1, %r1, 1;
  @%p1 ret;
  mul.wide.u32 %rd2, %r1, 32;
  add.u64 %rd2, %rd1, %rd2;
  tx.begin;
  st.global.u32 [%rd2], %r1;
  st.global.u32 [%rd1+4], %r1;
  tx.commit;
  ret;
}
.visible .entry apart(.param .u64 out)
{ // the first warp reads words 0, 4 and 5, and the second one writes the first two of them meanwhile
  .reg .pred %p<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %laneid;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra WRITES;
  tx.begin;
  ld.global.u32 %r3, [%rd1];
  and.b32 %r2, %r3, 0;
READ:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p3, %r2, 1000;
  @%p3 bra READ;
  ld.global.v2.u32 {%r4, %r5}, [%rd1+16];
  tx.commit;
  st.global.u32 [%rd1+32], %r3;
  st.global.u32 [%rd1+36], %r4;
  ret;
WRITES:
  mov.u32 %r2, 0;
WAIT:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p3, %r2, 200;
  @%p3 bra WAIT;
  tx.begin;
  st.global.u32 [%rd1], %r2;
  st.global.u32 [%rd1+16], %r2;
  tx.commit;
  ret;
}
.visible .entry each(.param .u64 out, .param .u32 times)
{ // a warp adds one to 32 bytes of its own, `times` times
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r3, [times];
  mov.u32 %r1, %laneid;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 1;
  add.u64 %rd1, %rd1, %rd2;
AGAIN:
  tx.begin;
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%rd1], %r2;
  tx.commit;
  sub.u32 %r3, %r3, 1;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra AGAIN;
  ret;
}
.visible .entry waits(.param .u64 out)
{ // the first warp is long in a transaction that has stored to word 0, which the second one loads after two others of
  // its own; the third one uses up all time meanwhile
  .reg .pred %p<5>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %laneid;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
  setp.eq.u32 %p2, %r1, 32;
  @%p2 bra SECOND;
  setp.eq.u32 %p3, %r1, 64;
  @%p3 bra THIRD;
  tx.begin;
  st.global.u32 [%rd1], 7;
LONG:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p4, %r2, 2000;
  @%p4 bra LONG;
  tx.commit;
  ret;
SECOND:
  tx.begin;
  ld.global.u32 %r3, [%rd1+32];
  add.u32 %r3, %r3, 1;
  st.global.u32 [%rd1+32], %r3;
  tx.commit;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p4, %r2, 2;
  @%p4 bra SECOND;
  tx.begin;
  ld.global.u32 %r4, [%rd1];
  st.global.u32 [%rd1+36], %r4;
  tx.commit;
  ret;
THIRD:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p4, %r2, 200;
  @%p4 bra THIRD;
  mov.u32 %r2, 0;
MORE:
  tx.begin;
  ld.global.u32 %r3, [%rd1+64];
  add.u32 %r3, %r3, 1;
  st.global.u32 [%rd1+64], %r3;
  tx.commit;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p4, %r2, 20;
  @%p4 bra MORE;
  ret;
}
.visible .entry late(.param .u64 out)
{ // the first warp stores to a word that the second one has loaded, while it waits for another one
  .reg .pred %p<4>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %laneid;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p2, %r1, 0;
  mov.u32 %r2, 0;
  @%p2 bra LOADS;
EARLY:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p3, %r2, 200;
  @%p3 bra EARLY;
  tx.begin;
  ld.global.u32 %r3, [%rd1+32];
  st.global.u32 [%rd1], %r2;
  tx.commit;
  st.global.u32 [%rd1+4], %r3;
  ret;
LOADS:
  tx.begin;
  ld.global.u32 %r3, [%rd1];
LONG_AFTER:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p3, %r2, 1000;
  @%p3 bra LONG_AFTER;
  tx.commit;
  ret;
}
)";

constexpr std::uint64_t backoff = 50'000;

struct Ran {
  std::vector<std::uint32_t> words;
  std::map<std::string, std::uint64_t> counts;  ///< of counters, and sums of distributions, of both SMs together
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
    const auto function = gpu.module_get_function(gpu.module_load_text(adding_ptx, "adding.ptx"), kernel);
    gpu.launch_kernel(function, config, args);
    ran.words = gpu.download<std::uint32_t>(out, 17);
  });
  for (const base::Statistic* one : simulation.context().statistics.sorted()) {
    if (one->counter != nullptr) ran.counts[one->name] += one->counter->value();
    if (one->distribution != nullptr) ran.counts[one->name] += one->distribution->sum();
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

/// One CTA, whose warps are all on one SM. Whoever aborts waits `backoff` for each of its attempts.
Ran run(const std::string& policy, const char* kernel, const std::vector<std::uint32_t>& values, unsigned warps,
        const std::vector<std::string>& more = {}) {
  const std::string keys = "transactions." + policy;
  std::vector<std::string> settings{"transactions.policy=" + policy, keys + ".backoff_spread=0",
                                    fmt::format("{}.backoff={}", keys, backoff), keys + ".backoff_limit=1000000"};
  for (const std::string& one : more) settings.push_back(keys + "." + one);
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
