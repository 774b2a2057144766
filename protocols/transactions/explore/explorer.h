// Exhaustive exploration of a program of transactions under a policy: every order in which requests, logs and what
// waits for others can be served, with aborts and retries without limit. Breadth first, so that a trace is a shortest
// one.
//
// Checked in every state: no rule of the machines is broken, memory is written for nobody but who commits, and what
// has committed is serializable (Serializability). At every end: results and memory are those of some order in which
// the transactions run one after the other. Over the whole graph: every state can reach an end, so that under fairness
// every transaction commits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocols/transactions/explore/local_world.h"
#include "protocols/transactions/explore/warptm_world.h"
#include "protocols/transactions/explore/world.h"

namespace syncline::protocols::transactions {

/// `World`: options of what is explored.
template <class World>
struct Exploring {
  World world;
  std::uint64_t max_states = 5'000'000;
};
using ExploreOptions = Exploring<WorldOptions>;
using WarptmExploreOptions = Exploring<WarptmWorldOptions>;
using LocalExploreOptions = Exploring<LocalWorldOptions>;

struct Violation {
  std::string what;
  std::string trace;  ///< the steps that lead there
};

/// `Met`: what is counted while exploring.
template <class Met>
struct Explored {
  std::uint64_t states = 0, steps = 0, ends = 0;
  std::uint64_t cut = 0;  ///< states that were not looked at further (WorldOptions::max_aborts)
  bool complete = true;   ///< false: max_states was reached
  std::optional<Violation> violation;
  Met met;
  std::vector<std::uint64_t> taken;  ///< by Transition::index of the table of the world's machine
};
using Report = Explored<Met>;
using WarptmReport = Explored<WarptmMet>;
using LocalReport = Explored<LocalMet>;

Report explore_transactions(const explore::Program& program, const ExploreOptions& options);
WarptmReport explore_transactions(const explore::Program& program, const WarptmExploreOptions& options);
LocalReport explore_transactions(const explore::Program& program, const LocalExploreOptions& options);

}  // namespace syncline::protocols::transactions
