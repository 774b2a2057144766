// What an online check says where a run breaks what it checks: base::ModelErrors that name warps, and where in the
// program's text their accesses stand.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/ids.h"
#include "consistency/online/online_checker.h"
#include "consistency/online/value_history.h"
#include "platform/observe/watched_threads.h"

namespace syncline::platform {

class ConsistencyComplaints {
 public:
  using Step = consistency::OnlineViolation::Step;
  /// Where in the program's text instruction `pc` of a grid stands; empty: no longer known.
  using Where = std::function<std::string(base::GridId grid, std::uint32_t pc)>;

  /// `threads` outlives this.
  explicit ConsistencyComplaints(const WatchedThreads& threads) : threads_(threads) {}
  void know(Where where) { where_ = std::move(where); }

  /// Accesses that come before each other in a ring.
  [[noreturn]] void of_order(consistency::OnlineModel model, const consistency::OnlineViolation& violation) const;
  /// Who reads, and what he gets.
  [[noreturn]] void of_values(const Step& reader, const std::string& what) const;
  [[noreturn]] void of_values(const Step& reader, const consistency::ValueVerdict& verdict, const char* where) const;

 private:
  std::string describe(const Step& step) const;

  const WatchedThreads& threads_;
  Where where_;
};

}  // namespace syncline::platform
