#include "platform/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "platform/functional/functional_device.h"
#include "platform/observe/kernel_log.h"
#include "platform/observe/output_file.h"
#include "platform/observe/progress_line.h"
#include "platform/observe/statistics_csv.h"
#include "platform/observe/statistics_json.h"
#include "platform/observe/time_series.h"
#include "platform/observe/wave.h"
#include "platform/report/page.h"
#include "platform/report/report.h"
#include "platform/spec/limits.h"
#include "platform/timed/progress.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {
namespace {

using HostClock = std::chrono::steady_clock;

double seconds_since(HostClock::time_point start) {
  return std::chrono::duration<double>(HostClock::now() - start).count();
}

/// What a timed run leaves behind: opened before it, so that mistakes in paths are told first; finished after it.
class Observers {
 public:
  /// `report`: null when none is asked for.
  Observers(const RunRequest& request, Simulation& simulation, Report* report, Outputs& outputs)
      : request_(request), simulation_(simulation), report_(report) {
    const Observation& what = request.observe;
    const models::PlatformContext& context = simulation.context();
    if (!what.statistics_path.empty())
      statistics_ = std::make_unique<OutputFile>(outputs, what.statistics_path, "--stats");
    if (!what.statistics_path.empty() || !what.series_path.empty() || report_ != nullptr) log_kernels();
    if (report_ != nullptr) {
      report_file_ = std::make_unique<OutputFile>(outputs, what.report_path, "--report");
      report_->watch(simulation, *kernels_);
    }
    if (!what.series_path.empty()) {
      series_file_ = std::make_unique<OutputFile>(outputs, what.series_path, "--series");
      const std::vector<std::string> usual{"warp_instructions", "occupancy",        "memory_queue",
                                           "mshrs_in_use",      "memory_in_flight", "queued_flits"};
      series_ = std::make_unique<TimeSeries>(
          series_file_->stream(), context.statistics, *kernels_, what.series_names.empty() ? usual : what.series_names,
          what.series_period, what.series_of_kernels ? TimeSeries::Rows::kernels : TimeSeries::Rows::all);
      if (series_->columns() == 0) throw base::UserError("no statistic has one of the names given by --series-names");
      simulation.observe(*series_, "series");
    }
    if (!what.wave_path.empty()) {
      wave_ = std::make_unique<WaveWriter>(outputs, what.wave_path, context.signals, what.wave_groups);
      simulation.observe(*wave_, "wave");
    }
    simulation.tell_at_once([this](const std::string& notice) {
      line_.clear();
      std::cerr << "syncline: " << notice << std::endl;
    });
    if (what.progress) {
      progress_ = std::make_unique<Progress>(line_, [&simulation] {
        return ProgressLine::Work{simulation.gpu().grids().ctas_ended(), simulation.device().ctas_launched()};
      });
      simulation.observe(*progress_, "progress");
    }
  }

  void finish(const RunResult& result) {
    if (series_) {
      series_->finish(simulation_.core_clock().now());
      series_file_->finish();
    }
    if (statistics_) {
      const bool as_csv = std::filesystem::path(request_.observe.statistics_path).extension() == ".csv";
      const auto write = as_csv ? write_statistics_csv : write_statistics;
      write(statistics_->stream(), simulation_.context().statistics, provenance(), kernels_->kernels());
      statistics_->finish();
    }
    if (report_ != nullptr) {
      report_file_->stream() << report_text(
          request_.observe.report_path, fmt::format("{} on {}", request_.provenance.program, request_.platform.name),
          {report_->model(request_.settings, provenance(), summary(result))});
      report_file_->finish();
    }
    if (wave_) wave_->finish();
  }

 private:
  void log_kernels() {
    kernels_ = std::make_unique<KernelLog>(simulation_.context().statistics,
                                           [this] { return simulation_.core_clock().now(); });
    for (unsigned gpu = 0; gpu < simulation_.system().gpus(); ++gpu)
      simulation_.device(gpu).watch_launches(kernels_->listener(gpu));
  }

  nlohmann::ordered_json provenance() const {
    return provenance_json(request_.provenance, request_.platform, request_.seed);
  }

  /// What came of the run; nothing that another run of the same would not say.
  static nlohmann::ordered_json summary(const RunResult& result) {
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

  const RunRequest& request_;
  Simulation& simulation_;
  Report* const report_;
  std::unique_ptr<KernelLog> kernels_;  ///< where somebody wants to know of kernels
  std::unique_ptr<OutputFile> statistics_, series_file_, report_file_;
  std::unique_ptr<TimeSeries> series_;
  std::unique_ptr<WaveWriter> wave_;
  ProgressLine line_{std::cerr};
  std::unique_ptr<Progress> progress_;
};

/// The caller's, and who listens for a report, if there is to be one.
OwnParts parts_of(const RunRequest& request, const Report* report) {
  OwnParts parts = request.parts;
  if (report == nullptr) return parts;
  parts.options = [&request, report](const PlatformSpec& spec) {
    GpuOptions options = request.parts.options ? request.parts.options(spec) : GpuOptions{};
    report->listen(options);
    return options;
  };
  return parts;
}

RunResult run_timed(const RunRequest& request, const HostProgram& program, Outputs& outputs) {
  const std::unique_ptr<Report> report =
      request.observe.report_path.empty() ? nullptr : std::make_unique<Report>(request.platform);
  const std::unique_ptr<Simulation> composed = compose(request.platform, request.seed, parts_of(request, report.get()));
  Simulation& simulation = *composed;
  Observers observers(request, simulation, report.get(), outputs);
  RunResult result;
  const HostClock::time_point start = HostClock::now();
  simulation.run([&](Device& device) {
    result.outcome = program(device);
    device.synchronize();
    result.host_seconds = seconds_since(start);
    result.totals = device.totals();
    result.memory_signature = device.memory_signature();
  });
  result.notes = simulation.context().notes;
  if (simulation.consistency() != nullptr) result.consistency = simulation.consistency()->summary();
  if (simulation.transactions() != nullptr) result.transactions = simulation.transactions()->summary();
  observers.finish(result);
  return result;
}

void refuse_timed_observation(const Observation& what) {
  const std::pair<const char*, const std::string*> options[] = {{"--stats", &what.statistics_path},
                                                                {"--series", &what.series_path},
                                                                {"--report", &what.report_path},
                                                                {"--wave", &what.wave_path}};
  for (const auto& [option, path] : options) {
    if (!path->empty())
      throw base::UserError(std::string(option) + " watches the timed blocks; a functional run has none");
  }
}

/// There are no cycles here, but no more warp instructions either than the timed machine could execute in them.
void limit_instructions(isa::EmulatorConfig& config, const PlatformSpec& spec) {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t a_cycle = std::uint64_t{spec.sms} * spec.sm.schedulers * spec.sm.issue_width;
  const std::uint64_t cycles = spec.limits.cycles;
  const std::uint64_t by_cycles = cycles == 0 || cycles > none / a_cycle ? none : cycles * a_cycle;
  const std::uint64_t by_instructions = spec.limits.instructions != 0 ? spec.limits.instructions : none;
  config.instruction_limit = std::min(by_cycles, by_instructions);
  config.limit_key =
      by_cycles < by_instructions ? " (limits.cycles, at the GPU's greatest rate)" : " (limits.instructions)";
}

FunctionalDevice::Config functional_config(const PlatformSpec& spec) {
  FunctionalDevice::Config config;
  config.limits = limits_of(spec);
  config.memory_bytes = spec.host.memory;
  config.heap_bytes = spec.host.heap;
  config.emulator.warp_lanes = spec.sm.warp_size;
  config.emulator.reconvergence = spec.sm.reconvergence;
  // What the timed machine may hold at once is what the programs may count on.
  config.emulator.resident_ctas = spec.sms * spec.sm.max_ctas;
  config.emulator.sms = spec.sms;
  config.emulator.warps_per_sm = spec.sm.max_warps;
  config.emulator.local_limit = spec.host.local_memory;
  limit_instructions(config.emulator, spec);
  return config;
}

void show_progress(FunctionalDevice& device, ProgressLine& line) {
  device.watch([&line](const isa::LaunchProgress& done) {
    if (!line.is_due()) return;
    const auto instructions = static_cast<double>(done.warp_instructions);
    line.print(fmt::format("{:.1f} million warp instructions ({:.1f} million/s)", instructions / 1e6,
                           instructions / line.seconds() / 1e6),
               {done.ctas_done, done.ctas});
  });
}

/// `sink`: null when nobody wants to know of every instruction; `printed`: null for standard output.
RunResult run_functional(const RunRequest& request, const HostProgram& program, isa::TraceSink* sink,
                         std::ostream* printed) {
  refuse_timed_observation(request.observe);
  FunctionalDevice::Config config = functional_config(request.platform);
  config.output = printed;
  FunctionalDevice device(config);
  device.trace(sink);
  RunResult result;
  ProgressLine line(std::cerr);
  if (request.observe.progress) show_progress(device, line);
  const HostClock::time_point start = HostClock::now();
  result.outcome = program(device);
  device.synchronize();
  result.host_seconds = seconds_since(start);
  result.totals = device.totals();
  result.memory_signature = device.memory_signature();
  return result;
}

}  // namespace

RunResult run(const RunRequest& request, const HostProgram& program, Outputs& outputs) {
  return request.functional ? run_functional(request, program, nullptr, nullptr) : run_timed(request, program, outputs);
}

RunResult run(const RunRequest& request, const HostProgram& program) {
  Outputs none;
  return run(request, program, none);
}

RunResult run_traced(const RunRequest& request, const HostProgram& program, isa::TraceSink& sink,
                     std::ostream& printed) {
  return run_functional(request, program, &sink, &printed);
}

}  // namespace syncline::platform
