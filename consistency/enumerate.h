// Which ends of a test a model allows: all candidate executions, judged.
#pragma once

#include <map>

#include "consistency/candidates.h"
#include "consistency/model.h"

namespace syncline::consistency {

/// What a machine has to keep: a model, or less.
enum class Promise : std::uint8_t {
  sc,
  ptx75,
  locations  ///< the order at each location by itself: ptx75 of the test `without_order`
};
const base::ChoiceTable<Promise>& promise_names();

/// Whether the models allow a final state.
struct Judgement {
  bool sc = false;
  bool ptx75 = false;
  bool locations = false;  ///< only where it was asked for
  bool allowed(Model model) const { return model == Model::sc ? sc : ptx75; }
  bool kept(Promise promise) const {
    return promise == Promise::sc ? sc : ptx75 || (promise == Promise::locations && locations);
  }
};

/// Why ptx75 forbids a final state.
struct Reason {
  enum class Kind : std::uint8_t {
    axioms,  ///< of the executions that end so, the nearest to be allowed breaks these
    stuck,   ///< they leave a thread at a barrier for ever
    bound,   ///< none does within the bound on loops: it is not known
    unknown  ///< the test is too large to say
  };
  Kind kind = Kind::axioms;
  AxiomSet axioms;  ///< No-Thin-Air for values that nothing can have written
};

/// Every final state that sc or ptx75 allows.
class Outcomes {
 public:
  Outcomes(std::shared_ptr<const Program> program, std::map<State, Judgement> states, unsigned unroll,
           CandidateLimits limits)
      : program_(std::move(program)), states_(std::move(states)), unroll_(unroll), limits_(limits) {}

  const std::map<State, Judgement>& states() const { return states_; }
  Judgement of(const State& state) const;
  /// Of a state that ptx75 does not allow. Enumerates anew.
  Reason why_forbidden(const State& state) const;
  /// True when the model allows an end that the test asks about (Program::is_witness).
  bool witness_allowed(Model model) const;
  /// True when `exists` has such an end, and when `~exists` and `forall` have none.
  bool condition_holds(Model model) const;

  /// Runs that go round a loop more often than this were left out.
  bool is_bounded() const { return limits_.bounded; }
  unsigned unroll() const { return unroll_; }
  /// Some choice leaves a thread at a barrier for ever, and has no end.
  bool may_wait_forever() const { return limits_.stuck; }

 private:
  std::shared_ptr<const Program> program_;
  std::map<State, Judgement> states_;
  unsigned unroll_;
  CandidateLimits limits_;
};

/// The final states of `program` under all models, and under Promise::locations if that is what is asked for. Where
/// racing writes are unordered, each may be what memory holds. Throws Refusal when the test is too large.
Outcomes enumerate(const Program& program, unsigned unroll = default_unroll, Promise promise = Promise::ptx75);

}  // namespace syncline::consistency
