// The model checker: its programs, its states, and that it finds what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "protocols/coherence/explore/costs.h"
#include "protocols/coherence/explore/encode.h"
#include "protocols/coherence/explore/explorer.h"
#include "protocols/coherence/explore/lockstep.h"
#include "protocols/coherence/explore/mutation.h"
#include "protocols/coherence/explore/suite.h"
#include "protocols/coherence/registry.h"

namespace syncline::tests {
namespace {

using namespace protocols::explore;
using protocols::CoherenceContext;
using protocols::CoherencePolicy;
using protocols::Mutant;
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
  for (const char* text : {"ldp x; stp x 1 | flush; ldr y; ldv y", "st x 1; st y 1 | ld y; ld x",
                           "cas x 0 1; exch.acq_rel.sys y1 3; add.release.cta x 2 | ld.acquire x; st.release.sys y 1",
                           "fence.cta; ld.cta x @0 | fence.acq_rel.sys; cas.acquire.cta y 7 8; st.sys x 4 @0",
                           "add x1 3; fence; ld y1", "ld x @0 | st x 1; ld x @0 | st x 2 @1"})
    EXPECT_EQ(text_of(parse_program(text_of(parse_program(text)))), text_of(parse_program(text))) << text;
  const Program program = parse_program("ld x @0 | st y1 7 @0");
  EXPECT_EQ(program.l1s(), 1U);
  EXPECT_EQ(program.lines(), 2U);
  EXPECT_EQ(program.words(), 2U);
  EXPECT_EQ(program.threads[1].ops[0].value, 7);
  const Op cas = parse_program("cas.acq_rel.cta y 3 4").threads[0].ops[0];
  EXPECT_TRUE(cas.acquires() && cas.releases() && cas.reads() && cas.writes());
  EXPECT_EQ(cas.scope, protocols::Scope::cta);
  EXPECT_EQ(cas.compare, 3);
  EXPECT_EQ(cas.value, 4);
  EXPECT_EQ(parse_program("ld.gpu x").threads[0].ops[0], parse_program("ld x").threads[0].ops[0]);
}

TEST(ExploreProgram, MistakesNameTheColumn) {
  EXPECT_EQ(user_error("lod x"),
            "program `lod x`, column 1: expected `ld`, `st`, `add`, `exch`, `cas`, `fence`, `flush`, `bar`, `ldp`, "
            "`stp`, `ldr` or `ldv`");
  EXPECT_THAT(user_error("ld z"), HasSubstr("column 4: expected `x`, `y`, `x1` or `y1`"));
  EXPECT_THAT(user_error("ldp x | st x 1"), HasSubstr("expected a line that other threads do not name"));
  EXPECT_THAT(user_error("ldp x; ld x"), HasSubstr("expected a line that other threads do not name"));
  EXPECT_EQ(
      user_error("ld x; ld.release x"),
      "program `ld x; ld.release x`, column 7: expected behind the name `.acquire`, `.cta`, `.gpu`, `.sys` or `.weak`");
  EXPECT_THAT(user_error("st.acquire x 1"), HasSubstr("behind the name `.release`, `.cta`, `.gpu`, `.sys` or `.weak`"));
  EXPECT_THAT(user_error("add.gpu.acquire x 1"),
              HasSubstr("behind the name `.acquire`, `.release`, `.acq_rel`, `.cta`"));
  EXPECT_THAT(user_error("fence.acquire"), HasSubstr("behind the name `.acq_rel`, `.cta`, `.gpu` or `.sys`"));
  EXPECT_THAT(user_error("ld.acquire.acquire x"), HasSubstr("behind the name"));
  EXPECT_THAT(user_error("ldv.gpu x"), HasSubstr("column 1: expected `ldv` alone"));
  EXPECT_THAT(user_error("cas x 1"), HasSubstr("column 8: expected a value"));
  EXPECT_THAT(user_error("cas x"), HasSubstr("column 6: expected a value to find"));
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
  EXPECT_THAT(results("cas x 0 1 | cas x 0 2"),
              testing::UnorderedElementsAre("0:r0=0 1:r0=1 x=1", "0:r0=2 1:r0=0 x=2"));
  EXPECT_THAT(results("exch x 1 | cas x 1 2"), testing::UnorderedElementsAre("0:r0=0 1:r0=1 x=2", "0:r0=0 1:r0=0 x=1"));
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
  state.nodes.resize(max_nodes);
  state.time = 300;  // more than a byte
  state.threads[1] = {1, 2, true, {4}, true, 9, {4, 5}};
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
  return mutated(policy, mutant_named(policy, description));
}

class Explorer : public testing::Test {
 protected:
  Report run(const CoherencePolicy& policy, const char* text, ExploreOptions options = {}) {
    program = parse_program(text);
    return explore(policy, program, context, options);
  }
  static ExploreOptions outcomes_alone() {
    ExploreOptions options;
    options.world.invariants = false;
    return options;
  }
  CoherenceContext context;
  Program program;
};

/// What the invariants say to a mutant, each under a program that shows it.
struct Broken {
  const char *policy, *mutant, *program, *what;
};

std::ostream& operator<<(std::ostream& out, const Broken& broken) {
  return out << broken.policy << ' ' << broken.mutant;
}

class Invariants : public testing::TestWithParam<Broken> {};

TEST_P(Invariants, Notice) {
  CoherenceContext context;
  protocols::CoherenceSpec spec;
  spec.policy = GetParam().policy;
  spec.tc.lease = 2;
  spec.tc.predictor = protocols::TcPredictor::fixed;
  spec.rcc.lease_min = 1;
  spec.rcc.lease_max = 2;
  const CoherencePolicy policy = protocols::make_coherence_policy(spec, context);
  const Program program = parse_program(GetParam().program);
  const Report report = explore(mutant(policy, GetParam().mutant), program, context, {});
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_THAT(report.violation->what, HasSubstr(GetParam().what));
  EXPECT_FALSE(explore(policy, program, context, {}).violation.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    OfAllPolicies, Invariants,
    testing::Values(
        Broken{"gpu_vi", "L1 S, Replacement: to S", "ld x", "the state serves loads, and the line is not here"},
        Broken{"gpu_vi", "L1 S, Replacement: without drop", "ld x", "a line that is not present keeps its frame"},
        Broken{"gpu_vi", "L1 I_I, Replacement: without drop", "ld x; add x 1", "a replacement leaves the frame taken"},
        Broken{"gpu_vi", "L1 I_S, Data_Done: without uncount_read", "ld x", "requests are counted in a stable state"},
        Broken{"gpu_vi", "home S, Replacement: to S", "st x 1", "a line that is present has no place"},
        Broken{"gpu_vi", "home S, Load: without add_sharer", "st x 1; ld x", "the home does not know of the copy"},
        Broken{"gpu_vi", "home SM, Inv_Ack_All: without count_ack", "ld x | st x 1",
               "acknowledgements are awaited in a stable state"},
        Broken{"gpu_vi", "home SS, Atomic: without clear_sharers", "ld x; add x 1", "somebody has a copy"},
        Broken{"gpu_vi", "home SS, Replacement: to MI", "ld x", "a line is written back that memory has already"},
        Broken{"gpu_vi_ni", "home S_D, Dir_Replacement: without unlist", "st x 1",
               "a replacement leaves the directory's entry taken"},
        Broken{"gpu_vi", "L1 S, Inv: without drop", "ld x | st x 1", "a line that is not present keeps its frame"},
        Broken{"mesi", "L1 S, Inv: to S", "ld x | st x 1 | ld x", "the copy is old, and nothing is on its way to tell"},
        Broken{"tc_strong", "home S, Replacement: to NP", "ld x", "a lease lasts that the home has forgotten"},
        Broken{"tc_strong", "home S, GETS: without grant_lease", "ld x; ld x",
               "the lease that is granted is too short"},
        Broken{"tc_strong", "home E, Write: to E", "st x 1", "a lease on the line lasts"},
        Broken{"tc_strong", "L1 I_S, Data_Done: without take_lease", "ld x",
               "the copy has not the lease that came for it"},
        Broken{"tc_strong", "L1 I, Load: without count_read", "ld x", "not the one GETS alone is on its way"},
        Broken{"rcc", "home V, Store: without set_version", "ld x | st x 1", "the line was written within a lease"},
        Broken{"rcc", "home V, Replacement: without cover", "ld x",
               "a lease lasts that the home's mnow does not cover"},
        Broken{"rcc", "home V, Load: without extend_lease", "st x 1; ld x", "the lease that is granted is too short"},
        Broken{"rcc", "home I, Load: without await", "ld x", "the requests that wait are miscounted"},
        Broken{"rcc", "home I, Load: without note_waiting", "ld x", "a load waits, and its SM is not noted"},
        Broken{"rcc", "home I, Load: without note_reader", "ld x", "the loads that wait are miscounted"},
        Broken{"rcc", "L1 VI, Ack [last]: without see_write", "ld x; st x 1", "the SM has written ahead of its clock"},
        Broken{"rcc", "L1 IV, Data: without take_lease", "ld x", "the copy has not the lease that came with it"}));

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
  const Report report = run(broken, "st x 1; st y 1 | ld x; ld y; ld x", outcomes_alone());
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_THAT(report.violation->what, HasSubstr("is not allowed"));
  EXPECT_THAT(report.violation->trace, HasSubstr("  1. thread"));
}

TEST_F(Explorer, FindsACopyThatStaysBehind) {
  const CoherencePolicy broken = mutant(mutant(gpu_vi(context), "L1 S, Inv: without drop"), "L1 S, Inv: to S");
  const Report report = run(broken, "ld x | st x 1", outcomes_alone());
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
  for (const auto& table : {policy.table(protocols::Role::l1), policy.table(protocols::Role::home)}) {
    for (const protocols::Transition& t : table->transitions())
      expected += t.row.actions.size() + (t.only_waits() ? 0 : table->vocabulary().states.size() - 1);
  }
  EXPECT_EQ(mutants_of(policy).size(), expected);
}

TEST(Mutation, TellsWhatBecameOfEachMutant) {
  const CoherencePolicy policy = gpu_vi({});
  const auto fates = [&policy](unsigned jobs) {
    MutationOptions options;
    options.jobs = jobs;
    std::map<std::string, Fate> found;
    for (const MutantResult& result : run_mutants(policy, {parse_program("ld x; ld x | st x 1")},
                                                  {parse_program("ld x; st x 1; ld x")}, {}, options))
      found[result.mutant.description] = result.fate;
    return found;
  };
  auto found = fates(1);
  EXPECT_EQ(found.size(), mutants_of(policy).size());
  EXPECT_EQ(found["L1 S, Inv: without send_Inv_Ack"], Fate::killed);
  EXPECT_EQ(found["home IM, Load: without stall"], Fate::killed);                 // a row that only waits
  EXPECT_EQ(found["L1 S, Store: to I_I"], Fate::dearer);                          // the copy is lost
  EXPECT_EQ(found["L1 I_I, Ack_Done: without uncount_write"], Fate::equivalent);  // nothing is left that remembers
  EXPECT_EQ(found["home ISS, Load: without add_sharer"], Fate::not_reached);
  EXPECT_EQ(found, fates(2));
}

TEST(Mutation, ASampleIsSpreadOverAll) {
  const CoherencePolicy policy = gpu_vi({});
  const std::vector<Mutant> all = mutants_of(policy);
  MutationOptions options;
  options.sample = 3;
  options.seed = 1;
  const auto results = run_mutants(policy, {parse_program("ld x")}, {}, {}, options);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].mutant.description, all[1].description);
  EXPECT_EQ(results[1].mutant.description, all[all.size() / 3 + 1].description);
}

TEST(Mutation, RefusesAPolicyThatIsWrongItself) {
  const CoherencePolicy broken = mutant(gpu_vi({}), "L1 S, Inv: without send_Inv_Ack");
  try {
    run_mutants(broken, {parse_program("ld x; ld x | st x 1")}, {}, {}, {});
    FAIL() << "accepted";
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("policy `gpu_vi` itself: program `ld x; ld x | st x 1`"));
  }
}

TEST(Costs, AreLeastAndMostOverAllRuns) {
  const CoherencePolicy policy = gpu_vi({});
  const auto costs = [&policy](const char* text) {
    return text_of(costs_of(policy, parse_program(text), {}, {}), policy);
  };
  EXPECT_EQ(costs("ld x; ld x"), "GETS 1, DATA 1, memory read 1");
  EXPECT_EQ(costs("ld x; ld x | st x 1"),
            "GETS 1-2, WB_Data 1, DATA 1-2, ACK 1, Inv 0-1, Inv_Ack 0-1, memory read 1; waits: home Load, home Store");
}

TEST(Lockstep, TellsMutantsThatDifferInWhatTheyDo) {
  const CoherencePolicy policy = gpu_vi({});
  const auto alike = [&policy](const char* description, const char* program) {
    return behave_alike(policy, mutant(policy, description), parse_program(program), {}, {});
  };
  EXPECT_TRUE(behave_alike(policy, policy, parse_program("ld x; ld x | st x 1"), {}, {}));
  EXPECT_TRUE(alike("home NP, Store: to IMA", "ld x; st x 2 | st x 1"));  // the two states have the same rows
  EXPECT_FALSE(alike("home NP, Load: to IM", "ld x | ld x"));             // the second load waits instead of merging
  ExploreOptions few;
  few.max_states = 10;
  EXPECT_FALSE(behave_alike(policy, policy, parse_program("ld x; ld x | st x 1"), {}, few));
}

}  // namespace
}  // namespace syncline::tests
