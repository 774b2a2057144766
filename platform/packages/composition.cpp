#include "platform/packages/composition.h"

#include <algorithm>
#include <string>

#include "base/round_up.h"
#include "models/sm/local_memory.h"
#include "platform/host/device_allocator.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

std::vector<ChosenPackage> chosen_packages(const PlatformSpec& spec) {
  std::vector<ChosenPackage> chosen;
  for (const FamilySpec* const family : spec.families()) chosen.push_back({family->family().name, &family->chosen()});
  return chosen;
}

void check_composition(const Composition& composition, const Require& require) {
  for (const ChosenPackage& chosen : chosen_packages(composition.spec)) chosen.package->rules(composition, require);
}

void check_memory(const MemoryLayout& layout, const Require& require) {
  const MemoryLayout::Excess excess = layout.excess();
  if (!excess.key.empty()) require(false, excess.key, excess.message);
}

Conduct conduct_of(const PlatformSpec& spec) {
  Conduct all;
  for (const ChosenPackage& chosen : chosen_packages(spec)) {
    const Conduct one = chosen.package->conduct();
    all.launches_in_order |= one.launches_in_order;
    all.transactions |= one.transactions;
    all.transactions_in_shared_memory |= one.transactions_in_shared_memory;
    all.stores_wait |= one.stores_wait;
    all.warps_end_alone |= one.warps_end_alone;
  }
  return all;
}

std::vector<std::string> prepare_grid(const PlatformSpec& spec, models::GridLaunch& grid) {
  std::vector<std::string> said;
  for (const ChosenPackage& chosen : chosen_packages(spec)) {
    if (std::string one = chosen.package->prepare(spec, grid); !one.empty()) said.push_back(std::move(one));
  }
  return said;
}

void add_unit(std::vector<UnitRequest>& units, UnitRequest unit) {
  const bool there =
      std::any_of(units.begin(), units.end(), [&](const auto& other) { return other.name == unit.name; });
  if (!there) units.push_back(std::move(unit));
}

std::vector<UnitRequest> requested_units(const PlatformSpec& spec) {
  std::vector<UnitRequest> units;
  for (const ChosenPackage& chosen : chosen_packages(spec)) {
    for (UnitRequest& unit : chosen.package->units(spec)) add_unit(units, std::move(unit));
  }
  return units;
}

MemoryLayout memory_layout(const PlatformSpec& spec, const std::vector<UnitRequest>& units, Dealt dealt) {
  const bool evenly = dealt == Dealt::evenly && spec.modules.count() == 1;
  MemoryLayout layout(spec.memory, evenly ? spec.memory.partitions : 1);
  layout.add(std::string(program_memory), "host.memory", DeviceAllocator::end_of_addresses(spec.host.memory));
  // That of each SM, in whole pages where each must be in the memory of its GPU.
  const std::uint64_t page = spec.modules.linked() ? 1 : spec.modules.pages.bytes;
  const std::uint64_t of_sm = models::LocalRegion::size(spec.sm.max_warps, spec.sm.warp_size, spec.host.local_memory);
  layout.add(std::string(local_memory), "host.local_memory", spec.sms * base::round_up(of_sm, page), page);
  for (const ChosenPackage& chosen : chosen_packages(spec)) chosen.package->reserve(spec, layout);
  const std::uint64_t data = layout.data_bytes_per_partition();
  for (const UnitRequest& unit : units) layout.add_to_partitions(unit.name, unit.key, data * unit.factor);
  return layout;
}

}  // namespace syncline::platform
