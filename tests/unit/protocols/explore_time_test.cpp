// The model checker and time: clocks that are set back and what is forgotten with them, and timestamps that overflow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "base/error.h"
#include "protocols/coherence/explore/clock.h"
#include "protocols/coherence/explore/explorer.h"
#include "protocols/coherence/explore/mutation.h"
#include "protocols/coherence/registry.h"
#include "tests/support/sanitized.h"

namespace syncline::tests {
namespace {

using namespace protocols::explore;
using protocols::CoherenceContext;
using protocols::CoherencePolicy;
using protocols::Mutant;
using protocols::Role;
using testing::HasSubstr;

CoherencePolicy small_policy(const std::string& name, unsigned l1s) {
  protocols::CoherenceSpec spec;
  spec.policy = name;
  spec.tc.lease = 2;
  spec.tc.predictor = protocols::TcPredictor::fixed;
  spec.rcc.lease_min = 1;
  spec.rcc.lease_max = 2;
  spec.rcc.timestamp_bits = 8;
  CoherenceContext context;
  context.l1s = l1s;
  return protocols::make_coherence_policy(spec, context);
}

CoherencePolicy mutant(const CoherencePolicy& policy, const std::string& description) {
  return mutated(policy, mutant_named(policy, description));
}

/// An L1 where three loads wait, whose GETS was sent 3 ticks ago and joined now, while a lease that is over is on its
/// way; one whose GETS was sent long ago and joined 2 ticks later; and one that waits for nothing.
State waiting_state() {
  State state;
  state.nodes.resize(max_nodes);
  state.time = 20;
  Copy& waiting = state.nodes[0].lines[0];
  waiting.has_frame = waiting.has_entry = true;
  waiting.meta.pending_reads = 1;
  waiting.meta.ver = 17;
  waiting.meta.last_read = 20;
  for (const std::uint64_t at : {17, 18, 19}) {
    waiting.parked.emplace_back();
    waiting.parked.back().parked_at = at;
  }
  Packet data;
  data.destination = 0;
  data.stamps[0] = 18;
  state.packets.push_back(data);
  Copy& older = state.nodes[1].lines[0];
  older.has_entry = true;
  older.meta.pending_reads = 1;
  older.meta.ver = 3;
  older.meta.last_read = 5;
  Copy& idle = state.nodes[2].lines[0];
  idle.has_frame = true;
  idle.meta.ver = idle.meta.last_read = 19;
  idle.meta.exp = 22;
  state.nodes[0].meta.gwct[0] = 23;
  return state;
}

TEST(Clock, ThatIsSetBackKeepsWhatAMachineCanTell) {
  const Program program = parse_program("ld x; fence; st x 1 | ld x; ld x; st x 2 | ld x");
  State state = waiting_state();
  Clock(small_policy("tc_strong", 3), program, false).set_back(state);
  const Copy &waiting = state.nodes[0].lines[0], &older = state.nodes[1].lines[0], &idle = state.nodes[2].lines[0];
  EXPECT_EQ(state.time, present);
  EXPECT_EQ(state.packets[0].stamps[0], present - 1);
  EXPECT_EQ(waiting.parked[0].parked_at, present - 1);
  EXPECT_EQ(waiting.parked[1].parked_at, present - 1);
  EXPECT_EQ(waiting.parked[2].parked_at, present);  // behind the end of the lease
  EXPECT_EQ(waiting.meta.last_read - waiting.meta.ver, 3U);
  EXPECT_EQ(waiting.meta.last_read, present);
  EXPECT_EQ(older.meta.last_read - older.meta.ver, 2U);
  EXPECT_EQ(idle.meta.last_read, 0U);  // of no request
  EXPECT_EQ(idle.meta.exp, present + 2);
  EXPECT_EQ(state.nodes[0].meta.gwct[0], present + 3);
}

TEST(Clock, ForgetsWhatNoStoreLoadOrFenceCanAskFor) {
  const Program program = parse_program("ld x; fence; st x 1 | ld x; ld x; st x 2 | ld x");
  const Clock clock(small_policy("tc_weak", 3), program, true);
  State state = waiting_state();
  state.nodes[2].lines[0].frame.words[0] = 7;
  clock.set_back(state);
  const protocols::LineMeta &late = state.nodes[0].lines[0].meta, &joined = state.nodes[1].lines[0].meta;
  EXPECT_GT(late.last_read, late.ver + 2);  // beyond the least lease, which is 2
  EXPECT_EQ(joined.last_read, joined.ver);  // not beyond it; the next join will be
  EXPECT_EQ(joined.ver, present - 3);
  EXPECT_EQ(state.nodes[0].meta.gwct[0], present + 3);
  EXPECT_EQ(state.nodes[2].lines[0].frame.words[0], 7);
  EXPECT_FALSE(clock.needs_no_replacement(state, 2, 0));

  state = waiting_state();
  state.nodes[2].lines[0].frame.words[0] = 7;
  for (unsigned t = 0; t < 3; ++t) state.threads[t].next = static_cast<std::uint8_t>(program.threads[t].ops.size());
  clock.set_back(state);
  EXPECT_EQ(late.ver, 0U);
  EXPECT_EQ(state.nodes[0].meta.gwct[0], 0U);
  EXPECT_EQ(state.nodes[2].lines[0].frame.words[0], 0);
  EXPECT_TRUE(clock.needs_no_replacement(state, 2, 0));
  EXPECT_TRUE(state.nodes[2].lines[0].has_frame);  // its lease is held against the home's
  state.time = present + 3;
  clock.set_back(state);
  EXPECT_FALSE(state.nodes[2].lines[0].has_frame);
}

/// Whether fewer states, and fewer orders, come to the same end.
class MergedStates : public testing::TestWithParam<const char*> {
 protected:
  static Report run(const CoherencePolicy& policy, const Program& program, bool merge, bool reduce_orders) {
    ExploreOptions options;
    options.merge = merge;
    options.reduce_orders = reduce_orders;
    options.allowed = [](const Outcome&) { return true; };
    return explore(policy, program, {}, options);
  }
  /// The policy with a mistake.
  static bool is_found(const CoherencePolicy& policy, const Program& program, bool merge, bool reduce_orders) {
    return run(policy, program, merge, reduce_orders).violation.has_value();
  }
};

TEST_P(MergedStates, HaveTheSameOutcomes) {
  const CoherencePolicy policy = small_policy(GetParam(), max_l1s);
  for (const char* text : {"st x 1; ld x | ld x", "ld x | st x 1; ld x", "ld x; st x 1 @0 | ld x @0"}) {
    const Program program = parse_program(text);
    const Report reduced = run(policy, program, true, true), merged = run(policy, program, true, false);
    const Report whole = run(policy, program, false, false);
    EXPECT_FALSE(reduced.violation || merged.violation || whole.violation) << text;
    EXPECT_TRUE(reduced.complete && merged.complete && whole.complete) << text;
    EXPECT_EQ(reduced.outcomes, whole.outcomes) << text;
    EXPECT_EQ(merged.outcomes, whole.outcomes) << text;
    EXPECT_LT(merged.states, whole.states) << text;
    EXPECT_LT(reduced.states, merged.states) << text;
  }
}

TEST_P(MergedStates, ShowTheSameMistakes) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const CoherencePolicy policy = small_policy(GetParam(), max_l1s);
  const Program program = parse_program("ld x; st x 1 | ld x");
  const std::vector<Mutant> mutants = mutants_of(policy);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < mutants.size(); i += 29) {
    const CoherencePolicy changed = mutated(policy, mutants[i]);
    const bool merged = is_found(changed, program, true, false);
    EXPECT_EQ(merged, is_found(changed, program, true, true)) << mutants[i].description;
    EXPECT_EQ(merged, is_found(changed, program, false, false)) << mutants[i].description;
    wrong += merged ? 1 : 0;
  }
  EXPECT_GT(wrong, 3U);
}

/// A timer that does nothing now ends at once only where the table promises that it will do nothing later.
TEST(ReducedOrders, ShowMistakesOfTimers) {
  const CoherencePolicy policy = small_policy("tc_weak", max_l1s);
  const Program program = parse_program("ld x; st x 1 | ld x");
  ExploreOptions options;
  options.allowed = [](const Outcome&) { return true; };
  for (const char* wrong : {"home E, Expire: to NP", "home S, Expire: to IS", "home MI, Expire [leased]: to NP",
                            "home S, Replacement: without wake_when_over"})
    EXPECT_TRUE(explore(mutant(policy, wrong), program, {}, options).violation) << wrong;
}

INSTANTIATE_TEST_SUITE_P(OfPhysicalLeases, MergedStates, testing::Values("tc_strong", "tc_weak"));

/// Two homes and timestamps that end soon.
class Rollover : public testing::TestWithParam<const char*> {
 protected:
  static Report run(const CoherencePolicy& policy, const char* text, std::uint64_t time_left) {
    ExploreOptions options;
    options.world.time_left = time_left;
    options.world.homes = 2;
    if (policy.consistency == protocols::Consistency::wo) options.allowed = [](const Outcome&) { return true; };
    return explore(policy, parse_program(text), {}, options);
  }
};

constexpr const char* both_overflow = "ld x; st y 1 | ld y; st x 1";

TEST_P(Rollover, TakesEachOfItsRows) {
  const CoherencePolicy policy = small_policy(GetParam(), 2);
  protocols::RowCounts met = policy.no_rows();
  for (const char* text : {both_overflow, "ld x; st x 1 | ld y; st y 1", "add x 1; ld x | ld y; st y 2"}) {
    const Report near = run(policy, text, 2);
    EXPECT_FALSE(near.violation.has_value()) << near.violation->trace;
    EXPECT_TRUE(near.complete);
    for (std::size_t role = 0; role < met.size(); ++role)
      std::transform(met[role].begin(), met[role].end(), near.met[role].begin(), met[role].begin(), std::plus<>());
  }
  const Report far = run(policy, both_overflow, 0);
  for (std::size_t role = 0; role < met.size(); ++role) {
    const protocols::TransitionTable& table = *policy.roles[role].table;
    const protocols::Vocabulary& words = table.vocabulary();
    for (const protocols::Transition& t : table.transitions()) {
      const std::string_view event = words.events[t.row.event].name;
      static constexpr std::string_view of_rollover[] = {"Rollover", "Overflow",  "Held",
                                                         "Stall",    "Flush_Ack", "Resume"};
      if (std::find(std::begin(of_rollover), std::end(of_rollover), event) == std::end(of_rollover)) continue;
      // Without a copy or a lease only the clock's own tick carries a store past the largest timestamp.
      const std::string row = row_name(t.row, words);
      if (!t.only_waits() && row != "I, Overflow" && row != "IV, Overflow") {
        EXPECT_GT(met[role][t.index], 0U) << row;
      }
      EXPECT_EQ(far.met[role][t.index], 0U) << row;
    }
  }
}

TEST_P(Rollover, MistakesShow) {
  struct Mistake {
    const char *mutant, *program, *what;
  };
  const CoherencePolicy policy = small_policy(GetParam(), 2);
  for (const Mistake& mistake : {
           Mistake{"L1 I, Rollover: without flush_lines", "ld x | ld x", "a lease is longer than the home knows"},
           Mistake{"L1 I, Rollover: without send_FLUSH_ACK", "ld x | ld x", "deadlock or livelock"},
           Mistake{"home V, Overflow: without begin_epoch", "ld x | ld x", "a lease is longer than the home knows"},
           Mistake{"home V, Overflow: without send_STALL", "ld x | ld x", "deadlock or livelock"},
           Mistake{"home I, Stall [own]: without send_FLUSH", "ld x | ld x", "deadlock or livelock"},
           Mistake{"home I, Flush_Ack: without count_ack", "ld x | ld x", "deadlock or livelock"},
           Mistake{"home I, Stall [at_work]: without pass_STALL", "ld x; ld y; st y 1; ld x | ld x",
                   "deadlock or livelock"},
           Mistake{"home I, Resume: without work", "ld x; ld y; st y 1; ld x | ld x",
                   "at rest, home 1 waits for other nodes"},
       }) {
    const Report found = run(mutant(policy, mistake.mutant), mistake.program, 4);
    ASSERT_TRUE(found.violation.has_value()) << mistake.mutant;
    EXPECT_THAT(found.violation->what, HasSubstr(mistake.what)) << mistake.mutant;
  }
}

INSTANTIATE_TEST_SUITE_P(OfLogicalTime, Rollover, testing::Values("rcc", "rcc_wo"));

TEST(LogicalTime, EndsWhereThePolicySays) {
  EXPECT_EQ(small_policy("rcc", 2).horizon, 255U);
  // A run that ends before the timestamps do never begins an epoch.
  ExploreOptions options;
  options.world.time_left = 60;
  const CoherencePolicy policy = small_policy("rcc", 1);
  const Report report = explore(policy, parse_program("ld x; st x 1"), {}, options);
  EXPECT_FALSE(report.violation.has_value());
  const auto rows = protocols::rows_taken(*policy.table(Role::home), report.taken[policy.place_of(Role::home)]);
  EXPECT_TRUE(std::any_of(rows.missing.begin(), rows.missing.end(), [](const protocols::Transition* t) {
    return std::string_view(t->row.why) == "all work again";
  }));
}

}  // namespace
}  // namespace syncline::tests
