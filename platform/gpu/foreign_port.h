// A way into the global memory of a GPU for an initiator of somebody else's.
#pragma once

#include <cstdint>
#include <string>

#include "models/bridge/foreign_bridge.h"
#include "models/l1_cache/l1_ports.h"
#include "platform/gpu/memory_side.h"

namespace syncline::platform {

struct ForeignPortOptions {
  models::ForeignBridgeSpec bridge{};  ///< its line is that of the GPU's L1s, whatever is here
  models::MakeL1 l1{};                 ///< null: the library's, with the keys of those of SMs
  std::uint64_t size = 0;              ///< accesses from here on are address errors; 0: where device memory ends
};

/// Makes what an initiator of the base protocol needs: an L1 of its own, a bridge before it, and their bindings to each
/// other, to the networks, and to the debug sockets of the L2 slices, so that transport_dbg through `socket` reads and
/// writes device memory without time, coherent with all that caches hold of it (but for local memory of threads).
/// Direct memory is refused (models/bridge/split_target.h says why).
///
/// Hierarchical names, in the module that it is made in: `name`_l1, `name`_bridge. To be made before simulation starts,
/// once for each of PlanOptions::foreign_ports.
class ForeignPort {
 public:
  /// `index`: of the foreign initiator. `memory` outlives it. UserError where the networks have no such port.
  ForeignPort(const std::string& name, MemorySide& memory, unsigned index, const ForeignPortOptions& options = {});

 private:
  models::Made<models::L1Ports> l1_;
  models::ForeignBridge bridge_;

 public:
  /// Addresses are device addresses, as Device::mem_alloc gives them.
  decltype(models::ForeignBridge::socket)& socket = bridge_.socket;
};

}  // namespace syncline::platform
