#include "platform/run/observers.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "platform/observe/event_trace.h"
#include "platform/observe/latency_report.h"
#include "platform/observe/output_file.h"
#include "platform/observe/progress_line.h"
#include "platform/observe/statistics_csv.h"
#include "platform/observe/statistics_json.h"
#include "platform/observe/time_series.h"
#include "platform/observe/wave.h"
#include "platform/observe/wave_lines.h"
#include "platform/report/page.h"
#include "platform/report/report.h"
#include "platform/timed/launch_listener.h"
#include "platform/timed/progress.h"

namespace syncline::platform {
namespace {

class StatisticsObserver : public Observer {
 public:
  void attach(WatchedRun& run) override {
    file_ = std::make_unique<OutputFile>(run.outputs, run.request.observe.statistics_path, "--stats");
    run.kernels();
  }
  void finish(WatchedRun& run, RunResult&) override {
    const bool as_csv = std::filesystem::path(run.request.observe.statistics_path).extension() == ".csv";
    const auto write = as_csv ? write_statistics_csv : write_statistics;
    write(file_->stream(), run.simulation.context().statistics, run.provenance(), run.kernels().kernels());
    file_->finish();
  }

 private:
  std::unique_ptr<OutputFile> file_;
};

class SeriesObserver : public Observer {
 public:
  void attach(WatchedRun& run) override {
    const Observation& what = run.request.observe;
    if (!what.series_names.empty()) require_names(run.simulation.context().statistics, what.series_names);
    file_ = std::make_unique<OutputFile>(run.outputs, what.series_path, "--series");
    const std::vector<std::string> usual{"warp_instructions", "occupancy",        "memory_queue",
                                         "mshrs_in_use",      "memory_in_flight", "queued_flits"};
    series_ = std::make_unique<TimeSeries>(file_->stream(), run.simulation.context().statistics, run.kernels(),
                                           what.series_names.empty() ? usual : what.series_names, what.series_period,
                                           what.series_of_kernels ? TimeSeries::Rows::kernels : TimeSeries::Rows::all);
    run.simulation.observe(*series_, "series");
  }
  void finish(WatchedRun& run, RunResult&) override {
    series_->finish(run.simulation.core_clock().now());
    file_->finish();
  }

 private:
  static void require_names(const base::StatisticsRegistry& statistics, const std::vector<std::string>& names) {
    std::set<std::string> known, distributions;
    for (const base::Statistic* const one : statistics.sorted())
      (one->distribution == nullptr ? known : distributions).emplace(one->name);
    for (const std::string& name : names) {
      if (known.count(name) != 0) continue;
      if (distributions.count(name) != 0)
        throw base::UserError("--series-names: `" + name + "` is a distribution, and a column has one number");
      throw base::UserError("--series-names: no statistic of a block is called `" + name + "`" +
                            base::suggestion(name, {known.begin(), known.end()}));
    }
  }

  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<TimeSeries> series_;
};

/// What came of a run; nothing that another run of the same would not say.
nlohmann::ordered_json summary(const RunResult& result) {
  nlohmann::ordered_json json{{"cycles", result.totals.cycles},
                              {"warp_instructions", result.totals.warp_instructions},
                              {"thread_instructions", result.totals.thread_instructions},
                              {"launches", result.totals.launches},
                              {"verified", "nothing was checked"}};
  if (result.outcome.verified) json["verified"] = *result.outcome.verified;
  if (!result.outcome.detail.empty()) json["check"] = result.outcome.detail;
  if (!result.notes.empty()) json["notes"] = result.notes;
  if (!result.consistency.empty()) json["consistency"] = result.consistency;
  if (!result.transactions.empty()) json["transactions"] = result.transactions;
  return json;
}

class ReportObserver : public Observer {
 public:
  explicit ReportObserver(const PlatformSpec& spec) : report_(spec) {}
  void listen(GpuOptions& options) const override { report_.listen(options); }
  void attach(WatchedRun& run) override {
    file_ = std::make_unique<OutputFile>(run.outputs, run.request.observe.report_path, "--report");
    report_.watch(run.simulation, run.kernels());
  }
  void finish(WatchedRun& run, RunResult& result) override {
    const RunRequest& request = run.request;
    file_->stream() << report_text(request.observe.report_path,
                                   fmt::format("{} on {}", request.provenance.program, request.platform.name),
                                   {report_.model(request.settings, run.provenance(), summary(result))});
    file_->finish();
  }

 private:
  Report report_;
  std::unique_ptr<OutputFile> file_;
};

class WaveObserver : public Observer, private LaunchListener {
 public:
  void attach(WatchedRun& run) override {
    const WaveSpec& what = run.request.observe.wave;
    Simulation& simulation = run.simulation;
    const Gpu& gpu = simulation.gpu();
    add_line_signals(simulation.context(), what.lines, gpu.line_bytes(), gpu.local_memory_base());
    wave_ =
        std::make_unique<WaveWriter>(run.outputs, what, simulation.context().signals.all(), simulation.core_clock());
    simulation.observe(*wave_, "wave");
    simulation.device().watch_launches(*this);
  }
  void finish(WatchedRun&, RunResult& result) override { wave_->finish(result.notes); }

 private:
  void launch_began(const models::GridLaunch& grid) override { wave_->kernel_begins(base::kernel_number(grid.id)); }
  void launch_ended(const models::GridLaunch& grid) override { wave_->kernel_ends(base::kernel_number(grid.id)); }
  std::unique_ptr<WaveWriter> wave_;
};

class TraceObserver : public Observer {
 public:
  explicit TraceObserver(const TraceQuestions& what) : trace_(std::make_shared<EventTrace>(what)) {}
  void listen(GpuOptions& options) const override {
    options.message_listeners.push_back(trace_);
    options.listeners.push_back(trace_);
  }
  void attach(WatchedRun& run) override { trace_->attach(run.simulation, run.outputs); }
  void finish(WatchedRun&, RunResult&) override { trace_->finish(); }

 private:
  std::shared_ptr<EventTrace> trace_;
};

class LatencyObserver : public Observer {
 public:
  void listen(GpuOptions& options) const override { options.message_listeners.push_back(times_); }
  void attach(WatchedRun& run) override {
    const LatencyQuestions& what = run.request.observe.latency;
    Simulation& simulation = run.simulation;
    if (!what.path.empty()) file_ = std::make_unique<OutputFile>(run.outputs, what.path, "--latency");
    report_ = std::make_unique<LatencyReport>(
        *times_, what, simulation.gpu().line_bytes(), static_cast<double>(simulation.core_clock().frequency_hz()),
        [&simulation](base::GridId grid, std::uint32_t pc) { return simulation.where(grid, pc); });
    report_->add_to(simulation.context().statistics);
  }
  void finish(WatchedRun&, RunResult& result) override {
    report_->check_answers();
    result.latency = report_->text();
    if (!file_) return;
    report_->write(file_->stream());
    file_->finish();
  }

 private:
  std::shared_ptr<AccessTimes> times_ = std::make_shared<AccessTimes>();
  std::unique_ptr<LatencyReport> report_;
  std::unique_ptr<OutputFile> file_;  ///< null: tables are all that is asked for
};

/// Notices on standard error, and how far the run is.
class ProgressObserver : public Observer {
 public:
  void attach(WatchedRun& run) override {
    Simulation& simulation = run.simulation;
    simulation.tell_at_once([this](const std::string& notice) {
      line_.clear();
      std::cerr << "syncline: " << notice << std::endl;
    });
    if (!run.request.observe.progress) return;
    progress_ = std::make_unique<Progress>(line_, [&simulation] {
      return ProgressLine::Work{simulation.gpu().grids().ctas_ended(), simulation.device().ctas_launched()};
    });
    simulation.observe(*progress_, "progress");
  }

 private:
  ProgressLine line_{std::cerr};
  std::unique_ptr<Progress> progress_;
};

}  // namespace

const KernelLog& WatchedRun::kernels() {
  if (kernels_) return *kernels_;
  kernels_ =
      std::make_unique<KernelLog>(simulation.context().statistics, [this] { return simulation.core_clock().now(); });
  for (unsigned gpu = 0; gpu < simulation.system().gpus(); ++gpu)
    simulation.device(gpu).watch_launches(kernels_->listener(gpu));
  return *kernels_;
}

nlohmann::ordered_json WatchedRun::provenance() const {
  return provenance_json(request.provenance, request.platform, request.seed);
}

Observers::Observers(const RunRequest& request) : request_(request) {
  const Observation& what = request.observe;
  // What the report on latencies counts is among the statistics.
  if (what.latency.any()) observers_.push_back(std::make_unique<LatencyObserver>());
  if (!what.trace.path.empty()) observers_.push_back(std::make_unique<TraceObserver>(what.trace));
  if (!what.statistics_path.empty()) observers_.push_back(std::make_unique<StatisticsObserver>());
  if (!what.series_path.empty()) observers_.push_back(std::make_unique<SeriesObserver>());
  if (!what.wave.path.empty()) observers_.push_back(std::make_unique<WaveObserver>());
  // Last, for it repeats what others have noted.
  if (!what.report_path.empty()) observers_.push_back(std::make_unique<ReportObserver>(request.platform));
  observers_.push_back(std::make_unique<ProgressObserver>());
}

OwnParts Observers::parts() const {
  OwnParts parts = request_.parts;
  parts.options = [this](const PlatformSpec& spec) {
    GpuOptions options = request_.parts.options ? request_.parts.options(spec) : GpuOptions{};
    for (const auto& observer : observers_) observer->listen(options);
    return options;
  };
  return parts;
}

void Observers::attach(Simulation& simulation, Outputs& outputs) {
  run_ = std::make_unique<WatchedRun>(request_, simulation, outputs);
  for (const auto& observer : observers_) observer->attach(*run_);
}

void Observers::finish(RunResult& result) {
  for (const auto& observer : observers_) observer->finish(*run_, result);
}

void refuse_timed_observation(const Observation& what) {
  const std::pair<const char*, const std::string*> options[] = {{"--stats", &what.statistics_path},
                                                                {"--series", &what.series_path},
                                                                {"--report", &what.report_path},
                                                                {"--wave", &what.wave.path},
                                                                {"--trace", &what.trace.path}};
  if (what.latency.any())
    throw base::UserError(
        "--latency, --explain-line and --explain-access are of the timed blocks; a functional run has none");
  for (const auto& [option, path] : options) {
    if (!path->empty())
      throw base::UserError(std::string(option) + " watches the timed blocks; a functional run has none");
  }
}

}  // namespace syncline::platform
