// Temporal Coherence: the published tables and counts, leases, what a store and a fence wait for, and the predictor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "protocols/coherence/tc/lease_predictor.h"
#include "protocols/coherence/tc_strong/tc_strong.h"
#include "protocols/coherence/tc_weak/tc_weak.h"

namespace syncline::tests {
namespace {

using namespace protocols;
using tc::HomeState;
using tc::L1State;
using tc::Message;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::uint64_t tick = 714;

/// A machine with one line and one node, told one stimulus after the other.
class Side {
 public:
  explicit Side(std::unique_ptr<Machine> made) : machine(std::move(made)) {}

  /// Names of the actions that the row has and the state that it leads to: "park send_GETS count_read -> I_S".
  std::string tell(const Stimulus& stimulus) {
    const Transition& t = machine->decide(stimulus, line, node);
    const Vocabulary& words = machine->table().vocabulary();
    std::string text;
    for (const Code action : t.row.actions) text += std::string(words.actions[action].name) + " ";
    if ((t.needs & Needs::waits) != 0) return text + "until " + std::to_string(until(stimulus));
    actions.clear();
    machine->perform(t, stimulus, line, node, actions);
    return text + "-> " + std::string(words.states[line.state].name);
  }
  /// Tick at which a stimulus that waits is to be looked at again; 0 when only something else ends the wait.
  std::uint64_t until(const Stimulus& stimulus) const {
    const std::uint64_t ends = machine->wait_ends(stimulus, line, node);
    return ends == Machine::never ? 0 : ends / tick;
  }
  /// The action of this kind that the last stimulus asked for.
  Action asked(ActionKind kind) const {
    for (const Action& action : actions) {
      if (action.kind == kind) return action;
    }
    ADD_FAILURE() << "not asked for";
    return {};
  }

  std::unique_ptr<Machine> machine;
  LineMeta line;
  NodeMeta node;
  ActionList actions;
};

Stimulus at(std::uint64_t now) {
  Stimulus s;
  s.time = s.arrived = now * tick;
  return s;
}
Stimulus access(Operation operation, std::uint64_t now) {
  Stimulus s = at(now);
  s.access.operation = operation;
  return s;
}
Stimulus message(Message kind, std::uint64_t now, std::uint64_t lease = 0, std::uint64_t gwct = 0) {
  Stimulus s = at(now);
  s.source = Stimulus::Source::message;
  s.message = static_cast<std::uint8_t>(kind);
  s.stamps = {lease, gwct, 0, 0};
  return s;
}
Stimulus other(Stimulus::Source source, std::uint64_t now) {
  Stimulus s = at(now);
  s.source = source;
  return s;
}

TcSpec fixed_leases(std::uint32_t lease) {
  TcSpec spec;
  spec.lease = lease;
  spec.predictor = TcPredictor::fixed;
  return spec;
}
CoherenceContext context() {
  CoherenceContext context;
  context.tick_ps = tick;
  return context;
}
Side strong_l1() {
  return Side(make_tc_strong(fixed_leases(100), context()).make(Role::l1));
}
Side strong_home(const TcSpec& spec = fixed_leases(100)) {
  return Side(make_tc_strong(spec, context()).make(Role::home));
}
Side recycling_home() {
  TcSpec spec = fixed_leases(100);
  spec.recycle_cycles = 10;
  return strong_home(spec);
}
Side weak_l1(const TcSpec& spec = fixed_leases(100)) {
  return Side(make_tc_weak(spec, context()).make(Role::l1));
}
Side weak_home(const TcSpec& spec = fixed_leases(100)) {
  return Side(make_tc_weak(spec, context()).make(Role::home));
}
void in(Side& side, L1State state, std::uint64_t exp) {
  side.line.state = static_cast<Code>(state);
  side.line.exp = exp;
}
void in(Side& side, HomeState state, std::uint64_t exp) {
  side.line.state = static_cast<Code>(state);
  side.line.exp = exp;
}

/// Pairs that do more than wait, by the name of their event.
std::map<std::string, unsigned> pairs_by_event(const TransitionTable& table) {
  std::set<std::pair<Code, Code>> pairs;
  for (const Transition& t : table.transitions()) {
    if (!t.only_waits()) pairs.insert({t.row.state, t.row.event});
  }
  std::map<std::string, unsigned> count;
  for (const auto& pair : pairs) ++count[std::string(table.vocabulary().events[pair.second].name)];
  return count;
}

// Table 3.5 of the RCC thesis: TC-Strong 5 (2+3) states and 27 transitions at the L1, 8 and 23 at the L2; TC-Weak 5 and
// 42, 8 and 34 (the released tables have 41 and 34).

TEST(TcTables, TheL1OfTheStrongFormHasThePublishedSize) {
  const auto table = tc_strong::l1_table();
  EXPECT_EQ(table->counts().stable_states, 2U);
  EXPECT_EQ(table->counts().transient_states, 3U);
  // The released table has neither a flush, nor a replacement of I, whose copies it does not keep.
  EXPECT_EQ(pairs_by_event(*table)["Flush"], 5U);
  EXPECT_EQ(table->counts().transitions - 5 - 1, 27U);
}

TEST(TcTables, TheHomeOfTheStrongFormHasThePublishedSize) {
  const auto table = tc_strong::home_table();
  EXPECT_EQ(table->counts().states(), 8U);
  // The released table has two events of replacement, clean and dirty, here one with a guard, in E, S and SS; and two
  // of data for IS, with one reader and with more, here told apart by the readers as they are presented again.
  EXPECT_EQ(pairs_by_event(*table)["Replacement"], 3U);
  EXPECT_EQ(table->counts().transitions + 3 + 1, 23U);
}

TEST(TcTables, TheWeakFormHasTheStatesOfTheStrongOneAndMoreTransitions) {
  const auto l1 = tc_weak::l1_table({});
  const auto home = tc_weak::home_table();
  EXPECT_EQ(l1->counts().states(), 5U);
  EXPECT_EQ(home->counts().states(), 8U);
  auto events = pairs_by_event(*l1);
  EXPECT_EQ(events["Ack_Global"] + events["Ack_Global_Done"] + events["Data_Global"] + events["Data_Global_Done"], 8U);
  EXPECT_EQ(events["Data"], 1U) << "SM serves loads itself, so it never asks for data";
  EXPECT_EQ(events["Replacement"], 3U) << "I, S and now I_I";
  EXPECT_EQ(l1->counts().transitions, tc_strong::l1_table()->counts().transitions + 8 + 1 - 2);
  // Nothing but a miss waits: S and SS take Write, Upgrade_T, Upgrade_NT and Atomic (7 more), MI takes all requests
  // (4). Timers of evictions that were undone are no event of the released table, which can cancel them.
  EXPECT_EQ(pairs_by_event(*home)["Expire"], 8U);
  EXPECT_EQ(home->counts().transitions - 7 + 4, 19U + 7 + 4 + 4);
}

TEST(TcTables, OnlyMissesWaitAtTheWeakHome) {
  std::set<std::string> waiting;
  const auto table = tc_weak::home_table();
  for (const Transition& t : table->transitions()) {
    if ((t.needs & Needs::waits) != 0) waiting.insert(std::string(table->vocabulary().states[t.row.state].name));
  }
  EXPECT_THAT(waiting, UnorderedElementsAre("IS", "IM", "IMA"));
}

TEST(TcTables, AnOverlayCanLeavePairsUndefined) {
  EXPECT_FALSE(tc_strong::l1_table()->outcomes(Code(L1State::SM), Code(tc::L1Event::Data)).empty());
  EXPECT_TRUE(tc_weak::l1_table({})->outcomes(Code(L1State::SM), Code(tc::L1Event::Data)).empty());
}

TEST(TcWeakHome, AStoreOfTheOnlyHolderIsSeenByAllOnceLeasesOnOlderBytesAreOver) {
  for (const bool over : {false, true}) {
    Side home = weak_home();
    in(home, HomeState::S, 200);
    home.line.last_write = 150;
    const std::uint64_t now = over ? 151 : 150;
    EXPECT_EQ(home.tell(message(Message::UPGRADE, now, 200)),
              over ? "write send_ACK outdate_leases -> S" : "write send_ACK_GLOBAL outdate_leases -> S")
        << "a lease can be used in its last tick";
  }
}

TEST(TcL1, ACopyIsValidUpToAndWithTheEndOfItsLease) {
  Side l1 = strong_l1();
  in(l1, L1State::S, 100);
  EXPECT_EQ(l1.tell(access(Operation::load, 100)), "hit -> S");
  EXPECT_EQ(l1.tell(access(Operation::load, 101)), "allocate park send_GETS count_read -> I_S");
  EXPECT_EQ(l1.asked(ActionKind::send).stamps[tc::stamp::lease], 100U) << "the home learns that it was too short";
}

TEST(TcL1, AMissBringsLineAndLease) {
  Side l1 = strong_l1();
  l1.tell(access(Operation::load, 10));
  EXPECT_EQ(l1.asked(ActionKind::send).stamps[tc::stamp::lease], 0U) << "there was no copy";
  EXPECT_EQ(l1.tell(access(Operation::load, 20)), "park join_read -> I_S");
  EXPECT_EQ(l1.tell(message(Message::DATA, 70, 150)), "uncount_read fill take_lease answer_covered replay -> S");
  EXPECT_EQ(l1.line.exp, 150U);
  EXPECT_EQ(l1.tell(access(Operation::load, 150)), "hit -> S");
}

TEST(TcL1, DataAnswersOnlyLoadsThatCameBeforeTheEndOfItsLease) {
  Side l1 = strong_l1();
  l1.tell(access(Operation::load, 10));
  l1.tell(message(Message::DATA, 70, 30));
  EXPECT_EQ(l1.asked(ActionKind::answer_parked).time, 31 * tick - 1) << "up to the last picosecond of tick 30";
  EXPECT_EQ(l1.tell(access(Operation::load, 70)), "allocate park send_GETS count_read -> I_S");
}

TEST(TcL1, AStoreToACopySendsTheEndOfItsLeaseAndServesNoLoad) {
  Side l1 = strong_l1();
  in(l1, L1State::S, 100);
  EXPECT_EQ(l1.tell(access(Operation::store, 10)), "write count_write forward_UPGRADE -> SM");
  EXPECT_EQ(l1.asked(ActionKind::forward).stamps[tc::stamp::lease], 100U);
  EXPECT_EQ(l1.tell(access(Operation::load, 20)), "park send_GETS count_read -> SM");
  EXPECT_EQ(l1.tell(access(Operation::load, 21)), "park join_read -> SM");
  EXPECT_EQ(l1.tell(message(Message::ACK, 50, 101)), "uncount_write take_lease deliver -> SM");
  EXPECT_EQ(l1.tell(message(Message::DATA, 60, 160)), "uncount_read fill take_lease answer_covered replay -> S");
  EXPECT_EQ(l1.line.exp, 160U);
}

TEST(TcL1, ALoadDoesNotJoinAReadThatIsOlderThanAStore) {
  Side l1 = strong_l1();
  l1.tell(access(Operation::load, 10));
  EXPECT_EQ(l1.tell(access(Operation::store, 11)), "count_write outdate_read forward_WRITE -> I_I");
  EXPECT_EQ(l1.tell(access(Operation::load, 12)), "stall until 0");
  EXPECT_EQ(l1.tell(message(Message::DATA, 60, 110)), "uncount_read answer_covered replay -> I_I");
  EXPECT_EQ(l1.tell(access(Operation::load, 61)), "park send_GETS count_read -> I_I");
  EXPECT_EQ(l1.tell(access(Operation::load, 62)), "park join_read -> I_I");
  EXPECT_EQ(l1.tell(message(Message::ACK, 70)), "uncount_write deliver -> I_I");
  EXPECT_EQ(l1.tell(message(Message::DATA, 80, 180)), "uncount_read answer_covered replay drop -> I");
}

TEST(TcL1, AStoreDoesNotOvertakeALoadThatMayHaveToAskAgain) {
  Side l1 = strong_l1();  // leases of 100, so that the DATA of a GETS at 10 is good until 110 at least
  l1.tell(access(Operation::load, 10));
  l1.tell(access(Operation::load, 110));
  EXPECT_EQ(l1.tell(access(Operation::store, 112)).substr(0, 11), "count_write");
  Side late = strong_l1();
  late.tell(access(Operation::load, 10));
  late.tell(access(Operation::load, 111));
  EXPECT_EQ(late.tell(access(Operation::store, 112)), "stall until 0");
  EXPECT_EQ(late.tell(access(Operation::atomic, 112)), "stall until 0");
}

TEST(TcL1, AStoreWhoseLeaseEndsOnTheWayLeavesNoCopy) {
  Side l1 = strong_l1();
  in(l1, L1State::S, 100);
  l1.tell(access(Operation::store, 90));
  EXPECT_EQ(l1.tell(message(Message::ACK, 120, 110)), "uncount_write deliver drop -> I");
}

TEST(TcL1, AFenceOfTheStrongFormIsOverAtOnce) {
  Side l1 = strong_l1();
  EXPECT_EQ(l1.machine->fence(at(10), l1.node).ready_at, 0U);
}

TEST(TcHome, GrantsLeasesAndExtendsThem) {
  Side home = strong_home();
  in(home, HomeState::E, 0);
  EXPECT_EQ(home.tell(message(Message::GETS, 10)), "learn_load grant_lease send_DATA -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::lease], 110U);
  EXPECT_EQ(home.tell(message(Message::GETS, 50)), "learn_load grant_lease send_DATA -> SS");
  EXPECT_EQ(home.line.exp, 150U);
}

TEST(TcHome, AStoreWaitsUntilTheLeasesAreOver) {
  for (const HomeState state : {HomeState::S, HomeState::SS}) {
    Side home = strong_home();
    in(home, state, 100);
    EXPECT_EQ(home.tell(message(Message::WRITE, 20)), "stall until 101");
    EXPECT_EQ(home.tell(message(Message::ATOMIC, 100)), "stall until 101");
    EXPECT_EQ(home.tell(message(Message::UPGRADE, 20, 90)), "stall until 101") << "of a copy that is not current";
    EXPECT_EQ(home.tell(message(Message::WRITE, 101)), "learn_store write send_ACK outdate_leases -> S");
    EXPECT_GT(home.line.exp, 100U);
  }
}

TEST(TcHome, AStoreThatIsRecycledKeepsLeasesFromGrowing) {
  Side home = recycling_home();
  in(home, HomeState::S, 150);
  EXPECT_EQ(home.tell(message(Message::GETS, 60)), "learn_load grant_lease send_DATA -> SS");
  EXPECT_EQ(home.tell(message(Message::WRITE, 70)), "await_leases recycle -> SS");
  EXPECT_EQ(home.tell(message(Message::GETS, 80)), "learn_load send_DATA -> SS");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::lease], 160U) << "as the lease before";
  EXPECT_EQ(home.tell(message(Message::ATOMIC, 90)), "await_leases recycle -> SS");
  EXPECT_EQ(home.tell(message(Message::GETS, 161)), "recycle -> E") << "or the store would wait for one more lease";
  EXPECT_EQ(home.tell(message(Message::WRITE, 170)), "learn_store write send_ACK outdate_leases -> S");
  EXPECT_EQ(home.tell(message(Message::GETS, 171)), "learn_load grant_lease send_DATA -> S");
  EXPECT_EQ(home.line.exp, 271U);
}

TEST(TcHome, AnEvictedLineIsAwaitedNoLonger) {
  Side home = recycling_home();
  in(home, HomeState::S, 150);
  home.tell(message(Message::WRITE, 70));
  home.tell(other(Stimulus::Source::replacement, 80));
  EXPECT_FALSE(home.line.awaited) << "a load that has fetched it would be recycled, and keep the store from its turn";
}

TEST(TcHome, TheOnlyHolderOfALeaseWritesAtOnce) {
  Side home = strong_home();
  in(home, HomeState::S, 100);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 20, 100)), "write send_ACK outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::lease], 101U);
  EXPECT_EQ(home.line.exp, 101U);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 21, 100)), "stall until 102") << "sent before the first was answered";
  in(home, HomeState::SS, 100);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 20, 100)), "stall until 101") << "others have leases too";
}

TEST(TcHome, AnEvictedLineIsRememberedUntilItsLeasesAreOver) {
  Side home = strong_home();
  in(home, HomeState::SS, 100);
  Stimulus replacement = other(Stimulus::Source::replacement, 40);
  replacement.dirty = true;
  EXPECT_EQ(home.tell(replacement), "learn_eviction write_back drop wake_when_over -> MI");
  EXPECT_EQ(home.asked(ActionKind::wake_at).time, 101 * tick);
  for (const Message kind : {Message::GETS, Message::WRITE, Message::UPGRADE, Message::ATOMIC})
    EXPECT_EQ(home.tell(message(kind, 50, 100)), "stall until 101");
  EXPECT_EQ(home.tell(other(Stimulus::Source::timer, 101)), "-> NP");
  in(home, HomeState::SS, 100);
  replacement.time = 101 * tick;
  EXPECT_EQ(home.tell(replacement), "write_back drop -> NP") << "nothing has to be remembered";
}

TEST(TcHome, EveryWriteChangesTheEndOfTheLeases) {
  Side home = strong_home();
  in(home, HomeState::E, 10);
  for (const Message kind : {Message::WRITE, Message::UPGRADE, Message::ATOMIC}) {
    const std::uint64_t before = home.line.exp;
    home.tell(message(kind, 20 + before));
    EXPECT_GT(home.line.exp, before);
  }
}

TEST(TcWeak, LoadsHitTheOwnStoresOnTheirWay) {
  Side l1 = weak_l1();
  in(l1, L1State::S, 100);
  EXPECT_EQ(l1.tell(access(Operation::store, 10)), "write count_write forward_UPGRADE -> SM");
  EXPECT_EQ(l1.tell(access(Operation::load, 20)), "hit -> SM");
  EXPECT_EQ(l1.tell(access(Operation::store, 21)), "write count_write outdate_read forward_UPGRADE -> SM");
  EXPECT_EQ(l1.tell(message(Message::DATA_GLOBAL, 60, 140, 100)), "uncount_write note_gwct deliver -> SM")
      << "the line that came lacks the second store";
  EXPECT_EQ(l1.tell(message(Message::DATA_GLOBAL, 61, 141, 100)),
            "uncount_write note_gwct fill take_lease deliver -> S");
  EXPECT_EQ(l1.line.exp, 141U);
}

TEST(TcWeak, AStoreIsPerformedAtOnceAndSaysWhenAllSeeIt) {
  Side home = weak_home();
  in(home, HomeState::SS, 100);
  EXPECT_EQ(home.tell(message(Message::WRITE, 20)),
            "learn_store cover_leases write send_ACK_GLOBAL outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::gwct], 100U);
  EXPECT_EQ(home.line.exp, 101U);
  in(home, HomeState::S, 100);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 20, 60)),
            "learn_store cover_leases write send_DATA_GLOBAL outdate_leases -> S");
  in(home, HomeState::SS, 100);
  EXPECT_EQ(home.tell(message(Message::ATOMIC, 20)),
            "learn_store cover_leases write send_DATA_ATOMIC outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::gwct], 100U);
}

TEST(TcWeak, ACurrentWriterLearnsOfLeasesFromBeforeItsFirstStore) {
  Side home = weak_home();
  in(home, HomeState::SS, 100);
  home.tell(message(Message::UPGRADE, 20, 100));  // another L1 holds a lease until 100
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 30, 101)), "write send_ACK_GLOBAL outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::gwct], 100U);
  EXPECT_EQ(home.tell(message(Message::UPGRADE, 101, 102)), "write send_ACK outdate_leases -> S")
      << "the older lease is over";
}

TEST(TcWeak, AFenceOfAWarpEndsWhenTheLastLeaseOnOlderBytesIsOver) {
  TcSpec spec = fixed_leases(100);
  spec.fence = TcFence::warp;
  Side l1 = weak_l1(spec);
  l1.line.pending_writes = 1;
  in(l1, L1State::I_I, 0);
  Stimulus reply = message(Message::ACK_GLOBAL, 50, 0, 120);
  reply.warp = 5;
  EXPECT_EQ(l1.tell(reply), "uncount_write note_gwct deliver drop -> I");
  Stimulus fence = at(60);
  fence.warp = 5;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 121 * tick) << "a copy can still be read in tick 120";
  EXPECT_FALSE(l1.machine->fence(fence, l1.node).flush);
  fence.warp = 6;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 0U) << "another warp";
  fence.warp = 5;
  fence.access.scope = Scope::cta;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 0U) << "all warps of a CTA share the L1";
}

TEST(TcWeak, AFenceOfAWarpWaitsForTheLongestOfItsStoresWhicheverIsAnsweredLast) {
  TcSpec spec = fixed_leases(100);
  spec.fence = TcFence::warp;
  Side l1 = weak_l1(spec);
  for (const std::uint64_t gwct : {120U, 90U}) {  // of stores to two homes
    l1.line.pending_writes = 1;
    in(l1, L1State::I_I, 0);
    Stimulus reply = message(Message::ACK_GLOBAL, 50, 0, gwct);
    reply.warp = 5;
    l1.tell(reply);
  }
  Stimulus fence = at(60);
  fence.warp = 5;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 121 * tick);
}

TEST(TcWeak, ACumulativeFenceCoversWhatTheSmHasRead) {
  Side home = weak_home(fixed_leases(100)), l1 = weak_l1(fixed_leases(100));
  in(home, HomeState::SS, 100);
  home.tell(message(Message::WRITE, 20));
  home.tell(message(Message::GETS, 30));
  const auto stamps = home.asked(ActionKind::answer).stamps;
  EXPECT_EQ(stamps[tc::stamp::gwct], 100U);
  l1.tell(access(Operation::load, 25));
  EXPECT_EQ(l1.tell(message(Message::DATA, 40, stamps[tc::stamp::lease], stamps[tc::stamp::gwct])),
            "uncount_read note_gwct fill take_lease answer_covered replay -> S");
  Stimulus fence = at(60);
  fence.warp = 9;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 101 * tick);
}

TEST(TcWeak, ACumulativeFenceCoversWhatItsSmHasWritten) {
  Side l1 = weak_l1();
  l1.line.pending_writes = 1;
  in(l1, L1State::I_I, 0);
  Stimulus reply = message(Message::ACK_GLOBAL, 50, 0, 120);
  reply.warp = 5;
  l1.tell(reply);
  Stimulus fence = at(60);
  fence.warp = 6;
  EXPECT_EQ(l1.machine->fence(fence, l1.node).ready_at, 121 * tick);
}

TEST(TcPolicy, KeepsLessWhereAFenceIsForItsWarp) {
  EXPECT_TRUE(make_tc_weak({}, {}).cumulative_fences);
  EXPECT_TRUE(make_tc_weak({}, {}).shows_stores_early);
  TcSpec spec;
  spec.fence = TcFence::warp;
  EXPECT_FALSE(make_tc_weak(spec, {}).cumulative_fences);
  EXPECT_FALSE(make_tc_weak(spec, {}).shows_stores_early) << "a fence waits for its own warp's stores and no more";
}

TEST(TcWeak, AnEvictedLineComesBackWithTheEndOfItsLeases) {
  Side home = weak_home();
  in(home, HomeState::SS, 100);
  EXPECT_EQ(home.tell(other(Stimulus::Source::replacement, 40)), "learn_eviction drop wake_when_over -> MI");
  EXPECT_EQ(home.tell(message(Message::WRITE, 50)), "allocate park fetch -> IM");
  EXPECT_EQ(home.tell(other(Stimulus::Source::memory_data, 60)), "fill replay -> SS");
  EXPECT_EQ(home.tell(message(Message::WRITE, 60)),
            "learn_store cover_leases write send_ACK_GLOBAL outdate_leases -> S");
  EXPECT_EQ(home.asked(ActionKind::answer).stamps[tc::stamp::gwct], 100U);
  EXPECT_EQ(home.tell(other(Stimulus::Source::replacement, 70)), "learn_eviction drop wake_when_over -> MI");
  EXPECT_EQ(home.tell(other(Stimulus::Source::timer, 101)), "-> MI") << "of the first eviction";
  EXPECT_EQ(home.tell(other(Stimulus::Source::timer, 102)), "-> NP");
  EXPECT_EQ(home.tell(other(Stimulus::Source::timer, 103)), "-> NP");
}

TEST(TcPolicy, SaysWhatItKeeps) {
  EXPECT_EQ(make_tc_strong({}, {}).consistency, Consistency::sc);
  EXPECT_EQ(make_tc_weak({}, {}).consistency, Consistency::wo);
  EXPECT_TRUE(make_tc_strong({}, {}).physical_leases);
  EXPECT_EQ(make_tc_strong({}, {}).messages.size(), 7U);
  EXPECT_EQ(make_tc_weak({}, {}).messages.size(), 9U);
}

TEST(LeasePredictor, LearnsFromItsThreeEvents) {
  TcSpec spec;
  const tc::LeasePredictor predictor(spec);
  NodeMeta node;
  EXPECT_EQ(predictor.lease(node, 0), 800U);
  for (int i = 0; i < 100; ++i) predictor.load_found_expired(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 900U);
  predictor.store_met_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 836U);
  predictor.store_met_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 800U) << "stores shorten no further than the first length";
  predictor.evicted_with_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 784U);
  predictor.store_met_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 784U);
}

TEST(LeasePredictor, KeepsBetweenFloorAndCeiling) {
  TcSpec spec;
  spec.lease = 20;
  spec.lease_floor = 10;
  spec.lease_ceiling = 22;
  const tc::LeasePredictor predictor(spec);
  NodeMeta node;
  for (int i = 0; i < 9; ++i) predictor.evicted_with_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 10U);
  for (int i = 0; i < 99; ++i) predictor.load_found_expired(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 22U);
}

TEST(LeasePredictor, AFixedLeaseLearnsNothing) {
  const tc::LeasePredictor predictor(fixed_leases(50));
  NodeMeta node;
  predictor.load_found_expired(node, 0);
  predictor.evicted_with_lease(node, 0);
  EXPECT_EQ(predictor.lease(node, 0), 50U);
  EXPECT_EQ(node, NodeMeta{});
}

TEST(LeasePredictor, MayLearnByInstruction) {
  TcSpec spec;
  spec.predictor = TcPredictor::pc_adaptive;
  Side home = strong_home(spec);
  Stimulus early = message(Message::GETS, 10, 5), late = message(Message::GETS, 5000);
  early.pc = 3;
  late.pc = 4;
  in(home, HomeState::E, 0);
  home.tell(early);
  EXPECT_EQ(home.line.exp, 10 + 801U) << "this instruction found an ended lease";
  home.tell(late);
  EXPECT_EQ(home.line.exp, 5000 + 800U);
  home.tell(other(Stimulus::Source::replacement, 5001));
  EXPECT_EQ(home.node.leases[4], -16) << "the one that was granted the last lease";
  EXPECT_EQ(home.node.leases[3], 1);
}

TEST(LeasePredictor, ByBankAllInstructionsLearnTogether) {
  TcSpec spec;
  spec.predictor = TcPredictor::per_bank;
  Side home = strong_home(spec);
  Stimulus load = message(Message::GETS, 10, 5);
  load.pc = 3;
  in(home, HomeState::E, 0);
  home.tell(load);
  EXPECT_EQ(home.node.leases[0], 1);
}

TEST(LeasePredictor, AStoreThatHadToWaitMetALease) {
  TcSpec spec;
  spec.expired_reward = 100;
  spec.predictor = TcPredictor::per_bank;
  Side home = strong_home(spec);
  in(home, HomeState::E, 0);
  home.tell(message(Message::GETS, 10, 5));  // a lease of 900
  Stimulus store = message(Message::WRITE, 911);
  store.arrived = 500 * tick;
  home.tell(store);
  EXPECT_EQ(home.node.leases[0], 100 - 64);
  store = message(Message::WRITE, 2000);
  home.tell(store);
  EXPECT_EQ(home.node.leases[0], 100 - 64) << "this one came late enough";
}

TEST(LeasePredictor, IsFixedUnderTheStrongFormAndPerBankUnderTheWeakOneUnlessNamed) {
  for (const auto& [predictor, strong, weak] :
       {std::tuple{TcPredictor::policy, 0, 1}, std::tuple{TcPredictor::fixed, 0, 0},
        std::tuple{TcPredictor::per_bank, 1, 1}}) {
    TcSpec spec;
    spec.predictor = predictor;
    for (const bool is_weak : {false, true}) {
      Side home = is_weak ? weak_home(spec) : strong_home(spec);
      in(home, HomeState::E, 0);
      home.tell(message(Message::GETS, 10, 5));
      EXPECT_EQ(home.node.leases[0], is_weak ? weak : strong);
    }
  }
}

}  // namespace
}  // namespace syncline::tests
