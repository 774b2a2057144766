#include "tests/transactions/random/coverage.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <systemc>
#include <vector>

#include "base/error.h"
#include "models/transactions/getm/validation_unit.h"
#include "models/transactions/local/local_core.h"
#include "models/transactions/warptm/commit_unit.h"

namespace syncline::tests {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

/// A path is what a statistic counts, of whichever units have it; of a distribution, the sum of its samples.
struct Path {
  const char* name;
  const char* statistic;
};
constexpr Path all_paths[] = {
    // GETM
    {"stash", "validation_unit.stashed"},
    {"approximate times", "validation_unit.evicted"},
    {"overflow list", "validation_unit.overflowed"},
    {"stall buffer", "stall_buffer.parked"},
    {"stall buffer without room", "stall_buffer.no_room"},
    {"commit unit without room", "commit_unit.full"},
    {"rollover", "getm_rollover.rollovers"},
    {"abort: war", "getm.aborted_war"},
    {"abort: waw", "getm.aborted_waw"},
    {"abort: raw", "getm.aborted_raw"},
    {"abort: tie", "getm.aborted_tie"},
    {"abort: no_room", "getm.aborted_no_room"},
    {"abort: rollover", "getm.aborted_rollover"},
    {"abort: intra_warp", "getm.aborted_intra_warp"},
    {"own log read", "getm.forwarded"},
    // Those that validate by value
    {"hazard", "commit_unit.hazards"},
    {"failed validation", "commit_unit.failed"},
    {"silent commit", "transactions.silent"},
    {"pause", "transactions.paused"},
    {"hint", "commit_unit.hints"},
    {"abort: validation", "transactions.aborted_validation"},
    {"abort: intra_warp", "transactions.aborted_intra_warp"},
    {"abort: eager", "transactions.aborted_eager"},
    {"abort: early", "transactions.aborted_early"},
    {"own log read", "transactions.forwarded"},
    // Of shared memory
    {"conflict", "local_tm.conflicts"},
    {"gives up", "local_tm.given_up"},
    {"second look", "local_tm.second_looks"},
    {"word restored", "local_tm.restored"},
    {"wavefront serial", "local_tm.ended_wavefront_serial"},
    {"group serial", "local_tm.ended_group_serial"},
    // The lock
    {"lock looked for", "lock.looks"},
    {"lock waited for", "lock.waited"},
};

void add_to(Counts& sums, const Counts& more) {
  for (const auto& [name, count] : more) sums[name] += count;
}

void add_machine(Counts& taken, const protocols::TransitionTable& table, const std::vector<std::uint64_t>& counts) {
  for (const protocols::Transition& t : table.transitions()) {
    if (!t.only_waits()) taken[protocols::row_name(t.row, table.vocabulary())] += counts[t.index];
  }
}

std::string line(const char* what, const Counts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  return counts.empty() ? "" : fmt::format("{}: {}\n", what, text);
}

}  // namespace

void Coverage::add_rows() {
  const auto look = [this](const auto& self, const std::vector<sc_core::sc_object*>& objects) -> void {
    for (const sc_core::sc_object* object : objects) {
      if (const auto* granules = dynamic_cast<const models::GetmValidationUnit*>(object))
        add_machine(taken_, granules->machine().table(), granules->machine().taken());
      if (const auto* entries = dynamic_cast<const models::WarptmCommitUnit*>(object))
        add_machine(taken_, entries->machine().table(), entries->machine().taken());
      if (const auto* local = dynamic_cast<const models::LocalCore*>(object)) {
        for (const auto& [name, detection] : protocols::local::detections()) {
          const auto* const words = local->machine(detection);
          if (words != nullptr) add_machine(taken_, words->table(), words->taken());
        }
      }
      self(self, object->get_child_objects());
    }
  };
  look(look, sc_core::sc_get_top_level_objects());
}

void Coverage::add_paths(const std::string& statistics) {
  const auto json = nlohmann::json::parse(statistics);
  for (const auto& statistic : json.at("statistics")) {
    const std::string name = statistic.at("name");
    for (const Path& path : all_paths) {
      const std::string end = std::string("_") + path.statistic, whole = std::string("gpu.") + path.statistic;
      const bool at_end = name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
      if (!at_end && name != whole) continue;
      const auto& value = statistic.contains("value") ? statistic.at("value") : statistic.at("sum");
      paths_[path.name] += value.get<std::uint64_t>();
    }
  }
}

void Coverage::add_shapes(const Counts& shapes) {
  add_to(shapes_, shapes);
}

void Coverage::add(const Coverage& other) {
  add_to(taken_, other.taken_);
  add_to(paths_, other.paths_);
  add_to(shapes_, other.shapes_);
}

std::string Coverage::text(const Reasons& cannot) const {
  std::string text, missing;
  std::size_t taken = 0;
  for (const auto& [row, count] : taken_) {
    taken += count != 0;
    if (count != 0) continue;
    const auto why = cannot.find(row);
    missing += fmt::format("  not taken: {}{}\n", row, why == cannot.end() ? "" : ": " + why->second);
  }
  if (!taken_.empty()) text = fmt::format("{} of {} rows taken\n{}", taken, taken_.size(), missing);
  return text + line("paths", paths_) + line("shapes", shapes_);
}

std::vector<std::string> Coverage::wrong_rows(const Reasons& cannot) const {
  if (taken_.empty()) return {"this policy has no table, or its units were not found"};
  std::vector<std::string> wrong;
  for (const auto& [row, why] : cannot) {
    if (hit(row)) wrong.push_back(fmt::format("row `{}` was taken, which cannot be: {}", row, why));
  }
  for (const auto& [row, count] : taken_) {
    if (count == 0 && cannot.count(row) == 0) wrong.push_back(fmt::format("row `{}` was never taken", row));
  }
  return wrong;
}

bool Coverage::hit(const std::string& name) const {
  if (taken_.count(name) != 0) return taken_.at(name) != 0;
  for (const Counts* counts : {&paths_, &shapes_}) {
    if (const auto found = counts->find(name); found != counts->end()) return found->second != 0;
  }
  throw base::UserError(fmt::format("`{}` is no row, path or shape of these programs and this policy", name));
}

std::string Coverage::to_json() const {
  return nlohmann::json{{"taken", taken_}, {"paths", paths_}, {"shapes", shapes_}}.dump();
}

Coverage Coverage::of_json(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  Coverage coverage;
  json.at("taken").get_to(coverage.taken_);
  json.at("paths").get_to(coverage.paths_);
  json.at("shapes").get_to(coverage.shapes_);
  return coverage;
}

}  // namespace syncline::tests
