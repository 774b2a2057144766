// Which ends of a test a model allows: all candidate executions, judged.
#pragma once

#include <functional>
#include <map>

#include "consistency/model.h"
#include "consistency/program.h"

namespace syncline::consistency {

/// Whether the models allow a final state. `why` holds, of the candidate executions that end so, the axioms of ptx75
/// that the nearest to be allowed breaks; it is empty when ptx75 allows the state.
struct Judgement {
  bool sc = false;
  bool ptx75 = false;
  AxiomSet why;
  bool allowed(Model model) const { return model == Model::sc ? sc : ptx75; }
};

/// Every final state that some candidate execution has, allowed or not.
class Outcomes {
 public:
  explicit Outcomes(std::map<State, Judgement> states) : states_(std::move(states)) {}
  const std::map<State, Judgement>& states() const { return states_; }
  /// A state of which no candidate exists (a value that nothing could write) is forbidden, with No-Thin-Air as reason.
  Judgement of(const State& state) const;
  /// True when the model allows an end that the test asks about (Program::is_witness).
  bool witness_allowed(const Program& program, Model model) const;

 private:
  std::map<State, Judgement> states_;
};

/// Calls `visit` for each candidate: values of all reads with a write that each may have come from. `registers` are the
/// final registers of each thread.
using CandidateVisitor =
    std::function<void(const Execution& execution, const std::vector<std::vector<Value>>& registers)>;
void for_each_candidate(const Program& program, const CandidateVisitor& visit);

/// The final states of `program` under all models. Where racing writes are unordered, each may be what memory holds.
/// UserError when the test has too many candidates.
Outcomes enumerate(const Program& program);

}  // namespace syncline::consistency
