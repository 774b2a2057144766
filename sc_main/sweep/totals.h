// The statistics of a whole run, as `--stats` writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::sweep {

/// A counter or a gauge, or the sum of a distribution.
struct Total {
  std::string name;                  ///< full, with its block
  double value = 0;                  ///< 0 of a gauge that has none
  std::optional<double> count, max;  ///< of a distribution
};

/// Reads no further than to the end of the totals: what stands by kernel, behind them, is often longer. Empty where
/// `json` is no such file.
std::vector<Total> read_totals(std::string_view json);

}  // namespace syncline::sweep
