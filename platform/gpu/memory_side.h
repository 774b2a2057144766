// The memory side of a GPU: the networks, and behind them the memory partitions. What asks it has an L1's end of the
// networks: the compute side, foreign initiators, or a test's traffic.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/atomic_unit/atomic_ports.h"
#include "models/crossbar/network_ports.h"
#include "models/dram/dram.h"
#include "models/dram/memory_ports.h"
#include "models/l1_cache/l1_ports.h"
#include "models/l2_slice/l2_ports.h"
#include "models/l2_slice/l2_slice.h"
#include "models/modules/module_networks.h"
#include "models/partition/partition_unit.h"
#include "platform/gpu/gpu_plan.h"

namespace syncline::platform {

/// What is to be other than the specification says. A factory that is null is the library's (models/block/made.h).
struct MemorySideOptions {
  models::MakeNetwork network;  ///< of each direction
  models::MakeL2 l2;            ///< of each partition
  models::MakeMemory memory;    ///< behind each L2 that has a socket for one
  /// Makes the atomic unit of a partition in place of the library's (models/atomic_unit). Null: none.
  models::MakeAtomicUnit atomic_unit;
  /// Partitions whose memory the user binds to `memory_link` himself: none is made there.
  std::set<unsigned> own_memory;
  /// Makes the units between the network and the L2 of a partition (models/partition), first to see a request first.
  /// Who makes them owns them; they outlive the simulation. Null: none.
  using PartitionUnits = std::vector<models::PartitionUnit*>;
  std::function<PartitionUnits(unsigned partition, models::PlatformContext&, models::ClockDomain& l2_clock)>
      partition_units;
};

/// Hierarchical names, in the module that it is made in: up, down, part2_l2, part2_atomic_unit, part2_dram;
/// part2_z_unit where there are Z-units, and so on for other units. In place of up and down, those of
/// models::ModuleNetworks on a device of several modules.
class MemorySide {
 public:
  /// `plan` outlives it.
  explicit MemorySide(const GpuPlan& plan, const MemorySideOptions& options = {});
  ~MemorySide();
  MemorySide(const MemorySide&) = delete;
  MemorySide& operator=(const MemorySide&) = delete;

  const GpuPlan& plan() const { return plan_; }
  /// Binds an L1 with the number `node` to the networks. Before simulation starts each of GpuPlan::l1s() has to be.
  /// UserError where a socket is missing, or one is given that the policy does not use.
  void bind_l1(const models::NetworkEnd& l1, unsigned node);

  models::L2Slice& l2(unsigned partition) const;  ///< UserError where it is not the library's
  /// Null where the memory is not the library's.
  models::Dram* dram(unsigned partition) const;
  /// The unit of this name before a partition's L2 (UnitRequest::name); null where nobody asks for one.
  models::PartitionUnit* unit(unsigned partition, std::string_view name) const;
  /// The base-protocol initiator socket behind a partition's L2; unbound only for own_memory. UserError where the L2
  /// needs no memory.
  models::MemoryLink& memory_link(unsigned partition) const;

  /// The debug socket of a partition's L2; null where it has none.
  models::DebugSocket* debug_socket(unsigned partition) const { return partitions_.at(partition).l2.ports.debug; }
  /// UserError, with the size that is needed, for a memory of the user's that has fewer bytes than its partition may
  /// use (GpuPlan::channel_bytes). It is asked by debug transport; one that does not answer that is not judged.
  void check_memories() const;

  /// What the homes would answer now, without time. ModelError where no memory is.
  void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) const;
  void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) const;
  /// L2Slice::debug_write_back and debug_refresh, of the lines of a range.
  void write_back(std::uint64_t address, std::uint64_t bytes) const;
  void refresh(std::uint64_t address, std::uint64_t bytes) const;

 private:
  struct Partition {
    models::Made<models::L2Ports> l2;
    std::vector<std::unique_ptr<models::PartitionUnit>> units;  ///< as those of the plan
    models::Made<models::AtomicUnitPorts> atomic_unit;          ///< no block where the user makes it
    models::Made<models::MemoryPorts> memory;
  };
  std::string name_of(unsigned partition, std::string_view block) const;
  models::Made<models::NetworkPorts> make_network(const char* name, models::Direction direction, unsigned inputs,
                                                  const models::Router& outputs) const;
  void make_networks();
  models::CrossbarSpec crossbar_spec() const;
  bool sends_ideal() const;  ///< the policy has messages that cross networks in a cycle
  /// The bytes of a page, from one module's memories to those of another one, at once.
  void move_page(std::uint64_t address, unsigned from, unsigned to) const;
  /// A partition's memory, without its L2.
  void access_memory(unsigned partition, tlm::tlm_command command, std::uint64_t local,
                     std::vector<std::uint8_t>& bytes) const;
  void make_partition(unsigned index);
  void bind_partition(unsigned index);
  void bind_ring(unsigned index) const;
  void bind_to_modules(unsigned index) const;
  void write_copies(base::ByteAddress at, const std::uint8_t* data, std::uint64_t bytes) const;
  template <class Access>
  void for_each_part(std::uint64_t address, std::uint64_t bytes, Access&& access) const;

  const GpuPlan& plan_;
  const MemorySideOptions options_;
  std::unique_ptr<models::ModuleNetworks> between_modules_;  ///< null: there is one module, or networks of the user's
  models::Made<models::NetworkPorts> up_, down_;
  std::vector<Partition> partitions_;
};

}  // namespace syncline::platform
