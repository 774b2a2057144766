// The registry, and what must hold for every policy in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "protocols/coherence/engine/describe.h"
#include "protocols/coherence/engine/mutant.h"
#include "protocols/coherence/registry.h"
#include "tests/support/error_of.h"

namespace syncline::tests {
namespace {

using protocols::CoherencePolicy;
using protocols::CoherenceSpec;
using protocols::Role;
using testing::HasSubstr;

TEST(Registry, AnUnknownPolicyIsAUserErrorWithTheNearestName) {
  CoherenceSpec spec;
  spec.policy = "nonne";
  EXPECT_EQ(test::error_of([&] { protocols::make_coherence_policy(spec); }),
            "unknown coherence policy `nonne`; did you mean `none`?");
}

TEST(Registry, AMutantIsThePolicyWithOneRowChanged) {
  CoherenceSpec spec;
  spec.policy = "rcc";
  const CoherencePolicy policy = protocols::make_coherence_policy(spec);
  spec.mutant = "L1 IV, Flush: without do_not_keep";
  const CoherencePolicy mutant = protocols::make_coherence_policy(spec);
  const auto differing = [](const protocols::TransitionTable& one, const protocols::TransitionTable& other) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < one.transitions().size(); ++i) {
      const protocols::Row &a = one.transitions()[i].row, &b = other.transitions()[i].row;
      const bool same =
          a.next == b.next && std::equal(a.actions.begin(), a.actions.end(), b.actions.begin(), b.actions.end());
      if (!same) names.push_back(protocols::row_name(a, one.vocabulary()));
    }
    return names;
  };
  EXPECT_THAT(differing(*policy.table(Role::l1), *mutant.table(Role::l1)), testing::ElementsAre("IV, Flush"));
  EXPECT_THAT(differing(*policy.table(Role::home), *mutant.table(Role::home)), testing::IsEmpty());
  EXPECT_EQ(protocols::mutant_named(policy, spec.mutant).description, spec.mutant);
}

TEST(Registry, AMutantThatThePolicyLacksIsAUserErrorWithTheNearestName) {
  CoherenceSpec spec;
  spec.policy = "rcc";
  spec.mutant = "L1 I, Lod: to II";
  EXPECT_EQ(test::error_of([&] { protocols::make_coherence_policy(spec); }),
            "policy `rcc` has no mutant `L1 I, Lod: to II`; did you mean `L1 I, Load: to II`?");
}

TEST(Registry, NamesAreUniqueAndThereIsAtLeastOne) {
  std::set<std::string_view> names;
  for (const auto& entry : protocols::coherence_policies()) EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
  EXPECT_EQ(names.count("none"), 1U);
}

TEST(Registry, EveryPolicyIsWhole) {
  unsigned seen = 0;
  for (const auto& entry : protocols::coherence_policies()) {
    SCOPED_TRACE(entry.name);
    CoherenceSpec spec;
    spec.policy = std::string(entry.name);
    const CoherencePolicy policy = protocols::make_coherence_policy(spec);
    EXPECT_EQ(policy.name, entry.name);
    ASSERT_FALSE(policy.networks.empty());
    for (const protocols::MessageKind& kind : policy.messages)
      EXPECT_LT(kind.network, policy.networks.size()) << kind.name;
    EXPECT_TRUE(policy.has(Role::l1) && policy.has(Role::home));
    std::set<std::string_view> roles;
    for (const auto& [role, table, make, directory] : policy.roles) {
      EXPECT_TRUE(roles.insert(role.name).second) << role.name;
      EXPECT_EQ(table->vocabulary().machine, role.name);
      EXPECT_THAT(table->unreached_states(), testing::IsEmpty());
      for (const protocols::Transition& t : table->transitions()) EXPECT_FALSE(t.row.why.empty());
      EXPECT_EQ(&policy.make(role)->table(), table.get());
    }
    if (policy.plain) {
      const auto traffic = [&](protocols::Code kind) { return policy.messages.at(kind).traffic_class; };
      EXPECT_EQ(traffic(policy.plain->load), protocols::TrafficClass::load_request);
      EXPECT_EQ(traffic(policy.plain->load_reply), protocols::TrafficClass::data_reply);
      EXPECT_EQ(traffic(policy.plain->store), protocols::TrafficClass::store_request);
      EXPECT_EQ(traffic(policy.plain->store_ack), protocols::TrafficClass::store_ack);
    }
    ++seen;
  }
  EXPECT_GT(seen, 0U);
}

TEST(None, TellsHowAUnitBesideItsHomeReadsAndWrites) {
  const CoherencePolicy policy = protocols::make_none({});
  ASSERT_TRUE(policy.plain);
  EXPECT_STREQ(std::string(policy.messages[policy.plain->load].name).c_str(), "GETU");
  EXPECT_STREQ(std::string(policy.messages[policy.plain->store].name).c_str(), "WRITE");
}

TEST(None, HasTheSizeThatACountByHandGives) {
  const CoherencePolicy policy = protocols::make_none({});
  const protocols::TableCounts l1 = policy.table(Role::l1)->counts(), home = policy.table(Role::home)->counts();
  EXPECT_EQ(l1.stable_states, 4U);
  EXPECT_EQ(l1.transient_states, 3U);
  EXPECT_EQ(l1.transitions, 45U);
  EXPECT_EQ(l1.outcomes, 49U);
  EXPECT_EQ(l1.waiting_pairs, 5U);
  protocols::NoneSpec through;
  through.private_memory = protocols::NonePrivate::write_through;
  const protocols::TableCounts written_through = protocols::none::l1_table(through)->counts();
  EXPECT_EQ(written_through.states(), 4U);
  EXPECT_EQ(written_through.transitions, 30U);
  EXPECT_EQ(written_through.waiting_pairs, 2U);
  EXPECT_EQ(home.stable_states, 3U);
  EXPECT_EQ(home.transient_states, 1U);
  EXPECT_EQ(home.transitions, 15U);
  EXPECT_EQ(home.outcomes, 20U);
  EXPECT_EQ(home.waiting_pairs, 1U);
}

TEST(None, StoreHitIsAnOverlay) {
  protocols::NoneSpec spec;
  using protocols::none::L1Event;
  using protocols::none::L1State;
  const auto next_on_store_hit = [&spec] {
    const auto table = protocols::none::l1_table(spec);
    return static_cast<L1State>(
        table->outcomes(protocols::Code(L1State::V), protocols::Code(L1Event::Store)).begin()->row.next);
  };
  EXPECT_EQ(next_on_store_hit(), L1State::I);
  spec.store_hit = protocols::NoneStoreHit::update;
  EXPECT_EQ(next_on_store_hit(), L1State::V);
}

TEST(Describe, MarkdownHoldsCountsNetworksMessagesAndEveryReason) {
  const CoherencePolicy policy = protocols::make_none({});
  const std::string text = protocols::describe_markdown(policy);
  EXPECT_THAT(text, HasSubstr("# none\n"));
  EXPECT_THAT(text, HasSubstr("7 states (4 stable, 3 transient), 45 transitions (49 outcomes); 5 pairs only wait."));
  EXPECT_THAT(text, HasSubstr("4 states (3 stable, 1 transient), 15 transitions (20 outcomes); 1 pairs only wait."));
  EXPECT_THAT(text, HasSubstr("| GETS | load_request | 0 | header | a line for the L1 |"));
  EXPECT_THAT(text, HasSubstr("| P | [covered] send_DATA; park, fetch → F |"));
  for (const protocols::RoleMachine& one : policy.roles) {
    for (const protocols::Transition& t : one.table->transitions())
      EXPECT_THAT(text, HasSubstr(std::string(t.row.why)));
  }
}

TEST(Describe, DotDrawsBothMachinesWithoutWhatOnlyWaits) {
  const std::string text = protocols::describe_dot(protocols::make_none({}));
  EXPECT_THAT(text, HasSubstr("digraph \"none\" {"));
  EXPECT_THAT(text, HasSubstr("\"L1.I\" -> \"L1.IV\" [label=\"Load\"];"));
  EXPECT_THAT(text, HasSubstr("\"home.F\" -> \"home.V\" [label=\"Mem_Data\"];"));
  EXPECT_THAT(text, HasSubstr("\"home.F\" -> \"home.F\" [label=\"Load\\nStore\\nAtomic\"];"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
}

}  // namespace
}  // namespace syncline::tests
