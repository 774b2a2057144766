// What a sweep has found out, from its database.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace syncline::sweep {

struct SweepResult {
  /// What the run is, by name: "platform", "workload", "size", "case", "seed", "input_seed", and the names of options
  /// and keys. What it does not have is not there.
  std::map<std::string, std::string> traits;
  std::map<std::string, double> measures;
};

struct SweepResults {
  std::vector<std::string> names;    ///< of traits, in the order of the file
  std::vector<SweepResult> results;  ///< of runs that are done, in the order of the file
  std::size_t missing = 0;           ///< runs that have failed, or have not ended
};

/// Whether the file is a database.
bool is_database(const std::filesystem::path& path);
/// UserError where the database is none of a sweep.
SweepResults read_results(const std::filesystem::path& path);

}  // namespace syncline::sweep
