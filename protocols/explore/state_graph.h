// The graph of states that an exhaustive search walks: which states are known, by which step each was found first, and
// whether all of them can reach an end.
//
// States have numbers in the order in which they are found. Whoever searches breadth first expands them in that order,
// so that a path is a shortest one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "protocols/explore/state_hash.h"
#include "protocols/explore/state_set.h"

namespace syncline::protocols::explore {

template <class Step>
class StateGraph {
 public:
  using Number = StateSet::Number;

  /// `keeps_edges`: `stuck` is to be asked, for which the whole graph stays in memory.
  explicit StateGraph(bool keeps_edges) : keeps_edges_(keeps_edges) {}

  struct Found {
    Number number;
    bool is_new;
  };
  /// A state that `step` leads to from the state that is being expanded. The first one is where all begins.
  Found visit(const StateHash& hash, Number from, const Step& step) {
    const auto [number, is_new] = seen_.insert(hash);
    if (keeps_edges_ && !origins_.empty() && number != from) successors_.push_back(number);
    if (is_new) origins_.push_back({from, step});
    return {number, is_new};
  }
  /// What is visited from now on follows from the next state, in the order of numbers.
  void expand() { begins_.push_back(successors_.size()); }
  void end(Number state) { ends_.push_back(state); }

  Number size() const { return static_cast<Number>(origins_.size()); }
  /// The steps that lead to the state.
  std::vector<Step> path(Number state) const {
    std::vector<Step> steps;
    for (; state != 0; state = origins_[state].from) steps.push_back(origins_[state].step);
    std::reverse(steps.begin(), steps.end());
    return steps;
  }
  /// The first state from which no end can be reached. All states must have been expanded.
  std::optional<Number> stuck() const {
    std::vector<Number> begin(size() + std::size_t{1}, 0), into(successors_.size());
    for (const Number to : successors_) ++begin[to + 1];
    for (Number s = 0; s < size(); ++s) begin[s + 1] += begin[s];
    std::vector<Number> at(begin.begin(), begin.end() - 1);
    for (Number s = 0; s < size(); ++s) {
      const std::size_t last = s + std::size_t{1} < begins_.size() ? begins_[s + 1] : successors_.size();
      for (std::size_t i = begins_[s]; i < last; ++i) into[at[successors_[i]]++] = s;
    }
    std::vector<bool> drains(size(), false);
    std::vector<Number> work = ends_;
    for (const Number s : work) drains[s] = true;
    while (!work.empty()) {
      const Number s = work.back();
      work.pop_back();
      for (Number i = begin[s]; i < begin[s + 1]; ++i) {
        if (drains[into[i]]) continue;
        drains[into[i]] = true;
        work.push_back(into[i]);
      }
    }
    const auto stuck = std::find(drains.begin(), drains.end(), false);
    if (stuck == drains.end()) return std::nullopt;
    return static_cast<Number>(stuck - drains.begin());
  }

 private:
  struct Origin {
    Number from;
    Step step;
  };
  bool keeps_edges_;
  StateSet seen_;
  std::vector<Origin> origins_;
  std::vector<Number> successors_, ends_;
  std::vector<std::size_t> begins_;  ///< by state: where its successors begin
};

}  // namespace syncline::protocols::explore
