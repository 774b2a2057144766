// The tables of `rcc` and `rcc_wo` as wholes.
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string_view>

#include "protocols/coherence/rcc/rcc.h"
#include "protocols/coherence/rcc_wo/rcc_wo.h"
#include "protocols/coherence/registry.h"

namespace syncline::tests {
namespace {

using namespace protocols;
using namespace protocols::rcc;

/// Outcomes in the cells of figure 3.5: without the events and guards that it lacks.
template <class Names>
std::size_t outcomes_of_the_figure(const TransitionTable& table, const Names& events, const Names& guards) {
  const Vocabulary& words = table.vocabulary();
  std::size_t count = 0;
  for (const Transition& t : table.transitions()) {
    if ((t.needs & Needs::waits) != 0 || events.count(words.events[t.row.event].name) == 0) continue;
    count += t.row.guard == Row::no_guard || guards.count(words.guards[t.row.guard].name) != 0 ? 1 : 0;
  }
  return count;
}

// Table 3.5 says 33 and 14: the figure's cells, each conditional outcome for itself. Of the 33, three have no row here:
// that the lease in VI ends is no step but a way to read the state, and the answer to a GETS never comes in VI, since
// only one is on its way. Of the 14, one: whether reads wait (MSHR.hasread) is decided within an action.
TEST(RccSize, IsThatOfTheFigureLessWhatCannotHappen) {
  using Names = std::set<std::string_view>;
  const CoherencePolicy policy = make_rcc({}, {});
  const Names l1_events{"Load", "Load_Expired", "Store", "Atomic",     "Replacement",
                        "Data", "Renew",        "Ack",   "Atomic_Data"};
  EXPECT_EQ(outcomes_of_the_figure(*policy.table(Role::l1), l1_events, Names{"writing", "last"}), 33U - 3U);
  const Names home_events{"Load", "Store", "Atomic", "Replacement", "Mem_Data"};
  EXPECT_EQ(outcomes_of_the_figure(*policy.table(Role::home), home_events, Names{"renewable", "dirty"}), 14U - 1U);
  const TableCounts l1 = policy.table(Role::l1)->counts(), home = policy.table(Role::home)->counts();
  EXPECT_EQ(l1.stable_states, 2U);
  EXPECT_EQ(l1.transient_states, 3U);
  EXPECT_EQ(home.stable_states, 2U);
  EXPECT_EQ(home.transient_states, 2U);
  EXPECT_EQ(policy.networks.size(), 2U);
}

TEST(RccWo, HasTheRowsOfRccAndIsWeak) {
  const CoherencePolicy strong = make_rcc({}, {}), weak = make_rcc_wo({}, {});
  EXPECT_EQ(weak.table(Role::l1)->transitions().size(), strong.table(Role::l1)->transitions().size());
  EXPECT_EQ(weak.table(Role::home)->transitions().size(), strong.table(Role::home)->transitions().size());
  EXPECT_EQ(weak.consistency, Consistency::wo);
  EXPECT_TRUE(is_weak("rcc_wo"));
  EXPECT_FALSE(is_weak("rcc"));
}

}  // namespace
}  // namespace syncline::tests
