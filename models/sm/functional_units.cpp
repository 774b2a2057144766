#include "models/sm/functional_units.h"

namespace syncline::models {

std::string_view name(Pipe pipe) {
  static constexpr std::array<std::string_view, pipe_kinds> names = {"sp", "sfu", "dp", "ldst", "control"};
  return names[static_cast<std::size_t>(pipe)];
}

const base::ChoiceTable<Pipe>& pipe_names() {
  static const base::ChoiceTable<Pipe> table = [] {
    base::ChoiceTable<Pipe> made;
    for (unsigned i = 0; i < pipe_kinds; ++i) made.emplace_back(name(static_cast<Pipe>(i)), static_cast<Pipe>(i));
    return made;
  }();
  return table;
}

FunctionalUnits::FunctionalUnits(const UnitsSpec& spec, unsigned warp_size) {
  const std::array<PipeSpec, pipe_kinds> pipes = {spec.sp, spec.sfu, spec.dp, spec.ldst, spec.control};
  for (unsigned i = 0; i < pipe_kinds; ++i) instances_[i].assign(pipes[i].count, 0);

  using Unit = isa::FunctionalUnit;
  const auto set = [&](Unit unit, const OperationSpec& operation) {
    const unsigned lanes = pipes[static_cast<std::size_t>(operation.pipe)].lanes;
    timing_[static_cast<std::size_t>(unit)] = {operation.pipe, operation.latency,
                                               (warp_size + lanes - 1) / lanes * operation.interval};
  };
  set(Unit::integer, spec.integer);
  set(Unit::integer_mul, spec.integer_mul);
  set(Unit::integer_div, spec.integer_div);
  set(Unit::single, spec.single);
  set(Unit::float_div, spec.float_div);
  set(Unit::double_, spec.double_);
  set(Unit::double_div, spec.double_div);
  set(Unit::special, spec.special);
  set(Unit::load_store, spec.load_store);
  set(Unit::control, spec.control_flow);
  set(Unit::synchronise, spec.synchronise);
}

void FunctionalUnits::occupy(Pipe pipe, base::Cycle now, base::Cycle cycles) {
  std::vector<base::Cycle>& instances = instances_[static_cast<std::size_t>(pipe)];
  auto taken = std::min_element(instances.begin(), instances.end());
  *taken = now + cycles;
  busy_cycles_[static_cast<std::size_t>(pipe)] += cycles;
  free_at_[static_cast<std::size_t>(pipe)] = *std::min_element(instances.begin(), instances.end());
}

}  // namespace syncline::models
