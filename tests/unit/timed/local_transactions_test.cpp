// Transactions of shared memory with their time: what an access takes, what statistics count, and what a grid demands of
// an SM.
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
    if (one->counter != nullptr) ran.counts[one->name] += one->counter->value();
    if (one->distribution != nullptr) ran.counts[one->name] += one->distribution->sum();
  }
  return ran;
}

/// Beside what a load takes outside of transactions: that of the first access to a word, and of the second.
struct More {
  std::uint32_t first, second;
};
More more(const std::string& policy, unsigned lanes, std::uint32_t stride, std::vector<std::string> settings = {}) {
  const Ran with = run(policy, "latency", {stride}, lanes, settings);
  const Ran without = run("serial", "latency", {stride}, 1);
  const Ran outside = run("serial", "latency", {stride}, lanes);
  const std::uint32_t conflicts = outside.words[0] - without.words[0];  // of banks
  return {with.words[1] - without.words[1] - conflicts, with.words[2] - without.words[2] - conflicts};
}

// Two cycles outside of transactions, five and more inside (table 3).
TEST(LocalLatency, IsThatOfThePhases) {
  for (const char* const policy : {"prw_sig", "swo_sig"}) {
    EXPECT_EQ(more(policy, 1, 4).first, 3U) << "signatures and broadcast";
    EXPECT_EQ(more(policy, 1, 4).second, 3U + 2) << "and the owner, for it may be an alias";
  }
  for (const char* const policy : {"dcd", "smdcd"}) {
    EXPECT_EQ(more(policy, 1, 4).first, 3U) << "owner and broadcast";
    EXPECT_EQ(more(policy, 1, 4).second, 3U);
  }
  EXPECT_EQ(more("prw_sig", 1, 4, {"transactions.local.latency.signature=7"}).first, 8U);
  EXPECT_EQ(more("prw_sig", 1, 4, {"transactions.local.latency.ownership=9"}).second, 3U + 9);
  EXPECT_EQ(more("dcd", 1, 4, {"transactions.local.latency.broadcast=5"}).first, 7U);
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

TEST(LocalTransactions, AreOneAfterTheOtherWhereNothingIsDetected) {
  Ran ran = run("serial", "add", {2, 3}, 128, {}, 2);
  for (unsigned word = 0; word < 4; ++word) EXPECT_EQ(ran.words[word], 192U) << word;
  EXPECT_EQ(ran.counts["attempts"], 768U) << "one lane each";
  EXPECT_EQ(ran.counts["conflicts"], 0U);
  EXPECT_EQ(ran.counts["overhead"], 0U);
  EXPECT_EQ(ran.counts["committed_group_serial"], 768U);
}

TEST(LocalTransactions, TakeRoomBesideTheProgram) {
  const models::CtaDemand signatures = run("swo_sig", "add", {1, 1}, 256).demand;
  EXPECT_EQ(signatures.policy_registers, 2048U);
  EXPECT_EQ(signatures.policy_shared_bytes, 64U * 5) << "64 words, and four bytes and a byte for each";
  const models::CtaDemand bits = run("smdcd", "add", {1, 1}, 256).demand;
  EXPECT_EQ(bits.policy_registers, 2 * 64U / 32);
  EXPECT_EQ(run("dcd", "add", {1, 1}, 256).demand.policy_registers, 0U);
  EXPECT_EQ(run("dcd", "add", {1, 1}, 320).demand.policy_shared_bytes, 64U * 6) << "two bytes for an owner";
  const models::CtaDemand none = run("serial", "add", {1, 1}, 256).demand;
  EXPECT_EQ(none.policy_registers + none.policy_shared_bytes, 0U);
}

// 1024 bytes hold the 256 of a CTA four times, and once with their shadow of 320.
TEST(LocalTransactions, LeaveRoomForFewerCtas) {
  models::SmResources sm;
  sm.shared_bytes = 1024;
  EXPECT_EQ(occupancy(sm, run("serial", "add", {1, 1}, 64).demand).ctas, 4U);
  const models::Occupancy with = occupancy(sm, run("dcd", "add", {1, 1}, 64).demand);
  EXPECT_EQ(with.ctas, 1U);
  EXPECT_EQ(with.limit, models::OccupancyLimit::shared_memory);
  sm.registers = 3 * (64 * 16 + 512);
  EXPECT_EQ(occupancy(sm, {64, 16, 0, 512, 0}).ctas, 3U);
}

}  // namespace
}  // namespace syncline::platform
