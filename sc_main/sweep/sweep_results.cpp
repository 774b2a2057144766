#include "sc_main/sweep/sweep_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "sc_main/sweep/sqlite.h"
#include "sc_main/sweep/sweep_store.h"

namespace syncline::sweep {

bool is_database(const std::filesystem::path& path) {
  constexpr std::string_view head = "SQLite format 3";
  std::array<char, head.size()> begin{};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  return file.read(begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()) == head;
}

SweepResults read_results(const std::filesystem::path& path) {
  Database database(path, Database::Use::read);
  require_sweep(database);
  SweepResults all{{"case", "platform", "workload", "size"}, {}, 0};
  std::map<std::int64_t, std::size_t> places;  // of rows among the results
  Statement& runs = database.prepared(
      "SELECT id, state, \"case\", platform, workload, size, input_seed, seed FROM run WHERE place IS NOT NULL ORDER "
      "BY "
      "place");
  while (runs.step()) {
    if (runs.text(1) != "done") {
      ++all.missing;
      continue;
    }
    places[runs.integer(0)] = all.results.size();
    SweepResult& result = all.results.emplace_back();
    int column = 2;
    for (const char* name : {"case", "platform", "workload", "size", "input_seed", "seed"}) {
      if (!runs.is_null(column)) result.traits[name] = runs.text(column);
      ++column;
    }
  }
  const auto each = [&](const char* sql, auto&& take) {
    Statement& rows = database.prepared(sql);
    while (rows.step()) {
      const auto place = places.find(rows.integer(0));
      if (place != places.end()) take(all.results[place->second], rows);
    }
  };
  const auto trait = [&](SweepResult& result, const Statement& row) {
    const std::string name = row.text(1);
    result.traits[name] = row.text(2);
    if (std::find(all.names.begin(), all.names.end(), name) == all.names.end()) all.names.push_back(name);
  };
  each("SELECT run, name, value FROM option", trait);
  each("SELECT run, key, value FROM setting", trait);
  each("SELECT run, name, value FROM measure",
       [](SweepResult& result, const Statement& row) { result.measures[row.text(1)] = row.real(2); });
  all.names.insert(all.names.end(), {"input_seed", "seed"});
  return all;
}

}  // namespace syncline::sweep
