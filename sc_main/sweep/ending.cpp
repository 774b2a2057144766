#include "sc_main/sweep/ending.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/nearest.h"
#include "sc_main/sweep/measures.h"

namespace syncline::sweep {
namespace {

/// Longest reason of a failure that is kept.
constexpr std::size_t longest_reason = 4000;

std::string reason_of(const ChildRun& run) {
  std::string said = run.errors.substr(0, run.errors.find_last_not_of('\n') + 1);
  if (said.size() > longest_reason) said = said.substr(0, longest_reason) + " ...";
  if (run.limit != 0 && run.status == 128 + SIGXCPU)
    return fmt::format("takes longer than {} s of processor time (--limit)", run.limit);
  if (run.status > 128)
    return fmt::format("ended by signal {} ({}){}{}", run.status - 128, strsignal(run.status - 128),
                       said.empty() ? "" : ": ", said);
  if (run.status == static_cast<int>(base::ExitStatus::not_verified) && said.empty()) return "the result is wrong";
  if (run.status != 0) return said.empty() ? fmt::format("status {}", run.status) : said;
  if (!run.result.is_object() || run.statistics.empty()) return "it ended well and told nothing";
  return {};
}

std::string reason_of(const ChildRun& run, const InputFiles& files) {
  const std::string changed = changed_file(files);
  return changed.empty() ? reason_of(run) : fmt::format("`{}` has changed since the sweep read it", changed);
}

std::vector<std::pair<std::string, double>> kept(const std::vector<Total>& statistics,
                                                 const std::vector<std::string>& patterns) {
  std::vector<std::pair<std::string, double>> all;
  if (patterns.empty()) return all;
  for (const Total& one : statistics) {
    const auto has = [&](const std::string& pattern) { return fnmatch(pattern.c_str(), one.name.c_str(), 0) == 0; };
    if (std::none_of(patterns.begin(), patterns.end(), has)) continue;
    all.emplace_back(one.name, one.value);
    if (one.count) all.emplace_back(one.name + ".count", *one.count);
    if (one.max) all.emplace_back(one.name + ".max", *one.max);
  }
  return all;
}

/// An edit distance to each name takes a while, but no run that finds all patterns.
std::map<std::string, std::string> unmatched(const std::vector<Total>& statistics,
                                             const std::vector<std::string>& patterns) {
  std::map<std::string, std::string> all;
  std::vector<std::string> names;
  for (const Total& one : statistics) names.push_back(one.name);
  for (const std::string& pattern : patterns) {
    const auto has = [&](const std::string& name) { return fnmatch(pattern.c_str(), name.c_str(), 0) == 0; };
    if (std::none_of(names.begin(), names.end(), has)) all[pattern] = base::nearest_name(pattern, names);
  }
  return all;
}

}  // namespace

Ending ending_of(const ChildRun& run, const std::vector<std::string>& patterns, const InputFiles& files) {
  Ending ending{run.status, reason_of(run, files), run.seconds, run.result, {}, {}, {}};
  if (ending.reason.empty()) {
    ending.measures = measure(run.result, run.statistics);
    ending.statistics = kept(run.statistics, patterns);
    ending.unmatched = unmatched(run.statistics, patterns);
  }
  return ending;
}

nlohmann::json to_json(const Ending& ending) {
  return {{"status", ending.status},      {"reason", ending.reason},     {"seconds", ending.seconds},
          {"result", ending.result},      {"measures", ending.measures}, {"statistics", ending.statistics},
          {"unmatched", ending.unmatched}};
}

Ending ending_of(const nlohmann::json& json) {
  return {json.at("status"),   json.at("reason"),     json.at("seconds"),  json.at("result"),
          json.at("measures"), json.at("statistics"), json.at("unmatched")};
}

}  // namespace syncline::sweep
