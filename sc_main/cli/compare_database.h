// syncline compare DATABASE: the runs of a sweep, side by side.
#pragma once

#include <string>
#include <vector>

namespace syncline::cli {

struct DatabaseComparison {
  std::string database;
  std::vector<std::string> by;  ///< traits that columns differ in; empty: cases, or what else differs
  std::string baseline;         ///< empty: the first column
  std::vector<std::string> shown;
};

/// Prints a table for each measure: of runs that differ in seeds alone the mean. UserError for names that the sweep
/// does not have.
void compare_database(const DatabaseComparison& options);

}  // namespace syncline::cli
