// The coherence policy of docs/how-to-protocol.md, and what it must do: its blocks stand in the page word for word.
#include <gmock/gmock.h>

#include <exception>

#include "protocols/coherence/engine/describe.h"
#include "tests/unit/caches/hierarchy_fixture.h"
#include "tests/unit/caches/random_tester.h"

namespace syncline::protocols {
namespace {

/// `once` is `none` in which a copy in the L1 answers one load and is gone.
constexpr none::L1State V = none::L1State::V, I = none::L1State::I;

// Actions by their places in the vocabulary of `none`.
struct ActionsOfNone {
  Code hit, drop;
  explicit ActionsOfNone(const Vocabulary& words) : hit(find(words, "hit")), drop(find(words, "drop")) {}
  static Code find(const Vocabulary& words, std::string_view name) {
    for (std::size_t code = 0; code < words.actions.size(); ++code) {
      if (words.actions[code].name == name) return static_cast<Code>(code);
    }
    throw base::ModelError("the policy `none` has no action `" + std::string(name) + "`");
  }
};

std::shared_ptr<const TransitionTable> once_l1_table() {
  const auto base = none::l1_table({});
  Vocabulary words = base->vocabulary();
  words.protocol = "once";
  const ActionsOfNone A(words);
  const Row served{V, none::L1Event::Load, {A.hit, A.drop}, I, "the copy has served"};
  return std::make_shared<const TransitionTable>(base->overlaid(words, {served}));
}

CoherencePolicy make_once() {
  CoherencePolicy policy = make_none({});
  policy.name = "once";
  policy.description = "As `none`, but a copy in the L1 answers one load.";
  policy.seams = {{"L1 machine", "once L1"}, {"home machine", "none home"}};
  policy.at(Role::l1).table = once_l1_table();
  return policy;
}

}  // namespace
}  // namespace syncline::protocols

namespace syncline::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(OnceTables, DifferFromNoneInOneRow) {
  const protocols::CoherencePolicy once = protocols::make_once();
  const auto none = protocols::none::l1_table({});
  const auto& mine = once.table(protocols::Role::l1)->transitions();
  ASSERT_EQ(mine.size(), none->transitions().size());
  unsigned different = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) different += mine[i].row.why != none->transitions()[i].row.why ? 1 : 0;
  EXPECT_EQ(different, 1U);
  EXPECT_TRUE(once.table(protocols::Role::l1)->unreached_states().empty());
  const std::string text = protocols::describe_markdown(once);
  EXPECT_THAT(text, HasSubstr("# once\n"));
  EXPECT_THAT(text, HasSubstr("- V, Load: hit, drop → I: the copy has served\n"));
  EXPECT_THAT(text, Not(HasSubstr("no check of staleness")));
}

TEST(OnceMachine, AHitAnswersAndFreesTheFrame) {
  const auto machine = protocols::make_once().make(protocols::Role::l1);
  protocols::LineMeta line;
  protocols::NodeMeta node;
  protocols::ActionList actions;
  line.state = static_cast<protocols::Code>(protocols::none::L1State::V);
  const protocols::Stimulus load;
  machine->perform(machine->decide(load, line, node), load, line, node, actions);
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(actions.begin()[0].kind, protocols::ActionKind::answer);
  EXPECT_EQ(actions.begin()[1].kind, protocols::ActionKind::invalidate);
  EXPECT_EQ(line.state, static_cast<protocols::Code>(protocols::none::L1State::I));
}

class OnceInCaches : public HierarchyFixture {};

TEST_F(OnceInCaches, EverySecondLoadMisses) {
  spec.own_policy = protocols::make_once();
  build();
  system->debug_word(0x1000, 7);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(load(0, 0x1000), 7U);
  EXPECT_EQ(stat("l1_0.load_hits"), 3);
  expect_clean();
}

class OnceUnderRandomPrograms : public PlatformFixture {};

TEST_F(OnceUnderRandomPrograms, ShowsOnlyProgramOrder) {
  MemorySystemSpec spec = MemorySystemSpec::tiny();
  spec.own_policy = protocols::make_once();
  MemorySystem system(context, spec);
  RandomTester tester("tester", context, system, {}, spec.seed);
  const bool finished = tester.run();
  if (scheduler.failure()) std::rethrow_exception(scheduler.failure());
  ASSERT_TRUE(finished) << "no progress";
  EXPECT_GT(tester.loads, 100U);
  expect_clean();
}

}  // namespace
}  // namespace syncline::tests
