// The model checker: its programs, its states, and that it finds what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "protocols/coherence/explore/encode.h"
#include "protocols/coherence/explore/explorer.h"
#include "protocols/coherence/explore/mutation.h"
#include "protocols/coherence/explore/suite.h"
#include "protocols/coherence/registry.h"

namespace syncline::tests {
namespace {

using namespace protocols::explore;
using protocols::CoherenceContext;
using protocols::CoherencePolicy;
using testing::HasSubstr;

std::string user_error(const std::string& text) {
  try {
    parse_program(text);
  } catch (const base::UserError& error) {
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

TEST(ExploreProgram, ReadsWhatItWrites) {
  for (const char* text :
       {"st x 1; st y 1 | ld y; ld x", "add x1 3; fence; ld y1", "ld x @0 | st x 1; ld x @0 | st x 2 @1"})
    EXPECT_EQ(text_of(parse_program(text_of(parse_program(text)))), text_of(parse_program(text))) << text;
  const Program program = parse_program("ld x @0 | st y1 7 @0");
  EXPECT_EQ(program.l1s(), 1U);
  EXPECT_EQ(program.lines(), 2U);
  EXPECT_EQ(program.words(), 2U);
  EXPECT_EQ(program.threads[1].ops[0].value, 7);
}

TEST(ExploreProgram, MistakesNameTheColumn) {
  EXPECT_EQ(user_error("lod x"), "program `lod x`, column 1: expected `ld`, `st`, `add` or `fence`");
  EXPECT_THAT(user_error("ld z"), HasSubstr("column 4: expected `x`, `y`, `x1` or `y1`"));
  EXPECT_THAT(user_error("st x"), HasSubstr("column 5: expected a value"));
  EXPECT_THAT(user_error("st x 256"), HasSubstr("column 6: expected a value below 256"));
  EXPECT_THAT(user_error("ld x, ld y"), HasSubstr("column 5: expected `;`, `|`, `@` or the end"));
  EXPECT_THAT(user_error("ld x @9"), HasSubstr("expected the number of an L1 below 4"));
  EXPECT_THAT(user_error("ld x|ld x|ld x|ld x|ld x"), HasSubstr("at most 4 threads"));
  EXPECT_THAT(user_error("ld x;ld x;ld x;ld x;ld x;ld x;ld x"), HasSubstr("at most 6 operations a thread"));
}

TEST(ScOutcomes, AreThoseOfTheTextbook) {
  const auto results = [](const char* text) {
    std::set<std::string> shown;
    const Program program = parse_program(text);
    for (const Outcome& outcome : sc_outcomes(program)) shown.insert(text_of(outcome, program));
    return shown;
  };
  EXPECT_THAT(results("st x 1; st y 1 | ld y; ld x"),
              testing::UnorderedElementsAre("1:r0=0 1:r1=0 x=1 y=1", "1:r0=0 1:r1=1 x=1 y=1", "1:r0=1 1:r1=1 x=1 y=1"));
  EXPECT_THAT(results("st x 1; ld y | st y 1; ld x"),
              testing::UnorderedElementsAre("0:r0=0 1:r0=1 x=1 y=1", "0:r0=1 1:r0=0 x=1 y=1", "0:r0=1 1:r0=1 x=1 y=1"));
  EXPECT_THAT(results("add x 1 | add x 2"), testing::UnorderedElementsAre("0:r0=0 1:r0=1 x=3", "0:r0=2 1:r0=0 x=3"));
}

TEST(Suite, AllProgramsAreDifferentUpToNames) {
  // 36 x 36 pairs of threads; exchanging threads and exchanging locations leave about a quarter.
  const std::size_t count = all_programs(2).size();
  EXPECT_GT(count, 36U * 36U / 4U);
  EXPECT_LT(count, 36U * 36U / 3U);
}

TEST(Suite, FencedProgramsHaveAFenceBetweenOperations) {
  const auto plain = classic_programs(false), fenced = classic_programs(true);
  EXPECT_GT(fenced.size(), plain.size());
  EXPECT_TRUE(std::none_of(plain.begin(), plain.end(), [](const Program& p) { return p.has_fences(); }));
}

/// Some state with something in every member that `shape` covers.
State busy_state() {
  State state;
  state.time = 300;  // more than a byte
  state.threads[1] = {1, 2, true, 9, {4, 5}};
  state.nodes[0].meta.now = 7;
  state.nodes[0].meta.gwct[1] = 8;
  Copy& copy = state.nodes[0].lines[1];
  copy.has_frame = true;
  copy.meta.state = 2;
  copy.meta.sharers.insert(1);
  copy.frame.words = {3, 0};
  copy.frame.valid = 1;
  Packet packet;
  packet.source = 0;
  packet.destination = max_l1s;
  packet.kind = 3;
  packet.thread = 0;
  packet.acks = -1;
  packet.stamps[2] = 77;
  copy.parked.push_back(packet);
  state.nodes[max_l1s].replays.push_back(packet);
  state.nodes[max_l1s].blocked[0] = 1;
  state.memory[1][0] = 6;
  state.fetching = 2;
  state.timers.push_back({12, max_l1s, 1});
  state.packets.push_back(packet);
  return state;
}

TEST(Encoding, KeepsAllOfAState) {
  const Shape shape{2, 2, 2, 1, 1};
  std::string bytes, again;
  encode(busy_state(), shape, bytes);
  encode(decode(bytes, shape), shape, again);
  EXPECT_EQ(bytes, again);
  EXPECT_EQ(decode(bytes, shape).packets[0].acks, -1);
  State other = busy_state();
  other.packets[0].stamps[2] = 78;
  encode(other, shape, again);
  EXPECT_NE(hash_of(bytes), hash_of(again));
}

TEST(Encoding, ExchangingAlikeThreadsTwiceChangesNothing) {
  const Program program = parse_program("ld x; st x 1 | ld x; st x 1");
  const auto found = symmetries(program);
  ASSERT_EQ(found.size(), 1U);
  const Shape shape{2, 2, 2, 1, 1};
  const State once = permuted(busy_state(), program, found[0]);
  EXPECT_EQ(once.nodes[1].lines[1].parked[0].source, 1);
  EXPECT_TRUE(once.nodes[1].lines[1].meta.sharers.contains(0));
  EXPECT_EQ(once.nodes[1].meta.gwct[0], 8U);
  EXPECT_EQ(once.threads[0].next, 1);
  std::string bytes, back;
  encode(busy_state(), shape, bytes);
  encode(permuted(once, program, found[0]), shape, back);
  EXPECT_EQ(bytes, back);
  EXPECT_TRUE(symmetries(parse_program("ld x | st x 1")).empty());
  EXPECT_TRUE(symmetries(parse_program("ld x @0 | ld x @0")).empty());
}

CoherencePolicy gpu_vi(const CoherenceContext& context) {
  protocols::CoherenceSpec spec;
  spec.policy = "gpu_vi";
  return protocols::make_coherence_policy(spec, context);
}

/// The policy with one row of a table changed: the mutant whose description is this.
CoherencePolicy mutant(const CoherencePolicy& policy, const std::string& description) {
  for (const Mutant& m : mutants_of(policy)) {
    if (m.description != description) continue;
    CoherencePolicy changed = policy;
    (m.of_l1 ? changed.l1_table : changed.home_table) = m.table;
    return changed;
  }
  throw base::ModelError("no mutant " + description);
}

class Explorer : public testing::Test {
 protected:
  Report run(const CoherencePolicy& policy, const char* text, ExploreOptions options = {}) {
    program = parse_program(text);
    return explore(policy, program, context, options);
  }
  CoherenceContext context;
  Program program;
};

TEST_F(Explorer, SeesExactlyTheOutcomesOfSequentialConsistency) {
  const Report report = run(gpu_vi(context), "st x 1; ld y | st y 1; ld x");
  EXPECT_FALSE(report.violation.has_value());
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.outcomes, sc_outcomes(program));
  EXPECT_GT(report.states, 1000U);
}

TEST_F(Explorer, SymmetryLeavesTheOutcomes) {
  const Report report = run(gpu_vi(context), "add x 1; ld x | add x 1; ld x");
  EXPECT_FALSE(report.violation.has_value());
  // Of two runs that differ in the names of the threads one is explored: outcomes are those up to the exchange.
  for (const Outcome& outcome : report.outcomes) EXPECT_EQ(sc_outcomes(program).count(outcome), 1U);
  EXPECT_LT(report.states, run(gpu_vi(context), "add x 1; ld x | add x 2; ld x").states);
}

TEST_F(Explorer, FindsAStoreThatDoesNotWaitForItsInvalidations) {
  const Report report = run(mutant(gpu_vi(context), "home SS, Store [others_share]: without invalidate_others"),
                            "ld x; st y 1 | ld y; st x 1");
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_FALSE(report.violation->trace.empty());
}

TEST_F(Explorer, FindsAnOutcomeAndShowsAShortestWayToIt) {
  CoherencePolicy keeps = mutant(gpu_vi(context), "L1 S, Inv: without drop");
  keeps.copies_are_current = false;
  const CoherencePolicy broken = mutant(keeps, "L1 S, Inv: to S");
  const Report report = run(broken, "st x 1; st y 1 | ld x; ld y; ld x");
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_THAT(report.violation->what, HasSubstr("is not allowed"));
  EXPECT_THAT(report.violation->trace, HasSubstr("  1. thread"));
}

TEST_F(Explorer, FindsACopyThatStaysBehind) {
  const CoherencePolicy broken = mutant(mutant(gpu_vi(context), "L1 S, Inv: without drop"), "L1 S, Inv: to S");
  const Report report = run(broken, "ld x | st x 1");
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_THAT(report.violation->what, HasSubstr("at rest, L1 0 would answer"));
}

TEST_F(Explorer, FindsARunThatCannotEnd) {
  const CoherencePolicy broken = mutant(gpu_vi(context), "home ISS, Mem_Data: without replay");
  const Report report = run(broken, "ld x | ld x");
  ASSERT_TRUE(report.violation.has_value());
}

TEST_F(Explorer, StopsAtItsLimitAndSaysSo) {
  ExploreOptions options;
  options.max_states = 100;
  const Report report = run(gpu_vi(context), "st x 1; ld y | st y 1; ld x", options);
  EXPECT_FALSE(report.complete);
  EXPECT_LT(report.states, 200U);
}

TEST_F(Explorer, AWeakJudgeMayAllowMore) {
  ExploreOptions options;
  unsigned asked = 0;
  options.allowed = [&asked](const Outcome&) { return ++asked > 0; };
  EXPECT_FALSE(run(gpu_vi(context), "st x 1 | ld x", options).violation.has_value());
  EXPECT_EQ(asked, 2U);
}

TEST(Mutation, LeavesOutEachActionAndTriesEachOtherNextState) {
  const CoherencePolicy policy = gpu_vi({});
  std::size_t expected = 0;
  for (const auto& table : {policy.l1_table, policy.home_table}) {
    for (const protocols::Transition& t : table->transitions())
      expected += t.row.actions.size() + table->vocabulary().states.size() - 1;
  }
  EXPECT_EQ(mutants_of(policy).size(), expected);
}

TEST(Mutation, MostMutantsOfTheHitPathDie) {
  const CoherencePolicy policy = gpu_vi({});
  MutationReport report;
  std::vector<std::string> told;
  run_mutants(policy, {parse_program("ld x; ld x | st x 1")}, {}, {}, report,
              [&told](const std::string& line) { told.push_back(line); });
  EXPECT_GT(report.killed * 10, report.mutants * 6);
  EXPECT_EQ(told.size(), report.mutants - report.killed);
  EXPECT_GT(report.not_reached, 0U);
}

}  // namespace
}  // namespace syncline::tests
