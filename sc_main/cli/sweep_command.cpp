// syncline sweep FILE: every combination of platforms, programs, keys and seeds, and a database of what came out.
#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "sc_main/cli/child_run.h"
#include "sc_main/cli/command.h"
#include "sc_main/cli/measures.h"
#include "sc_main/sweep/build_id.h"
#include "sc_main/sweep/sweep_store.h"
#include "sc_main/sweep/time_left.h"

namespace syncline::cli {
namespace {

using sweep::RunState;
using sweep::SweepRun;

struct SweepOptions {
  std::string file, database;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  bool retry = false, again = false, list = false, no_progress = false;
};

/// Longest reason of a failure that is kept.
constexpr std::size_t longest_reason = 4000;

std::string reason_of(const ChildRun& run) {
  std::string said = run.errors.substr(0, run.errors.find_last_not_of('\n') + 1);
  if (said.size() > longest_reason) said = "... " + said.substr(said.size() - longest_reason);
  if (run.status > 128)
    return fmt::format("ended by signal {} ({}){}{}", run.status - 128, strsignal(run.status - 128),
                       said.empty() ? "" : ": ", said);
  if (run.status == static_cast<int>(base::ExitStatus::not_verified) && said.empty()) return "the result is wrong";
  if (run.status != 0) return said.empty() ? fmt::format("status {}", run.status) : said;
  if (!run.result.is_object() || run.statistics.is_null()) return "it ended well and told nothing";
  return {};
}

/// Of the statistics of a run, those that a pattern has; of distributions the sum.
std::vector<std::pair<std::string, double>> kept(const nlohmann::json& statistics,
                                                 const std::vector<std::string>& patterns) {
  std::vector<std::pair<std::string, double>> all;
  if (patterns.empty() || !statistics.is_object()) return all;
  for (const auto& one : statistics.at("statistics")) {
    const std::string name = one.at("name");
    const auto has = [&](const std::string& pattern) { return fnmatch(pattern.c_str(), name.c_str(), 0) == 0; };
    if (std::none_of(patterns.begin(), patterns.end(), has)) continue;
    all.emplace_back(name, one.at(one.contains("value") ? "value" : "sum").get<double>());
  }
  return all;
}

sweep::Ending ending_of(const ChildRun& run, const std::vector<std::string>& patterns) {
  sweep::Ending ending{run.status, reason_of(run), run.seconds, run.result, {}, {}};
  if (ending.reason.empty()) {
    ending.measures = measure(run.result, run.statistics);
    ending.statistics = kept(run.statistics, patterns);
  }
  return ending;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string time_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Runs what is to be run, and keeps what came out as it comes.
class Conductor {
 public:
  Conductor(const SweepOptions& options, const sweep::SweepFile& file, std::vector<SweepRun> runs)
      : options_(options), file_(file), runs_(std::move(runs)) {}

  base::ExitStatus conduct() {
    sweep::SweepStore store(options_.database.empty() ? file_.database : std::filesystem::path(options_.database));
    choose(store,
           store.begin({SYNCLINE_VERSION, sweep::build_id(), host_name(), file_.path.string(), file_.text}, runs_));
    begun_ = std::chrono::steady_clock::now();
    std::vector<ChildRun> children(chosen_.size());
    for (std::size_t n = 0; n < chosen_.size(); ++n) {
      children[n].arguments = runs_[chosen_[n].run].arguments;
      time_left_.waits(runs_[chosen_[n].run]);
    }
    run_children(children, options_.jobs, [&](ChildRun& child) {
      ended(store, chosen_[static_cast<std::size_t>(&child - children.data())], child);
      child = {};
    });
    if (told_) fmt::print(stderr, "\n");
    const std::size_t failed = failed_before_ + failed_;
    fmt::print("{} runs: {} done, {} failed; {} of them now, in {}\n", runs_.size(), done_before_ + done_, failed,
               done_ + failed_, time_text(seconds()));
    if (done_ + failed_ != 0)
      fmt::print("keeping the results took {:.2f} % of the time\n", 100 * keeping_ / std::max(seconds(), 1e-9));
    return failed == 0 ? base::ExitStatus::done : base::ExitStatus::not_verified;
  }

 private:
  struct Chosen {
    std::size_t run;
    std::int64_t row;
  };

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }

  void choose(sweep::SweepStore& store, const std::vector<sweep::StoredRun>& stored) {
    std::size_t others = 0;
    for (std::size_t n = 0; n < runs_.size(); ++n) {
      const sweep::StoredRun& one = stored[n];
      const bool again = (options_.retry && one.state == RunState::failed) || (options_.again && one.other_build);
      if (one.state == RunState::waiting || again) {
        if (one.state != RunState::waiting) store.forget(one.row);
        chosen_.push_back({n, one.row});
        continue;
      }
      others += one.other_build ? 1 : 0;
      ++(one.state == RunState::done ? done_before_ : failed_before_);
    }
    if (others != 0) fmt::print("note: {} results are of another build of Syncline; --again replaces them\n", others);
    if (const std::int64_t left_over = store.left_over(); left_over != 0)
      fmt::print("note: the database has {} runs that the file does not have any more\n", left_over);
  }

  void ended(sweep::SweepStore& store, const Chosen& one, const ChildRun& child) {
    const auto from = std::chrono::steady_clock::now();
    const SweepRun& run = runs_[one.run];
    const sweep::Ending ending = ending_of(child, file_.keep);
    store.record(one.row, ending);
    ++(ending.reason.empty() ? done_ : failed_);
    time_left_.ended(run, child.seconds);
    if (!ending.reason.empty())
      fmt::print(stderr, "{}failed: {}: {}\n", std::exchange(told_, false) ? "\n" : "", run.title(), ending.reason);
    const auto now = std::chrono::steady_clock::now();
    keeping_ += std::chrono::duration<double>(now - from).count();
    if (options_.no_progress || std::chrono::duration<double>(now - last_told_).count() < 0.5) return;
    last_told_ = now;
    told_ = true;
    fmt::print(stderr, "\r{} of {} runs, {} failed, about {} left   ", done_ + failed_, chosen_.size(), failed_,
               time_text(time_left_.left(options_.jobs)));
  }

  const SweepOptions& options_;
  const sweep::SweepFile& file_;
  const std::vector<SweepRun> runs_;
  std::vector<Chosen> chosen_;
  sweep::TimeLeft time_left_;
  std::size_t done_before_ = 0, failed_before_ = 0, done_ = 0, failed_ = 0;
  std::chrono::steady_clock::time_point begun_, last_told_;
  double keeping_ = 0;  ///< seconds
  bool told_ = false;   ///< a line of progress is not ended
};

base::ExitStatus act(const SweepOptions& options) {
  const sweep::SweepFile file = sweep::read_sweep(options.file);
  std::vector<SweepRun> runs = sweep::runs_of(file);
  if (options.list) {
    for (const SweepRun& run : runs) fmt::print("{}\n", run.title());
    return base::ExitStatus::done;
  }
  return Conductor(options, file, std::move(runs)).conduct();
}

}  // namespace

void add_sweep(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App& command =
      *app.add_subcommand("sweep", "Run every combination that a file asks for, and keep the results in a database");
  command.add_option("FILE", options->file, "a sweep file, YAML (docs/how-to-sweep.md)")
      ->required()
      ->check(some_name());
  command.add_option("--database", options->database, "SQLite file; default: what the sweep file says")
      ->check(some_name());
  command.add_option("--jobs", options->jobs, "runs at a time; default: as many as the computer has cores")
      ->transform(number(1, 4096));
  command.add_flag("--retry", options->retry, "run again what has failed");
  command.add_flag("--again", options->again, "run again what another build of Syncline has run");
  command.add_flag("--list", options->list, "only print the runs");
  command.add_flag("--no-progress", options->no_progress, "nothing on standard error but errors");
  command.callback([options, &chosen] { chosen = [options] { return act(*options); }; });
}

}  // namespace syncline::cli
