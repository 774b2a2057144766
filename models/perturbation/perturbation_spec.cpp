#include "models/perturbation/perturbation_spec.h"

namespace syncline::models {

const base::ChoiceTable<Chance>& chance_names() {
  static const base::ChoiceTable<Chance> table = {
      {"none", Chance::none}, {"injection", Chance::injection}, {"all", Chance::all}};
  return table;
}

PerturbationSpec PerturbationSpec::resolved() const {
  PerturbationSpec spec = *this;
  spec.chance = Chance::none;
  if (chance == Chance::none) return spec;
  spec.random_arbitration = true;
  if (chance == Chance::injection) return spec;
  if (spec.network_jitter == 0) spec.network_jitter = 1;
  if (spec.dram_jitter == 0) spec.dram_jitter = 4;
  spec.refresh_phase = spec.clock_phase = spec.arbiter_state = spec.slot_history = true;
  return spec;
}

}  // namespace syncline::models
