// Runs side by side: a table for each measure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sc_main/sweep/measures.h"

namespace syncline::cli {

struct Comparison {
  using Measures = std::map<std::string, double>;  ///< by name

  std::vector<std::string> rows, columns;
  std::string baseline;  ///< one of the columns, by which relative measures divide
  std::map<std::string, std::map<std::string, Measures>> cells;  ///< by row and column; some may be missing

  /// UserError with the nearest name where `baseline` or one of the measures is unknown. `what`: the columns are.
  void check(const std::vector<std::string>& shown, const std::string& what) const;
  /// A table for each of the measures.
  void print(const std::vector<std::string>& shown) const;

 private:
  void print(const sweep::Measure& measure) const;
  /// 0: it is not known, or nothing.
  double value(const sweep::Measure& measure, const std::string& row, const std::string& column) const;
};

/// UserError where one of the names that an option gives to rows or columns is there twice.
void require_once(const char* option, const std::vector<std::string>& names);

}  // namespace syncline::cli
