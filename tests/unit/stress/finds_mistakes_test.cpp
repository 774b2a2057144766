// The random tester can fail: it finds policies with one row made wrong, and shrinks what it finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

#include "platform/stress/stress.h"
#include "protocols/coherence/explore/explorer.h"

namespace syncline::stress {
namespace {

using protocols::CoherencePolicy;
using protocols::Row;
using testing::HasSubstr;
using testing::Le;
using Event = protocols::gpu_vi::L1Event;
using State = protocols::gpu_vi::L1State;

/// `gpu_vi` with another outcome of one pair of its L1.
CoherencePolicy changed(State state, Event event, const std::vector<std::string_view>& actions, State next) {
  CoherencePolicy policy = protocols::make_gpu_vi();
  const protocols::Vocabulary& words = policy.table(protocols::Role::l1)->vocabulary();
  Row row{state, event, {}, next, "changed by a test"};
  for (const std::string_view action : actions) {
    for (std::size_t code = 0; code < words.actions.size(); ++code) {
      if (words.actions[code].name == action) row.actions.push_back(static_cast<protocols::Code>(code));
    }
  }
  std::shared_ptr<const protocols::TransitionTable>& table = policy.at(protocols::Role::l1).table;
  table = std::make_shared<const protocols::TransitionTable>(table->overlaid(words, {row}));
  return policy;
}

StressReport stress(const CoherencePolicy& policy, std::uint64_t seed = 1) {
  StressOptions options;
  options.own_policy = policy;
  options.operations = 60'000;
  options.seed = seed;
  return run_stress(options);
}

std::string text_of(const StressReport& report) {
  std::ostringstream text;
  print_text(text, report);
  return text.str();
}

/// A policy with a mistake is found, and a program of at most `operations` is left.
void expect_found(const CoherencePolicy& policy, std::size_t operations) {
  const StressReport report = stress(policy);
  ASSERT_TRUE(report.failure);
  EXPECT_THAT(report.failure->shrunk.program().operations(), Le(operations)) << text_of(report);
  const BatchResult again = run_batch_apart(report.failure->shrunk.batch);
  ASSERT_TRUE(again.failure) << "what was shrunk repeats bit for bit";
  EXPECT_EQ(again.failure->what, report.failure->shrunk.failure.what);
  EXPECT_EQ(again.failure->episode + 1, report.failure->shrunk.batch.episodes.size());
}

TEST(RandomTester, FindsACopyThatOutlivesItsInvalidation) {
  expect_found(changed(State::S, Event::Inv, {"send_Inv_Ack"}, State::S), 6);
}

TEST(RandomTester, FindsAnInvalidationThatAMissForgets) {
  expect_found(changed(State::I_S, Event::Inv, {"send_Inv_Ack"}, State::I_S), 6);
}

TEST(RandomTester, FindsAnAcknowledgementThatIsNotSent) {
  const StressReport report = stress(changed(State::S, Event::Inv, {"drop"}, State::I), 2);
  ASSERT_TRUE(report.failure);
  EXPECT_THAT(report.failure->shrunk.failure.what, HasSubstr("no progress"));
  EXPECT_LE(report.failure->shrunk.program().operations(), 3U) << text_of(report);
}

TEST(RandomTester, FindsNothingInTheSamePolicyUnchanged) {
  const StressReport report = stress(changed(State::S, Event::Inv, {"drop", "send_Inv_Ack"}, State::I));
  EXPECT_FALSE(report.failure) << text_of(report);
  EXPECT_GE(report.operations, 60'000U);
}

TEST(RandomTester, PrintsAProgramThatTheModelCheckerExplores) {
  const CoherencePolicy policy = changed(State::S, Event::Inv, {"send_Inv_Ack"}, State::S);
  const StressReport report = stress(policy);
  ASSERT_TRUE(report.failure);
  const std::string program = check_program(report.failure->shrunk.program());
  ASSERT_FALSE(program.empty()) << text_of(report);
  EXPECT_THAT(text_of(report), HasSubstr("explore: syncline check gpu_vi --program '" + program + "'"));
  namespace explore = protocols::explore;
  protocols::CoherenceContext context;
  context.l1s = explore::max_l1s;
  const explore::Report found = explore::explore(policy, explore::parse_program(program), context, {});
  EXPECT_TRUE(found.violation) << program;
}

TEST(RandomTester, GivesTheSameReportWhateverRunsBesides) {
  StressOptions options;
  options.own_policy = changed(State::S, Event::Inv, {"send_Inv_Ack"}, State::S);
  options.seed = 3;
  StressReport one = run_stress(options);
  options.jobs = 3;
  StressReport three = run_stress(options);
  one.seconds = three.seconds = 0;
  EXPECT_EQ(text_of(one), text_of(three));
  options.replay = one.failure->batch;
  const StressReport replayed = run_stress(options);
  ASSERT_TRUE(replayed.failure);
  EXPECT_EQ(replayed.failure->found, one.failure->found);
  EXPECT_EQ(replayed.batches, 1U);
}

/// A machine whose construction ends the process.
TEST(RandomTester, TellsHowASimulationEnded) {
  Batch batch;
  batch.machine = MemorySystemSpec::tiny();
  batch.machine.own_policy = protocols::make_gpu_vi();
  batch.machine.own_policy->at(protocols::Role::l1).make = [](auto) -> std::unique_ptr<protocols::Machine> {
    std::raise(SIGTERM);
    return nullptr;
  };
  const BatchResult result = run_batch_apart(batch);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->what, "the simulation was ended by signal 15");
}

}  // namespace
}  // namespace syncline::stress
