#include "platform/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/nearest.h"
#include "base/round_up.h"
#include "platform/packages/units.h"

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
models::ClockDomain& add_clock(models::PlatformContext& context, models::GpuPlace place,
                               const models::PerturbationSpec& perturbation, const std::string& clock,
                               std::uint64_t hertz) {
  const std::string name = prefix(place) + clock;
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

std::vector<UnitRequest> units_of(const PlatformSpec& spec, const GpuOptions& options) {
  std::vector<UnitRequest> units = requested_units(spec);
  if (options.z_units) add_unit(units, z_unit(spec));
  for (const auto& [name, factory] : options.unit_factories) {
    std::vector<std::string> names;
    names.reserve(units.size());
    for (const UnitRequest& unit : units) names.push_back(unit.name);
    const auto replaced = std::find(names.begin(), names.end(), name);
    if (replaced == names.end())
      throw base::UserError("no unit `" + name + "` stands in the partitions of this GPU" +
                            (names.empty() ? std::string() : base::suggestion(name, names)));
    units[static_cast<std::size_t>(replaced - names.begin())].make = factory;
  }
  return units;
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, models::PlatformContext& context, const PlatformSpec& spec,
         GpuOptions options)
    : sc_core::sc_module(name),
      spec_(with_chance(spec)),
      options_(std::move(options)),
      context_(context),
      policy_(protocols::make_coherence_policy(spec.coherence, coherence_context(spec, options_))),
      map_(spec.memory, options_.place),
      units_(units_of(spec_, options_)),
      layout_(memory_layout(spec_, units_)),
      core_(clock("core", spec.clocks.core)),
      interconnect_(clock("interconnect", spec.clocks.interconnect)),
      l2_clock_(clock("l2", spec.clocks.l2)),
      dram_clock_(clock("dram", spec.dram.clock)) {
  sms_.resize(spec.sms);
  l1s_.resize(spec.sms);
  l2s_.resize(map_.partitions());
  partition_units_.resize(map_.partitions());
  atomic_units_.resize(map_.partitions());
  drams_.resize(map_.partitions());
  const unsigned ports = spec.sms + options_.foreign_ports;
  install_packages();

  const std::function<void()> parts[] = {
      [&] {
        distributor_ = std::make_unique<models::WorkDistributor>("distributor", context_, core_, spec_.work_distributor,
                                                                 dealer(), spec_.perturbation);
      },
      [&] {
        for (const unsigned i : order(spec_.sms, options_.reverse_construction)) make_sm(i);
      },
      [&] {
        models::CrossbarSpec crossbar = spec_.crossbar;
        crossbar.virtual_networks = std::max(
            crossbar.virtual_networks, context_.families.networks(static_cast<unsigned>(policy_.networks.size())));
        up_ = std::make_unique<models::Crossbar>(
            "up", context_, interconnect_, crossbar, ports,
            models::Router::to(models::NodeKind::home, map_.partitions(), options_.place), spec_.perturbation);
        down_ = std::make_unique<models::Crossbar>(
            "down", context_, interconnect_, crossbar, map_.partitions() + (policy_.peer_messages ? ports : 0),
            models::Router::to(models::NodeKind::l1, ports, options_.place), spec_.perturbation);
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
  } else if (policy_.sm_order) {
    seams.fences = std::make_shared<models::ScopedFence>(policy_.shows_stores_early);
  } else {
    seams.fences = std::make_shared<models::DrainingFence>(policy_.shows_stores_early);
  }
  seams.listeners = options_.listeners;
  Takers takers;
  takers.gate.look(policy_.consistency == protocols::Consistency::sc, "the issue gate",
                   {"coherence", &policy_family("coherence").find(spec_.coherence.policy)});
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

void Gpu::serve(models::SmHost& host, const isa::MemoryMap& memory) {
  for (const auto& sm : sms_) sm->serve(host, memory);
}

void Gpu::install_packages() {
  const auto require = [](bool ok, std::string_view key, const std::string& message) {
    if (!ok) throw base::UserError(fmt::format("`{}` {}", key, message));
  };
  check_composition({spec_, options_.foreign_ports}, require);
  check_memory(layout_, require);
  for (const UnitRequest& unit : units_) clock(unit.clock, unit.hertz);
  const GpuSite site{context_, core_, spec_, map_, layout_};
  for (const ChosenPackage& chosen : chosen_packages(spec_))
    packages_.push_back({chosen, chosen.package->install(site)});
}

std::shared_ptr<models::CtaDealer> Gpu::dealer() {
  std::shared_ptr<models::CtaDealer> dealer;
  Taker taker;
  for (const Installed& one : packages_) {
    auto its = one.parts ? one.parts->dealer() : nullptr;
    taker.look(its != nullptr, "the dealing of CTAs", one.package);
    if (its) dealer = std::move(its);
  }
  return dealer;
}

models::ClockDomain& Gpu::clock(const std::string& name, std::uint64_t hertz) {
  models::ClockDomain*& domain = clocks_[name];
  if (domain == nullptr) domain = &add_clock(context_, options_.place, spec_.perturbation, name, hertz);
  return *domain;
}

models::PartitionUnit* Gpu::unit(unsigned partition, std::string_view name) {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (units_[i].name == name) return partition_units_.at(partition)[i].get();
  }
  return nullptr;
}

std::uint64_t Gpu::channel_bytes() const {
  return base::round_up(layout_.bytes_per_partition(), std::uint64_t{spec_.dram.banks} * spec_.dram.row);
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
                                                  policy_, place.id, map_, options_.place);
}

void Gpu::make_partition(unsigned index) {
  const models::TileScope tile(context_.tiles, tile_of_partition(index));
  l2s_[index] =
      std::make_unique<models::L2Slice>(fmt::format("part{}_l2", index).c_str(), context_, l2_clock_, spec_.l2, policy_,
                                        base::PartitionId(static_cast<std::uint16_t>(index)), map_, options_.place);
  if (!options_.atomic_unit)
    atomic_units_[index] = std::make_unique<models::AtomicUnit>(fmt::format("part{}_atomic_unit", index).c_str(),
                                                                context_, l2_clock_, spec_.l2.atomic_unit);
  for (const UnitRequest& unit : units_) {
    const UnitSite site{context_,
                        clock(unit.clock, unit.hertz),
                        spec_,
                        policy_,
                        base::PartitionId(static_cast<std::uint16_t>(index)),
                        map_,
                        layout_.at(unit.name).base,
                        options_.place};
    partition_units_[index].push_back(unit.make(fmt::format("part{}_{}", index, unit.name).c_str(), site));
  }
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
    GpuOptions::PartitionUnits units;
    for (const auto& unit : partition_units_[i]) units.push_back(unit.get());
    if (options_.partition_units) {
      for (models::PartitionUnit* const own : options_.partition_units(i, context_, l2_clock_)) units.push_back(own);
    }
    models::bind_partition_path(up_->output(i), units, l2.requests, l2.replies, down_->input(i),
                                models::home_node(base::PartitionId(static_cast<std::uint16_t>(i)), options_.place));
    if (l2.to_next) l2.to_next->socket.bind(l2s_[(i + 1) % map_.partitions()]->from_previous->socket);
    if (atomic_units_[i])
      l2.atomics.socket.bind(atomic_units_[i]->socket);
    else
      options_.atomic_unit(i, context_, l2_clock_, l2.atomics.socket);
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
  const MemoryRegion& local = layout_.at(local_memory);
  const std::uint64_t end = std::min(address + bytes, local.end());
  for (std::uint64_t at = std::max(address, local.base); at < end;) {  // the L1 of its SM may have newer bytes
    const std::uint64_t sm = (at - local.base) / local_bytes_per_sm();
    const std::uint64_t part = std::min(end, local.base + (sm + 1) * local_bytes_per_sm()) - at;
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
