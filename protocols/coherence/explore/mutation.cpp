#include "protocols/coherence/explore/mutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <utility>

#include "base/error.h"
#include "protocols/coherence/explore/costs.h"
#include "protocols/coherence/explore/lockstep.h"

namespace syncline::protocols::explore {

std::string_view name(Fate fate) {
  static constexpr std::string_view names[] = {"killed",   "dearer",      "equivalent",
                                               "survives", "not reached", "killed in random tests"};
  return names[static_cast<std::size_t>(fate)];
}

namespace {

/// A program with what the policy itself does on it.
struct Tried {
  const Program* program;
  const CoherencePolicy* policy;
  ExploreOptions options;
  Report report;
  std::optional<Costs> costs;  ///< of the programs that are for that
  bool meets(const Mutant& mutant) const { return report.met[policy->place_of(mutant.role)][mutant.row] != 0; }
};

class Campaign {
 public:
  Campaign(const CoherencePolicy& policy, const std::vector<Program>& programs,
           const std::vector<Program>& cost_programs, const CoherenceContext& context, const MutationOptions& options)
      : policy_(policy), context_(context) {
    for (const Program& program : programs) try_out(program, options);
    for (const Program& program : cost_programs) {
      const std::size_t before = tried_.size();
      try_out(program, options);
      for (std::size_t i = before; i < tried_.size(); ++i)
        tried_[i].costs = costs_of(*tried_[i].policy, program, context, tried_[i].options);
    }
    std::stable_sort(tried_.begin(), tried_.end(),
                     [](const Tried& a, const Tried& b) { return a.report.states < b.report.states; });
  }

  MutantResult run(const Mutant& mutant) const {
    MutantResult result{mutant, Fate::not_reached, {}};
    for (const Tried& tried : tried_) {
      if (!tried.meets(mutant)) continue;
      const CoherencePolicy changed = mutated(*tried.policy, mutant);
      if (result.fate == Fate::not_reached) result.fate = Fate::equivalent;
      if (result.fate == Fate::equivalent) {
        // Where it does what the policy does there is nothing to find.
        if (behave_alike(*tried.policy, changed, *tried.program, context_, tried.options)) continue;
        result.fate = Fate::survives;
        result.by = tried.program->text;
      }
      if (is_killed(changed, tried, result)) return result;
    }
    if (result.fate != Fate::survives) return result;
    for (const Tried& tried : tried_) {
      if (tried.costs && tried.meets(mutant) && is_dearer(mutated(*tried.policy, mutant), tried, result)) break;
    }
    return result;
  }

 private:
  bool is_killed(const CoherencePolicy& changed, const Tried& tried, MutantResult& result) const {
    const Report found = explore(changed, *tried.program, context_, tried.options);
    // A mutant that never ends is as visible as one that ends wrong.
    if (!found.violation && found.complete) return false;
    result.fate = Fate::killed;
    result.by = tried.program->text + ": " + (found.violation ? found.violation->what : "far more states");
    return true;
  }

  bool is_dearer(const CoherencePolicy& changed, const Tried& tried, MutantResult& result) const {
    try {
      const Costs costs = costs_of(changed, *tried.program, context_, tried.options);
      if (costs == *tried.costs) return false;
      result.fate = Fate::dearer;
      result.by = fmt::format("{}: {}; it should be {}", tried.program->text, text_of(costs, changed),
                              text_of(*tried.costs, policy_));
    } catch (const base::ModelError& error) {  // a deadlock that replacements would have ended
      result.fate = Fate::killed;
      result.by = error.what();
    }
    return true;
  }

  void try_out(const Program& program, const MutationOptions& options) {
    if (!options.judge) return try_out(program, options, {});
    for (const ExploreOptions& way : options.judge(program)) try_out(program, options, way);
  }

  void try_out(const Program& program, const MutationOptions& options, const ExploreOptions& way) {
    Tried tried;
    tried.program = &program;
    tried.policy = options.policy ? &options.policy(program) : &policy_;
    tried.options = way;
    tried.options.max_states = options.max_states;
    tried.report = explore(*tried.policy, program, context_, tried.options);
    if (tried.report.violation)
      throw base::ModelError(fmt::format("policy `{}` itself: program `{}`: {}", policy_.name, program.text,
                                         tried.report.violation->what));
    if (!tried.report.complete) return;
    tried.options.max_states = tried.report.states * 8 + 10'000;
    tried_.push_back(std::move(tried));
  }

  const CoherencePolicy& policy_;
  const CoherenceContext& context_;
  std::vector<Tried> tried_;
};

/// Those that are tried.
std::vector<Mutant> chosen(const CoherencePolicy& policy, const MutationOptions& options) {
  std::vector<Mutant> mutants;
  for (const std::string& name : options.only) mutants.push_back(mutant_named(policy, name));
  if (!mutants.empty()) return mutants;
  mutants = mutants_of(policy);
  const std::size_t count = mutants.size(), size = std::min(options.sample, count);
  if (size == 0) return mutants;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < size; ++i) places.push_back((i * count / size + options.seed) % count);
  std::sort(places.begin(), places.end());
  std::vector<Mutant> sample;
  sample.reserve(size);
  for (const std::size_t place : places) sample.push_back(std::move(mutants[place]));
  return sample;
}

}  // namespace

std::vector<MutantResult> run_mutants(const CoherencePolicy& policy, const std::vector<Program>& programs,
                                      const std::vector<Program>& cost_programs, const CoherenceContext& context,
                                      const MutationOptions& options) {
  const Campaign campaign(policy, programs, cost_programs, context, options);
  const std::vector<Mutant> mutants = chosen(policy, options);
  std::vector<MutantResult> results;
  results.reserve(mutants.size());
  for (const Mutant& mutant : mutants) results.push_back({mutant, Fate::not_reached, {}});
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < mutants.size(); i = next++) results[i] = campaign.run(mutants[i]);
  };
  std::vector<std::future<void>> workers;
  for (unsigned job = 1; job < options.jobs; ++job) workers.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& worker : workers) worker.get();
  return results;
}

}  // namespace syncline::protocols::explore
