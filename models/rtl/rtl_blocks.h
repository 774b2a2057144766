// The blocks of the library that exist in SystemVerilog, too: factories that stand in for those in C++.
//
// This header needs no Verilator; whether there are any is asked of `rtl_blocks`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/ids.h"
#include "models/atomic_unit/atomic_ports.h"
#include "models/partition/home_map.h"
#include "models/partition/partition_unit.h"
#include "models/transactions/getm/stall_work.h"
#include "models/z_unit/z_unit_spec.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::rtl {

/// What the modules have room for: the defaults of their parameters (`fits` in each of them).
struct AtomicUnitSizes {
  static constexpr std::uint64_t least_latency = 3, latency = 18;
  static constexpr std::uint32_t lanes = 32;
};
struct StallBufferSizes {
  static constexpr std::uint32_t addresses = 16, requests = 4;
};
struct ZUnitSizes {
  static constexpr std::uint32_t requests = 16, sets = 32, ways = 4;
};

struct ZUnitSite {
  models::PlatformContext& context;
  models::ClockDomain& clock;
  const models::ZUnitSpec& spec;
  const protocols::CoherencePolicy& policy;
  base::PartitionId partition;
  const models::HomeMap& homes;
  unsigned line_bytes;
  std::uint64_t depth_base;  ///< as that of models::ZUnit
  models::GpuPlace place{};
};

/// What goes beyond the sizes above is the caller's to refuse.
struct RtlBlocks {
  models::AtomicUnitFactory atomic_unit;
  models::MakeStallBuffer stall_buffer;
  std::function<std::unique_ptr<models::PartitionUnit>(const sc_core::sc_module_name&, const ZUnitSite&)> z_unit;
};

/// Null where the library was built without Verilator.
const RtlBlocks* rtl_blocks();

}  // namespace syncline::rtl
