#include "protocols/transactions/explore/explorer.h"

#include <fmt/format.h>

#include <deque>
#include <set>
#include <utility>

#include "base/error.h"
#include "protocols/explore/state_graph.h"

namespace syncline::protocols::transactions {
namespace {

/// World: what is explored, with its State, Step and Met.
template <class World, class Options>
class Explorer {
  using State = typename World::State;
  using Step = typename World::Step;
  using Graph = explore::StateGraph<Step>;
  using Number = typename Graph::Number;

 public:
  Explorer(const explore::Program& program, const Options& options)
      : options_(options),
        program_(program),
        world_(program, options.world),
        serial_(explore::serial_outcomes(program)),
        graph_(true) {}

  Explored<typename World::Met> run() {
    visit(world_.initial(), 0, {});
    for (Number number = 0; !frontier_.empty() && !report_.violation; ++number) {
      if (graph_.size() > options_.max_states) {
        report_.complete = false;
        break;
      }
      const State state = std::move(frontier_.front());
      frontier_.pop_front();
      graph_.expand();
      expand(state, number);
    }
    if (!report_.violation && report_.complete) {
      if (const auto stuck = graph_.stuck()) violate("no run from here can end: deadlock or livelock", *stuck, nullptr);
    }
    report_.states = graph_.size();
    report_.met = world_.met();
    report_.taken = world_.machine().taken();
    return std::move(report_);
  }

 private:
  void expand(const State& state, Number number) {
    if (world_.is_cut(state)) {
      ++report_.cut;
      graph_.end(number);
      return;
    }
    world_.list(state, steps_);
    for (const Step& step : steps_) {
      State next = state;
      try {
        world_.apply(next, step);
      } catch (const base::ModelError& error) {
        return violate(error.what(), number, &step);
      }
      ++report_.steps;
      visit(std::move(next), number, step);
      if (report_.violation) return;
    }
  }

  void visit(State&& state, Number from, const Step& step) {
    world_.encode(state, bytes_);
    const auto [number, is_new] = graph_.visit(explore::hash_of(bytes_), from, step);
    if (!is_new) return;
    if (const std::string wrong = judge(state); !wrong.empty()) return violate(wrong, number, nullptr);
    state.judged = true;
    if (world_.finished(state)) {
      ++report_.ends;
      graph_.end(number);
      const explore::Outcome outcome = world_.outcome(state);
      if (serial_.count(outcome) == 0)
        return violate("no order of the transactions ends with " + text_of(outcome, program_), number, nullptr);
    }
    frontier_.push_back(std::move(state));
  }

  std::string judge(const State& state) const {
    try {
      return world_.judge(state);
    } catch (const base::ModelError& error) {
      return error.what();
    }
  }

  void violate(const std::string& what, Number number, const Step* last) {
    std::vector<Step> steps = graph_.path(number);
    if (last != nullptr) steps.push_back(*last);
    Violation violation{what, {}};
    World world(program_, options_.world);
    State state = world.initial();
    world.log = &violation.trace;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      violation.trace += fmt::format("{:4}. {}\n", i + 1, world.describe(state, steps[i]));
      try {
        world.apply(state, steps[i]);
      } catch (const base::ModelError& error) {
        violation.trace += fmt::format("       {}\n", error.what());
      }
    }
    report_.violation = std::move(violation);
  }

  const Options& options_;
  const explore::Program& program_;
  World world_;
  std::set<explore::Outcome> serial_;
  Graph graph_;
  Explored<typename World::Met> report_;
  std::deque<State> frontier_;
  std::vector<Step> steps_;
  std::string bytes_;
};

}  // namespace

Report explore_transactions(const explore::Program& program, const ExploreOptions& options) {
  return Explorer<World, ExploreOptions>(program, options).run();
}

WarptmReport explore_transactions(const explore::Program& program, const WarptmExploreOptions& options) {
  return Explorer<WarptmWorld, WarptmExploreOptions>(program, options).run();
}

LocalReport explore_transactions(const explore::Program& program, const LocalExploreOptions& options) {
  return Explorer<LocalWorld, LocalExploreOptions>(program, options).run();
}

}  // namespace syncline::protocols::transactions
