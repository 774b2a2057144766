#include "sc_main/cli/check_mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "platform/stress/stress.h"
#include "protocols/coherence/explore/suite.h"
#include "sc_main/cli/policy_keys.h"
#include "sc_main/cli/survivors.h"

namespace syncline::cli {
namespace {

using protocols::explore::Fate;
using protocols::explore::MutantResult;

/// The settings for random tests under which the policy's rows can be changed this way: a key may leave out an action.
std::vector<protocols::CoherenceSpec> settings_with(const std::string& mutant, const MutantCheck& options,
                                                    const protocols::CoherenceContext& context) {
  std::vector<protocols::CoherenceSpec> settings;
  for (protocols::CoherenceSpec& spec : stress_keys(options.policy, options.overrides, "syncline check")) {
    const std::vector<protocols::Mutant> all = mutants_of(make_coherence_policy(spec, context));
    spec.mutant = mutant;
    if (std::any_of(all.begin(), all.end(), [&](const protocols::Mutant& one) { return one.description == mutant; }))
      settings.push_back(std::move(spec));
  }
  return settings;
}

/// Runs random programs on the mutant. It is `stressed` when one fails, and is met where one has taken its row.
void stress_mutant(const MutantCheck& options, const protocols::CoherencePolicy& policy,
                   const protocols::CoherenceContext& context, MutantResult& result) {
  stress::StressOptions stress;
  stress.coherence = settings_with(result.mutant.description, options, context);
  stress.operations = options.stress;
  stress.seed = options.stress_seed;
  stress.jobs = options.mutation.jobs;
  stress.most_trials = 0;
  const stress::StressReport report = stress::run_stress(stress);
  if (report.failure) {
    result.by = fmt::format("batch {}: {}", report.failure->batch, report.failure->found);
    result.by.resize(std::min(result.by.size(), result.by.find('\n')));
    result.fate = Fate::stressed;
  } else if (result.fate == Fate::not_reached &&
             report.taken[policy.place_of(result.mutant.role)][result.mutant.row] != 0) {
    result.by = "random tests alone";
    result.fate = Fate::survives;
  }
}

void print_total(const MutantCheck& options, std::map<Fate, std::size_t>& count) {
  const std::size_t die = count[Fate::killed] + count[Fate::dearer] + count[Fate::stressed];
  const std::size_t all = die + count[Fate::survives];
  fmt::print(
      "{}: {} mutants that can be told from the policy: {} killed by what is checked, {} by what they cost, {}"
      "{} survive ({:.1f} % die); {} equivalent, {} of rows that no program meets\n",
      options.policy, all, count[Fate::killed], count[Fate::dearer],
      options.stress == 0 ? "" : fmt::format("{} by random tests, ", count[Fate::stressed]), count[Fate::survives],
      all == 0 ? 100.0 : 100.0 * static_cast<double>(die) / static_cast<double>(all), count[Fate::equivalent],
      count[Fate::not_reached]);
}

}  // namespace

base::ExitStatus check_mutants(const MutantCheck& options, const protocols::CoherencePolicy& policy,
                               const std::vector<protocols::explore::Program>& programs,
                               const protocols::CoherenceContext& context) {
  std::map<std::string, std::string> explained;
  if (!options.survivors.empty()) explained = read_survivors(options.survivors, policy);
  const std::vector<protocols::explore::Program> costly = protocols::explore::cost_programs(policy.of_modules);
  std::map<Fate, std::size_t> count;
  std::size_t unexplained = 0, wrongly_explained = 0;
  for (MutantResult& result : run_mutants(policy, programs, costly, context, options.mutation)) {
    if (options.stress != 0 && result.fate != Fate::killed && result.fate != Fate::dearer)
      stress_mutant(options, policy, context, result);
    ++count[result.fate];
    const std::string& mutant = result.mutant.description;
    const auto reason = explained.find(mutant);
    const bool survives = result.fate == Fate::survives;
    const std::string by = result.by.empty() ? "" : " by " + result.by;
    if (survives && reason == explained.end()) {
      ++unexplained;
      fmt::print("survives: {} (differs in {})\n", mutant, result.by);
    }
    if (!survives && result.fate != Fate::not_reached && reason != explained.end()) {
      ++wrongly_explained;
      fmt::print("explained, but {}: {}{}\n", name(result.fate), mutant, by);
    }
    if (options.verbose) fmt::print("{}: {}{}\n", name(result.fate), mutant, by);
  }
  print_total(options, count);
  if (options.survivors.empty()) return base::ExitStatus::done;
  return unexplained + wrongly_explained == 0 ? base::ExitStatus::done : base::ExitStatus::not_verified;
}

}  // namespace syncline::cli
