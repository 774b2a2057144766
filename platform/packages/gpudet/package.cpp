// GPUDet (Jooybar et al., ASPLOS 2013; Jooybar, thesis, 2013): strong determinism by quanta.
#include "platform/packages/package.h"

#include "models/gpudet/gpudet_spec.h"
#include "platform/packages/gpudet/exploration.h"
#include "platform/packages/gpudet/parts.h"
#include "platform/packages/units.h"
#include "platform/spec/platform_spec.h"
#include "protocols/determinism/gpudet/depth.h"

namespace syncline::platform {
namespace gpudet {
namespace {

class Gpudet final : public Package {
 public:
  std::string_view name() const override { return "gpudet"; }
  std::string_view summary() const override { return "GPUDet: strong determinism by quanta of instructions"; }
  std::unique_ptr<PackageKeys> keys() const override {
    return std::make_unique<KeysOf<models::GpudetSpec>>("strong determinism by quanta");
  }

  void rules(const Composition& composition, const Require& require) const override {
    const PlatformSpec& spec = composition.spec;
    require(spec.coherence.policy == "none", "determinism.policy",
            "needs `coherence.policy: none`: its store buffers and commits do what coherence is for");
    require(
        spec.coherence.consistency != protocols::ConsistencyChoice::sc, "coherence.consistency",
        "cannot be sc with a `determinism.policy`: between the begin and the end of a quantum warps do not see each "
        "other's stores");
    require(spec.sm.reconvergence.mechanism == "ipdom", "sm.reconvergence",
            "must be ipdom with a `determinism.policy`: a warp stops at a barrier as a whole, and so do quanta");
    require(keys_of(spec).depth_bits >= protocols::gpudet::DepthScale::least_bits(spec.sms * spec.sm.max_warps),
            "determinism.gpudet.depth_bits",
            "is too small: a depth holds the number of a warp, of which there are `sms` * `sm.max_warps`, and one bit "
            "of rounds at least");
    require(composition.foreign_ports == 0, "determinism.policy",
            "= gpudet: a GPU with foreign ports has initiators that know no quanta");
  }
  Conduct conduct() const override {
    Conduct conduct;
    conduct.launches_in_order = true;
    conduct.stores_wait = true;
    conduct.warps_end_alone = true;
    return conduct;
  }

  void reserve(const PlatformSpec& spec, MemoryLayout& memory) const override {
    const std::uint64_t line = spec.l1.line;
    const MemoryRegion& logs =
        memory.add(logs_region, "determinism.gpudet.store_buffer.entries", spec.sms * log_bytes(spec), line);
    if (keys_of(spec).commit != models::CommitKind::lock) return;
    // Of all that lies before the logs: nobody commits to a log.
    memory.add(locks_region, "host.memory", logs.base / line * sizeof(std::uint32_t));
    memory.add(depths_region, "host.memory", logs.base, line);
  }
  std::vector<UnitRequest> units(const PlatformSpec& spec) const override {
    if (keys_of(spec).commit != models::CommitKind::z_unit) return {};
    return {z_unit(spec)};
  }
  std::unique_ptr<PolicyParts> install(const GpuSite& site) const override { return std::make_unique<Parts>(site); }

  std::string description() const override {
    return "Warps run in quanta of instructions. In a quantum a warp sees memory as the last one left it, and its own "
           "stores, which wait in a log. When all warps have stopped, the logs are committed in an order that only the "
           "numbers of the warps decide, and warps that stopped at an atomic perform it one after the other. So the "
           "end of a program does not depend on time, races or not. docs/determinism.md tells what is promised.\n";
  }
  std::vector<protocols::SeamPart> seams() const override {
    return {{"issue gate", "SmQuanta: holds back a warp whose quantum has ended, or that waits for its turn"},
            {"memory stage", "StoreBuffer: stores go to logs in private memory, loads search those that they see"},
            {"warp events", "SmQuanta: tells the machine of quanta what warps do"},
            {"warp places", "SmQuanta: places of the machine of quanta, which time does not choose"},
            {"fence rule", "NoFence: the end of a quantum is the fence"},
            {"CTA dealer", "QuantumController: CTAs are dealt between quanta, to the places of their partitions"},
            {"partition unit", "z_unit, with `commit: z_unit`: of the stores to a place the nearest stays"}};
  }
  std::vector<CatalogueEntry> blocks() const override {
    return {{"gpudet", "models/gpudet", "quanta", "determinism.gpudet",
             "the quanta of all SMs: their phases, the dealing of CTAs, the order of commits"}};
  }
  const Exploration* exploration() const override { return &exploration_; }

 private:
  static const models::GpudetSpec& keys_of(const PlatformSpec& spec) {
    return spec.determinism.keys<models::GpudetSpec>();
  }
  QuantaExploration exploration_;
};

}  // namespace
}  // namespace gpudet

const Package& determinism_gpudet() {
  static const gpudet::Gpudet package;
  return package;
}

}  // namespace syncline::platform
