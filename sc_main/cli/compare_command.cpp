// syncline compare PLATFORM: the same programs under several policies, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/nearest.h"
#include "platform/config/places.h"
#include "platform/config/yaml_node.h"
#include "platform/observe/output_file.h"
#include "platform/packages/package.h"
#include "platform/packages/registry.h"
#include "platform/report/page.h"
#include "platform/spec/platform_spec.h"
#include "protocols/coherence/registry.h"
#include "sc_main/cli/command.h"
#include "sc_main/cli/compare_database.h"
#include "sc_main/cli/comparison.h"
#include "sc_main/sweep/child_run.h"
#include "sc_main/sweep/measures.h"
#include "sc_main/sweep/sweep_results.h"
#include "workloads/registry.h"

namespace syncline::cli {
namespace {

namespace fs = std::filesystem;
using sweep::ChildRun;
using sweep::Measure;
using sweep::measure;
using sweep::measures;

struct CompareOptions {
  std::string platform, size = "small", baseline, data, report;
  std::vector<std::string> workloads, policies, by, overrides, program_options, shown{"speedup", "traffic"};
  std::uint64_t input_seed = 1;
  std::optional<std::uint64_t> seed;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

/// "rcc", "determinism.policy=gpudet", or several with a + between, each of another family: the settings that choose
/// them. What is not named is as the platform has it.
std::vector<std::string> settings_of(const std::string& policies) {
  std::vector<std::string> settings;
  std::set<std::string> keys;
  for (std::size_t begin = 0; begin <= policies.size();) {
    const std::size_t end = std::min(policies.find('+', begin), policies.size());
    const platform::PolicyName policy = platform::find_policy(policies.substr(begin, end - begin));
    if (!keys.insert(policy.family->key()).second)
      throw base::UserError("`" + policies + "` names two policies of `" + policy.family->key() + "`");
    settings.push_back(policy.setting());
    begin = end + 1;
  }
  return settings;
}

/// A policy for every run would be that of all columns, whatever stands above them.
void refuse_policy_of_columns(const std::vector<std::string>& overrides, const std::vector<std::string>& settings) {
  const auto key_of = [](const std::string& setting) { return setting.substr(0, setting.find('=')); };
  for (const std::string& override : overrides) {
    const auto chosen = std::find_if(settings.begin(), settings.end(),
                                     [&](const std::string& one) { return key_of(one) == key_of(override); });
    if (chosen != settings.end())
      throw base::UserError({"--set " + key_of(override)},
                            fmt::format("the columns of the table differ in it, and one is of `{}`; --policies says "
                                        "which there are",
                                        *chosen));
  }
}

void check_names(const CompareOptions& options) {
  std::vector<std::string> columns;
  for (const std::string& policies : options.policies) {
    std::vector<std::string> settings = settings_of(policies);
    refuse_policy_of_columns(options.overrides, settings);
    std::sort(settings.begin(), settings.end());
    columns.push_back(fmt::format("{}", fmt::join(settings, "+")));
  }
  require_once("--policies", columns);
  require_once("--workloads", options.workloads);
  const workloads::Size size = workloads::find_size(options.size);
  for (const std::string& workload : options.workloads) {
    const workloads::Workload& found = workloads::find_workload(workload);
    workloads::require_size(found, size);
    workloads::choices_of(found, options.program_options);
  }
}

/// Names of all programs of the suite that have the size and all options that are given.
std::vector<std::string> all_with(workloads::Size size, const std::vector<std::string>& given) {
  workloads::Choices choices;
  for (const std::string& text : given) workloads::choose(choices, text);
  std::vector<std::string> names;
  for (const workloads::Workload* workload : workloads::all_workloads()) {
    const std::vector<workloads::Size> sizes = workload->sizes();
    const std::vector<workloads::Option> options = workload->options();
    const bool has_options = std::all_of(choices.begin(), choices.end(), [&options](const auto& choice) {
      return std::any_of(options.begin(), options.end(), [&](const auto& one) { return one.name == choice.first; });
    });
    if (has_options && std::find(sizes.begin(), sizes.end(), size) != sizes.end()) names.emplace_back(workload->name());
  }
  if (names.empty()) throw base::UserError("no program of the suite has the size and all options that are given");
  return names;
}

bool is_sweep_file(const fs::path& file) {
  const platform::YamlNode root = platform::parse_yaml(platform::read_file(file), file.string());
  return root.find("platforms") != nullptr || root.find("workloads") != nullptr;
}

/// The files of the platform. UserError: one, where each of the runs would have the same one.
std::vector<fs::path> require_platform(const CompareOptions& options) {
  if (fs::path(options.platform).extension() == ".db")
    throw base::UserError(fmt::format("`{}` is {}", options.platform,
                                      fs::exists(options.platform)
                                          ? "no database of a sweep"
                                          : "not there; a sweep makes the database of that name"));
  const fs::path file = platform::find_platform(options.platform);
  if (is_sweep_file(file))
    throw base::UserError(fmt::format(
        "`{0}` is the file of a sweep; `syncline sweep {0}` runs it, and what it makes is compared: its database",
        options.platform));
  std::optional<base::UserError> refused;
  for (const std::string& policies : options.policies) {
    platform::ConfigurationInput input{file, nullptr, {}};
    for (const auto& settings : {settings_of(policies), options.overrides})
      input.overrides.insert(input.overrides.end(), settings.begin(), settings.end());
    try {
      return platform::read_configuration<platform::PlatformSpec>(input).settings.files();
    } catch (const base::UserError& error) {
      if (!refused) refused = error;
    }
  }
  throw base::UserError(*refused);
}

base::ExitStatus act(CompareOptions& options) {
  if (options.policies.empty()) {
    for (const platform::Package* const package : platform::policy_family("coherence").packages) {
      if (!protocols::needs_modules(package->name())) options.policies.emplace_back(package->name());
    }
  }
  if (options.baseline.empty()) options.baseline = options.policies.front();
  if (options.workloads.empty())
    options.workloads = all_with(workloads::find_size(options.size), options.program_options);
  check_names(options);
  const std::vector<fs::path> read = require_platform(options);
  Comparison comparison{options.workloads, options.policies, options.baseline, {}};
  comparison.check(options.shown, "policies");
  platform::Outputs outputs;
  for (const fs::path& input : read) outputs.spare(input);
  for (const std::string& workload : options.workloads)
    outputs.spare(workloads::ptx_path(workloads::find_workload(workload)));
  std::optional<platform::OutputFile> file;
  if (!options.data.empty()) file.emplace(outputs, options.data, "--data");
  std::optional<platform::OutputFile> report;
  if (!options.report.empty()) report.emplace(outputs, options.report, "--report");

  std::vector<ChildRun> runs;
  for (const std::string& workload : options.workloads) {
    for (const std::string& policy : options.policies) {
      ChildRun run;
      run.reports = report.has_value();
      run.arguments = {options.platform, workload,       "--size",
                       options.size,     "--input-seed", std::to_string(options.input_seed)};
      for (const std::string& option : options.program_options)
        run.arguments.insert(run.arguments.end(), {"--option", option});
      for (const std::string& setting : settings_of(policy))
        run.arguments.insert(run.arguments.end(), {"--set", setting});
      if (options.seed) run.arguments.insert(run.arguments.end(), {"--seed", std::to_string(*options.seed)});
      for (const std::string& setting : options.overrides)
        run.arguments.insert(run.arguments.end(), {"--set", setting});
      runs.push_back(std::move(run));
    }
  }
  sweep::run_children(runs, options.jobs, [&](const ChildRun& run) {
    if (run.status == 0) return;
    const std::string& policies =
        options.policies[static_cast<std::size_t>(&run - runs.data()) % options.policies.size()];
    fmt::print(stderr, "{}, {}: status {}\n{}", run.arguments[1], fmt::join(settings_of(policies), " "), run.status,
               run.errors);
  });

  nlohmann::ordered_json data;
  data["platform"] = options.platform;
  data["size"] = options.size;
  data["seed"] = options.seed.value_or(1);
  data["input_seed"] = options.input_seed;
  if (!options.program_options.empty()) data["options"] = options.program_options;
  data["settings"] = options.overrides;
  std::size_t next = 0;
  auto worst = base::ExitStatus::done;
  for (const std::string& workload : options.workloads) {
    for (const std::string& policy : options.policies) {
      const ChildRun& run = runs[next++];
      if (run.status != 0 || run.statistics.empty()) {
        // What a run refuses was asked for here: policies that do not go together, a key that does not fit one of them.
        const bool is_refused = run.status == static_cast<int>(base::ExitStatus::user_error);
        if (is_refused || worst == base::ExitStatus::done)
          worst = is_refused ? base::ExitStatus::user_error : base::ExitStatus::not_verified;
        continue;
      }
      const Comparison::Measures& all = comparison.cells[workload][policy] = measure(run.result, run.statistics);
      nlohmann::ordered_json cell{
          {"workload", workload}, {"policy", policy}, {"consistency", run.result.at("policies").at("consistency")}};
      for (const Measure& one : measures()) {
        if (one.of.empty()) cell[std::string(one.name)] = all.at(std::string(one.name));
      }
      data["runs"].push_back(std::move(cell));
    }
  }
  if (worst != base::ExitStatus::done) {
    fmt::print(stderr, "syncline compare: not all runs ended well; nothing is compared\n");
    return worst;
  }
  if (file) {
    file->stream() << data.dump(1) << '\n';
    file->finish();
  }
  if (report) {
    std::vector<nlohmann::ordered_json> models;
    models.reserve(runs.size());
    for (ChildRun& run : runs) models.push_back(std::move(run.report));
    report->stream() << platform::report_text(options.report,
                                              fmt::format("{} runs on {}", runs.size(), options.platform), models);
    report->finish();
  }
  comparison.print(options.shown);
  flush_standard_output();
  outputs.commit();
  return worst;
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App& command = *app.add_subcommand("compare", "Run programs under several policies and print tables");
  command
      .add_option("PLATFORM", options->platform,
                  "a name in configs/, or a YAML file; or the database of a sweep, whose runs are shown")
      ->required()
      ->check(some_name());
  command.add_option("--workloads", options->workloads, "default: all of the suite that have the size and the options")
      ->delimiter(',')
      ->check(some_name());
  command
      .add_option("--policies", options->policies,
                  "names, or FAMILY.policy=NAME; of several families with + between, as none+gpudet; default: all of "
                  "coherence")
      ->delimiter(',')
      ->check(some_name());
  command
      .add_option("--baseline", options->baseline,
                  "the policy that relative measures are divided by; default: the first")
      ->check(some_name());
  std::string names;
  for (const Measure& one : measures()) names += (names.empty() ? "" : ", ") + std::string(one.name);
  command.add_option("--show", options->shown, "measures: " + names)
      ->delimiter(',')
      ->check(some_name())
      ->capture_default_str();
  command.add_option("--size", options->size, "small, medium, large or paper")->capture_default_str();
  command
      .add_option("--option", options->program_options,
                  "NAME=VALUE: what else one may choose of the programs (`syncline list workloads`)")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("--seed", options->seed, "seed of every injected chance, as of `syncline run`")
      ->transform(number());
  command.add_option("--input-seed", options->input_seed, "seed of the programs' inputs")
      ->transform(number())
      ->capture_default_str();
  command.add_option("--set", options->overrides, "key=value for every run")->take_all()->allow_extra_args(false);
  command.add_option("--jobs", options->jobs, "runs at a time")->transform(number(1, 4096))->capture_default_str();
  command.add_option("--data", options->data, "write all measures of all runs as JSON")->check(some_name());
  command
      .add_option(
          "--report", options->report,
          "write a report of all runs side by side: a page by the ending .html or .htm, else the JSON behind it")
      ->check(some_name());
  command
      .add_option("--by", options->by,
                  "of a database: what columns differ in: keys, options, case, platform, workload, size")
      ->delimiter(',')
      ->check(some_name());
  command.callback([options, &command, &chosen] {
    chosen = [options, &command] {
      if (!sweep::is_database(options->platform)) {
        refuse_given(command, {"--by"}, "a platform, but of databases of sweeps");
        return act(*options);
      }
      refuse_given(command,
                   {"--workloads", "--policies", "--size", "--option", "--seed", "--input-seed", "--set", "--jobs",
                    "--data", "--report"},
                   fmt::format("`{}`, which is the database of a sweep", options->platform));
      compare_database({options->platform, options->by, options->baseline, options->shown});
      return base::ExitStatus::done;
    };
  });
}

}  // namespace syncline::cli
