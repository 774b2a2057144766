// syncline check POLICY: every run of small programs on the policy's machines, explored.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/nearest.h"
#include "platform/packages/package.h"
#include "platform/packages/registry.h"
#include "protocols/coherence/explore/costs.h"
#include "protocols/coherence/explore/explorer.h"
#include "protocols/coherence/explore/suite.h"
#include "protocols/coherence/registry.h"
#include "sc_main/cli/check_mutants.h"
#include "sc_main/cli/check_random.h"
#include "sc_main/cli/check_survey.h"
#include "sc_main/cli/command.h"
#include "sc_main/cli/policy_keys.h"

namespace syncline::cli {
namespace {

namespace explore = protocols::explore;

struct CheckOptions {
  std::string policy, size = "small";
  std::vector<std::string> programs, overrides;
  explore::ExploreOptions explore;
  MutantCheck mutants;
  RandomCheck random;
  std::uint64_t seed = 1;
  bool mutate = false, costs = false, no_coverage = false, no_invariants = false;
  bool max_states_given = false;
};

protocols::CoherencePolicy policy_of(const CheckOptions& options, const protocols::CoherenceContext& context) {
  const protocols::CoherenceEntry& entry = policy_entry(options.policy);
  return protocols::make_coherence_policy(policy_keys(options.policy, entry.small, options.overrides, "syncline check"),
                                          context);
}

std::vector<explore::Program> programs_of(const CheckOptions& options, const CheckTask& task) {
  std::vector<explore::Program> programs;
  for (const std::string& text : options.programs) {
    programs.push_back(explore::parse_program(text));
    if (programs.back().has(explore::OpKind::barrier))
      throw base::UserError("program `" + text + "`: caches know no `bar`; it is for policies of determinism");
  }
  if (!programs.empty()) return programs;
  const std::vector<std::string> sizes{"small", "large"};
  if (options.size != "small" && options.size != "large")
    throw base::UserError("unknown size `" + options.size + "`" + base::suggestion(options.size, sizes));
  const auto size = options.size == "small" ? explore::SuiteSize::small : explore::SuiteSize::large;
  return task.policy().of_modules ? explore::module_programs(size) : explore::suite(size, task.weak);
}

CheckTask task_of(const CheckOptions& options) {
  CheckTask task;
  // Mutants, random programs and some of the suite's are explored with two.
  task.context.homes = options.mutate || options.programs.empty() ? explore::max_homes : options.explore.world.homes;
  task.context.warps = explore::max_threads;
  task.context.grid = explore::small_grid;
  for (task.context.l1s = 1; task.context.l1s <= explore::max_l1s; ++task.context.l1s)
    task.policies.push_back(policy_of(options, task.context));
  if (options.explore.world.time_left != 0 && !task.policy().logical_time)
    throw base::UserError("--time-left does not apply to `" + options.policy + "`, which has no logical time");
  task.weak = task.policy().consistency == protocols::Consistency::wo;
  for (explore::Program& program : programs_of(options, task)) task.programs.push_back(task.on_places(program));
  task.explore = options.explore;
  task.explore.reduce_orders = !options.mutate;  // what makes orders one is promised by the policy's own tables
  return task;
}

base::ExitStatus finish(const CheckOptions& options, const Survey& survey) {
  if (!options.no_coverage) survey.print_rows_not_taken();
  survey.print_total();
  return base::ExitStatus::done;
}

base::ExitStatus check(const CheckOptions& options) {
  const CheckTask task = task_of(options);
  Survey survey(task);
  const auto violates = [&survey](const std::vector<explore::Program>& programs, unsigned homes) {
    for (const explore::Program& program : programs) {
      const auto violation = survey.explore(program, homes, true);
      if (!violation) continue;
      fmt::print("VIOLATION: {}\n{}", violation->what, violation->trace);
      return true;
    }
    return false;
  };
  if (violates(task.programs, task.explore.world.homes)) return base::ExitStatus::not_verified;
  if (options.programs.empty()) {
    const auto& families = task.policy().of_modules ? task.programs
                           : task.weak              ? explore::ordered_programs()
                                                    : explore::early_programs();
    if (violates(families, explore::max_homes)) return base::ExitStatus::not_verified;
  }
  return finish(options, survey);
}

base::ExitStatus random(const CheckOptions& options) {
  RandomCheck random = options.random;
  random.policy = options.policy;
  random.overrides = options.overrides;
  CheckTask task = task_of(options);
  if (!options.max_states_given) task.explore.max_states = RandomCheck::max_states;
  Survey survey(task);
  const base::ExitStatus status = check_random(random, task, survey);
  return status == base::ExitStatus::done ? finish(options, survey) : status;
}

base::ExitStatus costs(const CheckOptions& options) {
  const CheckTask task = task_of(options);
  const auto& programs = options.programs.empty() ? explore::cost_programs(task.policy().of_modules) : task.programs;
  for (const explore::Program& one : programs) {
    const explore::Program program = task.on_places(one);
    fmt::print(
        "{}: {}\n", program.text,
        text_of(costs_of(task.policy_for(program), program, task.context, task.ways(program)[0]), task.policy()));
  }
  return base::ExitStatus::done;
}

base::ExitStatus mutate(const CheckOptions& options) {
  const CheckTask task = task_of(options);
  MutantCheck mutants = options.mutants;
  // Says at once what cannot be stressed.
  if (mutants.stress != 0) stress_keys(options.policy, options.overrides, "syncline check");
  mutants.policy = options.policy;
  mutants.overrides = options.overrides;
  // Lines that have a home each are served in another order than two of one home.
  mutants.mutation.judge = [&task](const explore::Program& program) {
    std::vector<explore::ExploreOptions> ways = task.ways(program);
    if (program.lines() > 1 && ways[0].world.homes == 1) {
      ways.push_back(ways[0]);
      ways.back().world.homes = 2;
    }
    return ways;
  };
  mutants.mutation.policy = [&task](const explore::Program& program) -> const protocols::CoherencePolicy& {
    return task.policy_for(program);
  };
  if (options.max_states_given) mutants.mutation.max_states = options.explore.max_states;
  return check_mutants(mutants, task.policy(), task.programs, task.context);
}

/// A policy of another family than coherence: its package knows what there is to explore.
base::ExitStatus check_package(const CheckOptions& options, const platform::Package& package) {
  if (options.mutate || options.costs)
    throw base::UserError("`--mutate` and `--costs` are about tables, and `" + options.policy + "` has none");
  const platform::Exploration* const exploration = package.exploration();
  if (exploration == nullptr) throw base::UserError("`" + options.policy + "` has no machines to explore");
  platform::ExplorationRequest request;
  request.programs = options.programs;
  request.settings = options.overrides;
  request.max_states = options.explore.max_states;
  request.command = "syncline check";
  request.print = [](std::string_view text) { fmt::print("{}", text); };
  return exploration->check(request) ? base::ExitStatus::done : base::ExitStatus::not_verified;
}

}  // namespace

void add_check(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App& command = *app.add_subcommand("check", "Explore a policy's machines exhaustively on small programs");
  command.add_option("POLICY", options->policy, "a policy (`syncline list policies`), or FAMILY.policy=NAME")
      ->required();
  CLI::Option* const size =
      command.add_option("--size", options->size, "small or large suite of programs")->capture_default_str();
  command.add_option("--program", options->programs, "a program instead: \"st x 1; st y 1 | ld y; ld x\"")
      ->excludes(size);
  command.add_option("--set", options->overrides, "FAMILY.KEY=VALUE: a key of the policy's family");
  CLI::Option* const max_states =
      command.add_option("--max-states", options->explore.max_states, "give up on a program behind so many")
          ->transform(number())
          ->capture_default_str();
  CLI::Option* const homes =
      command.add_option("--homes", options->explore.world.homes, "homes that the lines are dealt to: 1 or 2")
          ->transform(number(1, 2))
          ->capture_default_str();
  command
      .add_option(
          "--time-left", options->explore.world.time_left,
          "where time is logical: begin so long before the largest timestamp; 0: at 0, and then once more near it")
      ->transform(number(0, 64))
      ->capture_default_str();
  command
      .add_option("--network", options->explore.world.network_capacity,
                  "messages of a node under way on one virtual network")
      ->transform(number(1, 8))
      ->capture_default_str();
  CLI::Option* const mutate_flag =
      command.add_flag("--mutate", options->mutate, "change each row in turn and count the changes that are noticed");
  MutantCheck& mutants = options->mutants;
  command.add_option("--mutant", mutants.mutation.only, "only the mutant of this name: \"L1 IS, Data: without fill\"")
      ->take_all()
      ->allow_extra_args(false)
      ->needs(mutate_flag);
  command
      .add_option("--stress", mutants.stress,
                  "operations of random tests for each mutant that the checker does not kill; 0: none")
      ->transform(number(0, 1'000'000'000'000))
      ->needs(mutate_flag);
  command.add_option("--stress-seed", mutants.stress_seed, "seed of these tests, as of `syncline stress`")
      ->transform(number())
      ->capture_default_str()
      ->needs(mutate_flag);
  command
      .add_option("--survivors", mutants.survivors, "mutants that are known to survive, and why: all others must die")
      ->check(some_name())
      ->needs(mutate_flag);
  command.add_option("--sample", mutants.mutation.sample, "only so many mutants, spread over all")
      ->transform(number(1, ~std::uint32_t{0}))
      ->needs(mutate_flag);
  CLI::Option* const random_programs =
      command
          .add_option("--random", options->random.programs,
                      fmt::format("so many random programs instead, each of at most {} states unless --max-states says "
                                  "otherwise",
                                  RandomCheck::max_states))
          ->transform(number(1, ~std::uint32_t{0}))
          ->excludes(size)
          ->excludes("--program")
          ->excludes(mutate_flag);
  CLI::Option* const seed =
      command.add_option("--seed", options->seed, "of random programs; of mutants: which of them a sample begins with")
          ->transform(number());
  command.add_option("--jobs", mutants.mutation.jobs, "mutants that are tried at a time")
      ->transform(number(1, 64))
      ->capture_default_str()
      ->needs(mutate_flag);
  command.add_flag("--verbose", mutants.verbose, "tell what became of each mutant")->needs(mutate_flag);
  command.add_flag("--costs", options->costs, "print the messages that small programs need at least and at most")
      ->excludes(mutate_flag)
      ->excludes(random_programs);
  command.add_flag("--no-invariants", options->no_invariants, "look at outcomes alone");
  command.add_flag("--no-coverage", options->no_coverage, "do not list rows that no program took");
  command.callback([options, max_states, homes, seed, &command, &chosen] {
    options->max_states_given = max_states->count() != 0;
    options->random.homes_given = homes->count() != 0;
    if (seed->count() != 0) {
      if (!options->mutate && options->random.programs == 0)
        throw base::UserError("--seed requires --mutate or --random");
      options->random.seed = options->mutants.mutation.seed = options->seed;
    }
    const platform::PolicyName policy = platform::find_policy(options->policy);
    const bool of_caches = policy.family->name == "coherence";
    if (of_caches) {
      options->policy = policy.package->name();
    } else {
      refuse_given(command,
                   {"--size", "--random", "--homes", "--time-left", "--network", "--no-invariants", "--no-coverage"},
                   "`" + options->policy + "`, which has no caches and no tables");
    }
    chosen = [options, policy, of_caches] {
      if (!of_caches) return check_package(*options, *policy.package);
      options->explore.world.invariants = !options->no_invariants;
      if (options->costs) return costs(*options);
      if (options->random.programs != 0) return random(*options);
      return options->mutate ? mutate(*options) : check(*options);
    };
  });
}

}  // namespace syncline::cli
