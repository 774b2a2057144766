// Candidate executions of a test: ways through its threads, and a write for each read.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "consistency/execution.h"
#include "consistency/program.h"
#include "consistency/ptx75.h"

namespace syncline::consistency {

inline constexpr unsigned default_unroll = 2;

struct CandidateOptions {
  unsigned unroll = default_unroll;  ///< how often a loop goes back at most whose end depends on reads
  /// Leaves out those of which a part breaks an axiom of ptx75 already; sc forbids these too.
  bool only_plausible = true;
  std::uint64_t max_steps = 1'000'000;  ///< of the search: a choice of a write for a read each
  /// Only those that end with these registers.
  std::optional<std::vector<std::vector<Value>>> registers;
};

/// One of them. No candidate has values that come from themselves.
struct Candidate {
  const Execution& execution;
  const std::shared_ptr<const Ptx75Frame>& frame;
  const std::vector<std::vector<Value>>& registers;  ///< in the end, by thread
};
using CandidateVisitor = std::function<void(const Candidate&)>;

/// What the candidates leave out.
struct CandidateLimits {
  bool bounded = false;  ///< some run goes round a loop more often than the bound
  bool stuck = false;    ///< some choice leaves a thread at a barrier for ever
};

/// Calls `visit` for each. Throws Refusal for a test with too many, or too large ones.
CandidateLimits for_each_candidate(const Program& program, const CandidateOptions& options,
                                   const CandidateVisitor& visit);

}  // namespace syncline::consistency
