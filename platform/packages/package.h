// A package: all that a policy is beside machines of caches. It says which keys it has, what it cannot be combined
// with, which memory it keeps, which units it wants before the L2 slices, and what it puts at the seams of a GPU's
// blocks; commands ask it for its description and have it explored. Everything defaults to nothing: a package that
// overrides nothing is the policy `none`, and any other says what is different.
//
// Whoever composes a GPU walks the list of the packages that its specification chooses, and names none of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/block/block.h"
#include "models/partition/partition_unit.h"
#include "platform/gpu/catalogue.h"
#include "platform/memory/memory_layout.h"
#include "platform/packages/exploration.h"
#include "platform/packages/package_keys.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {
class CtaDealer;
struct GridLaunch;
struct MessageFamily;
struct SmSeams;
}  // namespace syncline::models

namespace syncline::platform {

struct PlatformSpec;

/// What rules may look at.
struct Composition {
  const PlatformSpec& spec;
  unsigned foreign_ports = 0;  ///< GpuOptions::foreign_ports; none where a configuration is read
};
/// A rule over several keys: unless `ok` the user is told "`key` message", where the value of the key was set. Called
/// for every rule, whether it holds or not, so that rules can be listed.
using Require = std::function<void(bool ok, std::string_view key, const std::string& message)>;

/// What the rest of the platform has to know of how a machine with the policy behaves.
struct Conduct {
  /// Grids run one after the other in the order of their launches, and no copy meets one that runs: all streams are
  /// one.
  bool launches_in_order = false;
  /// Stores wait in logs and are performed later than the SM tells; who judges consistency judges values alone.
  bool stores_wait = false;
  /// Programs may have transactions: listeners at the SMs (WarpEvents::transaction_begun) have them executed.
  bool transactions = false;
  bool transactions_in_shared_memory = false;  ///< these are of shared memory alone
  /// Its parts follow warps, and must see each come to its own end: nobody may end them where they are
  /// (CtaSink::end_all), so that a fault of the program is the end of the machine.
  bool warps_end_alone = false;
};

/// Where a unit of a memory partition stands.
struct UnitSite {
  models::PlatformContext& context;
  models::ClockDomain& clock;
  const PlatformSpec& spec;
  const protocols::CoherencePolicy& coherence;
  base::PartitionId partition;
  const models::HomeMap& homes;
  std::uint64_t memory = 0;  ///< address within the partition of the unit's own memory
  models::GpuPlace place;
};
using UnitFactory =
    std::function<std::unique_ptr<models::PartitionUnit>(const sc_core::sc_module_name&, const UnitSite&)>;

/// A unit that stands between the crossbar and the L2 of every partition. Whoever asks for one of the same name shares
/// it.
struct UnitRequest {
  std::string name;          ///< "z_unit": the blocks are gpu.part0_z_unit and so on
  std::string clock;         ///< name of a clock domain
  std::uint64_t hertz = 0;   ///< of the clock, where the GPU has none of this name
  std::string key;           ///< the one on which the size of the memory hangs most
  std::uint64_t factor = 0;  ///< bytes of the unit's own memory for each byte of the partition's data
  UnitFactory make;
};

/// The GPU that a policy becomes a part of.
struct GpuSite {
  models::PlatformContext& context;
  models::ClockDomain& core;
  const PlatformSpec& spec;
  const models::HomeMap& homes;
  const MemoryLayout& memory;
  models::GpuPlace place{};
};

/// A policy in one GPU.
class PolicyParts {
 public:
  virtual ~PolicyParts() = default;
  /// Who deals CTAs; null: the distributor's own. At most one package of a GPU has one.
  virtual std::shared_ptr<models::CtaDealer> dealer() { return nullptr; }
  /// Puts the policy's parts to the seams of an SM, behind those of the packages before. Once for each SM, in any
  /// order. Of two packages that exchange one and the same part the user is told.
  virtual void add_to(models::SmSeams& seams, unsigned sm) { (void)seams, (void)sm; }
};

class Package {
 public:
  virtual ~Package() = default;

  virtual std::string_view name() const = 0;     ///< the word that chooses it, the same for as long as it lives
  virtual std::string_view summary() const = 0;  ///< a line
  virtual std::unique_ptr<PackageKeys> keys() const { return nullptr; }
  /// Those that it shares with other packages of its family, which give the same: they stand beside the key that
  /// chooses.
  virtual std::unique_ptr<PackageKeys> family_keys() const { return nullptr; }
  /// Asked only where a specification chooses the package.
  virtual void rules(const Composition& composition, const Require& require) const { (void)composition, (void)require; }
  virtual Conduct conduct() const { return {}; }

  /// Families of messages that its parts speak beside what everybody does.
  virtual std::vector<const models::MessageFamily*> families() const { return {}; }
  virtual void reserve(const PlatformSpec& spec, MemoryLayout& memory) const { (void)spec, (void)memory; }
  /// First to see a request first.
  virtual std::vector<UnitRequest> units(const PlatformSpec& spec) const {
    return (void)spec, std::vector<UnitRequest>{};
  }
  /// Null: it puts nothing at any seam.
  /// A grid is about to be launched: what the policy takes for each of its CTAs (CtaDemand), and how it executes it
  /// (GridPlan). Returns what the user is to hear of it; empty: nothing. UserError: it cannot be executed.
  virtual std::string prepare(const PlatformSpec& spec, models::GridLaunch& grid) const {
    return (void)spec, (void)grid, std::string();
  }
  virtual std::unique_ptr<PolicyParts> install(const GpuSite& site) const { return (void)site, nullptr; }

  /// Paragraphs, in Markdown, for `syncline describe`.
  virtual std::string description() const { return {}; }
  virtual std::vector<protocols::SeamPart> seams() const { return {}; }
  /// Blocks of its own, beside units: those of models/ that only it makes.
  virtual std::vector<CatalogueEntry> blocks() const { return {}; }
  /// Null: it has no machines to explore.
  virtual const Exploration* exploration() const { return nullptr; }

  /// The whole page of `syncline describe`; `group`: of the family's keys.
  virtual std::string page(std::string_view group) const;
  /// Its machines, for Graphviz; empty: it has none.
  virtual std::string graph() const { return exploration() != nullptr ? exploration()->graph() : std::string(); }
};

}  // namespace syncline::platform
