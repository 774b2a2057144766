// A whole GPU: a compute side and a memory side, made from a specification and bound to each other.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "models/copy_engine/host_copies.h"
#include "platform/gpu/compute_side.h"
#include "platform/gpu/copy_port.h"
#include "platform/gpu/gpu_plan.h"
#include "platform/gpu/memory_side.h"

namespace syncline::platform {

/// What is to be other than the specification says.
struct GpuOptions : PlanOptions, ComputeSideOptions, MemorySideOptions {
  /// Are told what happens to messages in the GPU's blocks, and in those that are made after them.
  std::vector<std::shared_ptr<models::MessageListener>> message_listeners;
};

/// SMs with their L1s, a crossbar per direction, memory partitions with L2 slice and DRAM, and the work distributor:
/// each of them made by a factory that may be the user's.
///
/// Hierarchical names: gpu.sm3, gpu.sm3_l1, gpu.up, gpu.down, gpu.part2_l2, gpu.part2_atomic_unit,
/// gpu.part2_dram, gpu.distributor; gpu.copy_engine1 where `modules` has several GPUs, gpu.host_copies1 where no links
/// join them; gpu.part2_z_unit where there are Z-units, and so on for other units.
class Gpu : public sc_core::sc_module {
 public:
  Gpu(const sc_core::sc_module_name& name, models::PlatformContext& context, const PlatformSpec& spec,
      const GpuOptions& options = {});
  ~Gpu() override;

  ComputeSide& compute_side() { return *compute_; }
  MemorySide& memory_side() { return *memory_; }

  const PlatformSpec& spec() const { return plan_.spec(); }
  /// ComputeSide::serve.
  void serve(models::SmHost& host, const isa::MemoryMap& memory) { compute_->serve(host, memory); }

  models::ClockDomain& core_clock() const { return plan_.core(); }
  /// Where grids are launched: the work distributor, whoever made it.
  models::GridSink& grids() { return compute_->grids(); }
  unsigned sms() const { return spec().sms; }
  unsigned partitions() const { return plan_.partitions(); }
  unsigned line_bytes() const { return spec().l2.line; }  ///< of all caches

  // Blocks of the library's; UserError where one of the user's stands.
  models::WorkDistributor& distributor() { return compute_->distributor(); }
  models::Sm& sm(unsigned index) { return compute_->sm(index); }
  models::L1Cache& l1(unsigned index) { return compute_->l1(index); }
  models::L2Slice& l2(unsigned partition) { return memory_->l2(partition); }
  /// Null where the memory is not the library's.
  models::Dram* dram(unsigned partition) { return memory_->dram(partition); }
  /// MemorySide::unit.
  models::PartitionUnit* unit(unsigned partition, std::string_view name) { return memory_->unit(partition, name); }
  /// MemorySide::memory_link.
  models::MemoryLink& memory_link(unsigned partition) { return memory_->memory_link(partition); }
  /// Binds what speaks the coherence policy's messages to the networks, as foreign initiator `index`: an L1
  /// (L1Ports::network), or a block of yours. It has the number spec.sms + index. An initiator of the base protocol has
  /// a ForeignPort (platform/gpu/foreign_port.h).
  void bind_foreign(const models::NetworkEnd& l1, unsigned index) { memory_->bind_l1(l1, sms() + index); }
  /// GPUs that a program may tell apart: those of `modules`, where pages can be placed on them and links join them.
  unsigned devices() const { return plan_.copy_engines() == 0 ? 1 : plan_.copy_engines(); }
  /// Pages of [begin, end) become memory of GPU `device` alone (models::PagedHomes::give).
  void give_pages(std::uint64_t begin, std::uint64_t end, unsigned device) { plan_.pages()->give(begin, end, device); }
  /// models::PagedHomes::guests.
  std::uint64_t guest_pages(unsigned device) const {
    return plan_.pages() == nullptr ? 0 : plan_.pages()->guests(device);
  }
  models::SmRange sms_of_device(unsigned device) const;
  /// Of several GPUs that `modules` makes the one that executes what runs there, whatever a program sees as a device.
  unsigned gpu_of_sm(unsigned sm) const { return plan_.modules().gpu_of(plan_.modules().module_of_l1(sm)); }
  models::CopySink& copy_engine(unsigned device) { return copy_engines_.at(device)->copies(); }
  /// Who copies between memories of this and of another device, where no links join devices.
  models::CopySink& host_copies(unsigned device) { return *host_copies_.at(device); }
  /// What copies of all devices, over links or over the host, wait for; empty when there are none.
  std::vector<std::string> copies_under_way() const;

  /// Who is home of which line.
  const models::HomeMap& homes() const { return plan_.homes(); }
  const models::AddressMap& address_map() const { return plan_.address_map(); }
  const protocols::CoherencePolicy& coherence() const { return plan_.policy(); }

  /// Device memory as a program would read it now, without time. Throws ModelError where no memory is.
  void debug_read(std::uint64_t address, void* to, std::uint64_t bytes);
  void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes);

  /// Who has which device memory.
  const MemoryLayout& memory() const { return plan_.memory(); }
  /// First device address behind everything that programs can allocate: the local memory of the SMs' threads.
  std::uint64_t local_memory_base() const { return memory().at(local_memory).base; }

  /// GpuPlan::channel_bytes.
  std::uint64_t channel_bytes() const { return plan_.channel_bytes(); }

  std::uint64_t warp_instructions() const { return compute_->instructions().warps; }
  std::uint64_t thread_instructions() const { return compute_->instructions().threads; }
  models::InstructionCounts instructions(const models::SmRange& sms) const { return compute_->instructions(sms); }

 private:
  void start_of_simulation() override { memory_->check_memories(); }
  void make_host_copies();

  GpuPlan plan_;
  std::unique_ptr<ComputeSide> compute_;
  std::unique_ptr<MemorySide> memory_;
  std::vector<std::unique_ptr<CopyPort>> copy_engines_;           ///< of each GPU, where there are several
  std::vector<std::unique_ptr<models::HostCopies>> host_copies_;  ///< of each GPU, where no links join several
};

}  // namespace syncline::platform
