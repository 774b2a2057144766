// Transactions of shared memory with their time: what an access takes, what statistics count, and what a grid demands
// of an SM.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/file_text.h"

namespace syncline::platform {
namespace {

struct Ran {
  std::vector<std::uint32_t> words;
  std::map<std::string, std::uint64_t> counts;  ///< of counters, and sums of distributions, of all SMs together
  models::CtaDemand demand;
};

Ran run(const std::string& policy, const char* kernel, const std::vector<std::uint32_t>& values, unsigned threads,
        std::vector<std::string> settings = {}, unsigned ctas = 1) {
  settings.insert(settings.end(), {"transactions.local.policy=" + policy, "observe.transactions=check"});
  Simulation simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/southern_islands.yaml", std::move(settings)).spec,
      1);
  Ran ran;
  simulation.run([&](Device& gpu) {
    const DevicePointer out = gpu.upload(std::vector<std::uint32_t>(256));
    std::vector<Argument> args = arguments(out);
    for (const std::uint32_t value : values) args.push_back(arguments(value).front());
    const auto function = gpu.module_get_function(
        gpu.module_load_text(test::text_of("tests/transactions/programs/shared.ptx"), "shared.ptx"), kernel);
    gpu.launch_kernel(function, {{ctas}, {threads}}, args);
    ran.demand = simulation.device().grid(base::GridId(0))->demand;
    ran.words = gpu.download<std::uint32_t>(out, 256);
  });
  for (const base::Statistic* one : simulation.context().statistics.sorted()) {
    if (one->counter != nullptr) ran.counts[std::string(one->name)] += one->counter->value();
    if (one->distribution != nullptr) ran.counts[std::string(one->name)] += one->distribution->sum();
  }
  return ran;
}

struct LatencyCase {
  const char *policy, *setting;
  std::uint32_t first, second;  ///< access to a word, beside what one takes outside of transactions
};
void PrintTo(const LatencyCase& c, std::ostream* out) {
  *out << c.policy << ' ' << c.setting;
}
class LocalLatency : public testing::TestWithParam<LatencyCase> {};
class LocalLatencyOfLanes : public testing::TestWithParam<LatencyCase> {};

// Two cycles outside of transactions, five and more inside (table 3). DCD keeps what a word holds when it is first
// read, for it has no place to note that a write has come.
TEST_P(LocalLatency, IsThatOfThePhases) {
  const LatencyCase& c = GetParam();
  const Ran ran = run(c.policy, "latency", {128}, 1, {c.setting});
  EXPECT_EQ(ran.words[1] - ran.words[0], c.first);
  EXPECT_EQ(ran.words[2] - ran.words[0], c.second);
}

INSTANTIATE_TEST_SUITE_P(Each, LocalLatency,
                         testing::Values(LatencyCase{"serial", "sms=1", 0, 0}, LatencyCase{"prw_sig", "sms=1", 3, 5},
                                         LatencyCase{"swo_sig", "sms=1", 3, 5}, LatencyCase{"dcd", "sms=1", 4, 3},
                                         LatencyCase{"smdcd", "sms=1", 3, 3},
                                         LatencyCase{"prw_sig", "transactions.local.latency.signature=7", 8, 10},
                                         LatencyCase{"prw_sig", "transactions.local.latency.ownership=9", 3, 13},
                                         LatencyCase{"prw_sig", "transactions.local.latency.lookup=9", 3, 13},
                                         LatencyCase{"dcd", "transactions.local.latency.broadcast=5", 8, 7},
                                         LatencyCase{"dcd", "transactions.local.latency.backup=9", 12, 3}));

// Of three lanes that want the same bank: what is the bank's comes three times.
TEST_P(LocalLatencyOfLanes, HasWhatTheirBankDoesForEach) {
  const LatencyCase& c = GetParam();
  const Ran ran = run(c.policy, "latency", {128}, 3, {c.setting});
  EXPECT_EQ(ran.words[1] - ran.words[0], c.first);
  EXPECT_EQ(ran.words[2] - ran.words[0], c.second);
}
INSTANTIATE_TEST_SUITE_P(Each, LocalLatencyOfLanes,
                         testing::Values(LatencyCase{"prw_sig", "sms=1", 3, 4 + 3},
                                         LatencyCase{"dcd", "sms=1", 2 + 6, 2 + 3},
                                         LatencyCase{"dcd", "transactions.local.latency.lookup=5", 2 + 18, 2 + 15}));

TEST(LocalLatencyOfOthers, HasWhatBanksDoForTransactions) {
  const Ran ran = run("prw_sig", "beside", {}, 128, {"transactions.local.latency.backup=900"});
  EXPECT_GT(ran.words[0], 800U);
}

TEST(LocalTransactions, AreToldByStatistics) {
  // Of two lanes the second one loses, and begins again.
  Ran ran = run("prw_sig", "add", {1, 1}, 2);
  EXPECT_EQ(ran.words[0], 2U);
  EXPECT_EQ(ran.counts["begun"], 2U);
  EXPECT_EQ(ran.counts["attempts"], 2U);
  EXPECT_EQ(ran.counts["conflicts"], 1U);
  EXPECT_EQ(ran.counts["retries"], 1U);
  EXPECT_EQ(ran.counts["backups"], 2U);
  EXPECT_EQ(ran.counts["restored"], 0U);
  EXPECT_EQ(ran.counts["committed_transactional"], 2U);
  EXPECT_EQ(ran.counts["ended_transactional"], 1U);
  EXPECT_EQ(ran.counts["ended_wavefront_serial"], 0U);
  EXPECT_GE(ran.counts["resident"], ran.counts["runs"] + ran.counts["at_end"] + ran.counts["waits"]);
  EXPECT_GE(ran.counts["runs"], ran.counts["overhead"]);
}

TEST(LocalTransactions, OfOneWordAreSerialisedInTheWavefront) {
  // Readers share the word, and then each is in the way of those before it: the last lane gets through each time.
  Ran ran = run("smdcd", "add", {1, 1}, 4, {"transactions.local.selection=descending_single"});
  EXPECT_EQ(ran.words[0], 4U);
  EXPECT_GT(ran.counts["committed_wavefront_serial"], 0U);
  EXPECT_EQ(ran.counts["committed_transactional"] + ran.counts["committed_wavefront_serial"] +
                ran.counts["committed_group_serial"],
            4U);
}

TEST(LocalTransactions, OfSeveralWavefrontsGiveUpForOneThatIsAlone) {
  Ran ran = run("smdcd", "add", {1, 4}, 256);
  EXPECT_EQ(ran.words[0], 1024U);
  EXPECT_GT(ran.counts["ended_group_serial"], 0U);
  EXPECT_GT(ran.counts["given_up"], 0U);
}

TEST(LocalTransactions, BeginAgainAsLongAfterAnAttemptAsTheKeySays) {
  Ran ran = run("prw_sig", "add", {1, 1}, 2, {"transactions.local.latency.restart=500"});
  EXPECT_EQ(ran.counts["attempts"], 2U);
  EXPECT_EQ(ran.counts["waits"], 500U);
}

TEST(LocalTransactions, AreOneAfterTheOtherWhereNothingIsDetected) {
  Ran ran = run("serial", "add", {2, 3}, 128, {}, 2);
  for (unsigned word = 0; word < 4; ++word) EXPECT_EQ(ran.words[word], 192U) << word;
  EXPECT_EQ(ran.counts["attempts"], 768U) << "one lane each";
  EXPECT_EQ(ran.counts["conflicts"], 0U);
  EXPECT_EQ(ran.counts["overhead"], 0U);
  EXPECT_EQ(ran.counts["committed_group_serial"], 768U);
}

struct RoomCase {
  const char* policy;
  unsigned threads;
  std::uint64_t registers, shared_bytes;
};
void PrintTo(const RoomCase& c, std::ostream* out) {
  *out << c.policy << ' ' << c.threads;
}
class LocalRoom : public testing::TestWithParam<RoomCase> {};

TEST_P(LocalRoom, IsTakenBesideTheProgram) {
  const models::CtaDemand demand = run(GetParam().policy, "add", {1, 1}, GetParam().threads).demand;
  EXPECT_EQ(demand.policy_registers, GetParam().registers);
  EXPECT_EQ(demand.policy_shared_bytes, GetParam().shared_bytes);
}

// 64 words, with four bytes and an owner of one or two for each; signatures of 256 bits for each work-item.
INSTANTIATE_TEST_SUITE_P(Each, LocalRoom,
                         testing::Values(RoomCase{"serial", 256, 0, 0}, RoomCase{"swo_sig", 256, 2048, 320},
                                         RoomCase{"prw_sig", 64, 512, 320}, RoomCase{"smdcd", 256, 4, 320},
                                         RoomCase{"dcd", 256, 0, 320}, RoomCase{"dcd", 320, 0, 384}));

TEST(LocalRoomOfAnSm, HasFewerCtas) {
  models::SmResources sm;
  sm.shared_bytes = 1024;
  EXPECT_EQ(occupancy(sm, {64, 0, 256, 0, 0}).ctas, 4U);
  EXPECT_EQ(occupancy(sm, {64, 0, 256, 0, 320}).ctas, 1U);
  EXPECT_EQ(occupancy(sm, {64, 0, 256, 0, 320}).limit, models::OccupancyLimit::shared_memory);
  sm.registers = 3 * (64 * 16 + 512);
  EXPECT_EQ(occupancy(sm, {64, 16, 0, 512, 0}).ctas, 3U);
}

}  // namespace
}  // namespace syncline::platform
