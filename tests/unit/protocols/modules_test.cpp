// Policies of several modules: the directory of Ren's table 5.1 step by step, what the order of networks is for, and
// what scopes reach.
#include <gmock/gmock.h>

#include "protocols/coherence/explore/explorer.h"
#include "protocols/coherence/hmg/machines.h"
#include "protocols/coherence/nhcc/machines.h"
#include "protocols/coherence/registry.h"
#include "protocols/coherence/sw_hierarchical/machines.h"
#include "tests/support/error_of.h"
#include "tests/support/sanitized.h"

namespace syncline::tests {
namespace {

using namespace protocols;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CoherenceContext on_small_grid() {
  CoherenceContext context;
  context.grid = explore::small_grid;
  context.warps = explore::max_threads;
  context.l1s = explore::max_l1s;
  return context;
}

CoherencePolicy module_policy(const std::string& name, MessageOrder order = MessageOrder::pair) {
  CoherenceSpec spec;
  spec.policy = name;
  spec.nhcc.directory_lines = 1;
  spec.nhcc.order = order;
  return make_coherence_policy(spec, on_small_grid());
}

explore::Report explored(const CoherencePolicy& policy, const std::string& text, unsigned homes,
                         const std::function<bool(const explore::Outcome&)>& allowed, bool replacements = true) {
  explore::ExploreOptions options;
  options.world.replacements = replacements;
  options.world.homes = homes;
  options.allowed = allowed;
  return explore::explore(policy, explore::placed(explore::parse_program(text), policy.grid), on_small_grid(), options);
}

bool anything(const explore::Outcome&) {
  return true;
}

/// Of a reader that has a copy, acquires and reads again, and is the first thread.
bool passes_the_message(const explore::Outcome& outcome) {
  return outcome.results[1] == 0 || outcome.results[2] == 1;
}

/// A home of module 0 that is told one thing after the other about a line that is there.
class NhccHomeTest : public testing::Test {
 protected:
  NhccHomeTest() { line_.state = static_cast<Code>(none::HomeState::V); }
  /// Messages and the modules that they go to.
  std::vector<std::pair<nhcc::Message, std::vector<unsigned>>> tell(nhcc::Message message, int module) {
    Stimulus stimulus;
    stimulus.source = Stimulus::Source::message;
    stimulus.message = static_cast<std::uint8_t>(message);
    stimulus.local = module < 0;
    stimulus.sender = static_cast<std::uint16_t>(module < 0 ? 0 : module);
    stimulus.module = stimulus.sender;
    return present(stimulus);
  }
  std::vector<std::pair<nhcc::Message, std::vector<unsigned>>> present(const Stimulus& stimulus) {
    ActionList actions;
    home_->perform(home_->decide(stimulus, line_, node_), stimulus, line_, node_, actions);
    std::vector<std::pair<nhcc::Message, std::vector<unsigned>>> sent;
    for (const Action& action : actions) {
      if (action.kind != ActionKind::send || action.nodes.empty()) continue;
      sent.push_back({static_cast<nhcc::Message>(action.message), {}});
      action.nodes.for_each([&](unsigned to) { sent.back().second.push_back(to); });
    }
    return sent;
  }
  std::vector<unsigned> sharers() const {
    std::vector<unsigned> modules;
    line_.sharers.for_each([&](unsigned module) { modules.push_back(module); });
    return modules;
  }
  CoherencePolicy policy_ = module_policy("nhcc");
  std::unique_ptr<Machine> home_ = policy_.make(Role::home);
  LineMeta line_;
  NodeMeta node_;
};

using M = nhcc::Message;

TEST_F(NhccHomeTest, ReadersAreNotedAndLoseTheirCopiesByAStoreOfTheHomesModule) {
  EXPECT_THAT(tell(M::GETS, 1), IsEmpty());
  EXPECT_THAT(tell(M::GETS, 3), IsEmpty());
  EXPECT_THAT(tell(M::GETS, -1), IsEmpty());
  EXPECT_THAT(sharers(), ElementsAre(1U, 3U));
  EXPECT_THAT(tell(M::WRITE, -1), ElementsAre(std::pair(M::INV, std::vector<unsigned>{1, 3})));
  EXPECT_THAT(sharers(), IsEmpty());
}

TEST_F(NhccHomeTest, AWriterOfAnotherModuleIsNotedAndAllOthersLoseTheirCopies) {
  tell(M::GETS, 1);
  tell(M::GETS, 2);
  EXPECT_THAT(tell(M::WRITE, 2), ElementsAre(std::pair(M::INV, std::vector<unsigned>{1})));
  EXPECT_THAT(sharers(), ElementsAre(2U));
  EXPECT_THAT(tell(M::ATOMIC, 3), ElementsAre(std::pair(M::INV, std::vector<unsigned>{2})));
  EXPECT_THAT(sharers(), ElementsAre(3U));
}

TEST_F(NhccHomeTest, AnEntryThatLeavesTakesTheCopiesAlong) {
  tell(M::GETS, 1);
  Stimulus leaves;
  leaves.source = Stimulus::Source::directory_replacement;
  EXPECT_THAT(present(leaves), ElementsAre(std::pair(M::INV, std::vector<unsigned>{1})));
  EXPECT_THAT(sharers(), IsEmpty());
  EXPECT_EQ(line_.state, static_cast<Code>(none::HomeState::V)) << "the data stays";
}

TEST_F(NhccHomeTest, ALoadAroundCopiesIsNotNoted) {
  tell(M::GETU, 2);
  EXPECT_THAT(sharers(), IsEmpty());
}

std::pair<M, std::vector<unsigned>> to(std::vector<unsigned> modules, M message) {
  return {message, std::move(modules)};
}

TEST_F(NhccHomeTest, AReleaseAsksAllHomesAndWaitsForTheAnswerOfEach) {
  line_ = {};
  EXPECT_THAT(tell(M::FENCE, -1), ElementsAre(to({0, 1, 2, 3}, M::ASK)));
  for (int answer = 1; answer < 4; ++answer) EXPECT_THAT(tell(M::ASK_ACK, 0), IsEmpty()) << answer;
  EXPECT_THAT(tell(M::ASK_ACK, 0), ElementsAre(to({0}, M::FENCED)));
}

/// Of one that is asked what it has invalidated.
class AskedHomeTest : public NhccHomeTest {
 protected:
  /// A module reads the line and another one writes it, so that the reader is told.
  void invalidate(unsigned reader, unsigned writer) {
    tell(M::GETS, static_cast<int>(reader));
    tell(M::WRITE, static_cast<int>(writer));
  }
  /// About no line.
  std::vector<std::pair<M, std::vector<unsigned>>> ask(M message, int module) {
    const LineMeta line = std::exchange(line_, {});
    auto sent = tell(message, module);
    line_ = line;
    return sent;
  }
};

TEST_F(AskedHomeTest, AnswersAtOnceWhereNothingIsUnderWay) {
  EXPECT_THAT(ask(M::ASK, 2), ElementsAre(to({2}, M::ASK_ACK)));
}

TEST_F(AskedHomeTest, MarksWhomItHasToldAndAnswersWhenTheseHave) {
  invalidate(1, 2);
  EXPECT_THAT(ask(M::ASK, 3), ElementsAre(to({1}, M::MARK)));
  EXPECT_THAT(ask(M::MARK_ACK, 1), ElementsAre(to({3}, M::ASK_ACK)));
  EXPECT_THAT(ask(M::ASK, 3), ElementsAre(to({3}, M::ASK_ACK))) << "it has been received";
}

TEST_F(AskedHomeTest, WaitsForAllOfThem) {
  tell(M::GETS, 1);
  invalidate(2, 3);
  EXPECT_THAT(ask(M::ASK, 0), ElementsAre(to({1, 2}, M::MARK)));
  EXPECT_THAT(ask(M::MARK_ACK, 2), IsEmpty());
  EXPECT_THAT(ask(M::MARK_ACK, 1), ElementsAre(to({0}, M::ASK_ACK)));
}

TEST_F(AskedHomeTest, OfMarkersUnderWayServesWhoAsksWhileNothingMoreIsInvalidated) {
  invalidate(1, 2);
  ask(M::ASK, 2);
  EXPECT_THAT(ask(M::ASK, 3), IsEmpty());
  EXPECT_THAT(ask(M::MARK_ACK, 1), ElementsAre(to({2, 3}, M::ASK_ACK)));
}

TEST_F(AskedHomeTest, MarksAgainForWhoAsksBehindMoreInvalidations) {
  invalidate(1, 2);
  ask(M::ASK, 2);
  tell(M::WRITE, 3);  // 2 had written the line
  EXPECT_THAT(ask(M::ASK, 3), IsEmpty());
  EXPECT_THAT(ask(M::MARK_ACK, 1), ElementsAre(to({2}, M::ASK_ACK), to({2}, M::MARK)));
  EXPECT_THAT(ask(M::MARK_ACK, 2), ElementsAre(to({3}, M::ASK_ACK)));
}

TEST_F(AskedHomeTest, AMarkerIsAnswered) {
  EXPECT_THAT(ask(M::MARK, 3), ElementsAre(to({3}, M::MARK_ACK)));
}

/// What the networks' order is for (CoherencePolicy::order).
class ModuleOrder : public testing::TestWithParam<const char*> {};

TEST_P(ModuleOrder, WithoutItALineIsOvertakenByTheInvalidationThatKillsIt) {
  const std::string program = "st.weak x 1 @1.0 | ld.weak x @0.1";
  for (const MessageOrder order : {MessageOrder::pair, MessageOrder::line})
    EXPECT_FALSE(explored(module_policy(GetParam(), order), program, 1, anything).violation);
  const auto found = explored(module_policy(GetParam(), MessageOrder::none), program, 1, anything).violation;
  ASSERT_TRUE(found);
  EXPECT_THAT(found->trace, HasSubstr(", x: IV, Inv"));
}

TEST_P(ModuleOrder, OfLinesAloneLetsAMarkerOvertakeInvalidations) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const std::string program = "ld.weak x; ld.acquire.sys y; ld.weak x @0.1 | st.weak x 1; st.release.sys y 1 @1.0";
  EXPECT_FALSE(explored(module_policy(GetParam()), program, 2, passes_the_message).violation);
  const auto found = explored(module_policy(GetParam(), MessageOrder::line), program, 2, passes_the_message).violation;
  ASSERT_TRUE(found);
  EXPECT_THAT(found->what, HasSubstr("is not allowed"));
}

INSTANTIATE_TEST_SUITE_P(Policies, ModuleOrder, testing::Values("nhcc", "hmg"));

bool shows(const explore::Report& report, const std::vector<std::uint8_t>& results) {
  return std::any_of(report.outcomes.begin(), report.outcomes.end(),
                     [&](const explore::Outcome& outcome) { return outcome.results == results; });
}

TEST(ModuleScopes, AReleaseOfTheGpuIsNotSeenByAnother) {
  const std::string program = "ld.weak x; ld.acquire.sys y; ld.weak x @1.0 | st.weak x 1; st.release y 1 @0.1";
  EXPECT_TRUE(shows(explored(module_policy("hmg"), program, 2, anything, false), {0, 1, 0}));
}

TEST(ModuleScopes, AHomeOfAGpuServesTheGpuFromAnOldCopy) {
  const std::string program = "ld x; ld.sys y; ld x @1.0 | st.sys x 1; st.sys y 1 @0.0";
  EXPECT_TRUE(shows(explored(module_policy("hmg"), program, 2, anything, false), {0, 1, 0}));
}

TEST(ModuleScopes, ACasThatFindsAnotherValueAtTheHomeOfAGpuWritesNothing) {
  for (const char* const name : {"hmg", "sw_hierarchical", "ideal_remote"}) {
    const explore::Report stored = explored(module_policy(name), "cas x 7 9 @1.0 | st.sys x 5 @0.0", 1,
                                            [](const explore::Outcome& end) { return end.memory[0][0] == 5; });
    EXPECT_FALSE(stored.violation) << name;
    EXPECT_TRUE(shows(stored, {0}) && shows(stored, {5})) << name;
    EXPECT_FALSE(explored(module_policy(name), "cas x 7 9 @1.0", 1, anything).violation)
        << name << ": memory gets nothing back from a line that nobody has written";
  }
}

/// What the home of a module is told of no line, by a message of an L1 of its own.
ActionList told(const std::string& policy_name, Scope scope, Code message) {
  const CoherencePolicy policy = module_policy(policy_name);
  const auto home = policy.make(Role::home);
  Stimulus stimulus;
  stimulus.source = Stimulus::Source::message;
  stimulus.message = message;
  stimulus.access.scope = scope;
  stimulus.local = true;
  stimulus.requester = 3;
  LineMeta line;
  NodeMeta node;
  ActionList actions;
  home->perform(home->decide(stimulus, line, node), stimulus, line, node, actions);
  return actions;
}

TEST(SoftwareCoherence, AnAcquireEmptiesTheL2OfOtherModulesLinesAndThenAnswers) {
  const ActionList actions = told("sw", Scope::sys, static_cast<Code>(M::FENCE));
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(actions.begin()[0].kind, ActionKind::flush_lines);
  ASSERT_NE(actions.begin()[0].role, nullptr);
  EXPECT_EQ(*actions.begin()[0].role, Role::gpm);
  EXPECT_EQ(actions.begin()[1].message, static_cast<Code>(M::FENCED));
  EXPECT_TRUE(actions.begin()[1].nodes.contains(3));
}

TEST(SoftwareCoherence, AnAcquireOfTheSystemAsksTheHomesOfTheGpuAndOneOfTheGpuDoesNot) {
  using sw_hierarchical::Message;
  const ActionList of_system = told("sw_hierarchical", Scope::sys, static_cast<Code>(Message::ACQUIRE));
  ASSERT_EQ(of_system.size(), 1U);
  EXPECT_EQ(of_system.begin()[0].message, static_cast<Code>(Message::EMPTY));
  EXPECT_EQ(of_system.begin()[0].nodes.size(), 2U) << "the modules of the GPU, itself among them";
  const ActionList of_gpu = told("sw_hierarchical", Scope::gpu, static_cast<Code>(Message::ACQUIRE));
  ASSERT_EQ(of_gpu.size(), 2U);
  EXPECT_EQ(*of_gpu.begin()[0].role, Role::gpm);
}

TEST(SoftwareCoherence, ACopyGrowsOldUntilSomebodyAcquires) {
  const std::string program = "ld.weak x; ld.sys y; ld.weak x @0.1 | st.weak x 1; st.release.sys y 1 @1.0";
  EXPECT_TRUE(shows(explored(module_policy("sw"), program, 2, anything, false), {0, 1, 0}));
  EXPECT_FALSE(explored(module_policy("sw"),
                        "ld.weak x; ld.acquire.sys y; ld.weak x @0.1 | st.weak x 1; "
                        "st.release.sys y 1 @1.0",
                        2, passes_the_message)
                   .violation);
}

TEST(SoftwareCoherence, OfTheGpuReachesItsHomesAlone) {
  const std::string program = "ld.weak x; ld.acquire y; ld.weak x @1.0 | st.weak x 1; st.release.sys y 1 @0.1";
  EXPECT_TRUE(shows(explored(module_policy("sw_hierarchical"), program, 2, anything, false), {0, 1, 0}));
}

TEST(IdealRemote, WhatCoherenceSaysIsFreeAndTravelsApartFromWhatIsNot) {
  const CoherencePolicy ideal = module_policy("ideal_remote"), hmg = module_policy("hmg");
  ASSERT_EQ(ideal.messages.size(), hmg.messages.size());
  for (std::size_t i = 0; i < ideal.messages.size(); ++i) {
    const bool of_accesses = i < static_cast<std::size_t>(M::FENCE);
    EXPECT_EQ(ideal.messages[i].ideal, !of_accesses) << ideal.messages[i].name;
    EXPECT_EQ(ideal.messages[i].network < 2, of_accesses) << ideal.messages[i].name;
  }
}

TEST(IdealRemote, NotesEachLineByItself) {
  CoherenceSpec spec;
  spec.policy = "ideal_remote";
  const auto directory = make_coherence_policy(spec, on_small_grid()).at(Role::home).directory;
  ASSERT_TRUE(directory);
  EXPECT_EQ(directory->lines, 1U);
  EXPECT_EQ(directory->sets, spec.nhcc.directory_sets * spec.nhcc.directory_lines);
}

TEST(NoRemoteCaching, KeepsNothingOfAnotherModule) {
  const CoherencePolicy policy = module_policy("no_remote_caching");
  EXPECT_EQ(policy.table(Role::gpm)->counts().states(), 1U);
  for (const Transition& t : policy.table(Role::gpm)->transitions()) EXPECT_EQ(t.needs & Needs::frame, 0);
}

TEST(ModulePlaces, AreReadAndPrinted) {
  const auto program = explore::parse_program("st x 1 @1.0 | ld x @0.1 | ld.weak x @1.0 | st.weak x 2 @1.0.1");
  EXPECT_EQ(explore::text_of(program), "st x 1 @1.0 | ld x @0.1 | ld.weak x @1.0 | st.weak x 2 @1.0.1");
  EXPECT_EQ(program.threads[2].l1, program.threads[0].l1);
  EXPECT_NE(program.threads[3].l1, program.threads[0].l1);
}

TEST(ModulePlaces, MistakesAreErrorsWithTheColumn) {
  const auto error = [](const char* text) { return test::error_of([&] { explore::parse_program(text); }); };
  EXPECT_THAT(error("ld x @2.0"), HasSubstr("column 7: expected a GPU before a module, as `1.0`, below 2"));
  EXPECT_THAT(error("ld x @1.2"), HasSubstr("column 7: expected a module of the GPU, as `1.0`, below 2"));
  EXPECT_THAT(error("ld x @1."), HasSubstr("expected a module of the GPU, as `1.0`,"));
  EXPECT_THAT(error("ld x @1.0.9"), HasSubstr("expected an L1 of the module, as `1.0.1`, below 4"));
  EXPECT_THAT(error("ld x @1.0.1.1"), HasSubstr("column 7: expected at most a GPU, a module and an L1, as `1.0.1`"));
  EXPECT_THAT(error("ld x @1.0 | ld x"), HasSubstr("expected a place as `@1.0` for each thread, or for none"));
  EXPECT_THAT(error("add.weak x 1"), HasSubstr("`.acq_rel`, `.cta`, `.gpu` or `.sys`"));
  EXPECT_THAT(error("ld.acquire.weak x"), HasSubstr("`.acquire`, `.cta`, `.gpu`, `.sys` or `.weak`"));
}

TEST(ModulePlaces, TheCheckerSaysHowManyModulesItHas) {
  CoherenceContext context = on_small_grid();
  context.grid = {1, 1};
  CoherenceSpec spec;
  spec.policy = "nhcc";
  const CoherencePolicy policy = make_coherence_policy(spec, context);
  EXPECT_EQ(
      test::error_of<base::ModelError>([&] { explore::explore(policy, explore::parse_program("ld x"), context, {}); }),
      "the checker has 2 to 4 modules, policy `nhcc` was made for 1");
}

}  // namespace
}  // namespace syncline::tests
