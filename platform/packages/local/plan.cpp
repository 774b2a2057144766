#include "platform/packages/local/plan.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/error.h"
#include "models/transactions/local/local_keys.h"
#include "models/transactions/local/local_plan.h"
#include "platform/packages/local/hints.h"
#include "platform/spec/platform_spec.h"
#include "protocols/transactions/local/resources.h"

namespace syncline::platform::local {

using namespace protocols::local;

namespace {

/// What an SM gives out is in whole units.
Shortfall lacks_as_allocated(const models::SmResources& sm, const models::CtaDemand& cta) {
  const models::Occupancy all = occupancy(sm, cta);
  if (all.ctas != 0) return {};
  if (all.limit == models::OccupancyLimit::registers)
    return {Lack::vector_registers, all.registers_per_cta, sm.registers};
  if (all.limit == models::OccupancyLimit::shared_memory) return {Lack::memory, all.shared_per_cta, sm.shared_bytes};
  return {};  // it does not fit without its transactions either
}

/// Ways to find conflicts, the best first.
std::vector<LocalTmSpec> candidates(const LocalTmSpec& chosen, const Hints& hints, models::HintUse use) {
  std::vector<LocalTmSpec> all{chosen};
  if (use == models::HintUse::resources) return all;
  LocalTmSpec& first = all.front();
  if (hints.large) first.detection = Detection::dcd;
  if (hints.read_only) {
    if (!hints.large) first.detection = Detection::swo_sig;
    first.selection = multiple(first.selection);
  }
  for (const Detection detection : {Detection::prw_sig, Detection::dcd}) {
    all.push_back(chosen);
    all.back().detection = detection;
  }
  return all;
}

}  // namespace

std::string plan_transactions(const PlatformSpec& spec, Detection detection, models::GridLaunch& grid) {
  const auto& keys = spec.local_transactions.keys<models::LocalKeys>();
  const isa::KernelInfo& kernel = grid.context.program->kernel();
  const Hints hints = hints_of(*grid.context.program);
  models::CtaDemand& demand = grid.demand;
  LocalTmSpec chosen = keys.machine;
  chosen.detection = detection;
  chosen.banks = spec.sm.shared.banks;

  ComputeUnit unit;
  unit.lanes = spec.sm.warp_size;
  unit.wavefronts = occupancy(spec.sm.resources(), demand).warps_per_cta;
  unit.memory_bytes = static_cast<std::uint32_t>(spec.sm.shared.bytes);
  unit.vector_registers = spec.sm.registers;
  unit.scalar_registers = keys.scalar_registers;
  ProgramNeeds needs;
  needs.memory_bytes = static_cast<std::uint32_t>(demand.shared_bytes);
  needs.vector_registers = demand.registers_per_thread * unit.wavefronts * unit.lanes;
  needs.transactional_bytes = hints.variables.empty() ? needs.memory_bytes : 0;

  auto plan = std::make_shared<models::LocalPlan>();  // without one nothing is detected
  for (const isa::SharedVariable& one : hints.variables) {
    const std::uint64_t bytes = one.bytes != 0 ? one.bytes : demand.shared_bytes - one.offset;
    plan->parts.push_back({one.offset, one.offset + bytes});
    needs.transactional_bytes += static_cast<std::uint32_t>(bytes);
  }

  std::optional<Shortfall> lack;  // of the first
  for (const LocalTmSpec& machine : candidates(chosen, hints, keys.hints)) {
    const Resources more = resources_of(machine, unit, words_of(needs));
    models::CtaDemand with = demand;
    with.policy_shared_bytes = more.shadow_bytes;
    with.policy_registers = more.vector_registers();
    Shortfall lacks = shortfall_of(machine, unit, needs);
    if (lacks.what == Lack::none) lacks = lacks_as_allocated(spec.sm.resources(), with);
    if (lacks.what != Lack::none) {
      if (!lack) lack = lacks;
      continue;
    }
    demand = with;
    plan->machine = machine;
    grid.plan = std::move(plan);
    if (machine.detection == chosen.detection && machine.selection == chosen.selection) return {};
    return fmt::format("the transactions of kernel `{}` run under `{}` with `{}`, for its hints and the room on an SM",
                       kernel.name, base::name_in(detections(), machine.detection),
                       base::name_in(selections(), machine.selection));
  }
  const std::string why = fmt::format("a CTA with its transactions needs {} {}, of which an SM has {}", lack->needs,
                                      name(lack->what), lack->has);
  if (keys.shortage == models::Shortage::refuse)
    throw base::UserError(kernel.transaction, fmt::format("kernel `{}`: {}; `transactions.local.shortage: lock` would "
                                                          "run them one after the other",
                                                          kernel.name, why));
  return fmt::format(
      "the transactions of kernel `{}` run one after the other in each CTA, as under "
      "`transactions.local.policy: serial`: {}",
      kernel.name, why);
}

}  // namespace syncline::platform::local
