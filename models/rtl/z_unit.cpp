// The Z-unit: a unit of a partition that claims the depth family.
#include "Vz_unit.h"  // before SystemC, of which it would take itself for a part

#include <algorithm>

#include "models/rtl/factories.h"
#include "models/rtl/verilated_pins.h"
#include "models/transactor/rtl_partition_unit.h"
#include "models/z_unit/depth_family.h"

namespace syncline::rtl {
namespace {

std::uint8_t log2(unsigned power) {
  return static_cast<std::uint8_t>(__builtin_ctz(power));
}

}  // namespace

std::unique_ptr<models::PartitionUnit> make_z_unit(const sc_core::sc_module_name& name, const ZUnitSite& site) {
  const auto pins = partition_pins<Vz_unit>([&site](Vz_unit& unit) {
    unit.requests = static_cast<std::uint8_t>(site.spec.requests);
    unit.comparators = static_cast<std::uint8_t>(std::min(site.spec.comparators, site.spec.requests));
    unit.sets = static_cast<std::uint16_t>(site.spec.cache_size / (site.spec.ways * site.line_bytes));
    unit.ways = static_cast<std::uint8_t>(site.spec.ways);
    unit.line_log = log2(site.line_bytes);
    unit.granule_log = log2(site.spec.granule);
    unit.memory_base = site.depth_base;
  });
  return std::make_unique<models::RtlPartitionUnit>(
      name,
      models::RtlPartitionSite{site.context, site.clock, site.policy, site.partition, site.homes, site.line_bytes,
                               models::depth_family, site.place},
      "a Z-unit", pins);
}

}  // namespace syncline::rtl
