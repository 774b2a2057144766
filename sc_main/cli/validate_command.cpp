// syncline validate PLATFORM: the microbenchmarks against what the configuration predicts.
#include <iostream>
#include <memory>

#include "platform/config/configuration.h"
#include "platform/run/run.h"
#include "platform/validation/report.h"
#include "sc_main/cli/chosen.h"
#include "sc_main/cli/command.h"
#include "workloads/micro/micro.h"
#include "workloads/registry.h"

namespace syncline::cli {
namespace {

namespace micro = workloads::micro;

struct ValidateOptions {
  std::string platform, only, ledger, format = "text";
  std::vector<std::string> overrides;
  std::uint64_t seed = 1;
  platform::OwnParts parts;
};

const Printers<platform::ValidationReport> report_printers = {{"text", platform::print_text},
                                                              {"markdown", platform::print_markdown},
                                                              {"curves", platform::print_curves},
                                                              {"ledger", platform::print_deviations}};

base::ExitStatus act(const ValidateOptions& options) {
  const auto print = chosen("format", options.format, report_printers);
  const micro::Microbenchmark* const only = options.only.empty() ? nullptr : &micro::find_microbenchmark(options.only);
  const platform::Ledger ledger =
      platform::load_ledger(options.ledger.empty() ? workloads::ptx_path("micro/ledger.yaml") : options.ledger);
  const auto file = platform::find_platform(options.platform);
  platform::RunRequest request;
  request.platform = platform::load_configuration<platform::PlatformSpec>(file, options.overrides).spec;
  request.seed = options.seed;
  request.parts = options.parts;
  if (request.platform.name.empty()) request.platform.name = file.stem().string();

  std::vector<platform::MeasuredPoint> points;
  const platform::RunResult run = platform::run(request, [&](platform::Device& device) {
    platform::Outcome outcome{true, ""};
    for (const micro::Microbenchmark& benchmark : micro::all_microbenchmarks()) {
      const micro::Result result =
          benchmark.run({device, workloads::Size::small, options.seed, workloads::ptx_path(benchmark.ptx)});
      if (!result.verdict.verified) outcome = {false, std::string(benchmark.name) + ": " + result.verdict.detail};
      if (only != nullptr && only != &benchmark) continue;  // it ran, so that the others find what they always find
      for (const micro::Measurement& m : result.measurements)
        points.push_back({m.name, m.at, m.at_unit, m.measured, m.unit});
      if (only == &benchmark) break;
    }
    return outcome;
  });
  const platform::ValidationReport report = platform::validate(request.platform, points, ledger, only == nullptr);
  print(std::cout, report);
  if (!*run.outcome.verified) {
    std::cerr << "syncline: a microbenchmark computed the wrong values: " << run.outcome.detail << "\n";
    return base::ExitStatus::not_verified;
  }
  return report.accepted() ? base::ExitStatus::done : base::ExitStatus::not_verified;
}

}  // namespace

void add_validate(CLI::App& app, Action& chosen, const platform::OwnParts& parts) {
  auto options = std::make_shared<ValidateOptions>();
  options->parts = parts;
  CLI::App& validate = *app.add_subcommand(
      "validate",
      "Compare microbenchmarks with what the configuration predicts; status 1 outside the committed deviations");
  validate.add_option("PLATFORM", options->platform, "a name in configs/ (`syncline list platforms`), or a YAML file")
      ->required()
      ->check(some_name());
  validate.add_option("--only", options->only, "one microbenchmark, by the name of its folder in workloads/micro")
      ->check(some_name());
  validate
      .add_option("--format", options->format,
                  "text, markdown, curves (what predicts each), or ledger (the deviations as the ledger commits them)")
      ->capture_default_str();
  validate
      .add_option("--ledger", options->ledger,
                  "another file of committed deviations; default: workloads/micro/ledger.yaml")
      ->check(some_name());
  validate.add_option("--set", options->overrides, "key=value: overrides the platform's file (`syncline list keys`)")
      ->take_all()
      ->allow_extra_args(false);
  validate.add_option("--seed", options->seed, "seed of inputs and of every injected chance")
      ->transform(number())
      ->capture_default_str();
  validate.callback([options, &chosen] { chosen = [options] { return act(*options); }; });
}

}  // namespace syncline::cli
