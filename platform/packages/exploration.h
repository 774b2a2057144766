// What explores the machines of a package in all ways, for `syncline check` and `syncline describe`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::platform {

struct ExplorationRequest {
  std::vector<std::string> programs;  ///< texts; none: the suite
  std::vector<std::string> settings;  ///< key=value, as of --set
  std::uint64_t max_states = 0;       ///< of a program
  std::string command;                ///< named in mistakes of settings
  std::function<void(std::string_view)> print;
};

class Exploration {
 public:
  virtual ~Exploration() = default;
  /// False: something is wrong, which was printed with what led there. UserError for a program or a setting that is
  /// none.
  virtual bool check(const ExplorationRequest& request) const = 0;
  /// What an exploration of the suite says at its end.
  virtual std::string size() const = 0;
  /// What the machines were seen to do, for Graphviz; empty: there is nothing to draw.
  virtual std::string graph() const { return {}; }
};

}  // namespace syncline::platform
