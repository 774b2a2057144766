// A whole GPU: blocks made from a specification, and bound.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/crossbar/crossbar.h"
#include "models/dram/dram.h"
#include "models/l1_cache/l1_cache.h"
#include "models/l2_slice/l2_slice.h"
#include "models/partition/address_map.h"
#include "models/partition/partition_unit.h"
#include "models/sm/sm.h"
#include "models/work_distributor/work_distributor.h"
#include "models/z_unit/z_unit.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

class Determinism;

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
  /// Hear what warps and CTAs of all SMs do.
  std::vector<std::shared_ptr<models::WarpEvents>> listeners;
  /// Makes the blocks in the opposite order. Changes no result; a test shows it.
  bool reverse_construction = false;
};

/// SMs with their L1s, a crossbar per direction, memory partitions with L2 slice and DRAM, and the work distributor.
///
/// Hierarchical names: gpu.sm3, gpu.sm3_l1, gpu.up, gpu.down, gpu.part2_l2, gpu.part2_dram, gpu.distributor;
/// gpu.part2_z_unit where there are Z-units.
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
  /// Null where neither GpuOptions::z_units nor the determinism policy asks for them.
  models::ZUnit* z_unit(unsigned partition) { return z_units_.at(partition).get(); }
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

  /// First device address behind everything that programs can allocate: the local memory of the SMs' threads.
  std::uint64_t local_memory_base() const;

  /// Least size of the memory of a partition: device memory, the SMs' local memory, and what depths need.
  std::uint64_t channel_bytes() const;

  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;

 private:
  std::uint64_t local_bytes_per_sm() const;
  std::uint64_t local_memory_end() const;
  std::uint64_t data_bytes_per_channel() const;  ///< device memory and local memory; depths begin behind it
  void make_sm(unsigned index);
  void make_partition(unsigned index);
  std::string tile_of_partition(unsigned index) const { return std::string(name()) + ".part" + std::to_string(index); }
  void bind();
  void bind_l1(models::L1Cache& l1, unsigned node);
  models::SmSeams seams(unsigned sm);
  std::uint64_t memory_end() const;  ///< first device address behind all that programs, threads and policies use
  template <class Access>
  void for_each_part(std::uint64_t address, std::uint64_t bytes, Access&& access);

  const PlatformSpec spec_;
  GpuOptions options_;
  models::PlatformContext& context_;
  protocols::CoherencePolicy policy_;
  models::AddressMap map_;
  models::ClockDomain &core_, &interconnect_, &l2_clock_, &dram_clock_;
  models::ClockDomain* z_clock_;              ///< null without Z-units
  std::unique_ptr<Determinism> determinism_;  ///< null: none
  std::unique_ptr<models::WorkDistributor> distributor_;
  std::vector<std::unique_ptr<models::Sm>> sms_;
  std::vector<std::unique_ptr<models::L1Cache>> l1s_;
  std::unique_ptr<models::Crossbar> up_, down_;
  std::vector<std::unique_ptr<models::L2Slice>> l2s_;
  std::vector<std::unique_ptr<models::ZUnit>> z_units_;
  std::vector<std::unique_ptr<models::Dram>> drams_;
};

}  // namespace syncline::platform
