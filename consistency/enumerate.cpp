#include "consistency/enumerate.h"

#include <algorithm>

#include "consistency/traces.h"

namespace syncline::consistency {
namespace {

constexpr std::uint64_t max_candidates = 2'000'000;

/// Chooses a trace for each thread, then a write for each read.
class Candidates {
 public:
  Candidates(const Program& program, const CandidateVisitor& visit) : program_(program), visit_(visit) {
    const Domains domains = value_domains(program);
    for (unsigned t = 0; t < program.threads.size(); ++t) traces_.push_back(traces_of(program, t, domains));
  }

  void run() {
    chosen_.assign(traces_.size(), nullptr);
    choose(0);
  }

 private:
  void choose(std::size_t thread) {
    if (thread == traces_.size()) return assemble();
    for (const Trace& trace : traces_[thread]) {
      chosen_[thread] = &trace;
      choose(thread + 1);
    }
  }

  void assemble() {
    Execution execution;
    for (unsigned l = 0; l < program_.locations.size(); ++l) {
      Event initial;
      initial.kind = Event::Kind::write;
      initial.location = l;
      initial.value = program_.locations[l].initial;
      execution.add(initial);
    }
    for (unsigned t = 0; t < chosen_.size(); ++t) {
      execution.places.push_back({program_.threads[t].cta, program_.threads[t].gpu});
      const auto first = static_cast<unsigned>(execution.events.size());
      for (unsigned s = 0; s < chosen_[t]->steps.size(); ++s) {
        const Trace::Step& step = chosen_[t]->steps[s];
        const unsigned event = execution.add(step.event);
        if (step.completes_atomic) execution.rmw.add(event - 1, event);
        for_each_event(step.depends_on, [&](unsigned read) { execution.dep.add(first + read, event); });
      }
    }
    reads_.clear();
    for_each_event(execution.of(Event::Kind::read), [&](unsigned read) {
      std::vector<unsigned> sources;
      for_each_event(execution.of(Event::Kind::write), [&](unsigned write) {
        const Event &r = execution.events[read], &w = execution.events[write];
        if (r.location == w.location && r.value == w.value && !execution.rmw.at(read, write)) sources.push_back(write);
      });
      reads_.push_back({read, std::move(sources)});
    });
    const bool possible = std::none_of(reads_.begin(), reads_.end(), [](const Read& r) { return r.sources.empty(); });
    if (possible) choose_sources(0, execution);
  }

  void choose_sources(std::size_t read, Execution& execution) {
    if (read == reads_.size()) {
      if (++count_ > max_candidates)
        throw base::UserError(program_.file + ": error: the test has more than " + std::to_string(max_candidates) +
                              " candidate executions; expected a smaller test");
      registers_.clear();
      for (const Trace* trace : chosen_) registers_.push_back(trace->registers);
      visit_(execution, registers_);
      return;
    }
    for (const unsigned write : reads_[read].sources) {
      execution.rf.add(write, reads_[read].event);
      choose_sources(read + 1, execution);
      execution.rf.remove(write, reads_[read].event);
    }
  }

  struct Read {
    unsigned event;
    std::vector<unsigned> sources;
  };
  const Program& program_;
  const CandidateVisitor& visit_;
  std::vector<std::vector<Trace>> traces_;
  std::vector<const Trace*> chosen_;
  std::vector<Read> reads_;
  std::vector<std::vector<Value>> registers_;
  std::uint64_t count_ = 0;
};

/// Calls `found` for each final state that a completion of an execution has.
class FinalStates {
 public:
  FinalStates(const Program& program, const Execution& execution, const std::vector<std::vector<Value>>& registers)
      : program_(program), execution_(execution), registers_(registers) {}

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
      state[at] = registers_[*observable.thread][observable.index];
      return fill(at + 1, co, state, found);
    }
    std::vector<Value> seen;
    for_each_event(last_writes(execution_, co, observable.index), [&](unsigned write) {
      const Value value = execution_.events[write].value;
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) return;
      seen.push_back(value);
      state[at] = value;
      fill(at + 1, co, state, found);
    });
  }

  const Program& program_;
  const Execution& execution_;
  const std::vector<std::vector<Value>>& registers_;
};

}  // namespace

Judgement Outcomes::of(const State& state) const {
  const auto found = states_.find(state);
  if (found != states_.end()) return found->second;
  Judgement judgement;
  judgement.why.insert(Axiom::no_thin_air);
  return judgement;
}

bool Outcomes::witness_allowed(const Program& program, Model model) const {
  return std::any_of(states_.begin(), states_.end(),
                     [&](const auto& entry) { return entry.second.allowed(model) && program.is_witness(entry.first); });
}

void for_each_candidate(const Program& program, const CandidateVisitor& visit) {
  Candidates(program, visit).run();
}

Outcomes enumerate(const Program& program) {
  std::map<State, Judgement> states;
  for_each_candidate(program, [&](const Execution& execution, const std::vector<std::vector<Value>>& registers) {
    const FinalStates finals(program, execution, registers);
    for_each_completion(execution, Model::sc, [&](const Completion& completion) {
      if (completion.violated.empty()) finals.each(completion.co, [&](const State& s) { states[s].sc = true; });
      return true;
    });
    for_each_completion(execution, Model::ptx75, [&](const Completion& completion) {
      finals.each(completion.co, [&](const State& s) {
        Judgement& judgement = states[s];
        if (completion.violated.empty()) {
          judgement.ptx75 = true;
          judgement.why = {};
        } else if (!judgement.ptx75 && (judgement.why.empty() || completion.violated.size() < judgement.why.size())) {
          judgement.why = completion.violated;
        }
      });
      return true;
    });
  });
  return Outcomes(std::move(states));
}

}  // namespace syncline::consistency
