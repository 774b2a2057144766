#include "platform/gpu/catalogue.h"

#include <cctype>

#include "platform/packages/package.h"
#include "platform/packages/registry.h"

namespace syncline::platform {

std::vector<CatalogueSocket> sockets_of_a_unit() {
  using Protocol = SocketProtocol;
  constexpr bool initiator = true, target = false;
  return {{"request_in", target, Protocol::message},
          {"request_out", initiator, Protocol::message},
          {"reply_in", target, Protocol::message},
          {"reply_out", initiator, Protocol::message}};
}

std::string_view name(SocketProtocol protocol) {
  using Protocol = SocketProtocol;
  switch (protocol) {
    case Protocol::message:
      return "message";
    case Protocol::base:
      return "base protocol";
    case Protocol::atomic:
      return "atomic";
    case Protocol::stall:
      return "stall buffer";
    case Protocol::debug:
      break;
  }
  return "debug";
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  for (const char c : pattern) {
    if (c != '*') {
      if (at == name.size() || name[at++] != c) return false;
      continue;
    }
    const std::size_t digits = at;
    while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0) ++at;
    if (at == digits) return false;
  }
  return at == name.size();
}

std::vector<CatalogueEntry> catalogue() {
  using Protocol = SocketProtocol;
  constexpr bool initiator = true, target = false;
  std::vector<CatalogueEntry> entries{
      {"work_distributor", "models/work_distributor", "distributor", "work_distributor",
       "deals the CTAs of grids to SMs"},
      {"sm",
       "models/sm",
       "sm*",
       "sm",
       "streaming multiprocessor: warps, schedulers, shared memory, memory path",
       {{"to_l1", initiator, Protocol::message}, {"from_l1", target, Protocol::message}}},
      {"sm_unit", "models/sm", "", "", "unit between an SM and its L1: base of one of the user's", sockets_of_a_unit()},
      {"l1_cache",
       "models/l1_cache",
       "sm*_l1 copy_engine*_l1",
       "l1",
       "host of a coherence policy's L1 machine: tags, data, MSHRs",
       {{"from_sm", target, Protocol::message},
        {"to_sm", initiator, Protocol::message},
        {"to_network", initiator, Protocol::message},
        {"from_network", target, Protocol::message},
        {"to_peers", initiator, Protocol::message, "where L1s send to each other"}}},
      {"crossbar",
       "models/crossbar",
       "up down gpm*_up gpm*_down gpu*_up gpu*_down nvlink_switch*_up nvlink_switch*_down nvlink_spine_up "
       "nvlink_spine_down",
       "crossbar",
       "one direction of the interconnect; of a module, between modules, and as a switch between GPUs",
       {{"in*", target, Protocol::message}, {"out*", initiator, Protocol::message}}},
      {"nvlink_port",
       "models/nvlink",
       "nvlink*_out nvlink*_in nvlink*_to* spine_link*_out spine_link*_in",
       "modules.link",
       "one direction of a link between GPUs: the sending end",
       {{"in*", target, Protocol::message}, {"out*", initiator, Protocol::message}}},
      {"nvlink_room",
       "models/nvlink",
       "nvlink*_out_room nvlink*_in_room nvlink*_to*_room spine_link*_out_room spine_link*_in_room",
       "modules.link",
       "one direction of a link between GPUs: the receiving end",
       {{"in*", target, Protocol::message}, {"out*", initiator, Protocol::message}}},
      {"partition", "models/partition", "", "memory", "chain of units between crossbar and L2; base of a unit",
       sockets_of_a_unit()},
      {"z_unit", "models/z_unit", "part*_z_unit", "z_unit",
       "orders the writes of a partition by depth, where a policy wants it", sockets_of_a_unit()},
      {"atomic_unit",
       "models/atomic_unit",
       "part*_atomic_unit",
       "l2.atomic_unit",
       "read-modify-write beside the L2, which locks the line meanwhile",
       {{"socket", target, Protocol::atomic}}},
      {"l2_slice",
       "models/l2_slice",
       "part*_l2",
       "l2",
       "host of a coherence policy's home machine: write-back cache",
       {{"requests", target, Protocol::message},
        {"replies", initiator, Protocol::message},
        {"memory", initiator, Protocol::base},
        {"atomics", initiator, Protocol::atomic},
        {"debug", target, Protocol::debug},
        {"to_next", initiator, Protocol::message, "where homes are joined in a ring"},
        {"from_previous", target, Protocol::message, "where homes are joined in a ring"}}},
      {"dram",
       "models/dram",
       "part*_dram",
       "dram",
       "one DRAM channel behind the TLM base protocol",
       {{"socket", target, Protocol::base}}},
      {"foreign_bridge",
       "models/bridge",
       "",
       "",
       "lets an initiator of the base protocol access the memory as an SM does, through an L1 of its own",
       {{"socket", target, Protocol::base},
        {"to_l1", initiator, Protocol::message},
        {"from_l1", target, Protocol::message},
        {"debug*", initiator, Protocol::debug}}},
      {"copy_engine",
       "models/copy_engine",
       "copy_engine*",
       "modules.copy_engine",
       "copies between the memories of GPUs, through an L1 of its own",
       {{"to_l1", initiator, Protocol::message}, {"from_l1", target, Protocol::message}}},
      {"host_copies",
       "models/copy_engine",
       "host_copies*",
       "host",
       "copies between the memories of GPUs that no link joins, over the host",
       {}},
      {"lt_memory_adapter",
       "models/bridge",
       "",
       "",
       "lets a loosely timed memory stand behind a partition",
       {{"target", target, Protocol::base}, {"initiator", initiator, Protocol::base}}},
      {"burst_adapter",
       "models/bridge",
       "",
       "",
       "lets a memory stand behind a partition that serves bursts of one size only, or no byte enables",
       {{"target", target, Protocol::base}, {"initiator", initiator, Protocol::base}}},
      {"rtl_server",
       "models/transactor",
       "",
       "",
       "a module in RTL behind a socket, in the place of an atomic unit or of a stall buffer",
       {{"socket", target, Protocol::atomic}}},
      {"rtl_partition_unit", "models/transactor", "", "", "a module in RTL before an L2, in the place of a Z-unit",
       sockets_of_a_unit()},
      {"rtl_sm_unit", "models/transactor", "", "", "a module in RTL between an SM and its L1", sockets_of_a_unit()},
  };
  for (const PolicyFamily& family : policy_families()) {
    for (const Package* const package : family.packages) {
      for (const CatalogueEntry& entry : package->blocks()) entries.push_back(entry);
    }
  }
  return entries;
}

const CatalogueEntry* entry_of(const std::vector<CatalogueEntry>& entries, const std::string& block) {
  const std::string_view name = std::string_view(block).substr(block.find('.') + 1);
  for (const CatalogueEntry& entry : entries) {
    for (std::size_t begin = 0; begin < entry.instances.size();) {
      const std::size_t end = std::min(entry.instances.find(' ', begin), entry.instances.size());
      if (matches(entry.instances.substr(begin, end - begin), name)) return &entry;
      begin = end + 1;
    }
  }
  return nullptr;
}

}  // namespace syncline::platform
