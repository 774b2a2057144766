// Consistency models: is an execution allowed, and if not, which axioms does it break?
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "consistency/execution.h"

namespace syncline::consistency {

enum class Model : std::uint8_t {
  sc,    ///< sequential consistency: po, rf, co and fr have no cycle (Lamport 1979)
  ptx75  ///< PTX ISA 7.5 to 9, chapter "Memory Consistency Model", with proxies, for words of one size
};
const base::ChoiceTable<Model>& model_names();

/// The axioms, by the names of the PTX ISA; the last is the one that `sc` has beside atomicity.
enum class Axiom : std::uint8_t {
  coherence,
  fence_sc,
  atomicity,
  no_thin_air,
  sc_per_location,
  causality,
  sequential_consistency,
  count_
};
std::string_view name(Axiom axiom);

/// A set of axioms.
class AxiomSet {
 public:
  void insert(Axiom axiom) { bits_ |= bit(axiom); }
  bool contains(Axiom axiom) const { return (bits_ & bit(axiom)) != 0; }
  bool empty() const { return bits_ == 0; }
  unsigned size() const { return static_cast<unsigned>(__builtin_popcount(bits_)); }
  std::vector<Axiom> members() const;
  friend bool operator==(AxiomSet a, AxiomSet b) { return a.bits_ == b.bits_; }

 private:
  static unsigned bit(Axiom axiom) { return 1U << static_cast<unsigned>(axiom); }
  unsigned bits_ = 0;
};

/// One way to order what an execution leaves open: its coherence order, and the axioms that are then broken.
struct Completion {
  AxiomSet violated;
  Relation co;
};

/// Calls `visit` for the ways to complete `execution` under `model` that can matter (PTX: also over the orders of the
/// fence.sc), until it returns false. At least one is visited, unless a barrier is never complete. When the execution
/// gives co, only that one is used; of ptx75, which leaves racing writes unordered, its pairs of morally strong or
/// causally ordered writes.
void for_each_completion(const Execution& execution, Model model, const std::function<bool(const Completion&)>& visit);

struct Verdict {
  AxiomSet violated;  ///< of the completion that breaks the fewest; empty: the execution is allowed
  Relation co;
  bool allowed() const { return violated.empty(); }
};

/// Judges an execution whose rf is known, and co too or not. UserError when a barrier is never complete.
Verdict judge(const Execution& execution, Model model);

/// The writes to `location` that no other write to it follows in `co`: what memory may hold in the end.
EventSet last_writes(const Execution& execution, const Relation& co, unsigned location);

}  // namespace syncline::consistency
