// The caches that the model checker explores and those that the platform ships behave alike, under every policy: what
// is shown of the first holds for the second.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/unit/caches/host_contract.h"

namespace syncline::tests {
namespace {

/// Timestamps of so few bits that a run goes beyond them.
protocols::CoherenceSpec rolling_over(const std::string& policy) {
  protocols::CoherenceSpec coherence;
  coherence.policy = policy;
  coherence.rcc.timestamp_bits = 8;
  coherence.rcc.predictor = protocols::RccPredictor::fixed;
  coherence.rcc.lease_fixed = 32;
  coherence.rcc.tick = 2;
  return coherence;
}

/// Leases that outlast most of what happens, so that it has to wait for them.
protocols::CoherenceSpec long_leases(const std::string& policy) {
  protocols::CoherenceSpec coherence;
  coherence.policy = policy;
  coherence.tc.lease = 400;
  coherence.tc.predictor = protocols::TcPredictor::fixed;
  return coherence;
}

struct ContractCase {
  std::string name;
  ContractSpec spec;
};
void PrintTo(const ContractCase& c, std::ostream* out) {
  *out << c.name;
}

constexpr std::uint64_t seeds = 12;

std::vector<ContractCase> contract_cases() {
  std::vector<ContractCase> all;
  const auto add = [&all](const std::string& name, const protocols::CoherenceSpec& coherence) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      ContractSpec spec;
      spec.coherence = coherence;
      spec.seed = seed;
      spec.tight = seed > 8;
      all.push_back({name + (spec.tight ? "_tight" : "") + "_seed" + std::to_string(seed), spec});
    }
  };
  for (const protocols::CoherenceEntry& entry : protocols::coherence_policies()) {
    if (entry.of_modules) continue;  // the two hosts that are compared have one home
    protocols::CoherenceSpec coherence;
    coherence.policy = std::string(entry.name);
    coherence.tc.lease = 40;
    coherence.tc.predictor = protocols::TcPredictor::fixed;
    coherence.none.private_memory = protocols::NonePrivate::write_through;
    add(coherence.policy, coherence);
  }
  for (const char* const policy : {"rcc", "rcc_wo"}) add(policy + std::string("_rollover"), rolling_over(policy));
  for (const char* const policy : {"tc_strong", "tc_weak"}) add(policy + std::string("_long"), long_leases(policy));
  return all;
}

class Hosts : public HostContract, public testing::WithParamInterface<ContractCase> {};

TEST_P(Hosts, DoTheSame) {
  const ContractSpec& spec = GetParam().spec;
  EXPECT_EQ(run(spec), "");
  EXPECT_GT(done_, 30U) << "and did something";
  if (spec.seed % 4 == 0) {
    EXPECT_GT(replacements_, 0U) << "caches of one line";
  }
  if (spec.tight) {
    EXPECT_GT(lacked_, 0U) << "caches with little room";
  }
  if (spec.coherence.rcc.timestamp_bits == 8) {
    EXPECT_GT(taken("Overflow"), 0U) << "logical time began anew";
  }
}

INSTANTIATE_TEST_SUITE_P(AllPolicies, Hosts, testing::ValuesIn(contract_cases()),
                         [](const testing::TestParamInfo<ContractCase>& c) { return c.param.name; });

using Comparisons = HostContract;

TEST_F(Comparisons, MeetAccessesAndMessagesThatWait) {
  ContractSpec spec;
  spec.coherence.policy = "gpu_vi";
  EXPECT_EQ(run(spec), "");
  EXPECT_GT(refused_, 5U);
}

TEST_F(Comparisons, MeetRequestsThatAreRecycled) {
  ContractSpec spec;
  spec.coherence.policy = "mesi";
  EXPECT_EQ(run(spec), "");
  EXPECT_GT(recycled_, 5U);
}

TEST_F(Comparisons, MeetFencesThatLast) {
  ContractSpec spec;
  spec.coherence = long_leases("tc_weak");
  EXPECT_EQ(run(spec), "");
  EXPECT_GT(fences_, late_fences_) << "some have nothing to wait for";
  EXPECT_GT(late_fences_, 0U);
}

TEST_F(Comparisons, MeetFencesThatDropCopies) {
  ContractSpec spec;
  spec.coherence.policy = "none";
  spec.coherence.none.private_memory = protocols::NonePrivate::write_through;
  EXPECT_EQ(run(spec), "");
  EXPECT_GT(fences_, 0U);
  EXPECT_GT(taken("Flush"), 0U);
}

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

TEST_F(Differences, AMessageThatIsLostWhileItWaitsIsFound) {
  ContractSpec spec;
  spec.coherence.policy = "gpu_vi";
  spec.deviation = Deviation::loses_what_waits;
  EXPECT_THAT(run(spec), testing::HasSubstr("refuses a message"));
}

TEST_F(Differences, AFenceOfAnotherScopeIsFound) {
  ContractSpec spec;
  spec.coherence.policy = "none";
  spec.deviation = Deviation::narrows_fences;
  EXPECT_NE(run(spec), "");
}

TEST_F(Differences, AFenceThatEndsTooEarlyIsFound) {
  ContractSpec spec;
  spec.coherence = long_leases("tc_weak");
  spec.deviation = Deviation::hurries_fences;
  EXPECT_THAT(run(spec), testing::HasSubstr("a fence of thread"));
}

}  // namespace
}  // namespace syncline::tests
