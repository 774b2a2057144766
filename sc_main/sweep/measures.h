// What runs are compared by: numbers worked out from a run's result and statistics.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sc_main/sweep/totals.h"

namespace syncline::sweep {

struct Measure {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  enum class Shown : std::uint8_t {
    plain,
    over_baseline,      ///< divided by the baseline's value
    baseline_over_this  ///< the baseline's value divided by it
  };
  Shown shown = Shown::plain;
  /// What `measure` gives the value by; empty: `name`. A measure with another's value adds nothing to the data.
  std::string_view of = {};

  bool relative() const { return shown != Shown::plain; }
  std::string value_name() const { return std::string(of.empty() ? name : of); }
};

const std::vector<Measure>& measures();

/// All measures of a run by name. Statistics of one name are summed over the blocks that have it.
std::map<std::string, double> measure(const nlohmann::json& result, const std::vector<Total>& statistics);

}  // namespace syncline::sweep
