#include "protocols/determinism/explore/explorer.h"

#include <fmt/format.h>

#include <deque>
#include <unordered_set>
#include <utility>
#include <vector>

namespace syncline::protocols::determinism {
namespace {

class Explorer {
 public:
  Explorer(const explore::Program& program, const ExploreOptions& options)
      : program_(program), options_(options), world_(program, watched(options.world)) {}

  Report run() {
    visit(world_.initial(), 0, {});
    for (std::size_t index = 0; !frontier_.empty() && report_.violation.empty(); ++index) {
      if (history_.size() > options_.max_states) {
        report_.complete = false;
        break;
      }
      const World::State state = std::move(frontier_.front());
      frontier_.pop_front();
      if (world_.finished(state)) {
        end(state, index);
        continue;
      }
      const std::uint64_t before = report_.steps;
      const gpudet::Mode mode = mode_ = state.machine.mode();
      world_.for_each_step(state, [this, index, mode](World::State&& after, const std::string& step) {
        ++report_.steps;
        mode_ = mode;  // of what the next step begins with
        visit(std::move(after), index, step);
      });
      if (report_.steps == before) fail("nothing can happen any more, and not all warps have ended", index);
    }
    report_.states = history_.size();
    return std::move(report_);
  }

 private:
  struct Origin {
    std::size_t parent;
    std::uint64_t depth;
    std::string step;
  };

  WorldOptions watched(WorldOptions options) {
    options.entered = [this](gpudet::Mode mode) {
      if (mode != mode_) ++report_.changes[static_cast<std::size_t>(mode_)][static_cast<std::size_t>(mode)];
      mode_ = mode;
    };
    return options;
  }

  void visit(World::State&& state, std::size_t parent, const std::string& step) {
    if (!known_.insert(world_.encode(state)).second) return;
    const std::uint64_t depth = history_.empty() ? 0 : history_[parent].depth + 1;
    report_.depth = std::max(report_.depth, depth);
    history_.push_back({parent, depth, step});
    frontier_.push_back(std::move(state));
  }

  void end(const World::State& state, std::size_t index) {
    const explore::Outcome outcome = world_.outcome(state);
    const std::string text = text_of(outcome, program_);
    if (!report_.outcome) {
      report_.outcome = outcome;
      first_end_ = index;
      if (options_.allowed && !options_.allowed(outcome)) fail("the end " + text + " is not allowed", index);
    } else if (!(*report_.outcome == outcome)) {
      fail(fmt::format("two ends: {} and {}", text_of(*report_.outcome, program_), text), first_end_);
      report_.trace += "and\n" + trace(index);
    }
  }

  void fail(const std::string& what, std::size_t index) {
    report_.violation = what;
    report_.trace = trace(index);
  }

  std::string trace(std::size_t index) const {
    std::vector<const std::string*> steps;
    for (; index != 0; index = history_[index].parent) steps.push_back(&history_[index].step);
    std::string text;
    for (std::size_t i = steps.size(); i-- > 0;) text += fmt::format("{:4}. {}\n", steps.size() - i, *steps[i]);
    return text;
  }

  const explore::Program& program_;
  const ExploreOptions& options_;
  World world_;
  std::deque<World::State> frontier_;
  std::unordered_set<std::string> known_;
  std::vector<Origin> history_;  ///< by the order in which states were found, which is that of the frontier
  std::size_t first_end_ = 0;
  gpudet::Mode mode_ = gpudet::Mode::distribution;  ///< of the state that is being made
  Report report_;
};

}  // namespace

Report explore_quanta(const explore::Program& program, const ExploreOptions& options) {
  return Explorer(program, options).run();
}

}  // namespace syncline::protocols::determinism
