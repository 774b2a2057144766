#include "platform/packages/getm/units.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "models/rtl/rtl_blocks.h"
#include "models/transactions/getm/commit_unit.h"
#include "models/transactions/getm/getm_stalls.h"
#include "models/transactions/getm/validation_unit.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform::getm {

const models::GetmKeys& keys_of(const PlatformSpec& spec) {
  return spec.transactions.keys<models::GetmKeys>();
}

namespace {

/// What counts for all stall buffers of a GPU. Their units own it, so it ends with the GPU.
class AllStalls {
 public:
  std::shared_ptr<models::GetmStalls> of(const UnitSite& site) {
    std::weak_ptr<models::GetmStalls>& made = made_[{&site.context, site.place.gpu}];
    if (auto known = made.lock()) return known;
    const models::TileScope tile(site.context.tiles, site.context.tiles.sequential().name());
    auto stalls = std::make_shared<models::GetmStalls>("getm_stalls", site.context);
    made = stalls;
    return stalls;
  }

 private:
  std::map<std::pair<const models::PlatformContext*, unsigned>, std::weak_ptr<models::GetmStalls>> made_;
};

}  // namespace

UnitFactory validation_units(models::MakeStallBuffer make) {
  if (!make) make = models::make_stall_buffer;
  return [make = std::move(make), all = std::make_shared<AllStalls>()](const sc_core::sc_module_name& name,
                                                                       const UnitSite& site) {
    // Before the unit is made, within which they would stand.
    const std::string buffer = fmt::format("part{}_stall_buffer", site.partition.value());
    auto made = make(buffer.c_str(), {site.context, site.clock, keys_of(site.spec).machine, site.partition});
    std::shared_ptr<models::GetmStalls> stalls = all->of(site);
    auto unit =
        std::make_unique<models::GetmValidationUnit>(name, site.context, site.clock, keys_of(site.spec), site.coherence,
                                                     site.homes.homes(), site.spec.l2.line, site.place);
    unit->use(std::move(made), std::move(stalls));
    return unit;
  };
}

UnitRequest validation_unit(const PlatformSpec& spec) {
  UnitRequest unit;
  unit.name = "validation_unit";
  unit.clock = "validation";
  unit.hertz = keys_of(spec).units.validation_clock;
  const bool in_rtl = keys_of(spec).stall_buffer.model == models::BlockModel::rtl && rtl::rtl_blocks() != nullptr;
  unit.make = validation_units(in_rtl ? rtl::rtl_blocks()->stall_buffer : nullptr);
  return unit;
}

UnitRequest commit_unit(const PlatformSpec& spec) {
  UnitRequest unit;
  unit.name = "commit_unit";
  unit.clock = "commit";
  unit.hertz = keys_of(spec).units.commit_clock;
  unit.make = [](const sc_core::sc_module_name& name, const UnitSite& site) {
    return std::make_unique<models::GetmCommitUnit>(name, site.context, site.clock, keys_of(site.spec), site.coherence,
                                                    site.spec.l2.line);
  };
  return unit;
}

}  // namespace syncline::platform::getm
