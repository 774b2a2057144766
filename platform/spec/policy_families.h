// The families of policies beside coherence, each chosen by one word. `none` is a policy like the others; each family's
// further policies have a folder in protocols/ and a name in its table here.
#pragma once

#include <string_view>

#include "base/fields.h"
#include "models/gpudet/gpudet_spec.h"

namespace syncline::platform {

enum class TransactionPolicy { none };
inline const base::ChoiceTable<TransactionPolicy>& transaction_policies() {
  static const base::ChoiceTable<TransactionPolicy> table{{"none", TransactionPolicy::none}};
  return table;
}

enum class DeterminismPolicy { none, gpudet };
inline const base::ChoiceTable<DeterminismPolicy>& determinism_policies() {
  static const base::ChoiceTable<DeterminismPolicy> table{{"none", DeterminismPolicy::none},
                                                          {"gpudet", DeterminismPolicy::gpudet}};
  return table;
}

enum class CompositionPolicy { none };
inline const base::ChoiceTable<CompositionPolicy>& composition_policies() {
  static const base::ChoiceTable<CompositionPolicy> table{{"none", CompositionPolicy::none}};
  return table;
}

/// The name of a value in its family's table.
template <class Enum>
std::string_view name_in(const base::ChoiceTable<Enum>& table, Enum value) {
  for (const auto& row : table) {
    if (row.second == value) return row.first;
  }
  return "?";
}

struct TransactionSpec {
  TransactionPolicy policy = TransactionPolicy::none;
  template <class V>
  void fields(V& v) {
    v.choice("policy", policy, transaction_policies(), base::param::text("transactional memory"));
  }
};

struct DeterminismSpec {
  DeterminismPolicy policy = DeterminismPolicy::none;
  models::GpudetSpec gpudet;
  template <class V>
  void fields(V& v) {
    v.choice("policy", policy, determinism_policies(), base::param::text("deterministic execution"));
    v.group("gpudet", gpudet, "strong determinism by quanta");
  }
};

struct CompositionSpec {
  CompositionPolicy policy = CompositionPolicy::none;
  template <class V>
  void fields(V& v) {
    v.choice("policy", policy, composition_policies(), base::param::text("composition of images on many GPUs"));
  }
};

}  // namespace syncline::platform
