// A policy with more roles than L1 and home: whoever walks the roles meets all of them, and who wants one that is not
// there is told which there are.
#include <gmock/gmock.h>

#include "protocols/coherence/engine/describe.h"
#include "protocols/coherence/engine/mutant.h"
#include "protocols/coherence/explore/explorer.h"
#include "protocols/coherence/none/none.h"
#include "tests/support/error_of.h"

namespace syncline::tests {
namespace {

using namespace protocols;
using testing::HasSubstr;

constexpr Role gpu_home{"GPU home"};

/// `none`, whose home has a second one above it.
CoherencePolicy three_roles() {
  CoherencePolicy policy = make_none({});
  Vocabulary words = policy.table(Role::home)->vocabulary();
  words.machine = gpu_home.name;
  policy.roles.push_back({gpu_home,
                          std::make_shared<const TransitionTable>(policy.table(Role::home)->overlaid(words, {})),
                          policy.at(Role::home).make});
  return policy;
}

TEST(Roles, EachHasATableAMachineAndADirectoryOfItsOwn) {
  CoherencePolicy policy = three_roles();
  policy.at(gpu_home).directory = DirectoryGeometry{4, 2};
  EXPECT_TRUE(policy.has(gpu_home));
  EXPECT_FALSE(policy.at(Role::home).directory.has_value());
  EXPECT_EQ(&policy.make(gpu_home)->table(), policy.table(gpu_home).get());
  EXPECT_NE(policy.table(gpu_home), policy.table(Role::home));
}

TEST(Roles, DescriptionsHaveATableOfEach) {
  const CoherencePolicy policy = three_roles();
  const std::string text = describe_markdown(policy), dot = describe_dot(policy);
  for (const RoleMachine& one : policy.roles) {
    EXPECT_THAT(text, HasSubstr("## " + std::string(one.role.name) + " machine\n"));
    EXPECT_THAT(dot, HasSubstr("subgraph \"cluster_" + std::string(one.role.name) + "\""));
  }
  EXPECT_EQ(policy.roles.size(), 3U);
}

TEST(Roles, MutantsAreOfEach) {
  const CoherencePolicy policy = three_roles();
  const Mutant mutant = mutant_named(policy, "GPU home F, Load: without park");
  EXPECT_EQ(mutant.role, gpu_home);
  const CoherencePolicy changed = mutated(policy, mutant);
  EXPECT_EQ(changed.table(Role::home), policy.table(Role::home));
  EXPECT_NE(changed.table(gpu_home), policy.table(gpu_home));
}

TEST(Roles, OneThatIsNotThereIsAModelErrorWithThoseThatAre) {
  const CoherencePolicy policy = make_none({});
  EXPECT_FALSE(policy.has(gpu_home));
  const char* const error = "policy `none` has no machine for the role `GPU home`; it has some for `L1`, `home`";
  EXPECT_EQ(test::error_of<base::ModelError>([&] { policy.make(gpu_home); }), error);
  EXPECT_EQ(test::error_of<base::ModelError>([&] { policy.table(gpu_home); }), error);
}

TEST(Roles, TheCheckerSaysWhichItKnows) {
  const auto program = explore::parse_program("st x 1 | ld x");
  EXPECT_EQ(test::error_of<base::ModelError>([&] { explore::explore(three_roles(), program, {}, {}); }),
            "the checker has caches that are `L1` and `home`, policy `none` has `GPU home` too");
}

}  // namespace
}  // namespace syncline::tests
