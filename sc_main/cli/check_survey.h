// Programs explored one after the other under one policy, and what `syncline check` says of them.
#pragma once

#include <chrono>
#include <vector>

#include "protocols/coherence/explore/explorer.h"

namespace syncline::cli {

/// What every form of the command begins with.
struct CheckTask {
  protocols::CoherenceContext context;
  std::vector<protocols::CoherencePolicy> policies;  ///< by the number of L1s, less one: a rollover counts them
  std::vector<protocols::explore::Program> programs;
  protocols::explore::ExploreOptions explore;
  bool weak = false;

  const protocols::CoherencePolicy& policy() const { return policies.back(); }
  const protocols::CoherencePolicy& policy_for(const protocols::explore::Program& program) const {
    return policies[program.l1s() - 1];
  }
  /// The program with a place for each thread, where the policy is of several modules; UserError where it is not, and
  /// the program has places.
  protocols::explore::Program on_places(const protocols::explore::Program& program) const;
  /// How a program is explored, and which of its outcomes are allowed. Where time is logical, a second run begins near
  /// the largest timestamp; each line has a home of its own then, so that several homes may begin a rollover at once.
  std::vector<protocols::explore::ExploreOptions> ways(const protocols::explore::Program& program) const;
};

class Survey {
 public:
  explicit Survey(const CheckTask& task);

  /// Explores a program in all ways, each with `homes`, and counts what it took; stops at the first violation. With
  /// `list` there is a line about each way, without it one about a way that was not explored whole.
  std::optional<protocols::explore::Violation> explore(const protocols::explore::Program& program, unsigned homes,
                                                       bool list);
  void print_rows_not_taken() const;
  void print_total() const;

 private:
  const CheckTask& task_;
  protocols::RowCounts taken_;
  protocols::explore::Report total_;
  std::size_t programs_ = 0, unfinished_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace syncline::cli
