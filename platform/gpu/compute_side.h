// The compute side of a GPU: SMs with their L1s, the work distributor, and what packages put at their seams. What is
// behind the L1s is whatever they are bound to: the library's memory side, or networks and a memory of the user's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "models/l1_cache/l1_cache.h"
#include "models/l1_cache/l1_ports.h"
#include "models/sm/sm.h"
#include "models/sm/sm_ports.h"
#include "models/sm/sm_unit.h"
#include "models/work_distributor/distributor_ports.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/gpu/gpu_plan.h"
#include "platform/gpu/installed_packages.h"

namespace syncline::platform {

/// What is to be other than the specification says. A factory that is null is the library's (models/block/made.h).
struct ComputeSideOptions {
  models::MakeSm sm;
  models::MakeL1 l1;  ///< of each SM
  models::MakeDistributor distributor;
  /// Adds to what the platform's policies have put at the seams of an SM: lane stages and memory stages of the user's
  /// (models/sm/seams), behind theirs. Null: nothing.
  std::function<void(unsigned sm, models::SmSeams& seams)> sm_seams;
  /// Makes the units between an SM and its L1 (models/sm/sm_unit.h), first to see an access first. Who makes them owns
  /// them; they outlive the simulation. Null: none.
  using SmUnits = std::vector<models::SmUnit*>;
  std::function<SmUnits(unsigned sm, models::PlatformContext&, models::ClockDomain& core_clock)> sm_units;
  /// Hear what warps and CTAs of all SMs do.
  std::vector<std::shared_ptr<models::WarpEvents>> listeners;
};

/// Hierarchical names, in the module that it is made in: distributor, sm3, sm3_l1, and those of packages' own blocks.
class ComputeSide {
 public:
  /// `plan` outlives it.
  explicit ComputeSide(const GpuPlan& plan, const ComputeSideOptions& options = {});
  ~ComputeSide();
  ComputeSide(const ComputeSide&) = delete;
  ComputeSide& operator=(const ComputeSide&) = delete;

  const GpuPlan& plan() const { return plan_; }
  unsigned sms() const { return plan_.spec().sms; }
  /// Where the L1 of an SM is to be bound to networks.
  const models::NetworkEnd& network_end(unsigned sm) const { return sms_.at(sm).l1.ports.network; }

  /// Whoever drives the SMs serves the system calls of their programs and says what they may touch; without, system
  /// calls are a fault and every address is memory. Both outlive the simulation. Before it starts.
  void serve(models::SmHost& host, const isa::MemoryMap& memory);
  /// Where grids are launched.
  models::GridSink& grids() const { return *distributor_.ports.grids; }

  // The library's blocks; UserError where one of the user's stands.
  models::WorkDistributor& distributor() const;
  models::Sm& sm(unsigned index) const;
  models::L1Cache& l1(unsigned index) const;
  /// Null where it is not the library's.
  models::Sm* library_sm(unsigned index) const;

  /// Puts what L1s hold of local memory, and their homes may lack, over the bytes at `to`, which are those of device
  /// memory from `address` on.
  void overlay(std::uint64_t address, void* to, std::uint64_t bytes) const;

  /// Of some SMs, or all, so far.
  models::InstructionCounts instructions(const models::SmRange& sms = {}) const;

 private:
  struct SmWithL1 {
    models::Made<models::SmPorts> sm;
    models::Made<models::L1Ports> l1;
  };
  void make_distributor(const models::MakeDistributor& factory);
  void make_sm(unsigned index, const ComputeSideOptions& options);
  void bind(const ComputeSideOptions& options);

  const GpuPlan& plan_;
  InstalledPackages packages_;
  models::Made<models::DistributorPorts> distributor_;
  std::vector<SmWithL1> sms_;
};

}  // namespace syncline::platform
