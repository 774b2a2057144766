// The report of a run as data: one JSON object, from which the page is drawn (page.js) and runs are compared.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/stats.h"
#include "platform/config/configuration.h"
#include "platform/observe/kernel_log.h"
#include "platform/report/contention.h"
#include "platform/report/course.h"
#include "platform/report/level_times.h"
#include "platform/report/traffic.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// What a report is made from. All of it outlives the call.
struct ReportSources {
  const PlatformSpec& spec;
  const Settings& settings;
  const nlohmann::ordered_json& provenance;  ///< provenance_json
  const nlohmann::ordered_json& result;      ///< what came out: "cycles", "verified", ...
  const base::StatisticsRegistry& statistics;
  const std::vector<std::string_view>& traffic_names;  ///< MessageFamilies::traffic_names
  const KernelLog& kernels;
  const Course& course;
  const Traffic& traffic;
  const Contention& contention;
  const LevelTimes& level_times;
  std::uint64_t core_hz;
};

/// {"schema": 1, "provenance", "configuration", "result", "kernels", "stalls", "course", "roofline", "latencies",
/// "access_times", "traffic", "lines", "instructions", "statistics"}; docs/how-to-report.md says what each holds. Two
/// runs that are equal have equal reports.
nlohmann::ordered_json report_model(const ReportSources& from);

}  // namespace syncline::platform
