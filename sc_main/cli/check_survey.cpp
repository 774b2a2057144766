#include "sc_main/cli/check_survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/litmus/weak_outcomes.h"
#include "protocols/coherence/registry.h"

namespace syncline::cli {
namespace {

namespace explore = protocols::explore;

constexpr std::uint64_t time_left_of_suites = 5;

/// Rows that do something and that no program took.
void print_rows(const protocols::TransitionTable& table, const std::vector<std::uint64_t>& taken) {
  const protocols::Vocabulary& words = table.vocabulary();
  const protocols::RowsTaken result = protocols::rows_taken(table, taken);
  fmt::print("{} machine: {} of {} rows taken\n", words.machine, result.rows - result.missing.size(), result.rows);
  for (const protocols::Transition* t : result.missing)
    fmt::print("  not taken: {} {}: {}\n", words.machine, protocols::row_name(t->row, words), t->row.why);
}

}  // namespace

explore::Program CheckTask::on_places(const explore::Program& program) const {
  if (policy().of_modules) return explore::placed(program, policy().grid);
  if (program.threads[0].is_placed)
    throw base::UserError("program `" + program.text + "` has places as `@1.0`, and `" + policy().name +
                          "` is a policy of one module");
  return program;
}

std::vector<explore::ExploreOptions> CheckTask::ways(const explore::Program& program) const {
  std::vector<explore::ExploreOptions> ways{explore};
  if (weak) ways[0].allowed = platform::weak_outcomes(program, platform::promise_of(policy()));
  if (policy().logical_time && explore.world.time_left == 0) {
    ways.push_back(ways[0]);
    ways[1].world.time_left = time_left_of_suites;
    ways[1].world.homes = program.lines();
  }
  return ways;
}

Survey::Survey(const CheckTask& task) : task_(task), taken_(task.policy().no_rows()) {}

std::optional<explore::Violation> Survey::explore(const explore::Program& program, unsigned homes, bool list) {
  ++programs_;
  for (explore::ExploreOptions& way : task_.ways(program)) {
    way.world.homes = std::max(way.world.homes, homes);
    const explore::Report report = explore::explore(task_.policy_for(program), program, task_.context, way);
    total_.states += report.states;
    total_.steps += report.steps;
    total_.depth = std::max(total_.depth, report.depth);
    if (!report.complete) ++unfinished_;
    for (std::size_t role = 0; role < taken_.size(); ++role) {
      for (std::size_t row = 0; row < taken_[role].size(); ++row) taken_[role][row] += report.taken[role][row];
    }
    if (list || !report.complete)
      fmt::print("{:44} {:8} states {:9} transitions, depth {:3}, {} outcomes{}{}\n", program.text, report.states,
                 report.steps, report.depth, report.outcomes.size(),
                 way.world.time_left != 0 ? ", timestamps overflow" : "", report.complete ? "" : " (not finished)");
    if (report.violation) return report.violation;
  }
  return std::nullopt;
}

void Survey::print_rows_not_taken() const {
  for (std::size_t role = 0; role < taken_.size(); ++role) print_rows(*task_.policy().roles[role].table, taken_[role]);
}

void Survey::print_total() const {
  const protocols::CoherencePolicy& policy = task_.policy();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  fmt::print("{} ({}): {} programs, {} states, {} transitions, depth {}, {:.1f} s ({:.2f} M states a minute): {}\n",
             policy.name, protocols::name(policy.consistency), programs_, total_.states, total_.steps, total_.depth,
             seconds, static_cast<double>(total_.states) / seconds * 60e-6,
             unfinished_ == 0 ? "no violation"
                              : fmt::format("no violation in what was explored, {} not to the end", unfinished_));
}

}  // namespace syncline::cli
