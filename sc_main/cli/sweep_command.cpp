// syncline sweep FILE: every combination of platforms, programs, keys and seeds, and a database of what came out.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "platform/observe/progress_line.h"
#include "sc_main/cli/command.h"
#include "sc_main/sweep/build_id.h"
#include "sc_main/sweep/child_run.h"
#include "sc_main/sweep/slurm.h"
#include "sc_main/sweep/sweep_store.h"
#include "sc_main/sweep/time_left.h"

namespace syncline::cli {
namespace {

namespace fs = std::filesystem;
using sweep::RunState;
using sweep::SweepRun;

struct SweepOptions {
  std::string file, database;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  unsigned limit = 0;  ///< sweep::ChildRun::limit
  bool retry = false, again = false, list = false, no_progress = false, on_slurm = false;
  bool wait = false;  ///< for the job on Slurm
  sweep::SlurmOptions slurm;
  std::optional<std::size_t> task;  ///< of a job on Slurm: the file says which tasks there are
};

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
    const fs::path database = options_.database.empty() ? file_.database : fs::path(options_.database);
    sweep::SweepStore store(database);
    sweep::SlurmFolder slurm(database);
    begun_ = std::chrono::steady_clock::now();
    const std::size_t left = collect_all(store, slurm);
    choose(store, store.begin({SYNCLINE_VERSION, sweep::build_id(), host_name(), file_.path.string(), file_.text},
                              runs_, file_.keep));
    if (left != 0) {
      fmt::print("{} tasks are in Slurm's queue or run; nothing else is begun before they have ended\n", left);
    } else if (!options_.on_slurm) {
      run_here(store);
    } else if (!chosen_.empty()) {
      submit(store, slurm);
      if (options_.wait) collect_all(store, slurm);
    }
    return summary(store);
  }

 private:
  struct Chosen {
    std::size_t run;
    std::int64_t row;
  };

  void run_here(sweep::SweepStore& store) {
    std::vector<sweep::ChildRun> children(chosen_.size());
    for (std::size_t n = 0; n < chosen_.size(); ++n) {
      children[n].arguments = runs_[chosen_[n].run].arguments;
      children[n].limit = options_.limit;
      time_left_.waits(runs_[chosen_[n].run]);
    }
    sweep::run_children(children, options_.jobs, [&](sweep::ChildRun& child) {
      const Chosen& one = chosen_[static_cast<std::size_t>(&child - children.data())];
      const auto from = std::chrono::steady_clock::now();
      const SweepRun& run = runs_[one.run];
      keep(store, one.row, sweep::ending_of(child, file_.keep, run.files()), store.session(), run.title());
      keeping_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
      time_left_.ended(run, child.seconds);
      tell_progress();
      child = {};
    });
    progress_.clear();
  }

  void submit(sweep::SweepStore& store, sweep::SlurmFolder& slurm) {
    std::vector<sweep::TaskRun> runs;
    for (const Chosen& one : chosen_) {
      const SweepRun& run = runs_[one.run];
      runs.push_back({one.row, run.title(), run.arguments, run.files()});
    }
    fmt::print("Slurm's job {} has {} runs; {} has what they print\n",
               slurm.submit(runs, store.session(), file_.keep, options_.limit, options_.slurm), runs.size(),
               slurm.path().string());
    flush_standard_output();
  }

  /// How many tasks of a job of this database are not at their end.
  std::size_t collect(sweep::SweepStore& store, sweep::SlurmFolder& slurm) {
    if (!slurm.exists()) return 0;
    return slurm.collect([&](const sweep::TaskRun& run, std::int64_t session, const sweep::Ending& ending) {
      keep(store, run.row, ending, session, run.title);
    });
  }

  /// The same once there are none, where that is to be waited for.
  std::size_t collect_all(sweep::SweepStore& store, sweep::SlurmFolder& slurm) {
    constexpr std::chrono::seconds longest(30);  // Slurm has others to answer
    std::chrono::seconds pause(1);
    std::size_t left = 0;
    while ((left = collect(store, slurm)) != 0 && options_.wait) {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, longest);
    }
    return left;
  }

  void keep(sweep::SweepStore& store, std::int64_t row, const sweep::Ending& ending, std::int64_t session,
            const std::string& title) {
    store.record(row, ending, session);
    ++(ending.reason.empty() ? done_ : failed_);
    for (const auto& [pattern, nearest] : ending.unmatched) tell_unmatched(pattern, nearest, title);
    if (ending.reason.empty()) return;
    const std::string_view reason = ending.reason;  // the database has all lines
    progress_.clear();
    fmt::print(stderr, "failed: {}: {}\n", title, reason.substr(0, reason.find('\n')));
  }

  void tell_unmatched(const std::string& pattern, const std::string& nearest, const std::string& title) {
    if (!unmatched_.insert(pattern).second) return;
    progress_.clear();
    fmt::print("note: `keep`: no statistic of {} is called `{}`{}\n", title, pattern,
               nearest.empty() ? "" : "; did you mean `" + nearest + "`?");
  }

  void tell_progress() {
    if (options_.no_progress || !progress_.is_due()) return;
    progress_.print(fmt::format("{} of {} runs, {} failed, about {} left", done_ + failed_, chosen_.size(), failed_,
                                time_text(time_left_.left(options_.jobs))),
                    {});
  }

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }

  void choose(sweep::SweepStore& store, const std::vector<sweep::StoredRun>& stored) {
    std::size_t others = 0, lacking = 0;
    for (std::size_t n = 0; n < runs_.size(); ++n) {
      const sweep::StoredRun& one = stored[n];
      const bool again =
          (options_.retry && one.state == RunState::failed) || (options_.again && (one.other_build || one.lacks_kept));
      if (one.state == RunState::waiting || again) {  // what it has found out before stays until there is more
        chosen_.push_back({n, one.row});
      } else {
        others += one.other_build ? 1 : 0;
        lacking += one.lacks_kept ? 1 : 0;
      }
    }
    if (others != 0) fmt::print("note: {} results are of another build of Syncline; --again replaces them\n", others);
    if (lacking != 0)
      fmt::print("note: {} results lack statistics that `keep` asks for now; --again replaces them\n", lacking);
    if (const std::int64_t left_over = store.left_over(); left_over != 0)
      fmt::print("note: the database has {} runs that the file does not have any more\n", left_over);
  }

  base::ExitStatus summary(sweep::SweepStore& store) const {
    const std::int64_t failed = store.count(RunState::failed), waiting = store.count(RunState::waiting);
    fmt::print("{} runs: {} done, {} failed{}; {} of them now, in {}\n", runs_.size(), store.count(RunState::done),
               failed, waiting != 0 ? fmt::format(", {} not yet", waiting) : "", done_ + failed_, time_text(seconds()));
    if (keeping_ != 0) fmt::print("keeping the results took {:.2f} % of the time\n", 100 * keeping_ / seconds());
    return failed == 0 ? base::ExitStatus::done : base::ExitStatus::not_verified;
  }

  const SweepOptions& options_;
  const sweep::SweepFile& file_;
  const std::vector<SweepRun> runs_;
  std::vector<Chosen> chosen_;
  sweep::TimeLeft time_left_;
  std::size_t done_ = 0, failed_ = 0;  ///< now
  std::set<std::string> unmatched_;    ///< patterns that were told of
  std::chrono::steady_clock::time_point begun_;
  double keeping_ = 0;  ///< seconds
  platform::ProgressLine progress_{std::cerr};
};

base::ExitStatus act(const SweepOptions& options) {
  if (options.task) {
    sweep::run_task(options.file, *options.task);
    return base::ExitStatus::done;
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file that must not grow is then told like a disk that is full
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
  command
      .add_option("--limit", options->limit,
                  "seconds of processor time that a run may take; one that takes longer has failed")
      ->transform(number(1, 1'000'000'000));
  command.add_flag("--retry", options->retry, "run again what has failed");
  command.add_flag("--again", options->again,
                   "run again what another build of Syncline has run, and what lacks statistics that `keep` asks for");
  command.add_flag("--list", options->list, "only print the runs");
  command.add_flag("--no-progress", options->no_progress, "nothing on standard error but errors");
  CLI::Option* const slurm = command.add_flag(
      "--slurm", options->on_slurm, "submit the runs as a job array to Slurm; the next call collects what has ended");
  command
      .add_option("--slurm-option", options->slurm.options,
                  "of sbatch, as --slurm-option=--partition=long; may be repeated")
      ->needs(slurm)
      ->check(some_name())
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("--slurm-tasks", options->slurm.tasks, "tasks of the array, at most; each has several runs then")
      ->needs(slurm)
      ->transform(number(1, 1'000'000))
      ->capture_default_str();
  command
      .add_flag("--slurm-wait", options->wait,
                "wait for the job, and for one that is in the queue already, and collect the results")
      ->needs(slurm);
  command.add_option("--task", options->task, "what tasks of such a job are called with")
      ->group("")
      ->transform(number());
  command.callback([options, &command, &chosen] {
    if (options->list)
      refuse_given(command, {"--database", "--jobs", "--limit", "--retry", "--again", "--slurm"},
                   "--list, which only prints");
    if (options->on_slurm) refuse_given(command, {"--jobs"}, "--slurm, where the cluster says what runs at a time");
    chosen = [options] { return act(*options); };
  });
}

}  // namespace syncline::cli
