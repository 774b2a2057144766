#include "protocols/coherence/explore/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "protocols/coherence/explore/steps.h"

namespace syncline::protocols::explore {
namespace {

class Explorer {
 public:
  Explorer(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
           const ExploreOptions& options)
      : options_(options),
        world_(policy, program, context, options.world),
        steps_(world_, options.merge, options.reduce_orders),
        symmetries_(options.merge ? symmetries(program) : std::vector<Permutation>()) {}

  Report run() {
    if (!options_.allowed) sc_ = sc_outcomes(world_.program());
    visit(steps_.first_state(), 0, {});
    std::uint32_t level_end = 1;
    for (std::uint32_t index = 0; index < frontier_end_ && !report_.violation; ++index) {
      if (index == level_end) {
        ++report_.depth;
        level_end = frontier_end_;
      }
      expand(index);
      if (parents_.size() > options_.max_states) {
        report_.complete = false;
        break;
      }
    }
    report_.states = parents_.size();
    if (!report_.violation && report_.complete && options_.check_drain) check_drain();
    report_.taken = world_.taken();
    report_.met = world_.met();
    return std::move(report_);
  }

 private:
  struct Parent {
    std::uint32_t index;
    Step step;
  };

  void expand(std::uint32_t index) {
    const State state = decode(frontier_[index], steps_.shape());
    std::string().swap(frontier_[index]);
    successors_begin_.push_back(successors_.size());
    steps_.list(state, next_steps_);
    for (const Step& step : next_steps_) {
      State next = state;
      try {
        steps_.apply(next, step);
        steps_.settle(next);
      } catch (const base::ModelError& error) {
        violate(error.what(), index, &step);
        return;
      }
      ++report_.steps;
      visit(next, index, step);
      if (report_.violation) return;
    }
  }

  void visit(const State& state, std::uint32_t from, const Step& step) {
    encode(state, steps_.shape(), bytes_);
    StateHash hash = hash_of(bytes_);
    for (const Permutation& permutation : symmetries_) {
      encode(permuted(state, world_.program(), permutation), steps_.shape(), permuted_bytes_);
      hash = std::min(hash, hash_of(permuted_bytes_));
    }
    const auto [found, is_new] = seen_.try_emplace(hash, static_cast<std::uint32_t>(parents_.size()));
    if (options_.check_drain && !parents_.empty() && found->second != from) successors_.push_back(found->second);
    if (!is_new) return;
    parents_.push_back({from, step});
    frontier_.push_back(bytes_);
    frontier_end_ = static_cast<std::uint32_t>(frontier_.size());
    if (options_.world.invariants) {
      const std::string broken = world_.broken_invariant(state);
      if (!broken.empty()) return violate(broken, found->second, nullptr);
    }
    if (world_.finished(state)) end(state, found->second);
  }

  void end(const State& state, std::uint32_t index) {
    ends_.push_back(index);
    note_spending(state);
    const Outcome outcome = world_.outcome(state);
    if (report_.outcomes.insert(outcome).second) {
      const bool allowed = options_.allowed ? options_.allowed(outcome) : sc_.count(outcome) != 0;
      if (!allowed)
        return violate(fmt::format("outcome {} is not allowed", text_of(outcome, world_.program())), index, nullptr);
    }
    const std::string broken = world_.broken_rest(state);
    if (!broken.empty()) violate(broken, index, nullptr);
  }

  void note_spending(const State& state) {
    for (unsigned i = 0; i < world_.spending(); ++i) {
      if (report_.spent.size() == i) report_.spent.emplace_back(state.spent[i], state.spent[i]);
      auto& [least, most] = report_.spent[i];
      least = std::min(least, state.spent[i]);
      most = std::max(most, state.spent[i]);
    }
  }

  /// Every state must be able to reach an end. Walks the graph backwards from the ends.
  void check_drain() {
    const auto states = static_cast<std::uint32_t>(parents_.size());
    successors_begin_.push_back(successors_.size());
    std::vector<std::uint32_t> begin(states + 1, 0), into(successors_.size());
    for (const std::uint32_t to : successors_) ++begin[to + 1];
    for (std::uint32_t s = 0; s < states; ++s) begin[s + 1] += begin[s];
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t s = 0; s < states; ++s) {
      for (std::size_t i = successors_begin_[s]; i < successors_begin_[s + 1]; ++i) into[at[successors_[i]]++] = s;
    }
    std::vector<bool> drains(states, false);
    std::vector<std::uint32_t> work = ends_;
    for (const std::uint32_t s : work) drains[s] = true;
    while (!work.empty()) {
      const std::uint32_t s = work.back();
      work.pop_back();
      for (std::uint32_t i = begin[s]; i < begin[s + 1]; ++i) {
        if (drains[into[i]]) continue;
        drains[into[i]] = true;
        work.push_back(into[i]);
      }
    }
    const auto stuck = std::find(drains.begin(), drains.end(), false);
    if (stuck != drains.end())
      violate("no run from here can end: deadlock or livelock", static_cast<std::uint32_t>(stuck - drains.begin()),
              nullptr);
  }

  void violate(const std::string& what, std::uint32_t index, const Step* last) {
    std::vector<Step> steps;
    if (last != nullptr) steps.push_back(*last);
    for (std::uint32_t s = index; s != 0; s = parents_[s].index) steps.push_back(parents_[s].step);
    std::reverse(steps.begin(), steps.end());
    Violation violation{what, {}};
    world_.log = &violation.trace;
    State state = steps_.first_state();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      violation.trace += fmt::format("{:3}. {}\n", i + 1, steps_.describe(state, steps[i]));
      try {
        if (steps_.apply(state, steps[i]) == World::Verdict::waits) violation.trace += "    waits\n";
        steps_.settle(state);
      } catch (const base::ModelError&) {
        violation.trace += "    " + what + "\n";
      }
    }
    world_.log = nullptr;
    report_.violation = std::move(violation);
  }

  const ExploreOptions& options_;
  World world_;
  Steps steps_;
  std::vector<Permutation> symmetries_;
  std::set<Outcome> sc_;
  Report report_;
  std::unordered_map<StateHash, std::uint32_t, HashOfHash> seen_;
  std::vector<Parent> parents_;
  std::vector<std::string> frontier_;
  std::uint32_t frontier_end_ = 0;
  std::vector<std::uint32_t> successors_, ends_;
  std::vector<std::size_t> successors_begin_;
  std::vector<Step> next_steps_;
  std::string bytes_, permuted_bytes_;
};

}  // namespace

Report explore(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
               const ExploreOptions& options) {
  return Explorer(policy, program, context, options).run();
}

}  // namespace syncline::protocols::explore
