#include "sc_main/cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "platform/config/configuration.h"
#include "platform/observe/output_file.h"
#include "sc_main/cli/command.h"
#include "sc_main/cli/wave_options.h"

namespace syncline::cli {
namespace {

namespace fs = std::filesystem;

void print_summary(const RunOptions& options, const std::string& name, const platform::RunResult& result) {
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
  if (!result.threads.empty()) fmt::print("  threads             {}\n", result.threads);
  if (!result.consistency.empty()) fmt::print("  consistency         {}\n", result.consistency);
  if (!result.transactions.empty()) fmt::print("  transactions        {}\n", result.transactions);
  if (!result.outcome.detail.empty()) fmt::print("  check               {}\n", result.outcome.detail);
  for (const std::string& note : result.notes) fmt::print("  note                {}\n", note);
  if (!result.latency.empty()) fmt::print("{}", result.latency);
  fmt::print("  result              {}\n", !result.outcome.verified.has_value() ? "nothing was checked"
                                           : *result.outcome.verified           ? "verified"
                                                                                : "WRONG");
}

void print_json(const RunOptions& options, const Program& program, const platform::RunResult& result) {
  nlohmann::ordered_json json;
  json["workload"] = program.name;
  json["platform"] = options.request.platform.name;
  json["fidelity"] = options.request.functional ? "functional" : "timed";
  json["policies"] = platform::policies_json(options.request.platform);
  json["seed"] = options.request.seed;
  if (program.input_seed.has_value()) json["input_seed"] = *program.input_seed;
  if (!program.options.empty()) json["options"] = program.options;
  json["cycles"] = result.totals.cycles;
  json["warp_instructions"] = result.totals.warp_instructions;
  json["thread_instructions"] = result.totals.thread_instructions;
  json["host_seconds"] = result.host_seconds;
  json["verified"] = nullptr;
  if (result.outcome.verified.has_value()) json["verified"] = *result.outcome.verified;
  if (!result.outcome.signature.empty()) json["signature"] = result.outcome.signature;
  if (!result.notes.empty()) json["notes"] = result.notes;
  json["memory_signature"] = fmt::format("{:016x}", result.memory_signature);
  fmt::print("{}\n", json.dump());
}

platform::Configuration<platform::PlatformSpec> load(RunOptions& options, const fs::path& file) {
  platform::ConfigurationInput input{
      platform::platform_file(file), nullptr, {options.overrides.begin(), options.overrides.end()}};
  if (!options.threads.empty()) {
    const base::SourceLocation where{"--threads"};
    input.overrides.emplace_back("host.threads=" + options.threads, where, where);
  }
  const std::size_t given = input.overrides.size();
  if (options.command->count("--seed") == 0) return platform::read_configuration<platform::PlatformSpec>(input);
  auto configuration = platform::read_with_seed(input);
  if (input.overrides.size() != given) options.overrides.push_back(input.overrides.back().text);
  return configuration;
}

/// What changes results.
std::vector<std::string> without_threads(std::vector<std::string> overrides) {
  const auto is_threads = [](const std::string& one) { return one.rfind("host.threads=", 0) == 0; };
  overrides.erase(std::remove_if(overrides.begin(), overrides.end(), is_threads), overrides.end());
  return overrides;
}

void add_trace_options(CLI::App& command, platform::TraceQuestions& trace) {
  CLI::Option* const file =
      command.add_option("--trace", trace.path, "write what happens as a trace for Perfetto, JSON")->check(some_name());
  const auto filter = [&](const char* name, auto& value, const char* meaning) {
    return command.add_option(name, value, meaning)->needs(file);
  };
  filter("--trace-from", trace.from, "begin at a cycle of the SM clock (12000) or a time (35us)")->check(some_name());
  filter("--trace-to", trace.to, "what begins then is not shown any more")->check(some_name());
  filter("--trace-sm", trace.sms, "SMs that it shows, such as 0-3,7")->check(some_name());
  filter("--trace-kernel", trace.kernels, "kernels that it shows, numbered from 1 as they are launched")
      ->check(some_name());
  filter("--trace-line", trace.line, "the line that messages and states are shown of, by an address")
      ->transform(number());
}

}  // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("--set", options.overrides, "key=value: overrides the platform's file (`syncline list keys`)")
      ->take_all()
      ->allow_extra_args(false);
  command
      .add_option("--seed", options.request.seed,
                  "seed of every injected chance; given, injects perturbation.chance=injection unless a key of "
                  "perturbation says what to inject")
      ->transform(number())
      ->capture_default_str();
  command
      .add_option("--threads", options.threads,
                  "threads of this computer, or auto: as many as help; the results are the same (`host.threads`)")
      ->check(some_name());
  command.add_flag("--functional", options.request.functional, "run as a pure emulator, without time");

  platform::Observation& observe = options.request.observe;
  command
      .add_option("--stats", observe.statistics_path,
                  "write all statistics, of the run and by kernel: CSV by the ending .csv, else JSON")
      ->check(some_name());
  CLI::Option* const series =
      command.add_option("--series", observe.series_path, "write time series as CSV")->check(some_name());
  command.add_option("--series-period", observe.series_period, "cycles of the SM clock a row")
      ->capture_default_str()
      ->transform(number(1, ~std::uint64_t{0}, base::Unit::cycles))
      ->needs(series);
  command.add_option("--series-names", observe.series_names, "statistics to follow, by their names within a block")
      ->delimiter(',')
      ->check(some_name())
      ->needs(series);
  command
      .add_flag("--series-of-kernels", observe.series_of_kernels,
                "leave out rows in which no kernel is under way, but the host's copies and launches")
      ->needs(series);
  command
      .add_option("--report", observe.report_path,
                  "write a report: a page that opens offline by the ending .html or .htm, else the JSON behind it")
      ->check(some_name());
  add_wave_options(command, observe.wave);
  add_trace_options(command, observe.trace);
  platform::LatencyQuestions& latency = observe.latency;
  command.add_option("--latency", latency.path, "write where the time of memory accesses goes, as JSON, and print it")
      ->check(some_name());
  command
      .add_option("--explain-line", latency.line, "print every wait of the slowest accesses to the line of an address")
      ->transform(number());
  command.add_option("--explain-access", latency.access, "print every wait of one access, numbered from 1 as they end")
      ->transform(number(1));
  command.add_option("--dump-config", options.dump_config, "write the resolved configuration as YAML")
      ->check(some_name());
  command.add_flag("--no-progress", options.no_progress, "nothing on standard error but errors");
  options.command = &command;
}

base::ExitStatus perform(RunOptions& options, const std::function<Program(platform::Outputs&)>& program_of) {
  const fs::path file = platform::find_platform(options.platform);
  const auto configuration = load(options, file);
  options.request.platform = configuration.spec;
  if (options.request.platform.name.empty()) options.request.platform.name = file.stem().string();
  options.request.observe.progress = !options.no_progress;
  platform::Outputs outputs;
  for (const fs::path& read : configuration.settings.files()) outputs.spare(read);
  const Program program = program_of(outputs);
  options.request.provenance = {SYNCLINE_VERSION,   program.name,    program.size,
                                program.input_seed, program.options, without_threads(options.overrides)};
  options.request.settings = configuration.settings;
  if (!options.dump_config.empty()) {
    platform::OutputFile dump(outputs, options.dump_config, "--dump-config");
    dump.stream() << configuration.settings.dump();
    dump.finish();
  }
  const platform::RunResult result = platform::run(options.request, program.run, outputs);
  print_summary(options, program.name, result);
  print_json(options, program, result);
  flush_standard_output();  // or files would be left behind by a call that fails
  outputs.commit();
  return result.outcome.verified.value_or(true) ? base::ExitStatus::done : base::ExitStatus::not_verified;
}

}  // namespace syncline::cli
