// The engine of coherence tables: lookup, checks, overlays, coverage and counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "protocols/coherence/engine/words.h"
#include "tests/unit/protocols/toy_machine.h"

namespace syncline::tests {
namespace {

using protocols::ActionKind;
using protocols::ActionList;
using protocols::LineMeta;
using protocols::NodeMeta;
using protocols::Operation;
using protocols::Row;
using protocols::Stimulus;
using protocols::TransitionTable;
using testing::HasSubstr;
using toy::A;
using toy::E;
using toy::G;
using toy::S;

template <class Body>
std::string model_error(Body&& body) {
  try {
    body();
  } catch (const base::ModelError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ModelError";
  return {};
}

Stimulus access(Operation operation) {
  Stimulus s;
  s.access.operation = operation;
  return s;
}

Stimulus data(std::uint64_t lease_end) {
  Stimulus s;
  s.source = Stimulus::Source::message;
  s.message = protocols::Code(toy::M::DATA);
  s.stamps[0] = lease_end;
  return s;
}

TEST(Table, FindsTheOutcomesOfAPairInTheOrderOfWriting) {
  const TransitionTable table(toy::vocabulary(), toy::rows());
  const auto store = table.outcomes(protocols::Code(S::V), protocols::Code(E::Store));
  ASSERT_EQ(store.end() - store.begin(), 2);
  EXPECT_EQ(store.begin()->row.guard, protocols::Code(G::shared));
  EXPECT_EQ((store.begin() + 1)->row.guard, Row::no_guard);
  EXPECT_TRUE(table.outcomes(protocols::Code(S::I), protocols::Code(E::Data)).empty());
}

enum class Three : std::uint8_t { one, two, three };
constexpr protocols::GuardName in_order[] = {{"one", ""}, {"two", ""}, {"three", ""}};
constexpr protocols::GuardName swapped[] = {{"two", ""}, {"one", ""}, {"three", ""}};
constexpr protocols::GuardName misspelled[] = {{"one", ""}, {"tow", ""}, {"three", ""}};
constexpr protocols::GuardName first_two[] = {{"one", ""}, {"two", ""}};
constexpr protocols::GuardName last[] = {{"three", ""}};
constexpr protocols::GuardName four[] = {{"one", ""}, {"two", ""}, {"three", ""}, {"four", ""}};

TEST(Words, AreThoseOfTheEnumerationEachInItsPlace) {
  static_assert(protocols::enumerator<Three::two>() == "two");
  static_assert(protocols::enumerator<static_cast<Three>(3)>().empty());
  static_assert(protocols::names_all<Three>(in_order) && protocols::names_all<Three>(first_two, last));
  static_assert(protocols::names_from<Three, 2>(last));
  static_assert(!protocols::names_all<Three>(swapped) && !protocols::names_all<Three>(misspelled));
  static_assert(!protocols::names_all<Three>(first_two), "one is left out");
  static_assert(!protocols::names_all<Three>(four), "one too many");
  static_assert(!protocols::names_all<Three>(last, first_two) && !protocols::names_from<Three, 1>(last));
  EXPECT_EQ(protocols::enumerator<A::keep_lease>(), "keep_lease");
}

/// Knows nothing of what its table asks it to do.
class Ignorant : public protocols::Machine {
 public:
  using Machine::Machine;
};

TEST(Machine, AnActionThatItDoesNotKnowIsAModelError) {
  Ignorant machine(std::make_shared<TransitionTable>(toy::vocabulary(), toy::rows()));
  LineMeta line;
  NodeMeta node;
  line.state = protocols::Code(S::T);
  ActionList actions;
  const std::string error =
      model_error([&] { machine.perform(machine.decide(data(5), line, node), data(5), line, node, actions); });
  EXPECT_THAT(error, HasSubstr("the machine does not know how to perform `keep_lease`"));
  EXPECT_THAT(error, HasSubstr("protocol `toy`"));
}

TEST(Table, WorksOutWhatTheHostNeeds) {
  const TransitionTable table(toy::vocabulary(), toy::rows());
  const auto miss = table.outcomes(protocols::Code(S::I), protocols::Code(E::Load));
  EXPECT_EQ(miss.begin()->needs, protocols::Needs::sending);
  EXPECT_FALSE(miss.begin()->next_is_stable);
  EXPECT_EQ(table.outcomes(protocols::Code(S::T), protocols::Code(E::Load)).begin()->needs, protocols::Needs::waits);
}

TEST(Table, AnUndefinedPairNamesProtocolMachineStateEventLineAndTime) {
  toy::Machine machine;
  LineMeta line;
  NodeMeta node;
  Stimulus s = data(0);
  s.line = 0x1080;
  s.time = 4711;
  const std::string what = model_error([&] { machine.decide(s, line, node); });
  EXPECT_EQ(what, "protocol `toy`, L1 machine: event Data is undefined in state I (line 0x1080, 4711 ps)");
}

TEST(Table, ARowBehindOneWithoutAGuardIsRefused) {
  auto rows = toy::rows();
  rows.insert(rows.begin(), {S::V, E::Store, {}, S::I, "always"});
  EXPECT_THAT(model_error([&] { TransitionTable(toy::vocabulary(), rows); }),
              HasSubstr("a row for (V, Store) stands behind one without a guard"));
}

TEST(Table, APairWhoseRowsAllHaveGuardsIsRefused) {
  auto rows = toy::rows();
  rows.pop_back();
  EXPECT_THAT(model_error([&] { TransitionTable(toy::vocabulary(), rows); }),
              HasSubstr("the last row for (V, Store) has a guard"));
}

TEST(Table, ACodeWithoutANameIsRefused) {
  const auto with = [](const Row& row) {
    auto rows = toy::rows();
    rows.push_back(row);
    return model_error([&] { TransitionTable(toy::vocabulary(), rows); });
  };
  EXPECT_THAT(with({S{9}, E::Load, {}, S::I, ""}), HasSubstr("toy L1: a row names state 9, which has no name"));
  EXPECT_THAT(with({S::I, E::Data, {}, S{8}, ""}), HasSubstr("state 8"));
  EXPECT_THAT(with({S::I, 7, {}, S::I, ""}), HasSubstr("event 7"));
  EXPECT_THAT(with({S::I, E::Data, std::uint8_t{6}, {}, S::I, ""}), HasSubstr("guard 6"));
  EXPECT_THAT(with({S::I, E::Data, {7}, S::I, ""}), HasSubstr("action 7"));
}

TEST(Table, AnActionThatSendsAMessageWithoutANameIsRefused) {
  protocols::Vocabulary words = toy::vocabulary();
  words.messages.resize(1);
  EXPECT_THAT(model_error([&] { TransitionTable(words, toy::rows()); }), HasSubstr("toy L1: a row names message 1"));
}

TEST(Table, NamesTheEventOfAStimulusByItsTrigger) {
  const TransitionTable table(toy::vocabulary(), toy::rows());
  EXPECT_EQ(table.event_of(access(Operation::store)), protocols::Code(E::Store));
  EXPECT_EQ(table.event_of(data(0)), protocols::Code(E::Data));
  EXPECT_EQ(table.event_of(access(Operation::atomic)), TransitionTable::no_event);
}

TEST(Table, AStimulusThatTwoEventsClaimIsRefused) {
  protocols::Vocabulary words = toy::vocabulary();
  words.events[2].trigger = protocols::on::load | words.events[2].trigger;
  EXPECT_THAT(model_error([&] { TransitionTable(words, toy::rows()); }),
              HasSubstr("events Load and Data have a stimulus in common"));
}

TEST(Table, AStimulusThatNoEventNamesIsAnErrorThatSaysWhich) {
  toy::Machine machine;
  Stimulus s = data(0);
  s.line = 0x80;
  s.time = 5;
  s.message = protocols::Code(toy::M::TELL);
  EXPECT_EQ(model_error([&] { machine.decide(s, {}, {}); }),
            "protocol `toy`, L1 machine: a message TELL is no event of its table (line 0x80, 5 ps)");
  s.message = 77;
  EXPECT_THAT(model_error([&] { machine.decide(s, {}, {}); }), HasSubstr("a message 77 is no event"));
  EXPECT_THAT(model_error([&] { machine.decide(access(Operation::atomic), {}, {}); }),
              HasSubstr("an access is no event"));
}

TEST(Table, KnowsTheVirtualNetworksThatARowSendsOn) {
  const TransitionTable table(toy::vocabulary(), toy::rows());
  EXPECT_EQ(table.outcomes(protocols::Code(S::I), protocols::Code(E::Load)).begin()->networks, 1U);
  EXPECT_EQ(table.outcomes(protocols::Code(S::V), protocols::Code(E::Store)).begin()->networks, 2U);
}

TEST(Table, AnOverlayReplacesAllRowsOfItsPairsAndAddsNewOnes) {
  const TransitionTable base(toy::vocabulary(), toy::rows());
  const TransitionTable variant = base.overlaid(
      toy::vocabulary("variant"), {{S::V, E::Store, {A::hit}, S::I, "evict"}, {S::I, E::Store, {}, S::I, "around"}});
  const auto store = variant.outcomes(protocols::Code(S::V), protocols::Code(E::Store));
  ASSERT_EQ(store.end() - store.begin(), 1);
  EXPECT_EQ(store.begin()->row.why, "evict");
  EXPECT_FALSE(variant.outcomes(protocols::Code(S::I), protocols::Code(E::Store)).empty());
  EXPECT_EQ(variant.outcomes(protocols::Code(S::I), protocols::Code(E::Load)).begin()->row.why, "miss");
  EXPECT_EQ(variant.vocabulary().protocol, "variant");
  EXPECT_TRUE(base.outcomes(protocols::Code(S::I), protocols::Code(E::Store)).empty());
}

TEST(Table, CountsPairsThatDoMoreThanWait) {
  const protocols::TableCounts counts = TransitionTable(toy::vocabulary(), toy::rows()).counts();
  EXPECT_EQ(counts.stable_states, 2U);
  EXPECT_EQ(counts.transient_states, 1U);
  EXPECT_EQ(counts.states(), 3U);
  EXPECT_EQ(counts.transitions, 4U);    // (I,Load) (T,Data) (V,Load) (V,Store)
  EXPECT_EQ(counts.outcomes, 5U);       // (V,Store) twice
  EXPECT_EQ(counts.waiting_pairs, 2U);  // (T,Load) (T,Store)
}

TEST(Table, NamesStatesThatNoRowLeadsTo) {
  EXPECT_TRUE(TransitionTable(toy::vocabulary(), toy::rows()).unreached_states().empty());
  const TransitionTable lonely(toy::vocabulary(), {{S::T, E::Data, {}, S::T, "to itself only"}});
  EXPECT_THAT(lonely.unreached_states(), testing::ElementsAre(protocols::Code(S::V), protocols::Code(S::T)));
}

TEST(Machine, PerformsWhatItDecided) {
  toy::Machine machine;
  LineMeta line;
  NodeMeta node;
  ActionList actions;
  machine.perform(machine.decide(access(Operation::load), line, node), access(Operation::load), line, node, actions);
  EXPECT_EQ(line.state, protocols::Code(S::T));
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(actions.begin()->kind, ActionKind::send);
  actions.clear();
  machine.perform(machine.decide(data(50), line, node), data(50), line, node, actions);
  EXPECT_EQ(line.state, protocols::Code(S::V));
  EXPECT_EQ(line.exp, 50U);
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(actions.begin()->kind, ActionKind::wake_at);
  EXPECT_EQ(actions.begin()->time, 50U);
}

TEST(Machine, AStateMayReadAsAnotherOne) {
  toy::Machine machine;
  LineMeta line;
  line.state = protocols::Code(S::V);
  line.exp = 10;
  NodeMeta node;
  node.now = 10;
  EXPECT_EQ(machine.decide(access(Operation::load), line, node).row.why, "hit");
  node.now = 11;
  EXPECT_EQ(machine.decide(access(Operation::load), line, node).row.why, "miss");
}

TEST(Machine, AGuardChoosesTheOutcome) {
  toy::Machine machine;
  LineMeta line;
  line.state = protocols::Code(S::V);
  NodeMeta node;
  EXPECT_EQ(machine.decide(access(Operation::store), line, node).row.why, "alone");
  line.sharers.insert(3);
  line.sharers.insert(100);
  const protocols::Transition& t = machine.decide(access(Operation::store), line, node);
  ActionList actions;
  machine.perform(t, access(Operation::store), line, node, actions);
  EXPECT_EQ(actions.begin()->nodes, line.sharers);
  EXPECT_EQ(line.acks, 2);
}

TEST(Machine, CountsEachRowThatIsPerformed) {
  toy::Machine machine;
  LineMeta line;
  line.state = protocols::Code(S::V);
  NodeMeta node;
  ActionList actions;
  for (int i = 0; i < 3; ++i) {
    const protocols::Transition& t = machine.decide(access(Operation::load), line, node);
    actions.clear();
    machine.perform(t, access(Operation::load), line, node, actions);
    EXPECT_EQ(machine.taken()[t.index], static_cast<std::uint64_t>(i + 1));
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t taken : machine.taken()) sum += taken;
  EXPECT_EQ(sum, 3U);
}

TEST(ActionList, RefusesMoreThanItHolds) {
  ActionList actions;
  for (unsigned i = 0; i < ActionList::capacity; ++i) actions.add(ActionKind::answer);
  EXPECT_THAT(model_error([&] { actions.add(ActionKind::answer); }), HasSubstr("more than eight actions"));
}

}  // namespace
}  // namespace syncline::tests
