#include "platform/packages/local/plan.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/transactions/local/local_keys.h"
#include "models/transactions/local/local_plan.h"
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

}  // namespace

std::string plan_transactions(const PlatformSpec& spec, Detection detection, models::GridLaunch& grid) {
  const auto& keys = spec.local_transactions.keys<models::LocalKeys>();
  const isa::KernelInfo& kernel = grid.context.program->kernel();
  models::CtaDemand& demand = grid.demand;
  LocalTmSpec machine = keys.machine;
  machine.detection = detection;
  machine.banks = spec.sm.shared.banks;

  ComputeUnit unit;
  unit.lanes = spec.sm.warp_size;
  unit.wavefronts = (demand.threads + unit.lanes - 1) / unit.lanes;
  unit.memory_bytes = static_cast<std::uint32_t>(spec.sm.shared.bytes);
  unit.vector_registers = spec.sm.registers;
  unit.scalar_registers = keys.scalar_registers;
  ProgramNeeds needs;
  needs.memory_bytes = static_cast<std::uint32_t>(demand.shared_bytes);
  needs.vector_registers = demand.registers_per_thread * unit.wavefronts * unit.lanes;

  auto plan = std::make_shared<models::LocalPlan>();
  const Resources more = resources_of(machine, unit, words_of(needs));
  models::CtaDemand with = demand;
  with.policy_shared_bytes = more.shadow_bytes;
  with.policy_registers = more.vector_registers();
  Shortfall lacks = shortfall_of(machine, unit, needs);
  if (lacks.what == Lack::none) lacks = lacks_as_allocated(spec.sm.resources(), with);
  if (lacks.what == Lack::none) {
    demand = with;
    plan->machine = machine;
    grid.plan = std::move(plan);
    return {};
  }
  grid.plan = std::move(plan);
  const std::string why = fmt::format("a CTA with its transactions needs {} {}, of which an SM has {}", lacks.needs,
                                      name(lacks.what), lacks.has);
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
