// What a report of a run is made from, gathered while it runs.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/gpu/gpu.h"
#include "platform/observe/access_times.h"
#include "platform/observe/kernel_log.h"
#include "platform/report/contention.h"
#include "platform/report/course.h"
#include "platform/report/level_times.h"
#include "platform/report/sections.h"
#include "platform/report/traffic.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {

/// Watches a simulation: of latencies all its GPUs, of the rest the first.
///
///   Report report(spec);
///   ... report.listen(options), the simulation is made with them ...
///   report.watch(simulation, kernels);
///   ... it runs ...
///   report.model(settings, provenance, result)
class Report {
 public:
  explicit Report(const PlatformSpec& spec);
  /// Before the GPU is made.
  void listen(GpuOptions& options) const;
  /// Before it runs. Both outlive the report.
  void watch(Simulation& simulation, const KernelLog& kernels);
  /// After the run: report_model, and the data of `report_sections()` as "sections".
  nlohmann::ordered_json model(const Settings& settings, const nlohmann::ordered_json& provenance,
                               const nlohmann::ordered_json& result);

 private:
  const PlatformSpec& spec_;
  std::shared_ptr<Contention> contention_;
  std::shared_ptr<AccessTimes> times_ = std::make_shared<AccessTimes>();
  LevelTimes level_times_;
  Traffic traffic_;
  Simulation* simulation_ = nullptr;
  const KernelLog* kernels_ = nullptr;
  std::unique_ptr<Course> course_;
  std::vector<std::unique_ptr<SectionOfRun>> sections_;  ///< of report_sections()
};

}  // namespace syncline::platform
