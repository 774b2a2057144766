// One `syncline run` in a process of its own: SystemC elaborates once in a process.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sc_main/sweep/totals.h"

namespace syncline::sweep {

/// What a run left behind.
struct ChildRun {
  std::vector<std::string> arguments;  ///< behind `syncline run`; `--stats` is added
  bool reports = false;                ///< and `--report`
  unsigned limit = 0;                  ///< seconds of processor time that it may take; 0: as long as it takes
  int status = 0;                      ///< exit status; 128 + n: ended by signal n
  std::string errors;                  ///< what it said on standard error
  nlohmann::json result;               ///< the JSON object of its last line; null where it did not come to its end
  double seconds = 0;                  ///< from its start to its end
  std::vector<Total> statistics;       ///< empty when there were none
  nlohmann::ordered_json report;       ///< platform::report_model; null when there was none
};

/// Runs all, `jobs` at a time, in their order; each call of `done` is for one that has ended. Throws UserError when no
/// process can be started.
void run_children(std::vector<ChildRun>& runs, unsigned jobs, const std::function<void(ChildRun&)>& done);

}  // namespace syncline::sweep
