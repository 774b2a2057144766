// Random programs without races on several SMs, from the generator of `syncline stress`: failures are GoogleTest's.
#pragma once

#include <gtest/gtest.h>

#include "platform/stress/episode_run.h"
#include "platform/stress/generate.h"
#include "platform/stress/judge.h"

namespace syncline::tests {

using stress::MemorySystem;
using stress::MemorySystemSpec;

struct TesterSpec : stress::TrafficSpec {
  unsigned episodes = 4;
};

class RandomTester {
 public:
  RandomTester(const sc_core::sc_module_name& name, models::PlatformContext& context, MemorySystem& system,
               const TesterSpec& spec, std::uint64_t seed)
      : runner_(name, context, system), spec_(spec), random_(seed, "tester"), policy_(system.policy) {
    spec_.l1s = static_cast<unsigned>(system.l1s.size());
  }

  /// Runs all episodes. False when the machine stopped making progress, or an access returned what it must not.
  bool run() {
    for (unsigned i = 0; i < spec_.episodes; ++i) {
      const stress::Episode episode = stress::race_free_episode(spec_, random_);
      const stress::Record record = runner_.run(episode);
      if (const auto wrong = stress::judge(episode, record, policy_)) {
        ADD_FAILURE() << *wrong;
        return false;
      }
      for (const stress::Thread& thread : episode.threads) {
        for (const stress::Op& op : thread.ops) {
          loads += op.kind == stress::OpKind::load ? 1 : 0;
          stores += op.kind == stress::OpKind::store ? 1 : 0;
          atomics += op.kind == stress::OpKind::add ? 1 : 0;
        }
      }
    }
    sc_core::sc_start(1, sc_core::SC_MS);  // what no core waits for arrives
    return true;
  }

  std::uint64_t loads = 0, stores = 0, atomics = 0;

 private:
  stress::EpisodeRunner runner_;
  TesterSpec spec_;
  base::Random random_;
  const protocols::CoherencePolicy& policy_;
};

}  // namespace syncline::tests
