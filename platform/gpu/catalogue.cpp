#include "platform/gpu/catalogue.h"

#include <cctype>

#include "platform/packages/package.h"
#include "platform/packages/registry.h"

namespace syncline::platform {
namespace {

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

}  // namespace

std::vector<CatalogueEntry> catalogue() {
  std::vector<CatalogueEntry> entries{
      {"work_distributor", "models/work_distributor", "distributor", "work_distributor",
       "deals the CTAs of grids to SMs"},
      {"sm", "models/sm", "sm*", "sm", "streaming multiprocessor: warps, schedulers, shared memory, memory path"},
      {"l1_cache", "models/l1_cache", "sm*_l1", "l1", "host of a coherence policy's L1 machine: tags, data, MSHRs"},
      {"crossbar", "models/crossbar", "up down", "crossbar", "one direction of the interconnect"},
      {"partition", "models/partition", "", "memory", "chain of units between crossbar and L2; base of a unit"},
      {"z_unit", "models/z_unit", "part*_z_unit", "z_unit",
       "orders the writes of a partition by depth, where a policy wants it"},
      {"atomic_unit", "models/atomic_unit", "part*_atomic_unit", "l2.atomic_unit",
       "read-modify-write beside the L2, which locks the line meanwhile"},
      {"l2_slice", "models/l2_slice", "part*_l2", "l2", "host of a coherence policy's home machine: write-back cache"},
      {"dram", "models/dram", "part*_dram", "dram", "one DRAM channel behind the TLM base protocol"},
      {"bridge", "models/bridge", "", "", "the base protocol on both ends: foreign memories and initiators"},
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
