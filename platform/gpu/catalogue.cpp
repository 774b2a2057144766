#include "platform/gpu/catalogue.h"

namespace syncline::platform {

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> entries{
      {"work_distributor", "models/work_distributor", "deals the CTAs of grids to SMs"},
      {"sm", "models/sm", "streaming multiprocessor: warps, schedulers, shared memory, memory path"},
      {"l1_cache", "models/l1_cache", "host of a coherence policy's L1 machine: tags, data, MSHRs"},
      {"crossbar", "models/crossbar", "one direction of the interconnect"},
      {"partition", "models/partition", "chain of units between crossbar and L2"},
      {"z_unit", "models/z_unit", "orders the writes of a partition by depth, before its L2"},
      {"atomic_unit", "models/atomic_unit", "read-modify-write at the L2"},
      {"l2_slice", "models/l2_slice", "host of a coherence policy's home machine: write-back cache"},
      {"dram", "models/dram", "one DRAM channel behind the TLM base protocol"},
      {"bridge", "models/bridge", "the base protocol on both ends: foreign memories and initiators"},
  };
  return entries;
}

}  // namespace syncline::platform
