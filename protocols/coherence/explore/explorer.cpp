#include "protocols/coherence/explore/explorer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "protocols/coherence/explore/steps.h"
#include "protocols/explore/state_graph.h"

namespace syncline::protocols::explore {
namespace {

class Explorer {
 public:
  Explorer(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
           const ExploreOptions& options)
      : options_(options),
        world_(policy, program, context, options.world),
        steps_(world_, options.merge, options.reduce_orders),
        graph_(options.check_drain),
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
      if (graph_.size() > options_.max_states) {
        report_.complete = false;
        break;
      }
    }
    report_.states = graph_.size();
    if (!report_.violation && report_.complete && options_.check_drain) check_drain();
    report_.taken = world_.taken();
    report_.met = world_.met();
    return std::move(report_);
  }

 private:
  void expand(std::uint32_t index) {
    const State state = decode(frontier_[index], steps_.shape());
    std::string().swap(frontier_[index]);
    graph_.expand();
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
    const auto [number, is_new] = graph_.visit(hash, from, step);
    if (!is_new) return;
    frontier_.push_back(bytes_);
    frontier_end_ = static_cast<std::uint32_t>(frontier_.size());
    if (options_.world.invariants) {
      const std::string broken = world_.broken_invariant(state);
      if (!broken.empty()) return violate(broken, number, nullptr);
    }
    if (world_.finished(state)) end(state, number);
  }

  void end(const State& state, std::uint32_t index) {
    graph_.end(index);
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

  /// Every state must be able to reach an end.
  void check_drain() {
    if (const auto stuck = graph_.stuck()) violate("no run from here can end: deadlock or livelock", *stuck, nullptr);
  }

  void violate(const std::string& what, std::uint32_t index, const Step* last) {
    std::vector<Step> steps = graph_.path(index);
    if (last != nullptr) steps.push_back(*last);
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
  std::set<Outcome> sc_;
  Report report_;
  StateGraph<Step> graph_;
  std::vector<Permutation> symmetries_;
  std::vector<std::string> frontier_;
  std::uint32_t frontier_end_ = 0;
  std::vector<Step> next_steps_;
  std::string bytes_, permuted_bytes_;
};

}  // namespace

Report explore(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
               const ExploreOptions& options) {
  return Explorer(policy, program, context, options).run();
}

}  // namespace syncline::protocols::explore
