// What runs are compared by: numbers worked out from a run's result and statistics.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::cli {

struct Measure {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  /// Tables show a policy's value divided by the baseline's; otherwise the value itself.
  bool relative;
};

const std::vector<Measure>& measures();

/// All measures of a run by name. Statistics of one name are summed over the blocks that have it.
std::map<std::string, double> measure(const nlohmann::json& result, const nlohmann::json& statistics);

}  // namespace syncline::cli
