// syncline describe POLICY: what a policy is, printed from the machines that run.
#include <fmt/format.h>

#include <memory>

#include "base/nearest.h"
#include "protocols/coherence/engine/describe.h"
#include "protocols/coherence/registry.h"
#include "sc_main/cli/command.h"

namespace syncline::cli {
namespace {

struct Options {
  std::string policy, format = "markdown";
};

base::ExitStatus act(const Options& options) {
  const std::vector<std::string> formats{"markdown", "dot"};
  if (options.format != "markdown" && options.format != "dot")
    throw base::UserError("unknown format `" + options.format + "`" + base::suggestion(options.format, formats));
  protocols::CoherenceSpec spec;
  spec.policy = options.policy;
  const protocols::CoherencePolicy policy = protocols::make_coherence_policy(spec);
  fmt::print("{}", options.format == "dot" ? protocols::describe_dot(policy) : protocols::describe_markdown(policy));
  return base::ExitStatus::done;
}

}  // namespace

void add_describe(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App& describe =
      *app.add_subcommand("describe", "Print a policy's machines, counts and parts, from the code that runs");
  describe.add_option("POLICY", options->policy, "a name (`syncline list policies`)")->required();
  describe.add_option("--format", options->format, "markdown or dot")->capture_default_str();
  describe.callback([options, &chosen] { chosen = [options] { return act(*options); }; });
}

}  // namespace syncline::cli
