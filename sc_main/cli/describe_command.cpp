// syncline describe NAME: what a policy is, printed from the machines that run; or what a program does, counted while
// it runs without time.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "base/nearest.h"
#include "platform/config/configuration.h"
#include "platform/packages/package.h"
#include "platform/packages/registry.h"
#include "platform/profile/profile_report.h"
#include "platform/profile/profiler.h"
#include "sc_main/cli/command.h"
#include "sc_main/cli/program.h"
#include "workloads/registry.h"

namespace syncline::cli {
namespace {

struct DescribeOptions {
  const CLI::App* command = nullptr;
  std::string platform, format;
  std::vector<std::string> overrides;
  ProgramOptions program;
  bool no_progress = false;
};

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const workloads::Workload* workload : workloads::all_workloads()) names.emplace_back(workload->name());
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One that is meant for a policy: its name, or the setting that chooses it.
bool is_policy(const std::string& name) {
  return name.find('=') != std::string::npos || contains(platform::policy_names(), name);
}

[[noreturn]] void refuse_name(const std::string& name) {
  const std::string policy = base::nearest_name(platform::policy_part(name), platform::policy_names());
  const std::string workload = base::nearest_name(name, workload_names());
  std::string near;
  if (!policy.empty()) near = "the policy `" + policy + "`";
  if (!workload.empty()) near += (near.empty() ? "the program `" : " or the program `") + workload + "`";
  throw base::UserError(
      "`" + name + "` is neither a policy nor a program; " +
      (near.empty() ? "see `syncline list policies` and `syncline list workloads`" : "did you mean " + near + "?"));
}

/// The format, of those that are for `what`; the first where none is given.
std::string format_of(const DescribeOptions& options, const std::vector<std::string>& formats, const char* what) {
  if (options.command->count("--format") == 0) return formats.front();
  if (!contains(formats, options.format))
    throw base::UserError(
        fmt::format("unknown format `{}` of {}{}", options.format, what, base::suggestion(options.format, formats)));
  return options.format;
}

base::ExitStatus describe_policy(const DescribeOptions& options) {
  const std::string& name = options.program.workload;
  std::vector<std::string> others = program_options();
  others.insert(others.end(), {"--platform", "--set", "--no-progress"});
  refuse_given(*options.command, others, "`" + name + "`, which is a policy");
  const std::string format = format_of(options, {"markdown", "dot"}, "a policy");
  const platform::PolicyName policy = platform::find_policy(name);
  if (format == "markdown") {
    fmt::print("{}", policy.package->page(policy.family->group));
    return base::ExitStatus::done;
  }
  const std::string graph = policy.package->graph();
  if (graph.empty()) throw base::UserError("`" + name + "` has no machines to draw; its format is markdown");
  fmt::print("{}", graph);
  return base::ExitStatus::done;
}

void print_program(const DescribeOptions& options, const Program& program, const platform::ProgramProfile& profile,
                   const platform::RunResult& result, bool as_json) {
  const bool of_suite = !is_file(options.program);
  if (as_json) {
    nlohmann::ordered_json json;
    json["workload"] = program.name;
    if (of_suite) json["size"] = options.program.size;
    if (!options.program.options.empty()) json["options"] = options.program.options;
    json["input_seed"] = options.program.input_seed;
    json["verified"] = nullptr;
    if (result.outcome.verified.has_value()) json["verified"] = *result.outcome.verified;
    json.update(platform::profile_json(profile));
    fmt::print("{}\n", json.dump(1));
    return;
  }
  fmt::print("{}{}, input seed {}: {}\n", program.name, of_suite ? ", size " + options.program.size : "",
             options.program.input_seed,
             !result.outcome.verified.has_value() ? "nothing was checked"
             : *result.outcome.verified           ? "verified"
                                                  : "WRONG");
  fmt::print("{}", platform::profile_text(profile));
}

base::ExitStatus describe_program(DescribeOptions& options) {
  const bool as_json = format_of(options, {"text", "json"}, "a program") == "json";
  const std::filesystem::path file = platform::find_platform(options.platform);
  platform::RunRequest request;
  request.platform = platform::load_configuration<platform::PlatformSpec>(file, options.overrides).spec;
  if (request.platform.name.empty()) request.platform.name = file.stem().string();
  request.observe.progress = !options.no_progress;
  platform::Outputs outputs;  // never committed: a description leaves nothing behind
  const Program program = program_of(*options.command, options.program, outputs);
  platform::Profiler profiler(platform::profiled_machine(request.platform));
  const platform::RunResult result = platform::run_traced(request, program.run, profiler, std::cerr);
  print_program(options, program, profiler.profile(), result, as_json);
  return result.outcome.verified.value_or(true) ? base::ExitStatus::done : base::ExitStatus::not_verified;
}

base::ExitStatus act(DescribeOptions& options) {
  const std::string& name = options.program.workload;
  if (!is_file(options.program)) {
    if (is_policy(name)) return describe_policy(options);
    if (!contains(workload_names(), name)) refuse_name(name);
  }
  return describe_program(options);
}

}  // namespace

void add_describe(CLI::App& app, Action& chosen, const std::string& platform) {
  auto options = std::make_shared<DescribeOptions>();
  options->platform = platform;
  CLI::App& describe = *app.add_subcommand(
      "describe", "Print what a policy is, from the code that runs; or what a program does, as counted in a run");
  describe
      .add_option("NAME", options->program.workload,
                  "a policy (`syncline list policies`), or FAMILY.policy=NAME; or a program: a name (`syncline list "
                  "workloads`), a script "
                  "(.yaml), or a .ptx file with --kernel")
      ->required()
      ->check(some_name());
  describe.add_option("--format", options->format,
                      "of a policy: markdown or dot; of a program: text or json; default: the first");
  describe.add_option("--platform", options->platform, "of a program: a name in configs/, or a YAML file")
      ->check(some_name())
      ->capture_default_str();
  describe.add_option("--set", options->overrides, "key=value: overrides the platform's file (`syncline list keys`)")
      ->take_all()
      ->allow_extra_args(false);
  add_program_options(describe, options->program);
  describe.add_flag("--no-progress", options->no_progress, "nothing on standard error but errors");
  options->command = &describe;
  describe.callback([options, &chosen] { chosen = [options] { return act(*options); }; });
}

}  // namespace syncline::cli
