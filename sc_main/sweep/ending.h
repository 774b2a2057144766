// What became of a run of a sweep.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sc_main/sweep/child_run.h"
#include "sc_main/sweep/input_files.h"

namespace syncline::sweep {

struct Ending {
  int status = 0;         ///< exit status; 128 + n: ended by signal n
  std::string reason;     ///< why it failed; empty: it did not
  double seconds = 0;     ///< from its start to its end
  nlohmann::json result;  ///< the JSON object of a run; null where there was none
  std::map<std::string, double> measures;
  std::vector<std::pair<std::string, double>> statistics;
  std::map<std::string, std::string> unmatched;  ///< patterns that no statistic has, each with the nearest
};

/// `patterns`: of names of statistics, with wildcards (fnmatch); of a distribution NAME the sum is kept, and NAME.count
/// and NAME.max. A run has failed where one of its files is not what it was: nobody knows what it has read.
Ending ending_of(const ChildRun& run, const std::vector<std::string>& patterns, const InputFiles& files);

nlohmann::json to_json(const Ending& ending);
/// What `to_json` gave. nlohmann::json::exception for anything else.
Ending ending_of(const nlohmann::json& json);

}  // namespace syncline::sweep
