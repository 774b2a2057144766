// What is known of a GPU before it has a block: its specification and place, the policy of its caches, who is home of
// which line, who has which memory, the units before its homes, and its clocks. Both sides of a GPU are made from it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/modules/module_homes.h"
#include "models/modules/paged_homes.h"
#include "models/partition/address_map.h"
#include "platform/memory/memory_layout.h"
#include "platform/packages/composition.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// What is to be other than the specification says, and both sides have to know.
struct PlanOptions {
  /// L1s beyond those of the SMs, for foreign initiators (models/bridge): inputs of the network towards the homes.
  unsigned foreign_ports = 0;
  /// Each GPU of the device has a copy engine, with an L1 of its own.
  bool copy_engines = false;
  /// Puts a Z-unit into each partition even if no policy of the specification commits through them, before the units of
  /// `partition_units`; depth memory lies behind all else, and a memory of the user's must hold it too and read 0 at
  /// first (GpuPlan::channel_bytes). UserError where the coherence policy does not allow it.
  bool z_units = false;
  /// Who makes the units of a name that packages ask for, as "z_unit", instead of theirs: a unit of the user's own in
  /// that place, with its clock and its memory. UserError where a name is that of no unit of the GPU.
  std::map<std::string, UnitFactory> unit_factories;
  /// Families of messages that blocks of the user's speak, of those that the platform knows
  /// (models/families/registry.h), beside those of the packages: their virtual networks are there.
  std::vector<const models::MessageFamily*> families;
  /// The policy of the caches, instead of the one that the specification names.
  std::optional<protocols::CoherencePolicy> own_policy;
  /// Who is home of which line, instead of the interleaving, or of the placement of
  /// pages on modules. Has as many homes as the
  /// specification has partitions, and may put all memory into one of them; outlives the GPU.
  const models::HomeMap* own_homes = nullptr;
  /// Which GPU of several in one simulation, and which module: part of the identity of its nodes, and of the names of
  /// its clocks and random streams (models/transport/node.h). Several share a context, and each has a name of its own.
  models::GpuPlace place;
  /// Makes the blocks in the opposite order. Changes no result; a test shows it.
  bool reverse_construction = false;
};

class GpuPlan {
 public:
  /// Adds the clocks to the context, whose `families` are those that the blocks will speak. `module`: the full name of
  /// the module in which the blocks are to be made; empty: in none. UserError for what cannot be a GPU.
  GpuPlan(models::PlatformContext& context, const PlatformSpec& spec, const PlanOptions& options = {},
          const std::string& module = {});
  GpuPlan(const GpuPlan&) = delete;  // blocks refer to it
  GpuPlan& operator=(const GpuPlan&) = delete;

  models::PlatformContext& context() const { return context_; }
  const PlatformSpec& spec() const { return spec_; }
  models::GpuPlace place() const { return options_.place; }
  const protocols::CoherencePolicy& policy() const { return policy_; }
  /// Numbers of L1s: those of the SMs, behind them those of foreign initiators, and at last those of copy engines.
  unsigned l1s() const { return spec_.sms + options_.foreign_ports + copy_engines(); }
  unsigned copy_engines() const { return options_.copy_engines ? spec_.modules.gpus : 0; }
  unsigned partitions() const { return spec_.memory.partitions; }

  const models::HomeMap& homes() const;
  /// Of a device of several modules, where no map of the user's says who is home: the placement of its pages. Else
  /// null.
  models::PagedHomes* pages() const { return pages_.get(); }
  /// UserError for parts of the user's that would need a way between GPUs which no links join.
  void require_no_way_between_gpus() const;
  /// SMs that speak for all others when a kernel's end is to be known to the whole system: one of each GPU, under a
  /// policy of several modules.
  std::vector<unsigned> ends_grids() const;
  const models::ModuleMap& modules() const { return modules_; }
  models::TilePlace place_of_l1(unsigned index) const { return place_of(modules_.module_of_l1(index)); }
  models::TilePlace place_of_home(unsigned index) const { return place_of(modules_.module_of_home(index)); }
  /// The interleaving. UserError where it is not what says who is home.
  const models::AddressMap& address_map() const;
  /// Of each partition, first to see a request first.
  const std::vector<UnitRequest>& units() const { return units_; }
  const MemoryLayout& memory() const { return layout_; }
  std::uint64_t local_bytes_per_sm() const { return layout_.at(local_memory).bytes / spec_.sms; }
  /// Least size of the memory of a partition: its share of all regions, and what its units need.
  std::uint64_t channel_bytes() const;

  models::ClockDomain& core() const { return core_; }
  models::ClockDomain& interconnect() const { return interconnect_; }
  models::ClockDomain& l2() const { return l2_; }
  models::ClockDomain& dram() const { return dram_; }
  models::ClockDomain& clock_of(const UnitRequest& unit) const { return *clocks_.at(unit.clock); }

  /// The full name of a block or tile: "gpu.sm3".
  std::string name_of(const std::string& block) const { return module_ + block; }
  /// 0, 1, ... count-1, or from the end.
  std::vector<unsigned> order(unsigned count) const;

 private:
  models::TilePlace place_of(unsigned module) const {
    return modules_.modules() == 1 ? models::TilePlace{} : models::TilePlace{module, module + 1};
  }
  void give_local_memory();
  models::ClockDomain& clock(const std::string& name, std::uint64_t hertz);

  models::PlatformContext& context_;
  const PlatformSpec spec_;
  const PlanOptions options_;
  const std::string module_;
  const protocols::CoherencePolicy policy_;
  const models::AddressMap map_;
  const models::ModuleMap modules_;
  const std::unique_ptr<models::PagedHomes> pages_;
  const std::unique_ptr<models::ModuleHomes> module_homes_;  ///< null: each line is cached by its home alone
  const std::vector<UnitRequest> units_;
  const MemoryLayout layout_;
  std::map<std::string, models::ClockDomain*> clocks_;
  models::ClockDomain &core_, &interconnect_, &l2_, &dram_;
};

}  // namespace syncline::platform
