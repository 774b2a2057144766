#include "platform/stress/memory_system.h"

#include "platform/stress/delay_network.h"
#include "platform/stress/random_memory.h"

namespace syncline::stress {
namespace {

models::PlatformContext& seeded(models::PlatformContext& context, std::uint64_t seed) {
  context.seed = seed;
  return context;
}

platform::PlatformSpec platform_spec(const MemorySystemSpec& machine) {
  platform::PlatformSpec spec;
  spec.sms = machine.modules.count() == 1 ? 0 : machine.l1s;  // in modules, L1s are where their SMs would be
  spec.modules = machine.modules;
  spec.l1 = machine.l1;
  spec.l2 = machine.l2;
  spec.memory = machine.interleaving;
  spec.memory.partitions = machine.slices;
  spec.coherence = machine.coherence;
  return spec;
}

platform::PlanOptions plan_options(const MemorySystemSpec& machine) {
  platform::PlanOptions options;
  options.foreign_ports = machine.modules.count() == 1 ? machine.l1s : 0;
  options.own_policy = machine.policy();
  options.own_homes = machine.own_homes;
  return options;
}

platform::MemorySideOptions side_options(const MemorySystemSpec& machine) {
  platform::MemorySideOptions options;
  options.network = delay_networks(machine.max_network_delay_ps, machine.network_capacity, machine.seed);
  options.memory = random_memories(machine.memory_bytes, machine.max_memory_delay_ps, machine.seed);
  options.atomic_unit = machine.atomic_unit;
  return options;
}

}  // namespace

protocols::CoherencePolicy MemorySystemSpec::policy() const {
  if (own_policy) return *own_policy;
  protocols::CoherenceContext context;
  context.l1s = l1s;
  context.homes = slices;
  context.grid = {modules.gpus, modules.gpms};
  return protocols::make_coherence_policy(coherence, context);
}

MemorySystem::MemorySystem(models::PlatformContext& context, const MemorySystemSpec& s)
    : spec(s),
      plan(seeded(context, s.seed), platform_spec(s), plan_options(s)),
      side(plan, side_options(s)),
      policy(plan.policy()),
      homes(plan.homes()),
      core_clock(plan.core()) {
  l1s.reserve(spec.l1s);
  slices.reserve(spec.slices);
  for (unsigned i = 0; i < spec.l1s; ++i) {
    l1s.push_back(std::make_unique<models::L1Cache>(("l1_" + std::to_string(i)).c_str(), context, core_clock, spec.l1,
                                                    policy, base::SmId(static_cast<std::uint16_t>(i)), homes));
    side.bind_l1(models::ports_of(*l1s[i]).network, i);
  }
  for (unsigned i = 0; i < spec.slices; ++i) slices.push_back(&side.l2(i));
}

}  // namespace syncline::stress
