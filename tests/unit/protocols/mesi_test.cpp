// The tables of `mesi`: their sizes against the paper's, its cells, and the counting of acknowledgements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "protocols/coherence/ideal/ideal.h"
#include "protocols/coherence/ideal_free/ideal_free.h"

namespace syncline::tests {
namespace {

using namespace protocols;
using mesi::HomeState;
using mesi::L1Event;
using mesi::L1State;
using M = mesi::Message;

TEST(Mesi, HasThePapersStatesAndNetworks) {
  const CoherencePolicy policy = make_mesi({}, {});
  const TableCounts l1 = policy.table(Role::l1)->counts(), home = policy.table(Role::home)->counts();
  EXPECT_EQ(l1.stable_states, 5U);  // RCC T3.5: 16 (5 + 11) and 15 (4 + 11)
  EXPECT_EQ(l1.transient_states, 11U);
  EXPECT_EQ(home.stable_states, 4U);
  EXPECT_EQ(home.transient_states, 11U);
  EXPECT_EQ(policy.networks.size(), 5U);
  EXPECT_EQ(policy.consistency, Consistency::sc);
  // T3.5 has 81 transitions of the L1. Here are beside them: atomics apart from stores (NP, I, S, E, M), a flush of
  // every state but NP (15), two loads merged in IS, and three forwards that find IS_I after a flush.
  EXPECT_EQ(l1.transitions, 81U + 5U + 15U + 2U + 3U);
  // T3.5 has 50 of the home, its released write-through tables 41; pairs that a guard parts count once here.
  EXPECT_EQ(home.transitions, 37U);
  EXPECT_EQ(home.outcomes, 39U);
}

class MesiL1 : public testing::Test {
 protected:
  /// Presents `stimulus` and returns what the host is asked for.
  std::vector<Action> present(const Stimulus& stimulus) {
    ActionList actions;
    machine->perform(machine->decide(stimulus, line, node), stimulus, line, node, actions);
    return {actions.begin(), actions.end()};
  }
  std::vector<Action> message(M kind, int acks = 0, std::uint16_t requester = 0) {
    Stimulus stimulus;
    stimulus.source = Stimulus::Source::message;
    stimulus.message = static_cast<std::uint8_t>(kind);
    stimulus.acks = static_cast<std::int16_t>(acks);
    stimulus.requester = requester;
    return present(stimulus);
  }
  std::vector<Action> access(Operation operation) {
    Stimulus stimulus;
    stimulus.access.operation = operation;
    return present(stimulus);
  }
  void be(L1State state) { line.state = static_cast<Code>(state); }
  L1State state() const { return static_cast<L1State>(line.state); }
  static bool asks(const std::vector<Action>& actions, ActionKind kind) {
    for (const Action& action : actions) {
      if (action.kind == kind) return true;
    }
    return false;
  }
  CoherencePolicy policy = make_mesi({}, {});
  std::unique_ptr<Machine> machine = policy.make(Role::l1);
  LineMeta line;
  NodeMeta node;
};

TEST_F(MesiL1, AStoreIsCompleteAfterTheReplyAndAllAcknowledgementsInAnyOrder) {
  for (int early = 0; early <= 2; ++early) {  // acknowledgements before the reply
    line = {};
    be(L1State::S);
    access(Operation::store);
    EXPECT_EQ(state(), L1State::SM);
    for (int i = 0; i < early; ++i) EXPECT_FALSE(asks(message(M::ACK), ActionKind::deliver_parked));
    const auto reply = message(M::WB, 2);
    EXPECT_EQ(asks(reply, ActionKind::deliver), early == 2);
    for (int i = early; i < 2; ++i) EXPECT_EQ(asks(message(M::ACK), ActionKind::deliver_parked), i == 1);
    EXPECT_EQ(state(), L1State::M);
    EXPECT_EQ(line.acks, 0);
  }
}

TEST_F(MesiL1, AcknowledgesToTheL1ThatAskedOrToTheHome) {
  be(L1State::S);
  const auto to_peer = message(M::INV, 0, 3);
  ASSERT_EQ(to_peer.size(), 1U);
  EXPECT_TRUE(to_peer[0].nodes.contains(3));
  EXPECT_EQ(state(), L1State::I);
  be(L1State::E);
  const auto to_home = message(M::INV, 0, mesi::home_itself);
  ASSERT_EQ(to_home.size(), 1U);
  EXPECT_TRUE(to_home[0].nodes.empty());
}

TEST_F(MesiL1, AnInvalidatedMissAnswersItsLoadsAndIsNotKept) {
  access(Operation::load);
  EXPECT_EQ(state(), L1State::IS);
  message(M::INV, 0, 1);
  EXPECT_EQ(state(), L1State::IS_I);
  const auto done = message(M::DATA);
  EXPECT_TRUE(asks(done, ActionKind::answer_parked));
  EXPECT_FALSE(asks(done, ActionKind::fill));
  EXPECT_EQ(state(), L1State::I);
}

TEST_F(MesiL1, AForwardToASharerIsNoEventOfTheTable) {
  be(L1State::S);
  EXPECT_THROW(message(M::FWD_GETX), base::ModelError);
}

TEST_F(MesiL1, WithoutUnblocksAReaderMayOvertakeTheReplyOfTheStoreThatItSaw) {
  MesiSpec spec;
  spec.unblock_on_zero_ack = false;
  machine = make_mesi(spec, {}).make(Role::l1);
  be(L1State::E);
  access(Operation::store);
  message(M::FWD_GETS, 0, 2);
  EXPECT_EQ(state(), L1State::SINK);
  const auto done = message(M::WB, 0);
  EXPECT_TRUE(asks(done, ActionKind::deliver));
  EXPECT_FALSE(asks(done, ActionKind::send));
  EXPECT_EQ(state(), L1State::S) << "the reader has a copy too";
}

TEST(Ideal, HastensAcknowledgementsBetweenL1sAndUnblocksAndNothingElse) {
  const CoherencePolicy ideal = make_ideal({}, {}), plain = make_mesi({}, {});
  ASSERT_EQ(ideal.messages.size(), plain.messages.size());
  for (std::size_t i = 0; i < ideal.messages.size(); ++i) {
    const MessageKind& kind = ideal.messages[i];
    const bool unblocks = kind.traffic_class == TrafficClass::unblock;
    EXPECT_EQ(kind.haste, unblocks ? Haste::always : kind.name == "ACK" ? Haste::to_peers : Haste::none) << kind.name;
    EXPECT_EQ(plain.messages[i].haste, Haste::none) << kind.name;
    EXPECT_FALSE(kind.ideal) << kind.name;
    EXPECT_EQ(kind.network, plain.messages[i].network) << kind.name;
  }
  EXPECT_EQ(ideal.name, "ideal");
  EXPECT_EQ(ideal.table(Role::l1)->vocabulary().protocol, "ideal");
  EXPECT_EQ(ideal.table(Role::l1)->counts().outcomes, plain.table(Role::l1)->counts().outcomes);
  EXPECT_EQ(ideal.table(Role::home)->counts().outcomes, plain.table(Role::home)->counts().outcomes);
}

TEST(IdealFree, FreesWhatIsAboutPermissionsAndNothingElse) {
  const CoherencePolicy ideal = make_ideal_free({}, {}), plain = make_mesi({}, {});
  ASSERT_EQ(ideal.messages.size(), plain.messages.size());
  for (std::size_t i = 0; i < ideal.messages.size(); ++i) {
    const MessageKind& kind = ideal.messages[i];
    const bool carries = kind.traffic_class <= TrafficClass::atomic_reply;
    EXPECT_EQ(kind.ideal, !carries) << kind.name;
    EXPECT_FALSE(plain.messages[i].ideal) << kind.name;
    for (const MessageKind& other : ideal.messages) {
      if (other.network == kind.network) {
        EXPECT_EQ(other.ideal, kind.ideal) << kind.name << " and " << other.name;
      }
    }
  }
  EXPECT_EQ(ideal.table(Role::l1)->counts().outcomes, plain.table(Role::l1)->counts().outcomes);
  EXPECT_EQ(ideal.table(Role::home)->counts().outcomes, plain.table(Role::home)->counts().outcomes);
}

}  // namespace
}  // namespace syncline::tests
