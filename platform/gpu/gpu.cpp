#include "platform/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/round_up.h"
#include "platform/gpu/determinism.h"
#include "platform/host/device_allocator.h"

namespace syncline::platform {
namespace {

/// 0, 1, ... n-1, or from the end.
std::vector<unsigned> order(unsigned count, bool reverse) {
  std::vector<unsigned> numbers(count);
  for (unsigned i = 0; i < count; ++i) numbers[i] = reverse ? count - 1 - i : i;
  return numbers;
}

/// `spec` with every source of chance that it asks for as a key of its own.
PlatformSpec with_chance(PlatformSpec spec) {
  spec.perturbation = spec.perturbation.resolved();
  return spec;
}

/// A clock, which under `perturbation.clock_phase` is ahead by a random part of its period.
models::ClockDomain& add_clock(models::PlatformContext& context, const models::PerturbationSpec& perturbation,
                               const std::string& name, std::uint64_t hertz) {
  const auto period_ps = static_cast<std::uint32_t>(1'000'000'000'000 / hertz);
  const std::uint64_t phase =
      perturbation.clock_phase ? perturbation.random(context.seed, "clock_phase." + name).below(period_ps) : 0;
  return context.scheduler.add_domain(name, hertz, phase);
}

protocols::CoherenceContext coherence_context(const PlatformSpec& spec, const GpuOptions& options) {
  protocols::CoherenceContext context;
  context.tick_ps = 1'000'000'000'000 / spec.clocks.core;
  context.l1s = spec.sms + options.foreign_ports;
  context.homes = spec.memory.partitions;
  context.warps = spec.sm.max_warps;
  return context;
}

/// The determinism policy may commit through Z-units.
GpuOptions with_z_units(GpuOptions options, const PlatformSpec& spec) {
  const DeterminismSpec& determinism = spec.determinism;
  options.z_units |=
      determinism.policy == DeterminismPolicy::gpudet && determinism.gpudet.commit == models::CommitKind::z_unit;
  return options;
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, models::PlatformContext& context, const PlatformSpec& spec,
         GpuOptions options)
    : sc_core::sc_module(name),
      spec_(with_chance(spec)),
      options_(with_z_units(std::move(options), spec)),
      context_(context),
      policy_(protocols::make_coherence_policy(spec.coherence, coherence_context(spec, options_))),
      map_(spec.memory),
      core_(add_clock(context, spec_.perturbation, "core", spec.clocks.core)),
      interconnect_(add_clock(context, spec_.perturbation, "interconnect", spec.clocks.interconnect)),
      l2_clock_(add_clock(context, spec_.perturbation, "l2", spec.clocks.l2)),
      dram_clock_(add_clock(context, spec_.perturbation, "dram", spec.dram.clock)),
      z_clock_(options_.z_units ? &add_clock(context, spec_.perturbation, "z_unit", spec.z_unit.clock) : nullptr) {
  sms_.resize(spec.sms);
  l1s_.resize(spec.sms);
  l2s_.resize(map_.partitions());
  z_units_.resize(map_.partitions());
  drams_.resize(map_.partitions());
  const unsigned ports = spec.sms + options_.foreign_ports;
  if (spec_.determinism.policy == DeterminismPolicy::gpudet) {
    if (options_.foreign_ports != 0)
      throw base::UserError(
          "`determinism.policy` = gpudet: a GPU with foreign ports has initiators that know no quanta");
    determinism_ = std::make_unique<Determinism>(context_, core_, spec_, map_, local_memory_end());
  }

  const std::function<void()> parts[] = {
      [&] {
        distributor_ = std::make_unique<models::WorkDistributor>("distributor", context_, core_, spec_.work_distributor,
                                                                 determinism_ ? determinism_->dealer() : nullptr,
                                                                 spec_.perturbation);
      },
      [&] {
        for (const unsigned i : order(spec_.sms, options_.reverse_construction)) make_sm(i);
      },
      [&] {
        models::CrossbarSpec crossbar = spec_.crossbar;
        crossbar.virtual_networks =
            std::max(crossbar.virtual_networks, static_cast<std::uint32_t>(policy_.networks.size()));
        up_ = std::make_unique<models::Crossbar>("up", context_, interconnect_, crossbar, ports, map_.partitions(),
                                                 spec_.perturbation);
        down_ = std::make_unique<models::Crossbar>("down", context_, interconnect_, crossbar,
                                                   map_.partitions() + (policy_.peer_messages ? ports : 0), ports,
                                                   spec_.perturbation);
      },
      [&] {
        for (const unsigned i : order(map_.partitions(), options_.reverse_construction)) make_partition(i);
      }};
  for (const unsigned i : order(4, options_.reverse_construction)) parts[i]();
  bind();
}

Gpu::~Gpu() = default;

models::SmSeams Gpu::seams(unsigned sm) {
  models::SmSeams seams;
  if (policy_.consistency == protocols::Consistency::sc) {
    seams.gate = std::make_shared<models::SequentialGate>();
    seams.fences = std::make_shared<models::NoFence>();
  } else if (policy_.sm_order && !determinism_) {
    seams.fences = std::make_shared<models::ScopedFence>(policy_.shows_stores_early);
  } else {
    seams.fences = std::make_shared<models::DrainingFence>(policy_.shows_stores_early);
  }
  seams.listeners = options_.listeners;
  if (determinism_) determinism_->add_to(seams, sm);
  return seams;
}

void Gpu::serve(models::SmHost& host, const isa::MemoryMap& memory) {
  for (const auto& sm : sms_) sm->serve(host, memory);
}

std::uint64_t Gpu::local_bytes_per_sm() const {
  return models::LocalRegion::size(spec_.sm.max_warps, spec_.sm.warp_size, spec_.host.local_memory);
}

std::uint64_t Gpu::local_memory_base() const {
  return DeviceAllocator::end_of_addresses(spec_.host.memory);
}

std::uint64_t Gpu::local_memory_end() const {
  return local_memory_base() + spec_.sms * local_bytes_per_sm();
}

std::uint64_t Gpu::memory_end() const {
  return determinism_ ? determinism_->memory_end() : local_memory_end();
}

std::uint64_t Gpu::data_bytes_per_channel() const {
  return (memory_end() / map_.chunk() / map_.partitions() + 1) * map_.chunk();
}

std::uint64_t Gpu::channel_bytes() const {
  const std::uint64_t data = data_bytes_per_channel();
  const std::uint64_t depths = options_.z_units ? data * models::DepthLines::expansion(spec_.z_unit.granule) : 0;
  const std::uint64_t row = std::uint64_t{spec_.dram.banks} * spec_.dram.row;
  return base::round_up(data + depths, row);
}

void Gpu::make_sm(unsigned index) {
  const models::TileScope tile(context_.tiles, fmt::format("{}.sm{}", name(), index));
  const models::SmSpec& sm = spec_.sm;
  const std::uint64_t local_bytes = local_bytes_per_sm();
  const models::SmPlace place{base::SmId(static_cast<std::uint16_t>(index)),
                              spec_.sms,
                              spec_.l1.line,
                              {local_memory_base() + index * local_bytes, spec_.host.local_memory, sm.max_warps}};
  sms_[index] = std::make_unique<models::Sm>(fmt::format("sm{}", index).c_str(), context_, core_, sm, place,
                                             seams(index), spec_.perturbation);
  l1s_[index] = std::make_unique<models::L1Cache>(fmt::format("sm{}_l1", index).c_str(), context_, core_, spec_.l1,
                                                  policy_, place.id, map_);
}

void Gpu::make_partition(unsigned index) {
  const models::TileScope tile(context_.tiles, tile_of_partition(index));
  l2s_[index] =
      std::make_unique<models::L2Slice>(fmt::format("part{}_l2", index).c_str(), context_, l2_clock_, spec_.l2, policy_,
                                        base::PartitionId(static_cast<std::uint16_t>(index)), map_);
  if (options_.z_units)
    z_units_[index] = std::make_unique<models::ZUnit>(
        fmt::format("part{}_z_unit", index).c_str(), context_, *z_clock_, spec_.z_unit, policy_,
        base::PartitionId(static_cast<std::uint16_t>(index)), map_, spec_.l2.line, data_bytes_per_channel());
  if (options_.own_memory.count(index) != 0) return;
  models::DramSpec dram = spec_.dram;
  dram.capacity = std::max(dram.capacity, channel_bytes());
  drams_[index] = std::make_unique<models::Dram>(fmt::format("part{}_dram", index).c_str(), context_, dram_clock_, dram,
                                                 spec_.perturbation);
}

void Gpu::bind() {
  for (unsigned i = 0; i < spec_.sms; ++i) {
    models::Sm& sm = *sms_[i];
    models::L1Cache& l1 = *l1s_[i];
    distributor_->sms.bind(sm.ctas);
    sm.done.bind(distributor_->done);
    sm.to_l1.socket.bind(l1.from_sm.socket);
    l1.to_sm.socket.bind(sm.from_l1.socket);
    bind_l1(l1, i);
  }
  for (unsigned i = 0; i < map_.partitions(); ++i) {
    models::L2Slice& l2 = *l2s_[i];
    const models::TileScope tile(context_.tiles, tile_of_partition(i));
    GpuOptions::PartitionUnits units =
        options_.partition_units ? options_.partition_units(i, context_, l2_clock_) : GpuOptions::PartitionUnits{};
    if (z_units_[i]) units.insert(units.begin(), z_units_[i].get());
    models::bind_partition_path(up_->output(i), units, l2.requests, l2.replies, down_->input(i));
    if (l2.to_next) l2.to_next->socket.bind(l2s_[(i + 1) % map_.partitions()]->from_previous->socket);
    if (drams_[i]) l2.memory.socket.bind(drams_[i]->socket);
  }
}

void Gpu::bind_l1(models::L1Cache& l1, unsigned node) {
  l1.to_network.socket.bind(up_->input(node).socket);
  down_->output(node).socket.bind(l1.from_network.socket);
  if (l1.to_peers) l1.to_peers->socket.bind(down_->input(map_.partitions() + node).socket);
}

template <class Access>
void Gpu::for_each_part(std::uint64_t address, std::uint64_t bytes, Access&& access) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const std::uint64_t at = address + done;
    const std::uint64_t part = std::min<std::uint64_t>(bytes - done, map_.chunk() - at % map_.chunk());
    if (!access(*l2s_[map_.partition(at).value()], base::ByteAddress(at), done, part))
      throw base::ModelError(fmt::format("no memory answers at device address {:#x}", at));
    done += part;
  }
}

void Gpu::debug_read(std::uint64_t address, void* to, std::uint64_t bytes) {
  auto* const data = static_cast<std::uint8_t*>(to);
  for_each_part(address, bytes,
                [&](models::L2Slice& l2, base::ByteAddress at, std::uint64_t offset, std::uint64_t part) {
                  return l2.debug_read(at, data + offset, part);
                });
  const std::uint64_t end = std::min(address + bytes, local_memory_end());
  for (std::uint64_t at = std::max(address, local_memory_base()); at < end;) {  // the L1 of its SM may have newer bytes
    const std::uint64_t sm = (at - local_memory_base()) / local_bytes_per_sm();
    const std::uint64_t part = std::min(end, local_memory_base() + (sm + 1) * local_bytes_per_sm()) - at;
    l1s_[sm]->debug_overlay(base::ByteAddress(at), data + (at - address), part);
    at += part;
  }
}

void Gpu::debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) {
  const auto* const data = static_cast<const std::uint8_t*>(from);
  for_each_part(address, bytes,
                [&](models::L2Slice& l2, base::ByteAddress at, std::uint64_t offset, std::uint64_t part) {
                  return l2.debug_write(at, data + offset, part);
                });
}

std::uint64_t Gpu::warp_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->counters().warp_instructions.value();
  return sum;
}

std::uint64_t Gpu::thread_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->counters().thread_instructions.value();
  return sum;
}

}  // namespace syncline::platform
