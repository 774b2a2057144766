// A package that brings a lane stage and a partition unit, which look at all that passes and count it: this folder and
// a line in platform/packages/list.h.
#include "models/sm/seams/lane_stage.h"
#include "models/sm/sm.h"
#include "platform/packages/package.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {
namespace {

struct Looker final : models::LaneStage {
  std::string_view name() const override { return "looker"; }
  void offer(models::LaneOffer& offer, base::Cycle) override {
    instructions.add();
    lanes.add(base::lane_count(offer.access().lanes));
    offer.pass(offer.access().lanes);
  }
  base::Counter instructions, lanes;
};

struct Gatekeeper final : models::PartitionUnit {
  Gatekeeper(const sc_core::sc_module_name& name, const UnitSite& site) : PartitionUnit(name, site.context) {
    statistic("requests", "messages", "messages on their way to the L2", requests);
  }
  bool claims(const models::Message&) const override {
    requests.add();
    return false;
  }
  bool accept(models::Message&, const sc_core::sc_time&) override { return false; }
  mutable base::Counter requests;
};

class Observing final : public Package {
 public:
  std::string_view name() const override { return "observing"; }
  std::string_view summary() const override { return "looks at instructions and messages"; }
  std::vector<UnitRequest> units(const PlatformSpec& spec) const override {
    UnitRequest unit{"gatekeeper", "l2", spec.clocks.l2, "host.memory", 0, {}};
    unit.make = [](const sc_core::sc_module_name& name, const UnitSite& site) {
      return std::make_unique<Gatekeeper>(name, site);
    };
    return {unit};
  }
  std::unique_ptr<PolicyParts> install(const GpuSite& site) const override {
    return std::make_unique<Parts>(site.context);
  }
  std::vector<protocols::SeamPart> seams() const override {
    return {{"lane stage", "Looker: counts memory instructions and their lanes"},
            {"partition unit", "Gatekeeper: counts messages to the L2"}};
  }

 private:
  struct Parts final : PolicyParts {
    explicit Parts(models::PlatformContext& platform) : context(platform) {}
    void add_to(models::SmSeams& seams, unsigned sm) override {
      const auto looker = std::make_shared<Looker>();
      const std::string block = "looker" + std::to_string(sm);
      context.statistics.add(block, "instructions", "instructions", "memory instructions", looker->instructions);
      context.statistics.add(block, "lanes", "lanes", "of memory instructions", looker->lanes);
      seams.lane_stages.push_back(looker);
    }
    models::PlatformContext& context;
  };
};

}  // namespace

const Package& transactions_observing() {
  static const Observing package;
  return package;
}

}  // namespace syncline::platform
