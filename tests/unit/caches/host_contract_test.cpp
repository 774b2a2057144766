// The caches that the model checker explores and those that the platform ships behave alike, under every policy: what
// is shown of the first holds for the second.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/unit/caches/host_contract.h"

namespace syncline::tests {
namespace {

struct ContractCase {
  std::string name;
  ContractSpec spec;
};
void PrintTo(const ContractCase& c, std::ostream* out) {
  *out << c.name;
}

std::vector<ContractCase> contract_cases() {
  std::vector<ContractCase> all;
  const auto add = [&all](const std::string& name, const protocols::CoherenceSpec& coherence) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      ContractSpec spec;
      spec.coherence = coherence;
      spec.seed = seed;
      all.push_back({name + "_seed" + std::to_string(seed), spec});
    }
  };
  for (const protocols::CoherenceEntry& entry : protocols::coherence_policies()) {
    protocols::CoherenceSpec coherence;
    coherence.policy = std::string(entry.name);
    coherence.tc.lease = 40;
    coherence.tc.predictor = protocols::TcPredictor::fixed;
    add(coherence.policy, coherence);
  }
  return all;
}

class Hosts : public HostContract, public testing::WithParamInterface<ContractCase> {};

TEST_P(Hosts, DoTheSame) {
  EXPECT_EQ(run(GetParam().spec), "");
  EXPECT_GT(done_, 30U) << "and did something";
  if (GetParam().spec.seed % 2 == 0) {
    EXPECT_GT(replacements_, 0U) << "L1s of one line";
  }
}

INSTANTIATE_TEST_SUITE_P(AllPolicies, Hosts, testing::ValuesIn(contract_cases()),
                         [](const testing::TestParamInfo<ContractCase>& c) { return c.param.name; });

using Differences = HostContract;

TEST_F(Differences, AMessageThatIsLostIsFound) {
  ContractSpec spec;
  spec.coherence.policy = "mesi";
  spec.deviation = Deviation::loses_a_message;
  EXPECT_NE(run(spec), "");
}

TEST_F(Differences, AByteThatChangesIsFound) {
  ContractSpec spec;
  spec.coherence.policy = "gpu_vi";
  spec.deviation = Deviation::changes_a_byte;
  EXPECT_THAT(run(spec), testing::HasSubstr("bytes"));
}

TEST_F(Differences, ATimeThatIsWrongIsFound) {
  ContractSpec spec;
  spec.coherence.policy = "tc_weak";
  spec.coherence.tc.lease = 40;
  spec.coherence.tc.predictor = protocols::TcPredictor::fixed;
  spec.deviation = Deviation::is_late;
  EXPECT_NE(run(spec), "");
}

}  // namespace
}  // namespace syncline::tests
