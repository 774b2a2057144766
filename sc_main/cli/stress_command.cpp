// syncline stress POLICY: random programs on a policy's machines in real, tiny caches, judged by what it promises.
#include <iostream>
#include <memory>

#include "platform/stress/stress.h"
#include "sc_main/cli/chosen.h"
#include "sc_main/cli/command.h"
#include "sc_main/cli/policy_keys.h"

namespace syncline::cli {
namespace {

struct Campaign {
  std::string policy, format = "text", room = "tight";
  std::vector<std::string> overrides;
  stress::StressOptions stress;
  std::uint64_t replay = 0;
};

const Printers<stress::StressReport> stress_printers = {{"text", stress::print_text}, {"json", stress::print_json}};

base::ExitStatus act(const Campaign& options) {
  const auto print = chosen("format", options.format, stress_printers);
  stress::StressOptions stress = options.stress;
  stress.room = chosen("size of machines", options.room, stress::room_names());
  stress.coherence = stress_keys(options.policy, options.overrides, "syncline stress");
  if (stress.coherence.front().nhcc.order != protocols::MessageOrder::pair)
    throw base::UserError({"--set coherence.nhcc.order"},
                          "must be `pair` under `syncline stress`, whose networks keep that order; others are for "
                          "`syncline check`");
  const stress::StressReport report =
      stress::run_stress(stress, [](const std::string& what) { std::cerr << what << std::endl; });
  print(std::cout, report);
  return report.failure ? base::ExitStatus::not_verified : base::ExitStatus::done;
}

}  // namespace

void add_stress(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Campaign>();
  CLI::App& command = *app.add_subcommand(
      "stress",
      "Run random programs on a coherence policy in real, tiny caches; status 1 and a small program when one "
      "shows what the policy's consistency model forbids");
  command.add_option("POLICY", options->policy, "a name (`syncline list policies`)")->required();
  command.add_option("--set", options->overrides, "coherence.KEY=VALUE")->take_all()->allow_extra_args(false);
  command.add_option("--operations", options->stress.operations, "loads, stores, atomics and fences, at least")
      ->transform(number(1, 1'000'000'000'000))
      ->capture_default_str();
  command.add_option("--seed", options->stress.seed, "seed of programs, machines and delays")
      ->transform(number())
      ->capture_default_str();
  command.add_option("--l1s", options->stress.l1s, "L1 caches")->transform(number(1, 8))->capture_default_str();
  command.add_option("--homes", options->stress.homes, "L2 slices")->transform(number(1, 8))->capture_default_str();
  command.add_option("--warps", options->stress.warps, "warps of an L1, at most; where they race there is one less")
      ->transform(number(1, 8))
      ->capture_default_str();
  command.add_option("--room", options->room, "caches and queues of all machines: tight or ample")
      ->capture_default_str();
  command.add_option("--lines", options->stress.lines, "lines that threads race for, at most")
      ->transform(number(1, 16))
      ->capture_default_str();
  command.add_option("--jobs", options->stress.jobs, "batches that run at a time; results do not depend on it")
      ->transform(number(1, 256))
      ->capture_default_str();
  CLI::Option* const replay =
      command.add_option("--replay", options->replay, "run only the batch of this number, which a failure names")
          ->transform(number());
  command.add_option("--format", options->format, "text or json")->capture_default_str();
  command.callback([options, replay, &chosen] {
    if (replay->count() != 0) options->stress.replay = options->replay;
    chosen = [options] { return act(*options); };
  });
}

}  // namespace syncline::cli
