#include "platform/gpu/memory_side.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/rtl/rtl_blocks.h"
#include "platform/gpu/made_blocks.h"

namespace syncline::platform {

using models::Direction;

namespace {
/// Debug transport of all of `bytes`.
bool reaches(models::MemoryLink& link, tlm::tlm_command command, std::uint64_t address,
             std::vector<std::uint8_t>& bytes) {
  const auto size = static_cast<unsigned>(bytes.size());
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes.data());
  payload.set_data_length(size);
  payload.set_streaming_width(size);
  return link->transport_dbg(payload) == size;
}
}  // namespace

MemorySide::MemorySide(const GpuPlan& plan, const MemorySideOptions& options)
    : plan_(plan), options_(options), partitions_(plan.partitions()) {
  models::Scheduler& scheduler = plan.context().scheduler;
  if (!options_.own_memory.empty()) scheduler.keep_time("a memory is of another maker");
  if (options_.partition_units) scheduler.keep_time("partitions have units of another maker");
  const std::function<void()> parts[] = {[this] { make_networks(); },
                                         [this] {
                                           for (const unsigned i : plan_.order(plan_.partitions())) make_partition(i);
                                         }};
  for (const unsigned i : plan_.order(2)) parts[i]();
  for (unsigned i = 0; i < plan_.partitions(); ++i) bind_partition(i);
  if (models::PagedHomes* const pages = plan_.pages())
    pages->on_move([this](std::uint64_t address, unsigned from, unsigned to) { move_page(address, from, to); });
}

MemorySide::~MemorySide() = default;

std::string MemorySide::name_of(unsigned partition, std::string_view block) const {
  return plan_.name_of(fmt::format("part{}_{}", partition, block));
}

void MemorySide::make_networks() {
  using models::NodeKind;
  using models::Router;
  const unsigned homes = plan_.partitions(), l1s = plan_.l1s();
  const bool peers = plan_.policy().peer_messages, l2s = plan_.policy().of_modules;
  if (plan_.modules().modules() > 1 && !options_.network) {
    if (!plan_.spec().modules.linked()) plan_.require_no_way_between_gpus();
    between_modules_ = std::make_unique<models::ModuleNetworks>(models::ModuleNetworksSite{
        plan_.context(), plan_.interconnect(), plan_.name_of(""), plan_.spec().modules, crossbar_spec(),
        plan_.modules(), l1s, homes, peers, l2s, sends_ideal(), plan_.spec().perturbation});
    up_.ports = between_modules_->ports(Direction::up);
    down_.ports = between_modules_->ports(Direction::down);
    return;
  }
  up_ = make_network("up", Direction::up, l1s + (l2s ? homes : 0), Router::to(NodeKind::home, homes, plan_.place()));
  Router below = Router::to(NodeKind::l1, l1s, plan_.place());
  if (l2s) below.add(NodeKind::home, homes, plan_.place());
  down_ = make_network("down", Direction::down, homes + (peers ? l1s : 0), below);
}

bool MemorySide::sends_ideal() const {
  const auto& kinds = plan_.policy().messages;
  return std::any_of(kinds.begin(), kinds.end(), [](const auto& kind) { return kind.ideal; });
}

models::CrossbarSpec MemorySide::crossbar_spec() const {
  models::CrossbarSpec spec = plan_.spec().crossbar;
  spec.virtual_networks =
      std::max(spec.virtual_networks, plan_.context().families.networks(plan_.policy().virtual_networks()));
  return spec;
}

models::Made<models::NetworkPorts> MemorySide::make_network(const char* name, Direction direction, unsigned inputs,
                                                            const models::Router& outputs) const {
  const models::CrossbarSpec spec = crossbar_spec();
  auto network = make_block(options_.network, models::make_crossbar, name,
                            models::NetworkSite{plan_.context(), plan_.interconnect(), spec, direction, inputs, outputs,
                                                plan_.spec().perturbation, sends_ideal()});
  const auto& [ins, outs] = network.ports;
  if (ins.size() != inputs || outs.size() != outputs.ports())
    throw base::UserError(fmt::format("the factory of `{}` gives {} inputs and {} outputs; there are to be {} and {}",
                                      plan_.name_of(name), ins.size(), outs.size(), inputs, outputs.ports()));
  return network;
}

void MemorySide::make_partition(unsigned index) {
  const models::TileScope tile(plan_.context().tiles, plan_.name_of(fmt::format("part{}", index)),
                               plan_.place_of_home(index));
  Partition& made = partitions_[index];
  const PlatformSpec& spec = plan_.spec();
  const base::PartitionId id(static_cast<std::uint16_t>(index));
  const auto block = [index](std::string_view name) { return fmt::format("part{}_{}", index, name); };
  made.l2 = make_block(
      options_.l2, models::make_l2_slice, block("l2"),
      models::L2Site{plan_.context(), plan_.l2(), spec.l2, plan_.policy(), id, plan_.homes(), plan_.place()});
  given(made.l2.ports.requests, name_of(index, "l2"), "requests");
  given(made.l2.ports.replies, name_of(index, "l2"), "replies");
  if (!options_.atomic_unit && made.l2.ports.atomics != nullptr)
    made.atomic_unit =
        make_block(spec.l2.atomic_unit.model == models::BlockModel::rtl ? rtl::rtl_blocks()->atomic_unit : nullptr,
                   models::make_atomic_unit, block("atomic_unit"),
                   models::AtomicUnitSite{plan_.context(), plan_.l2(), spec.l2.atomic_unit});
  for (const UnitRequest& unit : plan_.units()) {
    const UnitSite site{plan_.context(),
                        plan_.clock_of(unit),
                        spec,
                        plan_.policy(),
                        id,
                        plan_.homes(),
                        plan_.memory().at(unit.name).base,
                        plan_.place()};
    made.units.push_back(unit.make(block(unit.name).c_str(), site));
  }
  if (options_.own_memory.count(index) != 0 || made.l2.ports.memory == nullptr) return;
  models::DramSpec dram = spec.dram;
  dram.capacity = std::max(dram.capacity, plan_.channel_bytes());
  made.memory = make_block(options_.memory, models::make_dram, block("dram"),
                           models::MemorySite{plan_.context(), plan_.dram(), dram, id, spec.perturbation});
  given(made.memory.ports.socket, name_of(index, "dram"), "socket");
}

void MemorySide::bind_partition(unsigned index) {
  const models::TileScope tile(plan_.context().tiles, plan_.name_of(fmt::format("part{}", index)),
                               plan_.place_of_home(index));
  const Partition& made = partitions_[index];
  const models::L2Ports& l2 = made.l2.ports;
  MemorySideOptions::PartitionUnits units;
  for (const auto& unit : made.units) units.push_back(unit.get());
  if (options_.partition_units) {
    for (models::PartitionUnit* const own : options_.partition_units(index, plan_.context(), plan_.l2()))
      units.push_back(own);
  }
  models::bind_partition_path(*up_.ports.outputs[index], units, *l2.requests, *l2.replies, *down_.ports.inputs[index],
                              models::home_node(base::PartitionId(static_cast<std::uint16_t>(index)), plan_.place()));
  bind_ring(index);
  bind_to_modules(index);
  if (made.atomic_unit.ports.socket != nullptr)
    l2.atomics->bind(*made.atomic_unit.ports.socket);
  else if (l2.atomics != nullptr)
    options_.atomic_unit(index, plan_.context(), plan_.l2(), *l2.atomics);
  if (made.memory.ports.socket != nullptr) l2.memory->bind(*made.memory.ports.socket);
}

void MemorySide::bind_ring(unsigned index) const {
  if (!plan_.policy().home_ring) return;
  const unsigned next = (index + 1) % plan_.partitions();
  given(partitions_[index].l2.ports.to_next, name_of(index, "l2"), "to_next")
      .bind(given(partitions_[next].l2.ports.from_previous, name_of(next, "l2"), "from_previous"));
}

void MemorySide::bind_to_modules(unsigned index) const {
  if (!plan_.policy().of_modules) return;
  const models::L2Ports& l2 = partitions_[index].l2.ports;
  given(l2.to_network, name_of(index, "l2"), "to_network").bind(*up_.ports.inputs[plan_.l1s() + index]);
  down_.ports.outputs[plan_.l1s() + index]->bind(given(l2.from_network, name_of(index, "l2"), "from_network"));
}

void MemorySide::bind_l1(const models::NetworkEnd& l1, unsigned node) {
  if (node >= plan_.l1s())
    throw base::UserError(fmt::format("there is no L1 {}: the networks join {}", node, plan_.l1s()));
  const std::string name = fmt::format("L1 {}", node);
  given(l1.to_network, name, "to_network").bind(*up_.ports.inputs[node]);
  down_.ports.outputs[node]->bind(given(l1.from_network, name, "from_network"));
  if (plan_.policy().peer_messages)
    given(l1.to_peers, name, "to_peers").bind(*down_.ports.inputs[plan_.partitions() + node]);
  else if (l1.to_peers != nullptr)
    throw base::UserError(
        fmt::format("L1 {} has a socket `to_peers`, and the coherence policy `{}` no messages between L1s", node,
                    plan_.policy().name));
}

models::L2Slice& MemorySide::l2(unsigned partition) const {
  return library_block<models::L2Slice>(partitions_.at(partition).l2, name_of(partition, "l2"));
}

models::Dram* MemorySide::dram(unsigned partition) const {
  return dynamic_cast<models::Dram*>(partitions_.at(partition).memory.block.get());
}

models::PartitionUnit* MemorySide::unit(unsigned partition, std::string_view name) const {
  const auto& units = partitions_.at(partition).units;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (plan_.units()[i].name == name) return units[i].get();
  }
  return nullptr;
}

models::MemoryLink& MemorySide::memory_link(unsigned partition) const {
  if (models::MemoryLink* const link = partitions_.at(partition).l2.ports.memory) return *link;
  throw base::UserError("`" + name_of(partition, "l2") + "` has no socket for a memory");
}

void MemorySide::check_memories() const {
  for (unsigned i = 0; i < plan_.partitions(); ++i) {
    if (partitions_[i].l2.ports.memory == nullptr || dram(i) != nullptr) continue;
    models::MemoryLink& link = *partitions_[i].l2.ports.memory;
    const auto answers = [&](std::uint64_t address) {
      std::vector<std::uint8_t> byte(1);
      return reaches(link, tlm::TLM_READ_COMMAND, address, byte);
    };
    const std::uint64_t needed = plan_.channel_bytes();
    if (answers(0) && !answers(needed - 1))
      throw base::UserError(fmt::format(
          "the memory behind `{}` is too small: a partition needs {} bytes (`host.memory` says what programs may "
          "allocate of all partitions), and debug transport reaches no byte {:#x}",
          name_of(i, "l2"), needed, needed - 1));
  }
}

void MemorySide::move_page(std::uint64_t address, unsigned from, unsigned to) const {
  const models::TileTurn turn(plan_.context().tiles.sequential(), models::Leak::page);
  const models::PagedHomes& pages = *plan_.pages();
  std::vector<std::uint8_t> bytes, there;
  for (std::uint64_t at = address; at < address + pages.page_bytes(); at += bytes.size()) {
    bytes.resize(pages.together(at));
    there.resize(bytes.size());
    // No L2 has a line of a page that nobody has asked for, so the memories have all of it.
    access_memory(pages.partition_in(from, at), tlm::TLM_READ_COMMAND, pages.local(at), bytes);
    access_memory(pages.partition_in(to, at), tlm::TLM_READ_COMMAND, pages.local(at), there);
    // What is equal is not written: most of a page is zeros that nobody has written, and takes no host memory so.
    if (bytes != there) access_memory(pages.partition_in(to, at), tlm::TLM_WRITE_COMMAND, pages.local(at), bytes);
  }
}

void MemorySide::access_memory(unsigned partition, tlm::tlm_command command, std::uint64_t local,
                               std::vector<std::uint8_t>& bytes) const {
  if (!reaches(memory_link(partition), command, local, bytes))
    throw base::ModelError(
        fmt::format("the memory behind `{}` does not answer debug transport at {:#x}, and a page is to be moved {} it",
                    name_of(partition, "l2"), local, command == tlm::TLM_READ_COMMAND ? "from" : "to"));
}

template <class Access>
void MemorySide::for_each_part(std::uint64_t address, std::uint64_t bytes, Access&& access) const {
  const models::HomeMap& homes = plan_.homes();
  std::uint64_t done = 0;
  while (done < bytes) {
    const std::uint64_t at = address + done;
    const std::uint64_t part = std::min(bytes - done, homes.together(at));
    if (!access(partitions_.at(homes.home(at).index).l2.ports, base::ByteAddress(at), done, part))
      throw base::ModelError(fmt::format("no memory answers at device address {:#x}", at));
    done += part;
  }
}

void MemorySide::debug_read(std::uint64_t address, void* to, std::uint64_t bytes) const {
  auto* const data = static_cast<std::uint8_t*>(to);
  for_each_part(address, bytes,
                [&](const models::L2Ports& l2, base::ByteAddress at, std::uint64_t offset, std::uint64_t part) {
                  return l2.debug_read && l2.debug_read(at, data + offset, part);
                });
}

void MemorySide::debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) const {
  const auto* const data = static_cast<const std::uint8_t*>(from);
  for_each_part(address, bytes,
                [&](const models::L2Ports& l2, base::ByteAddress at, std::uint64_t offset, std::uint64_t part) {
                  if (!l2.debug_write || !l2.debug_write(at, data + offset, part)) return false;
                  write_copies(at, data + offset, part);
                  return true;
                });
}

/// In whichever module they are.
void MemorySide::write_copies(base::ByteAddress at, const std::uint8_t* data, std::uint64_t bytes) const {
  if (!plan_.policy().of_modules) return;
  const models::NodeId home = plan_.homes().home(at.value());
  const unsigned slices = plan_.homes().places()->slices();
  for (unsigned i = home.index % slices; i < partitions_.size(); i += slices) {
    const models::L2Ports& l2 = partitions_[i].l2.ports;
    if (i != home.index && l2.debug_write_copies) l2.debug_write_copies(at, data, bytes);
  }
}

void MemorySide::write_back(std::uint64_t address, std::uint64_t bytes) const {
  for_each_part(address, bytes, [](const models::L2Ports& l2, base::ByteAddress at, std::uint64_t, std::uint64_t part) {
    return !l2.debug_write_back || l2.debug_write_back(at, part);
  });
}

void MemorySide::refresh(std::uint64_t address, std::uint64_t bytes) const {
  for_each_part(address, bytes,
                [&](const models::L2Ports& l2, base::ByteAddress at, std::uint64_t, std::uint64_t part) {
                  if (!l2.debug_refresh) return true;
                  if (!l2.debug_refresh(at, part)) return false;
                  std::vector<std::uint8_t> fresh(part);
                  if (!plan_.policy().of_modules || !l2.debug_read || !l2.debug_read(at, fresh.data(), part))
                    return true;
                  write_copies(at, fresh.data(), part);
                  return true;
                });
}

}  // namespace syncline::platform
