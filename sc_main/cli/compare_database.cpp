#include "sc_main/cli/compare_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/nearest.h"
#include "sc_main/cli/comparison.h"
#include "sc_main/sweep/sweep_results.h"

namespace syncline::cli {
namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Traits in which runs differ, in the order of the sweep; but seeds.
Names different(const sweep::SweepResults& all) {
  Names names;
  for (const std::string& name : all.names) {
    std::set<std::string> values;
    for (const sweep::SweepResult& one : all.results) {
      const auto found = one.traits.find(name);
      values.insert(found == one.traits.end() ? "" : found->second);
    }
    if (values.size() > 1 && name != "seed" && name != "input_seed") names.push_back(name);
  }
  return names;
}

/// Keys and options with their names, where another one than the first could be meant.
std::string label(const sweep::SweepResult& result, const Names& names, bool with_names) {
  std::string text;
  for (const std::string& name : names) {
    const auto found = result.traits.find(name);
    if (found == result.traits.end() || found->second.empty()) continue;
    if (!text.empty()) text += ' ';
    const bool is_plain = name == "workload" || name == "platform" || name == "size" || name == "case" || !with_names;
    text.append(is_plain ? "" : name + "=").append(found->second);
  }
  return text.empty() ? "-" : text;
}

void add(Names& names, const std::string& name) {
  if (!has(names, name)) names.push_back(name);
}

}  // namespace

void compare_database(const DatabaseComparison& options) {
  const sweep::SweepResults all = sweep::read_results(options.database);
  if (all.results.empty()) throw base::UserError("the database `" + options.database + "` has no results yet");
  for (const std::string& name : options.by) {
    if (!has(all.names, name))
      throw base::UserError("no run of the sweep has `" + name + "`" + base::suggestion(name, all.names));
  }
  require_once("--by", options.by);
  Names columns = options.by;
  const Names differ = different(all);
  if (columns.empty()) {
    // Programs, platforms and sizes are rows, unless nothing else differs.
    for (const std::string& name : differ)
      if (name != "workload" && name != "platform" && name != "size") columns.push_back(name);
    if (has(columns, "case")) columns = {"case"};
    if (columns.empty()) columns = {"platform"};
  }
  Names rows;
  if (!has(columns, "workload")) rows.emplace_back("workload");
  for (const std::string& name : differ)
    if (!has(columns, name)) add(rows, name);

  Comparison comparison;
  std::map<std::string, std::map<std::string, unsigned>> counts;
  for (const sweep::SweepResult& one : all.results) {
    const std::string row = label(one, rows, true), column = label(one, columns, columns.size() > 1);
    add(comparison.rows, row);
    add(comparison.columns, column);
    ++counts[row][column];
    for (const auto& [name, value] : one.measures) comparison.cells[row][column][name] += value;
  }
  for (auto& [row, of_row] : comparison.cells) {
    for (auto& [column, cell] : of_row) {
      for (auto& [name, value] : cell) value /= counts.at(row).at(column);
    }
  }
  comparison.baseline = options.baseline.empty() ? comparison.columns.front() : options.baseline;
  comparison.check(options.shown, "columns");
  comparison.print(options.shown);
  if (all.missing != 0) fmt::print("\n{} runs have failed or not ended, and are in no table\n", all.missing);
}

}  // namespace syncline::cli
