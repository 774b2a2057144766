#include "sc_main/cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/error.h"
#include "platform/script/run_script.h"
#include "workloads/registry.h"

namespace syncline::cli {
namespace {

namespace fs = std::filesystem;
using platform::Device;
using platform::Outcome;

/// The options that describe a kernel of a .ptx file.
const std::vector<std::string>& kernel_options() {
  static const std::vector<std::string> names{"--kernel", "--grid", "--block", "--shared", "--arg", "--dump"};
  return names;
}

Program script_program(platform::WorkloadScript script, std::uint64_t seed, platform::Outputs& outputs) {
  outputs.spare(script.module);
  const auto shared = std::make_shared<const platform::WorkloadScript>(std::move(script));
  return {shared->name,
          [shared, seed, &outputs](Device& device) {
            const platform::ScriptOutcome outcome = platform::run_script(device, *shared, seed, outputs);
            return Outcome{outcome.verified(), outcome.detail()};
          },
          seed};
}

Program suite_program(const std::string& name, const std::string& size, std::uint64_t seed,
                      const std::vector<std::string>& options, platform::Outputs& outputs) {
  const workloads::Workload& workload = workloads::find_workload(name);
  const workloads::Size chosen = workloads::find_size(size);
  workloads::require_size(workload, chosen);
  const workloads::Choices choices = workloads::choices_of(workload, options);
  const std::string ptx = workloads::ptx_path(workload);
  outputs.spare(ptx);
  return {name,
          [&workload, chosen, seed, ptx, choices](Device& device) {
            const workloads::Verdict verdict = workload.run({device, chosen, seed, ptx, choices});
            return Outcome{verdict.verified, verdict.detail, verdict.signature};
          },
          seed, options, size};
}

bool is_ptx(const std::string& workload) {
  return fs::path(workload).extension() == ".ptx";
}

/// Whether only a program of the suite can be meant.
bool is_of_suite(const std::string& workload) {
  const auto& all = workloads::all_workloads();
  std::error_code unknown;
  return std::any_of(all.begin(), all.end(), [&](const auto* one) { return one->name() == workload; }) &&
         !fs::exists(workload, unknown);
}

}  // namespace

void add_program_options(CLI::App& command, ProgramOptions& options) {
  command.add_option("--input-seed", options.input_seed, "seed of the program's inputs")
      ->transform(number())
      ->capture_default_str();
  command
      .add_option("--size", options.size,
                  "small, medium, large or, where papers run the program, paper; for programs of the suite")
      ->capture_default_str();
  command
      .add_option("--option", options.options,
                  "NAME=VALUE: what else one may choose of a program of the suite (`syncline list workloads`)")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("--kernel", options.kernel.kernel, "kernel of a .ptx file")->check(some_name());
  command.add_option("--grid", options.grid, "X[,Y[,Z]] CTAs")->capture_default_str();
  command.add_option("--block", options.block, "X[,Y[,Z]] threads a CTA")->capture_default_str();
  command.add_option("--shared", options.kernel.shared_bytes, "bytes of dynamic shared memory a CTA")
      ->transform(number(0, ~std::uint32_t{0}, base::Unit::bytes))
      ->capture_default_str();
  command
      .add_option("--arg", options.kernel.args,
                  "kernel argument: i32:5, f32:1.5, [name=]buf:f32:1024:random(seed=1), buf:FILE")
      ->take_all()
      ->allow_extra_args(false);
}

std::vector<std::string> program_options() {
  std::vector<std::string> names{"--size", "--input-seed", "--option"};
  names.insert(names.end(), kernel_options().begin(), kernel_options().end());
  return names;
}

bool is_file(const ProgramOptions& options) {
  return platform::is_workload_script(options.workload) || is_ptx(options.workload) || !options.kernel.kernel.empty();
}

Program program_of(const CLI::App& command, ProgramOptions& options, platform::Outputs& outputs) {
  // An option that the workload has no use for would be a wish that is silently not granted.
  const auto refuse = [&](const std::vector<std::string>& names, std::string_view what_it_is) {
    refuse_given(command, names, fmt::format("`{}`, which is {}", options.workload, what_it_is));
  };
  if (platform::is_workload_script(options.workload)) {
    refuse(kernel_options(), "a script");
    refuse({"--size", "--option"}, "a script");
    outputs.spare(options.workload);
    return script_program(platform::load_workload_script(options.workload), options.input_seed, outputs);
  }
  if (is_ptx(options.workload) && options.kernel.kernel.empty())
    throw base::UserError("`" + options.workload + "` needs --kernel NAME, and --grid, --block and --arg");
  if (!options.kernel.kernel.empty() && !is_of_suite(options.workload)) {
    refuse({"--size", "--option"}, "a PTX file");
    options.kernel.module = options.workload;
    options.kernel.grid = platform::parse_extents(options.grid, "--grid");
    options.kernel.block = platform::parse_extents(options.block, "--block");
    return script_program(platform::script_of(options.kernel), options.input_seed, outputs);
  }
  refuse(kernel_options(), "a program of the suite");
  return suite_program(options.workload, options.size, options.input_seed, options.options, outputs);
}

}  // namespace syncline::cli
