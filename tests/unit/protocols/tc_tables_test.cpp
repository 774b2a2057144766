// Temporal Coherence: the published tables and counts, and what its policies keep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tests/unit/protocols/tc_side.h"

namespace syncline::tests {
namespace {

using namespace tc_side;
using testing::UnorderedElementsAre;

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

TEST(TcPolicy, KeepsLessWhereAFenceIsForItsWarp) {
  EXPECT_TRUE(make_tc_weak({}, {}).cumulative_fences);
  EXPECT_TRUE(make_tc_weak({}, {}).shows_stores_early);
  TcSpec spec;
  spec.fence = TcFence::warp;
  EXPECT_FALSE(make_tc_weak(spec, {}).cumulative_fences);
  EXPECT_FALSE(make_tc_weak(spec, {}).shows_stores_early) << "a fence waits for its own warp's stores and no more";
}

TEST(TcPolicy, SaysWhatItKeeps) {
  EXPECT_EQ(make_tc_strong({}, {}).consistency, Consistency::sc);
  EXPECT_EQ(make_tc_weak({}, {}).consistency, Consistency::wo);
  EXPECT_TRUE(make_tc_strong({}, {}).physical_leases);
  EXPECT_EQ(make_tc_strong({}, {}).messages.size(), 7U);
  EXPECT_EQ(make_tc_weak({}, {}).messages.size(), 9U);
}

}  // namespace
}  // namespace syncline::tests
