// syncline run PLATFORM WORKLOAD: one program on one platform.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/nearest.h"
#include "platform/config/configuration.h"
#include "platform/observe/output_file.h"
#include "platform/run/run.h"
#include "platform/script/argument_text.h"
#include "platform/script/run_script.h"
#include "sc_main/cli/command.h"
#include "sc_main/cli/places.h"
#include "workloads/registry.h"

namespace syncline::cli {
namespace {

namespace fs = std::filesystem;
using platform::Device;
using platform::Outcome;

struct Options {
  std::string platform, workload, size = "small", grid = "1", block = "1";
  std::vector<std::string> overrides;
  std::uint64_t input_seed = 1;
  platform::RunRequest request;
  platform::KernelRun kernel;
  std::string dump_config;
  bool no_progress = false;
  std::set<std::string> given;  ///< names of the options that the user wrote
};

/// A program by its name, so that it can be told in the results.
struct Program {
  std::string name;
  platform::HostProgram run;
};

/// The options that describe a kernel of a .ptx file.
const std::vector<std::string>& kernel_options() {
  static const std::vector<std::string> names{"--kernel", "--grid", "--block", "--shared", "--arg", "--dump"};
  return names;
}

Program script_program(platform::WorkloadScript script, std::uint64_t seed, platform::Outputs& outputs) {
  outputs.spare(script.module);
  const auto shared = std::make_shared<const platform::WorkloadScript>(std::move(script));
  return {shared->name, [shared, seed, &outputs](Device& device) {
            const platform::ScriptOutcome outcome = platform::run_script(device, *shared, seed, outputs);
            return Outcome{outcome.verified(), outcome.detail()};
          }};
}

Program suite_program(const std::string& name, const std::string& size, std::uint64_t seed) {
  const workloads::Workload& workload = workloads::find_workload(name);
  const workloads::Size chosen = workloads::find_size(size);
  workloads::require_size(workload, chosen);
  const std::string ptx = workloads::ptx_path(workload);
  return {name, [&workload, chosen, seed, ptx](Device& device) {
            const workloads::Verdict verdict = workload.run({device, chosen, seed, ptx});
            return Outcome{verdict.verified, verdict.detail};
          }};
}

// An option that the workload has no use for would be a wish that is silently not granted.
void refuse_options(const Options& options, const std::vector<std::string>& names, std::string_view what_it_is) {
  for (const std::string& name : names) {
    if (options.given.count(name) != 0)
      throw base::UserError(fmt::format("{} does not apply to `{}`, which is {}", name, options.workload, what_it_is));
  }
}

// WORKLOAD is a script by its ending, a kernel when --kernel names one, else a program of the suite.
Program program_of(Options& options, platform::Outputs& outputs) {
  const std::string ending = fs::path(options.workload).extension().string();
  if (ending == ".yaml" || ending == ".yml") {
    refuse_options(options, kernel_options(), "a script");
    refuse_options(options, {"--size"}, "a script");
    outputs.spare(options.workload);
    return script_program(platform::load_workload_script(options.workload), options.input_seed, outputs);
  }
  if (ending == ".ptx" && options.kernel.kernel.empty())
    throw base::UserError("`" + options.workload + "` needs --kernel NAME, and --grid, --block and --arg");
  if (!options.kernel.kernel.empty()) {
    refuse_options(options, {"--size"}, "a PTX file");
    options.kernel.module = options.workload;
    options.kernel.grid = platform::parse_extents(options.grid, "--grid");
    options.kernel.block = platform::parse_extents(options.block, "--block");
    return script_program(platform::script_of(options.kernel), options.input_seed, outputs);
  }
  refuse_options(options, kernel_options(), "a program of the suite");
  return suite_program(options.workload, options.size, options.input_seed);
}

nlohmann::ordered_json policies_of(const platform::PlatformSpec& spec) {
  return {{"coherence", spec.coherence.policy},
          {"consistency", protocols::name(protocols::make_coherence_policy(spec.coherence).consistency)},
          {"transactions", platform::name_in(platform::transaction_policies(), spec.transactions.policy)},
          {"determinism", platform::name_in(platform::determinism_policies(), spec.determinism.policy)},
          {"composition", platform::name_in(platform::composition_policies(), spec.composition.policy)}};
}

void print_summary(const Options& options, const std::string& name, const platform::RunResult& result) {
  const platform::DeviceTotals& totals = result.totals;
  fmt::print("{} on {} ({}, seed {})\n", name, options.request.platform.name,
             options.request.functional ? "functional" : "timed", options.request.seed);
  if (!options.request.functional) {
    fmt::print("  cycles              {}\n", totals.cycles);
    fmt::print(
        "  IPC                 {:.3f} warp instructions per SM cycle, all SMs\n",
        totals.cycles == 0 ? 0.0 : static_cast<double>(totals.warp_instructions) / static_cast<double>(totals.cycles));
  }
  fmt::print("  warp instructions   {}\n", totals.warp_instructions);
  fmt::print("  thread instructions {}\n", totals.thread_instructions);
  fmt::print("  launches            {}\n", totals.launches);
  fmt::print("  host time           {:.3f} s ({:.0f} warp instructions per second)\n", result.host_seconds,
             result.host_seconds > 0 ? static_cast<double>(totals.warp_instructions) / result.host_seconds : 0.0);
  if (!result.consistency.empty()) fmt::print("  consistency         {}\n", result.consistency);
  if (!result.outcome.detail.empty()) fmt::print("  check               {}\n", result.outcome.detail);
  for (const std::string& note : result.notes) fmt::print("  note                {}\n", note);
  fmt::print("  result              {}\n", !result.outcome.verified.has_value() ? "nothing was checked"
                                           : *result.outcome.verified           ? "verified"
                                                                                : "WRONG");
}

void print_json(const Options& options, const std::string& name, const platform::RunResult& result) {
  nlohmann::ordered_json json;
  json["workload"] = name;
  json["platform"] = options.request.platform.name;
  json["fidelity"] = options.request.functional ? "functional" : "timed";
  json["policies"] = policies_of(options.request.platform);
  json["seed"] = options.request.seed;
  json["input_seed"] = options.input_seed;
  json["cycles"] = result.totals.cycles;
  json["warp_instructions"] = result.totals.warp_instructions;
  json["thread_instructions"] = result.totals.thread_instructions;
  json["host_seconds"] = result.host_seconds;
  json["verified"] = nullptr;
  if (result.outcome.verified.has_value()) json["verified"] = *result.outcome.verified;
  if (!result.notes.empty()) json["notes"] = result.notes;
  json["memory_signature"] = fmt::format("{:016x}", result.memory_signature);
  fmt::print("{}\n", json.dump());
}

bool chooses_chance(const platform::Settings& settings) {
  return std::any_of(settings.begin(), settings.end(), [](const platform::Setting& one) {
    return !one.is_default && one.path.rfind("perturbation.", 0) == 0 && one.path != "perturbation.seed";
  });
}

// Who gives a seed wants one of many runs, as the GPU would have them: without chance all seeds give the same run.
platform::Configuration<platform::PlatformSpec> load(Options& options, const fs::path& file) {
  auto configuration = platform::load_configuration<platform::PlatformSpec>(file, options.overrides);
  if (options.given.count("--seed") == 0 || chooses_chance(configuration.settings)) return configuration;
  options.overrides.emplace_back("perturbation.chance=injection");
  return platform::load_configuration<platform::PlatformSpec>(file, options.overrides);
}

base::ExitStatus act(Options& options) {
  const fs::path file = find_platform(options.platform);
  const auto configuration = load(options, file);
  options.request.platform = configuration.spec;
  if (options.request.platform.name.empty()) options.request.platform.name = file.stem().string();
  options.request.observe.progress = !options.no_progress;
  platform::Outputs outputs;
  outputs.spare(file);
  const Program program = program_of(options, outputs);
  if (!options.dump_config.empty()) {
    platform::OutputFile dump(outputs, options.dump_config, "--dump-config");
    dump.stream() << configuration.settings.dump();
    dump.finish();
  }
  const platform::RunResult result = platform::run(options.request, program.run, outputs);
  print_summary(options, program.name, result);
  print_json(options, program.name, result);
  flush_standard_output();  // or files would be left behind by a call that fails
  outputs.commit();
  return result.outcome.verified.value_or(true) ? base::ExitStatus::done : base::ExitStatus::not_verified;
}

}  // namespace

void add_run(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App& run = *app.add_subcommand("run", "Run a program on a platform; the last line of output is one JSON object");
  run.add_option("PLATFORM", options->platform, "a name in configs/ (`syncline list platforms`), or a YAML file")
      ->required()
      ->check(some_name());
  run.add_option("WORKLOAD", options->workload,
                 "a name (`syncline list workloads`), a script (.yaml), or a .ptx file with --kernel")
      ->required()
      ->check(some_name());
  run.add_option("--set", options->overrides, "key=value: overrides the platform's file (`syncline list keys`)")
      ->take_all()
      ->allow_extra_args(false);
  run.add_option("--seed", options->request.seed,
                 "seed of every injected chance; given, injects perturbation.chance=injection unless a key of "
                 "perturbation says what to inject")
      ->transform(number())
      ->capture_default_str();
  run.add_option("--input-seed", options->input_seed, "seed of the program's inputs")
      ->transform(number())
      ->capture_default_str();
  run.add_option("--size", options->size,
                 "small, medium, large or, where papers run the program, paper; for programs of the suite")
      ->capture_default_str();
  run.add_flag("--functional", options->request.functional, "run as a pure emulator, without time");

  platform::Observation& observe = options->request.observe;
  run.add_option("--stats", observe.statistics_path, "write all statistics as JSON")->check(some_name());
  CLI::Option* const series =
      run.add_option("--series", observe.series_path, "write time series as CSV")->check(some_name());
  run.add_option("--series-period", observe.series_period, "cycles of the SM clock a row")
      ->capture_default_str()
      ->transform(number(1, ~std::uint64_t{0}, base::Unit::cycles))
      ->needs(series);
  run.add_option("--series-names", observe.series_names, "statistics to follow, by their names within a block")
      ->delimiter(',')
      ->check(some_name())
      ->needs(series);
  CLI::Option* const wave =
      run.add_option("--wave", observe.wave_path, "write waves as VCD or FST, by the ending of the name, for GTKWave")
          ->check(some_name());
  run.add_option("--wave-groups", observe.wave_groups, "which waves (`syncline list wave-groups`); default: all")
      ->delimiter(',')
      ->check(some_name())
      ->needs(wave);
  run.add_option("--dump-config", options->dump_config, "write the resolved configuration as YAML")->check(some_name());
  run.add_flag("--no-progress", options->no_progress, "nothing on standard error but errors");

  platform::KernelRun& kernel = options->kernel;
  run.add_option("--kernel", kernel.kernel, "kernel of a .ptx file")->check(some_name());
  run.add_option("--grid", options->grid, "X[,Y[,Z]] CTAs")->capture_default_str();
  run.add_option("--block", options->block, "X[,Y[,Z]] threads a CTA")->capture_default_str();
  run.add_option("--shared", kernel.shared_bytes, "bytes of dynamic shared memory a CTA")
      ->transform(number(0, ~std::uint32_t{0}, base::Unit::bytes))
      ->capture_default_str();
  run.add_option("--arg", kernel.args, "kernel argument: i32:5, f32:1.5, [name=]buf:f32:1024:random(seed=1), buf:FILE")
      ->take_all()
      ->allow_extra_args(false);
  run.add_option("--dump", kernel.dumps, "BUFFER=FILE: write a buffer after the run")
      ->take_all()
      ->allow_extra_args(false);
  run.callback([options, &run, &chosen] {
    for (const CLI::Option* option : run.get_options()) {
      if (option->count() != 0) options->given.insert(option->get_name());
    }
    chosen = [options] { return act(*options); };
  });
}

}  // namespace syncline::cli
