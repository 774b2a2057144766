#include "platform/packages/units.h"

#include "models/rtl/rtl_blocks.h"
#include "models/z_unit/z_unit.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

UnitRequest z_unit(const PlatformSpec& spec) {
  UnitRequest unit;
  unit.name = unit.clock = "z_unit";
  unit.hertz = spec.z_unit.clock;
  unit.key = "z_unit.granule";
  unit.factor = models::DepthLines::expansion(spec.z_unit.granule);
  if (spec.z_unit.model == models::BlockModel::rtl) {
    unit.make = [](const sc_core::sc_module_name& name, const UnitSite& site) {
      return rtl::rtl_blocks()->z_unit(name, {site.context, site.clock, site.spec.z_unit, site.coherence,
                                              site.partition, site.homes, site.spec.l2.line, site.memory, site.place});
    };
    return unit;
  }
  unit.make = [](const sc_core::sc_module_name& name, const UnitSite& site) {
    return std::make_unique<models::ZUnit>(name, site.context, site.clock, site.spec.z_unit, site.coherence,
                                           site.partition, site.homes, site.spec.l2.line, site.memory, site.place);
  };
  return unit;
}

}  // namespace syncline::platform
