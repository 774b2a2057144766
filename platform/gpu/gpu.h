// A whole GPU: blocks made from a specification, and bound.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/atomic_unit/atomic_unit.h"
#include "models/block/block.h"
#include "models/crossbar/crossbar.h"
#include "models/dram/dram.h"
#include "models/l1_cache/l1_cache.h"
#include "models/l2_slice/l2_slice.h"
#include "models/partition/address_map.h"
#include "models/partition/partition_unit.h"
#include "models/sm/sm.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/memory/memory_layout.h"
#include "platform/packages/composition.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// What is to be other than the specification says.
struct GpuOptions {
  /// Partitions whose memory the user provides: no Dram is made there, and `memory_link` is to be bound.
  std::set<unsigned> own_memory;
  /// Puts a Z-unit into each partition even if no policy of the specification commits through them, before the units of
  /// `partition_units`; depth memory lies behind all else, and a memory of the user's must hold it too and read 0 at
  /// first (Gpu::channel_bytes). UserError where the coherence policy does not allow it.
  bool z_units = false;
  /// Crossbar inputs beyond those of the SMs, for foreign initiators (models/bridge).
  unsigned foreign_ports = 0;
  /// Makes the units between the crossbar and the L2 of a partition (models/partition), first to see a request first.
  /// Who makes them owns them; they outlive the simulation. Null: none.
  using PartitionUnits = std::vector<models::PartitionUnit*>;
  std::function<PartitionUnits(unsigned partition, models::PlatformContext&, models::ClockDomain& l2_clock)>
      partition_units;
  /// Who makes the units of a name that packages ask for, as "z_unit", instead of theirs: a unit of the user's own in
  /// that place, with its clock and its memory. UserError where a name is that of no unit of the GPU.
  std::map<std::string, UnitFactory> unit_factories;
  /// Makes the atomic unit of a partition in place of the library's (models/atomic_unit). Null: none.
  models::MakeAtomicUnit atomic_unit;
  /// Hear what warps and CTAs of all SMs do.
  std::vector<std::shared_ptr<models::WarpEvents>> listeners;
  /// Which GPU of several in one simulation, and which module: part of the identity of its nodes, and of the names of
  /// its clocks and random streams (models/transport/node.h). Several share a context, and each has a name of its own.
  models::GpuPlace place;
  /// Makes the blocks in the opposite order. Changes no result; a test shows it.
  bool reverse_construction = false;
};

/// SMs with their L1s, a crossbar per direction, memory partitions with L2 slice and DRAM, and the work distributor.
///
/// The packages of policies that the specification chooses are walked, and none is known by name.
///
/// Hierarchical names: gpu.sm3, gpu.sm3_l1, gpu.up, gpu.down, gpu.part2_l2, gpu.part2_atomic_unit,
/// gpu.part2_dram, gpu.distributor; gpu.part2_z_unit where there are Z-units, and so on for other units.
class Gpu : public sc_core::sc_module {
 public:
  Gpu(const sc_core::sc_module_name& name, models::PlatformContext& context, const PlatformSpec& spec,
      GpuOptions options = {});
  ~Gpu() override;

  const PlatformSpec& spec() const { return spec_; }
  /// Whoever drives the GPU serves the system calls of its programs and says what they may touch; without, system calls
  /// are a fault and every address is memory. Both outlive the simulation. Before it starts.
  void serve(models::SmHost& host, const isa::MemoryMap& memory);

  models::ClockDomain& core_clock() const { return core_; }
  models::WorkDistributor& distributor() { return *distributor_; }
  unsigned sms() const { return spec_.sms; }
  unsigned line_bytes() const { return spec_.l2.line; }  ///< of all caches
  models::Sm& sm(unsigned index) { return *sms_.at(index); }
  models::L1Cache& l1(unsigned index) { return *l1s_.at(index); }
  models::L2Slice& l2(unsigned partition) { return *l2s_.at(partition); }
  /// Null where the user provides the memory.
  models::Dram* dram(unsigned partition) { return drams_.at(partition).get(); }
  /// The unit of this name before a partition's L2 (UnitRequest::name); null where nobody asks for one.
  models::PartitionUnit* unit(unsigned partition, std::string_view name);
  /// The base-protocol initiator socket behind a partition's L2; unbound only for GpuOptions::own_memory.
  auto& memory_link(unsigned partition) { return l2s_.at(partition)->memory.socket; }
  /// Binds the L1 of foreign initiator `index` to the crossbars, with all the ports that the coherence policy needs.
  /// The L1 is made with the requester number spec.sms + index.
  void bind_foreign(models::L1Cache& l1, unsigned index) { bind_l1(l1, spec_.sms + index); }
  const models::AddressMap& address_map() const { return map_; }
  const protocols::CoherencePolicy& coherence() const { return policy_; }

  /// Device memory as a program would read it now, without time. Throws ModelError where no memory is.
  void debug_read(std::uint64_t address, void* to, std::uint64_t bytes);
  void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes);

  /// Who has which device memory.
  const MemoryLayout& memory() const { return layout_; }
  /// First device address behind everything that programs can allocate: the local memory of the SMs' threads.
  std::uint64_t local_memory_base() const { return layout_.at(local_memory).base; }

  /// Least size of the memory of a partition: its share of all regions, and what its units need.
  std::uint64_t channel_bytes() const;

  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;

 private:
  /// A package of the specification, and its parts; null: it has none.
  struct Installed {
    ChosenPackage package;
    std::unique_ptr<PolicyParts> parts;
  };
  std::uint64_t local_bytes_per_sm() const { return layout_.at(local_memory).bytes / spec_.sms; }
  models::ClockDomain& clock(const std::string& name, std::uint64_t hertz);
  void install_packages();
  std::shared_ptr<models::CtaDealer> dealer();
  void make_sm(unsigned index);
  void make_partition(unsigned index);
  std::string tile_of_partition(unsigned index) const { return std::string(name()) + ".part" + std::to_string(index); }
  void bind();
  void bind_l1(models::L1Cache& l1, unsigned node);
  models::SmSeams seams(unsigned sm);
  template <class Access>
  void for_each_part(std::uint64_t address, std::uint64_t bytes, Access&& access);

  const PlatformSpec spec_;
  GpuOptions options_;
  models::PlatformContext& context_;
  protocols::CoherencePolicy policy_;
  models::AddressMap map_;
  std::vector<UnitRequest> units_;  ///< of each partition
  MemoryLayout layout_;
  std::map<std::string, models::ClockDomain*> clocks_;
  models::ClockDomain &core_, &interconnect_, &l2_clock_, &dram_clock_;
  std::vector<Installed> packages_;
  std::unique_ptr<models::WorkDistributor> distributor_;
  std::vector<std::unique_ptr<models::Sm>> sms_;
  std::vector<std::unique_ptr<models::L1Cache>> l1s_;
  std::unique_ptr<models::Crossbar> up_, down_;
  std::vector<std::unique_ptr<models::L2Slice>> l2s_;
  std::vector<std::vector<std::unique_ptr<models::PartitionUnit>>> partition_units_;  ///< by partition, as units_
  std::vector<std::unique_ptr<models::AtomicUnit>> atomic_units_;  ///< null where the user provides them
  std::vector<std::unique_ptr<models::Dram>> drams_;
};

}  // namespace syncline::platform
