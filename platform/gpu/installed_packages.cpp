#include "platform/gpu/installed_packages.h"

#include <fmt/format.h>

#include "base/error.h"
#include "platform/packages/package.h"
#include "platform/packages/registry.h"

namespace syncline::platform {
namespace {

/// Who puts a part where there is room for one.
class Taker {
 public:
  void look(bool takes, const char* what, const ChosenPackage& package) {
    if (!takes) return;
    if (before_ != nullptr)
      throw base::UserError(fmt::format("`{}.policy` = {} and `{}.policy` = {} both decide {}: there is one for both",
                                        before_family_, before_->name(), package.family, package.package->name(),
                                        what));
    before_ = package.package;
    before_family_ = package.family;
  }

 private:
  const Package* before_ = nullptr;
  std::string_view before_family_;
};
struct Takers {
  Taker gate, fences, places;
};

}  // namespace

InstalledPackages::InstalledPackages(const GpuPlan& plan) : plan_(plan) {
  const GpuSite site{plan.context(), plan.core(), plan.spec(), plan.homes(), plan.memory(), plan.place()};
  for (const ChosenPackage& chosen : chosen_packages(plan.spec()))
    packages_.push_back({chosen, chosen.package->install(site)});
}

std::shared_ptr<models::CtaDealer> InstalledPackages::dealer() {
  std::shared_ptr<models::CtaDealer> dealer;
  Taker taker;
  for (const Installed& one : packages_) {
    auto its = one.parts ? one.parts->dealer() : nullptr;
    taker.look(its != nullptr, "the dealing of CTAs", one.package);
    if (its) dealer = std::move(its);
  }
  return dealer;
}

models::SmSeams InstalledPackages::seams(unsigned sm,
                                         const std::vector<std::shared_ptr<models::WarpEvents>>& listeners) {
  const protocols::CoherencePolicy& policy = plan_.policy();
  models::SmSeams seams;
  if (policy.consistency == protocols::Consistency::sc) {
    seams.gate = std::make_shared<models::SequentialGate>();
    seams.fences = std::make_shared<models::NoFence>();
  } else if (policy.sm_order) {
    seams.fences = std::make_shared<models::ScopedFence>(policy.shows_stores_early);
  } else {
    seams.fences = std::make_shared<models::DrainingFence>(policy.shows_stores_early);
  }
  seams.listeners = listeners;
  Takers takers;
  takers.gate.look(policy.consistency == protocols::Consistency::sc, "the issue gate",
                   {"coherence", &policy_family("coherence").find(plan_.spec().coherence.policy)});
  for (const Installed& one : packages_) {
    if (!one.parts) continue;
    const models::SmSeams before = seams;
    one.parts->add_to(seams, sm);
    takers.gate.look(before.gate != seams.gate, "the issue gate", one.package);
    takers.fences.look(before.fences != seams.fences, "the fence rule", one.package);
    takers.places.look(before.places != seams.places, "the places of warps", one.package);
  }
  return seams;
}

}  // namespace syncline::platform
