#include "platform/report/report.h"

#include <nlohmann/json.hpp>

#include "platform/report/report_model.h"

namespace syncline::platform {
namespace {

// As many as a picture of that width in pixels can show.
constexpr std::size_t most_samples = 400;

}  // namespace

Report::Report(const PlatformSpec& spec) : spec_(spec), contention_(std::make_shared<Contention>(spec.l2.line)) {
  for (const ReportSection& section : report_sections()) sections_.push_back(section.begin(spec));
}

void Report::listen(GpuOptions& options) const {
  options.listeners.push_back(contention_);
  options.message_listeners.push_back(times_);
  for (const auto& section : sections_) section->listen(options);
}

void Report::watch(Simulation& simulation, const KernelLog& kernels) {
  simulation_ = &simulation;
  kernels_ = &kernels;
  contention_->start(spec_.sms, [&clock = simulation.core_clock()] { return clock.now(); });
  simulation.device().watch_launches(*contention_);
  times_->subscribe([this](const AccessTime& time) { level_times_.hear(time); });
  for (models::Block* const block : simulation.context().blocks) {
    if (auto* const crossbar = dynamic_cast<models::Crossbar*>(block)) crossbar->crossings.bind(traffic_);
  }
  course_ = std::make_unique<Course>(simulation.context().statistics, kernels,
                                     std::vector<std::string>{"warp_instructions", "occupancy"}, most_samples);
  simulation.observe(*course_, "report");
  for (const auto& section : sections_) section->watch(simulation);
}

nlohmann::ordered_json Report::model(const Settings& settings, const nlohmann::ordered_json& provenance,
                                     const nlohmann::ordered_json& result) {
  course_->finish(simulation_->core_clock().now());
  const models::PlatformContext& context = simulation_->context();
  const ReportSources sources{
      spec_,     settings, provenance, result,       context.statistics, context.families.traffic_names(),
      *kernels_, *course_, traffic_,   *contention_, level_times_,       simulation_->core_clock().frequency_hz()};
  nlohmann::ordered_json model = report_model(sources);
  model["sections"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < sections_.size(); ++i)
    model["sections"][report_sections().at(i).name] = sections_[i]->data(sources);
  return model;
}

}  // namespace syncline::platform
