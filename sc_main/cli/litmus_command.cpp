// syncline litmus PLATFORM FILES: which outcomes of litmus tests the platform shows, and whether it may.
#include <iostream>
#include <memory>

#include "platform/config/configuration.h"
#include "platform/litmus/litmus_suite.h"
#include "platform/litmus/weak_outcomes.h"
#include "platform/run/run.h"
#include "sc_main/cli/chosen.h"
#include "sc_main/cli/command.h"

namespace syncline::cli {
namespace {

struct LitmusOptions {
  std::string platform, format = "text";
  std::vector<std::string> files, overrides;
  std::uint64_t iterations = 1000, seed = 1;
  platform::OwnParts parts;
  unsigned unroll = consistency::default_unroll;
  bool only_judge = false;
};

const Printers<platform::LitmusSuiteReport> litmus_printers = {{"text", platform::print_litmus_text},
                                                               {"json", platform::print_litmus_json}};

/// The platform as a litmus run wants it: CTAs dealt to the SMs in turn, and, where the user did not say otherwise,
/// messages delayed by chance, so that one test shows many interleavings.
platform::PlatformSpec load_platform(const LitmusOptions& options) {
  const auto file = platform::find_platform(options.platform);
  const auto configuration = platform::load_configuration<platform::PlatformSpec>(file, options.overrides);
  platform::PlatformSpec spec = configuration.spec;
  if (spec.name.empty()) spec.name = file.stem().string();
  if (spec.sm.warp_size != 32)
    throw configuration.settings.error("sm.warp_size", "litmus tests run on warps of 32 lanes");
  spec.work_distributor.placement = models::PlacementPolicy::first_free;
  if (configuration.settings.at("perturbation.network_jitter").is_default) spec.perturbation.network_jitter = 64;
  if (configuration.settings.at("perturbation.random_arbitration").is_default)
    spec.perturbation.random_arbitration = true;
  return spec;
}

base::ExitStatus status_of(const platform::LitmusSuiteReport& report) {
  if (!report.passed()) return base::ExitStatus::not_verified;
  return report.judged() == report.tests.size() ? base::ExitStatus::done : base::ExitStatus::user_error;
}

base::ExitStatus judge(const LitmusOptions& options) {
  const auto print = chosen("format", options.format, litmus_printers);
  platform::LitmusSuiteReport report;
  std::vector<std::string> files{options.platform};  // the first argument, whatever it would be otherwise
  files.insert(files.end(), options.files.begin(), options.files.end());
  report.tests = platform::judge_litmus_suite(files, options.unroll);
  print(std::cout, report);
  return status_of(report);
}

base::ExitStatus act(const LitmusOptions& options) {
  const auto print = chosen("format", options.format, litmus_printers);
  platform::RunRequest request;
  request.platform = load_platform(options);
  request.seed = options.seed;
  request.parts = options.parts;
  request.many_runs = true;
  platform::LitmusSuiteReport report;
  const protocols::CoherencePolicy policy = protocols::make_coherence_policy(request.platform.coherence);
  report.promised = platform::promise_of(policy);
  report.tests = platform::judge_litmus_suite(options.files, options.unroll, report.promised);
  report.platform = request.platform.name;
  report.policy = policy.name;
  report.seed = options.seed;
  const models::ModulesSpec& modules = request.platform.modules;
  const platform::LitmusSms sms{request.platform.sms, modules.gpus,
                                modules.ctas == models::CtaParts::contiguous ? modules.count() : 1};
  const platform::LitmusMachine machine{sms, request.platform.l1.line,
                                        request.platform.l1.size / request.platform.l1.ways};
  platform::run(request, [&](platform::Device& device) {
    platform::run_litmus_suite(device, machine, options.iterations, report);
    return platform::Outcome{};
  });
  print(std::cout, report);
  return status_of(report);
}

}  // namespace

void add_litmus(CLI::App& app, Action& chosen, const platform::OwnParts& parts) {
  auto options = std::make_shared<LitmusOptions>();
  options->parts = parts;
  CLI::App& litmus = *app.add_subcommand(
      "litmus", "Run litmus tests on a platform; status 1 when an outcome is seen that the consistency model forbids");
  litmus.add_option(
      "PLATFORM", options->platform,
      "a name in configs/ (`syncline list platforms`), or a YAML file; with --judge a first one of FILES");
  litmus.add_option("FILES", options->files, ".litmus files, and folders of them");
  litmus.add_flag("--judge", options->only_judge,
                  "only say what the models allow: no platform, no run; status 2 when some test is not judged");
  litmus.add_option("--unroll", options->unroll, "how often loops go back at most whose end depends on what is read")
      ->capture_default_str()
      ->transform(number(0, 1000));
  litmus.add_option("--set", options->overrides, "key=value: overrides the platform's file (`syncline list keys`)")
      ->take_all()
      ->allow_extra_args(false);
  litmus.add_option("--iterations", options->iterations, "runs of each test, at least")
      ->capture_default_str()
      ->transform(number(1, 1'000'000'000));
  litmus.add_option("--seed", options->seed, "seed of every perturbation")->transform(number())->capture_default_str();
  litmus.add_option("--format", options->format, "text or json")->capture_default_str();
  litmus.callback([options, &litmus, &chosen] {
    if (options->only_judge) refuse_given(litmus, {"--set", "--iterations", "--seed"}, "--judge, which runs nothing");
    if (options->platform.empty()) throw CLI::RequiredError(options->only_judge ? "FILES" : "PLATFORM");
    if (options->files.empty() && !options->only_judge) throw CLI::RequiredError("FILES");
    chosen = [options] { return options->only_judge ? judge(*options) : act(*options); };
  });
}

}  // namespace syncline::cli
