// Memories to stand behind the partitions of a GPU, each behind a checker that ends the run.
#pragma once

#include <memory>
#include <vector>

#include "models/bridge/base_protocol_checker.h"
#include "models/bridge/burst_adapter.h"
#include "models/dram/memory_ports.h"
#include "platform/gpu/gpu.h"
#include "tests/support/burst_memory.h"

namespace syncline::tests {

/// A memory of bursts, an adapter before it, and checkers on both sides of the adapter.
class MemoryOfBursts : public sc_core::sc_module {
 public:
  MemoryOfBursts(const sc_core::sc_module_name& module_name, models::PlatformContext& context,
                 const BurstMemorySpec& spec)
      : sc_core::sc_module(module_name),
        checker("checker"),
        adapter("adapter", context, adapter_spec(spec)),
        memory_checker("memory_checker"),
        memory("memory", spec) {
    checker.initiator.bind(adapter.target);
    adapter.initiator.bind(memory_checker.target);
    memory_checker.initiator.bind(memory.socket);
  }
  static models::BurstAdapterSpec adapter_spec(const BurstMemorySpec& memory) {
    models::BurstAdapterSpec spec;
    spec.burst = memory.burst;
    return spec;
  }
  models::BaseProtocolChecker checker;
  models::BurstAdapter adapter;
  models::BaseProtocolChecker memory_checker;
  BurstMemory memory;
};

/// Puts one behind each partition. `made` has them while the simulation lives.
inline models::MakeMemory memories_of_bursts(const BurstMemorySpec& bursts, std::vector<MemoryOfBursts*>& made) {
  return [bursts, &made](const sc_core::sc_module_name& name, const models::MemorySite& site) {
    BurstMemorySpec spec = bursts;
    spec.capacity = site.spec.capacity;
    auto memory = std::make_unique<MemoryOfBursts>(name, site.context, spec);
    made.push_back(memory.get());
    const models::MemoryPorts ports{&memory->checker.target};
    return models::Made<models::MemoryPorts>{std::move(memory), ports};
  };
}

/// The library's DRAM behind a checker.
class CheckedDram : public sc_core::sc_module {
 public:
  CheckedDram(const sc_core::sc_module_name& module_name, const models::MemorySite& site)
      : sc_core::sc_module(module_name), checker("checker"), dram(models::make_dram("dram", site)) {
    checker.initiator.bind(*dram.ports.socket);
  }
  models::BaseProtocolChecker checker;
  models::Made<models::MemoryPorts> dram;
};

}  // namespace syncline::tests
