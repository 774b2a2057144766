#include "consistency/enumerate.h"

#include <algorithm>

#include "consistency/coherence_order.h"
#include "consistency/refusal.h"
#include "consistency/sc.h"

namespace syncline::consistency {
namespace {

/// Calls `found` for each final state that a completion of an execution has.
class FinalStates {
 public:
  FinalStates(const Program& program, const Candidate& candidate) : program_(program), candidate_(candidate) {}

  template <class Found>
  void each(const Relation& co, Found&& found) const {
    State state(program_.observables.size());
    fill(0, co, state, found);
  }

 private:
  template <class Found>
  void fill(std::size_t at, const Relation& co, State& state, Found& found) const {
    if (at == state.size()) {
      found(state);
      return;
    }
    const Observable& observable = program_.observables[at];
    if (observable.thread) {
      state[at] = candidate_.registers[*observable.thread][observable.index];
      return fill(at + 1, co, state, found);
    }
    std::vector<Value> seen;
    for_each_event(last_writes(candidate_.execution, co, observable.index), [&](unsigned write) {
      const Value value = candidate_.execution.events[write].value;
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) return;
      seen.push_back(value);
      state[at] = value;
      fill(at + 1, co, state, found);
    });
  }

  const Program& program_;
  const Candidate& candidate_;
};

/// The axioms that the executions break which end in a state that is not allowed.
class Explanation {
 public:
  Explanation(const Program& program, const State& state, unsigned unroll)
      : program_(program), final_(program.locations.size()) {
    options_.unroll = unroll;
    options_.only_plausible = false;
    options_.max_steps /= 10;  // a table of ends may ask often
    options_.registers.emplace();
    for (const Thread& thread : program.threads) options_.registers->emplace_back(thread.registers.size());
    for (std::size_t o = 0; o < state.size(); ++o) {
      const Observable& observable = program.observables[o];
      if (observable.thread) {
        (*options_.registers)[*observable.thread][observable.index] = state[o];
      } else {
        final_[observable.index] = state[o];
      }
    }
  }

  Reason reason() {
    CandidateLimits limits;
    bool is_all = true;
    try {
      limits = for_each_candidate(program_, options_, [this](const Candidate& candidate) {
        last_.clear();
        choose_last(0, candidate);
      });
    } catch (const Refusal&) {
      is_all = false;
    }
    if (best_) return {Reason::Kind::axioms, *best_};
    if (!is_all) return {Reason::Kind::unknown, {}};
    if (limits.stuck) return {Reason::Kind::stuck, {}};
    if (limits.bounded) return {Reason::Kind::bound, {}};
    AxiomSet thin_air;
    thin_air.insert(Axiom::no_thin_air);
    return {Reason::Kind::axioms, thin_air};
  }

 private:
  /// Which write stays in each location.
  void choose_last(unsigned location, const Candidate& candidate) {
    if (location == program_.locations.size()) return complete(candidate);
    const Execution& execution = candidate.execution;
    for_each_event(execution.of(Event::Kind::write), [&](unsigned write) {
      const Event& w = execution.events[write];
      if (w.location != location || (final_[location] && w.value != *final_[location])) return;
      last_.push_back(write);
      choose_last(location + 1, candidate);
      last_.pop_back();
    });
  }

  void complete(const Candidate& candidate) {
    Execution execution = candidate.execution;
    const EventSet writes = execution.of(Event::Kind::write);
    const Relation pairs = execution.same_location().restricted(writes, writes);
    Relation last(pairs.size());
    for (const unsigned write : last_) {
      for_each_event(pairs.successors(write), [&](unsigned other) {
        if (other != write) last.add(other, write);
      });
    }
    // An initial write that stays though others came contradicts every order; the orders of the others still tell.
    Relation ordered = last;
    for (unsigned i = 0; i < ordered.size(); ++i) {
      if (execution.events[i].thread != no_thread) continue;
      for_each_event(pairs.successors(i), [&](unsigned other) {
        if (other != i && !last.at(other, i)) ordered.add(i, other);
      });
    }
    for_each_order(ordered, pairs, [&](const Relation& co) {
      execution.co = co;
      complete_ptx75(execution, candidate.frame, false, [&](const Completion& completion) {
        AxiomSet violated = completion.violated;
        for (const unsigned write : last_) {
          if (execution.events[write].thread == no_thread && pairs.successors(write) != event_bit(write))
            violated.insert(Axiom::coherence);
        }
        if (!violated.empty() && (!best_ || violated.size() < best_->size())) best_ = violated;
        return true;
      });
      return !best_ || best_->size() > 1;
    });
  }

  const Program& program_;
  CandidateOptions options_;
  std::vector<std::optional<Value>> final_;  ///< by location
  std::vector<unsigned> last_;
  std::optional<AxiomSet> best_;
};

}  // namespace

Judgement Outcomes::of(const State& state) const {
  const auto found = states_.find(state);
  return found == states_.end() ? Judgement{} : found->second;
}

Reason Outcomes::why_forbidden(const State& state) const {
  return Explanation(*program_, state, unroll_).reason();
}

bool Outcomes::witness_allowed(Model model) const {
  return std::any_of(states_.begin(), states_.end(), [&](const auto& entry) {
    return entry.second.allowed(model) && program_->is_witness(entry.first);
  });
}

bool Outcomes::condition_holds(Model model) const {
  return witness_allowed(model) == (program_->quantifier == Quantifier::exists);
}

const base::ChoiceTable<Promise>& promise_names() {
  static const base::ChoiceTable<Promise> table{
      {"sc", Promise::sc}, {"ptx75", Promise::ptx75}, {"locations", Promise::locations}};
  return table;
}

Outcomes enumerate(const Program& program, unsigned unroll, Promise promise) {
  std::map<State, Judgement> states;
  if (promise == Promise::locations) {
    const Outcomes unordered = enumerate(without_order(program), unroll);
    for (const auto& [state, judgement] : unordered.states()) states[state].locations = judgement.ptx75;
  }
  CandidateOptions options;
  options.unroll = unroll;
  const CandidateLimits limits = for_each_candidate(program, options, [&](const Candidate& candidate) {
    const FinalStates finals(program, candidate);
    complete_sc(candidate.execution, true, [&](const Completion& completion) {
      if (completion.violated.empty()) finals.each(completion.co, [&](const State& s) { states[s].sc = true; });
      return true;
    });
    complete_ptx75(candidate.execution, candidate.frame, true, [&](const Completion& completion) {
      if (completion.violated.empty()) finals.each(completion.co, [&](const State& s) { states[s].ptx75 = true; });
      return true;
    });
  });
  return {std::make_shared<const Program>(program), std::move(states), unroll, limits};
}

}  // namespace syncline::consistency
